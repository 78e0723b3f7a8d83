"""What seats are told: every question whose answers stay hidden says so."""

from collections import Counter

import numpy as np
import pytest

from alehouse.envs.core.run.tables import Tables
from alehouse.matches.knowledge import learnt, sealed, told
from tests.slow import slow

DEALS = 8
ENOUGH = 8  # a question is judged once it was asked this often
SOME = 0.3  # by coincidence two answers lead to the same sight less often than this

EVERYTHING = [
    slow("bloody_inn-3p-carnies+events+notables+objects"),
    slow("tavern_battle-4p-casse_tout+tous_sur_un+tete_dure"),
    slow("taverns_dragons-3p-missions+events+asymmetric+encounters+goblin"),
    slow("tiefenthal-3p-schnapps+reputation+start_cards+guest_book"),
]


def copies(tables, index):
    """Copies of the listed tables, some of which may be listed several times."""
    found = Tables([tables.variants[i] for i in index], autoreset=False)
    found.states[:] = tables.states[index]
    found.show()
    return found


def tells_apart(tables, action, seat):
    """Whether a seat sees something else after an answer than after every other answer, at the table or at redeals with the same luck."""
    dealt = copies(tables, np.zeros(DEALS, np.int64)).determinize(seat, 0)
    dealt.states["seed"] = tables.states["seed"][0]
    dealt.states[0] = tables.states[0]
    dealt.show()
    rows, answers = np.nonzero(dealt.mask)
    after = copies(dealt, rows)
    after.step(answers)
    seen = [after.observe(k, seat).tobytes() for k in range(after.n)]
    true = next(sight for row, answer, sight in zip(rows, answers, seen, strict=True) if (row, answer) == (0, action))
    return all(answer == action for answer, sight in zip(answers, seen, strict=True) if sight == true)


@pytest.mark.parametrize("v", EVERYTHING)
def test_a_question_whose_answers_others_cannot_tell_apart_is_sealed(v):
    asked, hidden = Counter(), Counter()
    for seed in range(3):
        tables = Tables(v, n=1, seed=seed, autoreset=False)
        for _ in range(150):
            if tables.over[0]:
                break
            name, other = tables.view(0).asked.question, int(tables.seat[0] + 1) % tables.variants[0].seats
            [action] = tables.sample(lively=seed == 1 and tables.game.lively is not None)
            if not sealed(tables, other):
                asked[name] += 1
                hidden[name] += not tells_apart(tables, int(action), other)
            tables.step([action])
    assert sum(asked.values()) > 200
    assert {name: n for name, n in hidden.items() if asked[name] >= ENOUGH and n > SOME * asked[name]} == {}


def test_sealed_questions_exist():
    for v in ("bloody_inn-3p-objects", "tavern_battle-3p", "taverns_dragons-3p-missions"):
        known = Tables(v).game
        assert known.phrases.sealed
        assert set(known.phrases.sealed) <= set(known.questions.names)


def test_a_sealed_answer_teaches_others_nothing_and_its_owner_nothing_new():
    tables = Tables("bloody_inn-3p-objects", n=1, seed=1, autoreset=False)
    mover = int(tables.seat[0])
    for action in np.flatnonzero(tables.mask[0]):
        assert not any(learnt(tables, int(action), seat) for seat in range(3))
        assert told(tables, int(action), 1, (mover + 1) % 3).words == ""
