"""Reviews of played games: what each decision cost, and what luck brought.

In reading order:

    decisions.py   compares the answers of each decision by playing on from it many times
    luck.py        redraws each stream of luck, and compares with the luck as it was
    puzzles.py     finds decisions with one clearly best answer that agents miss
"""
