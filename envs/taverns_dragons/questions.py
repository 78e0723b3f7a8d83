"""Every question of Taverns & Dragons in rulebook order.

Kernels name a question by its number, `Q.TURN`, where Q is this module.
"""

from alehouse.envs.core.declare.questions import Question, Questions
from alehouse.envs.taverns_dragons import effects, errands, hunt, kitchen, menu, places
from alehouse.envs.taverns_dragons.layout import FOLDER
from alehouse.envs.taverns_dragons.modules import encounters, events, missions

QUESTIONS = Questions(
    FOLDER,
    Question("mission", "keep one mission", missions.legal_keep, missions.apply_keep, "4.1", "missions"),
    Question("turn", "play a die, act freely or end the turn", menu.legal_turn, menu.apply_turn, "3.2"),
    Question("fork", "choose where to walk on", effects.legal_fork, effects.apply_fork, "3.2 M4"),
    Question("teleport", "choose the zone to go to", effects.legal_teleport, effects.apply_teleport, "3.3"),
    Question("place", "choose the place to visit", places.legal_place, places.apply_place, "1.9"),
    Question("market", "choose the ingredient to store", places.legal_market, places.apply_market, "1.5 market"),
    Question("search", "search on or stop", places.legal_search, places.apply_search, "3.3 dungeon"),
    Question("hunt", "change hunting dice, or attack", menu.legal_hunt, menu.apply_hunt, "3.3 hunt (2)"),
    Question("face", "choose the hunting die to turn, and its face", hunt.legal_face, hunt.apply_face, "3.3 hunt (2)"),
    Question("strike", "choose the damage of the glaive", hunt.legal_strike, hunt.apply_strike, "4.5", "goblin"),
    Question("line", "choose the line to mark", hunt.legal_line, hunt.apply_line, "3.3 hunt (3)"),
    Question("lose", "choose the ingredient to lose", effects.legal_lose, effects.apply_lose, "3.3"),
    Question("exhaust", "choose the hero to exhaust", errands.legal_exhaust, errands.apply_exhaust, "1.7, 1.11"),
    Question("ready", "choose the hero to ready", errands.legal_ready, errands.apply_ready, "1.11, 1.13, 4.5"),
    Question("minion", "choose a minion", errands.legal_minion, errands.apply_minion, "1.9, 1.13, 4.5"),
    Question("fetch", "choose the ingredient to fetch", errands.legal_fetch, errands.apply_fetch, "1.9 owl master"),
    Question("copy", "choose the ingredient to duplicate", errands.legal_copy, errands.apply_copy, "1.9 summoner"),
    Question("give", "choose the ingredient to give away", errands.legal_give, errands.apply_give, "1.9, 1.11"),
    Question("receive", "choose the ingredient to get", errands.legal_receive, errands.apply_receive, "1.9 alchemist"),
    Question("victim", "choose whom to rob", errands.legal_victim, errands.apply_victim, "1.9 thief"),
    Question("dice", "choose the dice to re-roll", errands.legal_dice, errands.apply_dice, "1.9 oracle"),
    Question("recipe", "choose the recipe to discard", errands.legal_recipe, errands.apply_recipe, "1.9 jester"),
    Question("cube", "choose what a cube stands for", kitchen.legal_cube, kitchen.apply_cube, "4.5", "goblin"),
    Question("bandit", "pay the bandit or fight", encounters.legal_bandit, encounters.apply_bandit, "1.12", "encounters"),
    Question("chest", "open the chest or leave it", encounters.legal_chest, encounters.apply_chest, "1.12", "encounters"),
    Question("smuggler", "buy of the smuggler or decline", encounters.legal_smuggler, encounters.apply_smuggler, "1.12", "encounters"),
    Question("dryad", "choose the ingredient to store", encounters.legal_dryad, encounters.apply_dryad, "1.12", "encounters"),
    Question("ring", "choose how far to walk", encounters.legal_ring, encounters.apply_ring, "1.12", "encounters"),
    Question("wind", "choose a minion to move, or none", events.legal_wind, events.apply_wind, "1.11", "events"),
    Question("fair", "buy a plant or a mushroom, or nothing", events.legal_fair, events.apply_fair, "1.11", "events"),
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
