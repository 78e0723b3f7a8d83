"""Every question of Tavern Battle in rulebook order, and every task that waits on the stack with them.

Kernels name a question or a task by its number, `Q.ACTION`, where Q is this module.
"""

from alehouse.envs.core.declare.questions import Question, Questions, Task
from alehouse.envs.core.declare.record import one_of, upto
from alehouse.envs.tavern_battle import actions, agitation, arrivals, brawl, combat, effects, trade
from alehouse.envs.tavern_battle.layout import CHARACTERS, FOLDER, KINDS, POSITIONS, SEATS, TREASURES
from alehouse.envs.tavern_battle.modules import tete_dure, tous_sur_un

QUESTIONS = Questions(
    FOLDER,
    Question("post", "post an agitation card or pass", agitation.legal_post, agitation.apply_post, "3.1 A0"),
    Question("victim", "choose the opponent whom the agitation card hits", agitation.legal_victim, agitation.apply_victim, "1.7",
             args=("card",)),
    Question("insult", "choose the hero to insult", agitation.legal_insult, agitation.apply_insult, "1.7"),
    Question("bait", "choose the treasure to give in exchange", agitation.legal_bait, agitation.apply_bait, "1.7", args=("opponent",)),
    Question("pass_left", "choose the treasure to pass to the left", agitation.legal_pass_left, agitation.apply_pass_left, "1.7"),
    Question("reveal", "choose the treasure to sell", trade.legal_reveal, trade.apply_reveal, "3.1 A1"),
    Question("offer", "add a treasure to the offer or confirm the offer", trade.legal_offer, trade.apply_offer, "3.1 A2",
             secret=effects.holds_cards),
    Question("buyer", "choose the buyer", trade.legal_buyer, trade.apply_buyer, "3.1 A3"),
    Question("activate", "choose the character to activate", brawl.legal_activate, brawl.apply_activate, "3.3 B1"),
    Question("action", "choose an action for the activated character", actions.legal_action, actions.apply_action, "3.4",
             secret=effects.holds_cards),
    Question("pick", "choose the treasure to pick up", actions.legal_pick, actions.apply_pick, "3.4"),
    Question("target", "choose the target", actions.legal_target, actions.apply_target, "3.5 (2)"),
    Question("support", "add a support or roll the dice", actions.legal_support, actions.apply_support, "3.5 (3)"),
    Question("lend", "lend a character as support or refuse", tous_sur_un.legal_lend, tous_sur_un.apply_lend, "4.2", "tous_sur_un"),
    Question("drop", "choose the treasure to drop", combat.legal_drop, combat.apply_drop, "3.5 (8)"),
    Question("loot", "choose the treasure to keep", tete_dure.legal_loot, tete_dure.apply_loot, "4.3", "tete_dure",
             args=("victim", "position")),
    Question("riposte", "strike back or decline", tete_dure.legal_riposte, tete_dure.apply_riposte, "4.3", "tete_dure",
             args=("defender",), secret=tete_dure.asks_always),
    Question("secure", "choose a treasure to put safe", effects.legal_secure, effects.apply_secure, "3.6", args=("treasures",)),
    Question("keep", "keep one object or none", brawl.legal_keep, brawl.apply_keep, "3.3 B2"),
    Question("claim", "claim the arrival or pass", arrivals.legal_claim, arrivals.apply_claim, "3.7"),
    Question("penalty", "choose the character to tilt", arrivals.legal_penalty, arrivals.apply_penalty, "3.7"),
    tasks=(
        Task("hand_over", agitation.hand_over, "1.7"),
        Task("resolve", actions.resolve, "3.5"),
    ),
    ranges={
        "card": one_of(KINDS), "opponent": one_of(SEATS), "victim": one_of(SEATS), "position": one_of(POSITIONS),
        "defender": one_of(CHARACTERS), "treasures": upto(TREASURES),
    },
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
