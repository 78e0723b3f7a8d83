"""Every question of The Bloody Inn in rulebook order.

Kernels name a question by its number, `Q.ACTION`, where Q is this module.
"""

from alehouse.envs.bloody_inn import flow, night
from alehouse.envs.bloody_inn.layout import FOLDER
from alehouse.envs.bloody_inn.modules import attached, deal, notables, objects
from alehouse.envs.core.declare.questions import Question, Questions

QUESTIONS = Questions(
    FOLDER,
    Question("draft", "keep one object", deal.legal_draft, deal.apply_draft, "4.4", "objects"),
    Question("lodge", "lodge the traveler", flow.legal_lodge, flow.apply_lodge, "3.3"),
    Question("evening", "play an object in the evening or decline", objects.legal_evening, objects.apply_evening, "4.4 W1", "objects",
             secret=objects.holds_any),
    Question("action", "take an action", night.legal_action, night.apply_action, "3.4", secret=objects.holds_any),
    Question("more", "take one more target or stop", night.legal_more, night.apply_more, "3.4", secret=attached.may_attach),
    Question("under", "choose the annex for the corpse", night.legal_under, night.apply_under, "3.4.4"),
    Question("pay", "pay with cards of the hand", night.legal_pay, night.apply_pay, "3.4 (3)"),
    Question("key", "choose the white key to replace", night.legal_key, night.apply_key, "3.4.2"),
    Question("service", "choose the room to serve", night.legal_service, night.apply_service, "3.4.2"),
    Question("barrow", "choose the traveler to build with", attached.legal_barrow, night.apply_barrow, "1.7 wheelbarrow", "objects",
             secret=objects.holds_any),
    Question("lime", "choose the annex to take a corpse from", attached.legal_lime, attached.apply_lime, "1.7 quicklime", "objects"),
    Question("lime_corpse", "choose the corpse quicklime removes", attached.legal_lime_corpse, attached.apply_lime_corpse,
             "1.7 quicklime", "objects"),
    Question("study", "turn 10F into a check or decline", notables.legal_study, notables.apply_study, "1.5 study", "notables"),
    Question("well", "throw a corpse into the well or decline", objects.legal_window, objects.apply_window, "1.7 well", "objects",
             secret=objects.holds_any),
    Question("place", "choose the traveler", objects.legal_place, objects.apply_place, "1.7", "objects"),
    Question("corpse", "choose the corpse", objects.legal_corpse, objects.apply_corpse, "1.7", "objects"),
    Question("recipient", "choose who gets the corpse", objects.legal_recipient, objects.apply_recipient, "1.7 rug", "objects"),
    Question("snow", "hide a corpse or decline", objects.legal_window, objects.apply_window, "4.5 (2)", "objects",
             secret=objects.holds_any),
    Question("tomb", "use the tomb or decline", objects.legal_window, objects.apply_window, "4.5 (4)", "objects", secret=objects.holds_any),
    Question("tomb_owner", "choose whose corpse goes to the tomb", objects.legal_tomb_owner, objects.apply_tomb_owner, "1.7 tomb",
             "objects"),
    Question("dig", "choose how much is paid in cash", flow.legal_dig, flow.apply_dig, "3.5a"),
    Question("confess", "use the confessional or decline", objects.legal_window, objects.apply_window, "4.5 (10)", "objects",
             secret=objects.holds_any),
    Question("donor", "choose who pays", objects.legal_donor, objects.apply_donor, "1.7 confessional", "objects"),
    Question("dismiss", "choose who leaves unpaid", flow.legal_dismiss, flow.apply_dismiss, "3.5c"),
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
