"""The balance lab: it measures by experiment what each module, seat and number does to a game.

In reading order:

    design.py             lays out the cells of a factorial design, and the contrasts between them
    kernels/              whole games inside numba: watched as they are played, or continued with another item
    rule_sets.py          draws plausible rule sets for blocks, where numbers of the game are not known
    play.py               plays blocks: one seed in every cell
    store.py              keeps finished games in the folder of a study, so that a stopped study can go on
    measures.py           says what is measured of a game
    effects.py            estimates contrasts with intervals (Holm's procedure), and the smallest effect that can be found
    robust.py             says which effects hold over all plausible rule sets; worth_knowing.py, which unknown numbers to look up
    seats.py              computes the share of the win at each place in the order of play, and the bonus that makes shares even
    taken_actions.py      counts how often actions that name a card, a place or an object are taken, and who wins then
    rule_gaps.py          looks for long stretches without a choice, shared wins, very long games, supplies that run out
    item_worth.py         exchanges one item for another and continues both games; fair_price.py looks for a fair price
    luck_sources.py       redraws one source of luck and plays the same game again
    side_experiments.py   runs these two experiments for a study
    study.py              plans, plays and sums up a design played by one agent; on_ray.py plays on a Ray cluster
    sweep.py              changes every number a little
    causes.py             finds the numbers that make an effect vanish
    seat_numbers.py       checks the lab: the number of a seat must say nothing about who wins
    weak_and_strong.py    compares what weak and strong play show
    sentences.py          puts the findings into plain sentences
    over_rule_sets.py     puts what holds over rule sets into sentences, tables and JSON
    report.py             writes the report, one page of HTML; drawing.py draws its charts
"""
