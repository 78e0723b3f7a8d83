"""What follows an action before the next choice, in words: answers that had no choice, and what chance decided."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.tables import Tables


def narrated(t: Tables, i: int, action: int) -> list[str]:
    """Return a line for each answer without a choice that an action brings about at table i, and for what the game tells of chance."""
    game, R, names = t.game, t.rules[t.rule[i]], t.variants[i].action_names
    if game.questions is None or game.settle is None:
        return []
    told, moment, answer = list[str](), t.states[[i]], action
    while True:
        before, s = moment.copy(), moment[0]
        game.questions.answer(s, R, answer)
        asked = game.settle(s, R, False)
        told += game.chance(before[0], s, R) if game.chance else []
        if asked:
            return told
        answer = int(bits.nth(s.can, 0))
        told.append(f"player_{top(s).seat} {names[answer]} (no choice)")
