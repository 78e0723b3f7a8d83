"""The balance lab: what each module, seat and number does to a game.

In reading order:

    design.py    the cells of a factorial, and the contrasts between them
    kernels/     whole games inside numba, watched on the way
    play.py      blocks played: one seed in every cell
    store.py     what is done, in a folder named by a digest of the question, so that a stopped run goes on
    measures.py  what is measured of a game
    effects.py   contrasts with intervals, Holm's procedure, the smallest effect that can be seen
    seats.py     shares by place in the order of play, and the bonus that levels them
    items.py     actions that name a card, a place or an object: how often they are taken, and by whom
    gaps.py      forced stretches, games that end level or run long
    swaps.py     one item exchanged for another, and both games played on; fair prices
    luck.py      one source of luck redrawn, and the same game played again
    extras.py    swaps and redrawn games of a run
    study.py     a design played by one agent: planned, played, summed up
    on_ray.py    the chunks of a study on a Ray cluster
    sweep.py     every number moved a little
    tiers.py     what weak and strong play show
    words.py     what was found, in plain sentences
    report.py    one page of HTML
"""
