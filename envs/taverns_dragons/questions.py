"""Every question of Taverns & Dragons in rulebook order, and every task that waits on the stack with them.

Kernels name a question or a task by its number, `Q.TURN`, where Q is this module.
"""

from alehouse.envs.core.declare.questions import Question, Questions, Task
from alehouse.envs.core.declare.record import one_of, subset, upto
from alehouse.envs.taverns_dragons import choices, effects, hunt, kitchen, places, turn
from alehouse.envs.taverns_dragons.layout import FOLDER, KINDS, MINIONS, PURPOSES, SHOWN, SIDES, SYMBOLS
from alehouse.envs.taverns_dragons.modules import asymmetric, encounters, events, missions

QUESTIONS = Questions(
    FOLDER,
    Question("board", "choose a tavern board", asymmetric.legal_board, asymmetric.apply_board, "2.7, 4.3", "asymmetric"),
    Question("mission", "keep one of two missions", missions.legal_mission, missions.apply_mission, "4.1", "missions"),
    Question("turn", "place a die, act freely or end the turn", turn.legal_turn, turn.apply_turn, "3.2"),
    Question("fork", "choose the way a minion walks on", effects.legal_fork, effects.apply_fork, "3.2 M4", args=("minion",)),
    Question("teleport", "choose the zone a minion goes to", effects.legal_teleport, effects.apply_teleport, "3.3", args=("minion",)),
    Question("place", "choose the place to visit", places.legal_place, places.apply_place, "1.9", args=("free",)),
    Question("market", "choose the ingredient to store", places.legal_market, places.apply_market, "1.5 market", args=("minion", "free")),
    Question("search", "turn over another dungeon token or stop", places.legal_search, places.apply_search, "3.3 dungeon"),
    Question("hunt", "change hunting dice, act freely, or attack", turn.legal_hunt, turn.apply_hunt, "3.3 hunt (2)"),
    Question("face", "choose the hunting die to turn, and its new symbol", hunt.legal_face, hunt.apply_face, "3.3 hunt (2)",
             args=("symbols",)),
    Question("strike", "choose whether the glaive adds a sword or a bow", hunt.legal_strike, hunt.apply_strike, "4.5", "goblin"),
    Question("line", "choose the line on which a box is marked", hunt.legal_line, hunt.apply_line, "3.3 hunt (3)", args=("symbol",)),
    Question("lose", "choose the ingredient a minion loses", effects.legal_lose, effects.apply_lose, "3.3", args=("minion", "wound")),
    Question("exhaust", "choose the hero to exhaust", choices.legal_exhaust, choices.apply_exhaust, "1.7, 1.11"),
    Question("ready", "choose the hero to ready", choices.legal_ready, choices.apply_ready, "1.11, 1.13, 4.5"),
    Question("minion", "choose a minion", choices.legal_minion, choices.apply_minion, "1.9, 1.11, 1.13, 4.5", args=("purpose", "amount")),
    Question("fetch", "choose the ingredient to fetch", choices.legal_fetch, choices.apply_fetch, "1.9 owl master", args=("minion",)),
    Question("copy", "choose the ingredient to duplicate", choices.legal_copy, choices.apply_copy, "1.9 summoner", args=("minion",)),
    Question("give", "choose the ingredient to give away", choices.legal_give, choices.apply_give, "1.9, 1.11", args=("purpose", "gold")),
    Question("receive", "choose the ingredient to get", choices.legal_receive, choices.apply_receive, "1.9 alchemist", args=("given",)),
    Question("victim", "choose the player to rob", choices.legal_victim, choices.apply_victim, "1.9 thief", args=("gold",)),
    Question("dice", "choose the dice to re-roll, one by one", choices.legal_dice, choices.apply_dice, "1.9 oracle", args=("lowest",)),
    Question("recipe", "choose the recipe to discard", choices.legal_recipe, choices.apply_recipe, "1.9 jester", args=("prestige",)),
    Question("cube", "choose what a cube stands for", kitchen.legal_cube, kitchen.apply_cube, "4.5", "goblin", args=("kind", "cubes")),
    Question("bear", "roll the hunting die again, or let it count", encounters.legal_bear, encounters.apply_bear, "1.12", "encounters",
             args=("symbol", "prestige")),
    Question("bandit", "pay the bandit or take a wound", encounters.legal_bandit, encounters.apply_bandit, "1.12", "encounters",
             args=("gold",)),
    Question("chest", "open the chest or leave it", encounters.legal_chest, encounters.apply_chest, "1.12", "encounters", args=("gold",)),
    Question("smuggler", "buy from the smuggler or decline", encounters.legal_smuggler, encounters.apply_smuggler, "1.12", "encounters",
             args=("spices",)),
    Question("dryad", "choose the ingredient to store", encounters.legal_dryad, encounters.apply_dryad, "1.12", "encounters",
             args=("minion",)),
    Question("ring", "choose how far to walk", encounters.legal_ring, encounters.apply_ring, "1.12", "encounters", args=("most_steps",)),
    Question("wind", "choose a minion to move, or none", events.legal_wind, events.apply_wind, "1.11", "events", args=("steps",)),
    Question("fair", "buy a plant or a mushroom, or nothing", events.legal_fair, events.apply_fair, "1.11", "events"),
    tasks=(
        Task("dish", kitchen.serve, "3.2 M1", args=("space", "value")),
        Task("walk", effects.walk, "3.2 M4", args=("minion", "steps")),
        Task("wounds", effects.suffer, "3.3", args=("minion", "wounds")),
        Task("damage", hunt.mark_boxes, "3.3 hunt (3)"),
        Task("claws", hunt.take_claws, "3.3 hunt (4)"),
        Task("flames", hunt.special_attack, "3.3 hunt (4)"),
        Task("rewards", hunt.claim, "3.3 hunt (5)"),
    ),
    ranges={
        "minion": one_of(MINIONS), "free": upto(1), "symbols": subset(SYMBOLS), "symbol": one_of(SYMBOLS), "wound": upto(1),
        "purpose": one_of(PURPOSES), "amount": upto(127), "gold": upto(127), "given": one_of(KINDS), "lowest": one_of(SIDES),
        "prestige": upto(127), "kind": one_of(KINDS), "cubes": upto(127), "spices": upto(127), "most_steps": upto(5), "steps": upto(127),
        "space": one_of(SHOWN), "value": upto(SIDES), "wounds": upto(127),
    },
)  # fmt: skip


def __getattr__(name: str) -> int:
    """Return the number of a question or a task, by its name in capitals."""
    return QUESTIONS.number(name)
