"""Every question of The Bloody Inn in rulebook order, and every task that waits on the stack with them.

Kernels name a question or a task by its number, `Q.ACTION`, where Q is this module.
"""

from alehouse.envs.bloody_inn import annexes, flow, night, payment
from alehouse.envs.bloody_inn.layout import ANNEXES, FOLDER, KINDS, OBJECTS, SEATS
from alehouse.envs.bloody_inn.modules import action_objects, draft, notables, objects
from alehouse.envs.core.declare.questions import Question, Questions, Task
from alehouse.envs.core.declare.record import one_of, upto

QUESTIONS = Questions(
    FOLDER,
    Question("draft", "keep an object of the hand", draft.legal_draft, draft.apply_draft, "2.3", "objects"),
    Question("lodge", "lodge the visible traveler", flow.legal_lodge, flow.apply_lodge, "3.3"),
    Question("evening", "play an object in the evening or decline", objects.legal_evening, objects.apply_evening, "4.4 W1", "objects",
             secret=objects.holds_any),
    Question("action", "take an action", night.legal_action, night.apply_action, "3.4", secret=objects.holds_any),
    Question("more", "choose one more target or stop", night.legal_more, night.apply_more, "3.4", secret=action_objects.may_attach),
    Question("under", "choose the annex for the corpse", night.legal_under, night.apply_under, "3.4.4"),
    Question("pay", "play a card as payment or stop", payment.legal_pay, payment.apply_pay, "3.4 (3)"),
    Question("key", "choose the white key to replace", annexes.legal_key, annexes.apply_key, "3.4.2"),
    Question("service", "choose the room that gets the service token", annexes.legal_service, annexes.apply_service, "3.4.2"),
    Question("barrow", "choose the guest to build with the wheelbarrow", action_objects.legal_barrow, action_objects.apply_barrow, "1.7",
             "objects", secret=objects.holds_any),
    Question("lime", "choose the annex from which quicklime removes a corpse", action_objects.legal_lime, action_objects.apply_lime, "1.7",
             "objects"),
    Question("lime_corpse", "choose the corpse that quicklime removes", action_objects.legal_lime_corpse,
             action_objects.apply_lime_corpse, "1.7", "objects", args=("owner", "annex")),
    Question("study", "turn 10F into a check or decline", notables.legal_study, notables.apply_study, "1.5", "notables"),
    Question("well", "throw a corpse into the well or decline", objects.legal_window, objects.apply_window, "1.7", "objects",
             args=("object",), secret=objects.holds_any),
    Question("place", "choose the guest for the object", objects.legal_place, objects.apply_place, "1.7", "objects", args=("object",)),
    Question("corpse", "choose the corpse for the object", objects.legal_corpse, objects.apply_corpse, "1.7", "objects",
             args=("object", "owner")),
    Question("recipient", "choose the player who gets the corpse in the rug", objects.legal_recipient, objects.apply_recipient, "1.7",
             "objects", args=("corpse",)),
    Question("snow", "hide a corpse under the snow pile or decline", objects.legal_window, objects.apply_window, "4.5 (2)", "objects",
             args=("object",), secret=objects.holds_any),
    Question("tomb", "use the tomb or decline", objects.legal_window, objects.apply_window, "4.5 (4)", "objects", args=("object",),
             secret=objects.holds_any),
    Question("tomb_owner", "choose the player whose corpse goes under the tomb", objects.legal_tomb_owner, objects.apply_tomb_owner, "1.7",
             "objects"),
    Question("dig", "choose how much of the gravedigger's fee to pay in cash", flow.legal_dig, flow.apply_dig, "3.5a"),
    Question("confess", "use the confessional or decline", objects.legal_window, objects.apply_window, "4.5 (10)", "objects",
             args=("object",), secret=objects.holds_any),
    Question("donor", "choose the player who pays for the confessional", objects.legal_donor, objects.apply_donor, "1.7", "objects"),
    Question("dismiss", "choose an accomplice who leaves unpaid", flow.legal_dismiss, flow.apply_dismiss, "3.5c"),
    tasks=(
        Task("evening_window", objects.evening_window, "4.4 W1", args=("declined",)),
        Task("carry_out", payment.carry_out, "3.4 (4)"),
        Task("end_action", night.end_action, "3.4"),
    ),
    ranges={
        "owner": one_of(SEATS), "annex": one_of(ANNEXES), "object": one_of(OBJECTS), "corpse": one_of(KINDS), "declined": upto(SEATS),
    },
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
