"""The balance lab: what each module, seat and number does to a game.

In reading order:

    design.py             the cells of a factorial, and the contrasts between them
    kernels/              whole games inside numba: watched as they are played, or played on with another item
    play.py               blocks played: one seed in every cell
    store.py              the folder of a study, so that a stopped one goes on
    measures.py           what is measured of a game
    effects.py            contrasts with intervals, Holm's procedure, the smallest effect that can be seen
    seats.py              shares of the win by place in the order of play, and the bonus that levels them
    taken_actions.py      actions that name a card, a place or an object: how often they are taken, and who wins
    rule_gaps.py          forced stretches, shared wins, games that run long, supplies that run out
    item_worth.py         one item exchanged for another, and both games played on; fair_price.py looks for a price
    luck_sources.py       one source of luck redrawn, and the same game played again
    side_experiments.py   the two experiments above, as a study plays them
    study.py              a design played by one agent: planned, played, summed up; on_ray.py plays on a Ray cluster
    sweep.py              every number moved a little
    weak_and_strong.py    what weak and strong play show
    sentences.py          the findings in plain sentences
    report.py             one page of HTML, with drawing.py
"""
