"""Every question of The Taverns of Tiefenthal in rulebook order, and every task that waits on the stack with them.

Kernels name a question or a task by its number, `Q.PLACE`, where Q is this module.
"""

from alehouse.envs.core.declare.questions import Question, Questions, Task
from alehouse.envs.core.declare.record import one_of, upto
from alehouse.envs.tiefenthal import effects, flow, plan, service, tavern
from alehouse.envs.tiefenthal.layout import ENTERTAINERS, FOLDER, KINDS, SEATS, STARTS
from alehouse.envs.tiefenthal.modules import guest_book, reputation, schnapps, start_cards

QUESTIONS = Questions(
    FOLDER,
    Question("start", "choose a start card", start_cards.legal_start, start_cards.apply_start, "4.3", "start_cards"),
    Question("dismiss", "send a regular away or stop", start_cards.legal_dismiss, start_cards.apply_dismiss, "1.14", "start_cards",
             args=("regulars", "last_regular")),
    Question("accept", "take the free upgrade or decline", start_cards.legal_accept, start_cards.apply_accept, "1.14", "start_cards",
             args=("start_card",)),
    Question("side", "choose the side of the entertainer", schnapps.legal_side, schnapps.apply_side, "M2-3", "schnapps",
             args=("entertainer",)),
    Question("bonus", "choose the bonus of the round", flow.legal_bonus, flow.apply_bonus, "3 A"),
    Question("redraw", "give a counter guest back and fill the tavern again, or keep it", tavern.legal_redraw, tavern.apply_redraw, "3 B5"),
    Question("die", "take a white die", tavern.legal_die, tavern.apply_die, "3 D", args=("coaster",)),
    Question("turn", "turn a die for schnapps, or be done", schnapps.legal_turn, schnapps.apply_turn, "M2-5", "schnapps"),
    Question("place", "place a die", plan.legal_place, plan.apply_place, "3 E"),
    Question("serve", "serve, buy or end the turn", service.legal_serve, service.apply_serve, "3 F"),
    Question("discount", "give up a card for a discount, or pay for the upgrade", service.legal_discount, service.apply_discount, "3 F3",
             args=("card", "price")),
    Question("remove", "remove a seated guest or decline", effects.legal_remove, effects.apply_remove, "1.9", args=("removals",)),
    Question("cheer", "take a schnapps or remove a seated guest", reputation.legal_cheer, reputation.apply_cheer, "1.12", "reputation"),
    Question("sign", "choose the column of the signature or decline", guest_book.legal_sign, guest_book.apply_sign, "M5-3", "guest_book"),
    Question("topdeck", "put a laid-out card onto the draw pile for schnapps, or decline", schnapps.legal_topdeck, schnapps.apply_topdeck,
             "M2-5", "schnapps"),
    tasks=(
        Task("steps", effects.climb, "1.9", args=("steps",)),
        Task("fame", reputation.walk, "M3-1", args=("steps",)),
        Task("row", guest_book.complete_row, "M5-6"),
        Task("welcome", service.welcome, "3 F5", args=("kind", "signed")),
    ),
    ranges={
        "regulars": upto(127), "last_regular": one_of(KINDS),
        "start_card": one_of(STARTS), "entertainer": one_of(ENTERTAINERS), "coaster": one_of(SEATS),
        "removals": upto(127), "steps": upto(127), "kind": one_of(KINDS), "signed": upto(1), "card": one_of(KINDS),
        "price": upto(127),
    },
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
