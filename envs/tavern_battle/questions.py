"""Every question of Tavern Battle in rulebook order.

Kernels name a question by its number, `Q.ACTION`, where Q is this module.
"""

from alehouse.envs.core.declare.questions import Question, Questions
from alehouse.envs.tavern_battle import arrivals, brawl, trade
from alehouse.envs.tavern_battle.layout import FOLDER
from alehouse.envs.tavern_battle.modules import tete_dure, tous_sur_un

QUESTIONS = Questions(
    FOLDER,
    Question("post", "post an agitation card or pass", trade.legal_post, trade.apply_post, "3.1 A0"),
    Question("victim", "choose the opponent the agitation card is for", trade.legal_victim, trade.apply_victim, "1.7"),
    Question("insult", "choose the hero who is insulted", trade.legal_insult, trade.apply_insult, "1.7"),
    Question("bait", "choose the treasure to give", trade.legal_hand, trade.apply_bait, "1.7"),
    Question("pass_left", "choose the treasure to pass to the left", trade.legal_hand, trade.apply_pass_left, "1.7"),
    Question("reveal", "choose the treasure to sell", trade.legal_hand, trade.apply_reveal, "3.1 A1"),
    Question("offer", "add a treasure to the offer or confirm it", trade.legal_offer, trade.apply_offer, "3.1 A2", secret=trade.always),
    Question("buyer", "choose who buys", trade.legal_buyer, trade.apply_buyer, "3.1 A3"),
    Question("activate", "activate an upright character", brawl.legal_activate, brawl.apply_activate, "3.3 B1"),
    Question("action", "choose an action for the activated character", brawl.legal_action, brawl.apply_action, "3.4",
             secret=brawl.holds_cards),
    Question("pick", "choose the treasure to pick up", brawl.legal_pick, brawl.apply_pick, "3.4"),
    Question("target", "choose the target", brawl.legal_target, brawl.apply_target, "3.5 (2)"),
    Question("support", "add a support or roll", brawl.legal_support, brawl.apply_support, "3.5 (3)"),
    Question("lend", "lend a character as support or refuse", tous_sur_un.legal_lend, tous_sur_un.apply_lend, "4.2", "tous_sur_un"),
    Question("drop", "choose the treasure to drop", trade.legal_hand, brawl.apply_drop, "3.5 (8)"),
    Question("loot", "choose the treasure to keep", tete_dure.legal_loot, tete_dure.apply_loot, "4.3", "tete_dure"),
    Question("riposte", "strike back or decline", tete_dure.legal_riposte, tete_dure.apply_riposte, "4.3", "tete_dure",
             secret=trade.always),
    Question("secure", "choose a treasure to put safe", trade.legal_hand, brawl.apply_secure, "3.6"),
    Question("keep", "keep one object or none", brawl.legal_keep, brawl.apply_keep, "3.3 B2"),
    Question("claim", "claim the arrival or pass", arrivals.legal_claim, arrivals.apply_claim, "3.7"),
    Question("penalty", "choose the character to tilt", arrivals.legal_penalty, arrivals.apply_penalty, "3.7"),
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
