"""One decision: what is legal, what an answer does, and on to the next question."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.turns import turns
from alehouse.envs.tiefenthal import effects, flow, plan, service, tavern
from alehouse.envs.tiefenthal.layout import (
    FOLDER, P_OVER, Q_ACCEPT, Q_BONUS, Q_CHEER, Q_DIE, Q_DISMISS, Q_PLACE, Q_REDRAW, Q_REMOVE, Q_SERVE, Q_SIDE, Q_SIGN, Q_START, Q_TOPDECK,
    Q_TURN, T_FAME, T_STEPS, T_WELCOME,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import guest_book, reputation, schnapps, start_cards


@jit
def carry_on(s, R, what):
    """Steps still to be taken, a row completed, a guest on his way in."""
    if what == T_STEPS:
        effects.climb(s, R)
    elif what == T_FAME:
        reputation.walk(s, R)
    elif what == T_WELCOME:
        service.welcome(s, R)
    else:
        guest_book.complete_row(s)


@jit
def legal(s, R, words):
    """The answers to the question on top."""
    bits.clear(words)
    if s.phase == P_OVER:
        return
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_PLACE:
        plan.legal_place(s, R, p, words)
    elif what == Q_SERVE:
        service.legal_serve(s, R, p, words)
    elif what == Q_DIE:
        tavern.legal_die(s, R, p, words)
    elif what == Q_REDRAW:
        tavern.legal_redraw(s, R, p, words)
    elif what == Q_REMOVE:
        effects.legal_remove(s, R, p, words)
    elif what == Q_BONUS:
        flow.legal_bonus(s, R, p, words)
    elif what == Q_DISMISS:
        start_cards.legal_dismiss(s, R, p, words)
    elif what == Q_ACCEPT:
        start_cards.legal_accept(s, R, p, words)
    else:
        legal_modules(s, R, p, words, what)


@jit
def legal_modules(s, R, p, words, what):
    """The answers to the questions of modules 2 to 5."""
    if what == Q_TURN:
        schnapps.legal_turn(s, R, p, words)
    elif what == Q_CHEER:
        reputation.legal_cheer(s, R, p, words)
    elif what == Q_SIGN:
        guest_book.legal_sign(s, R, p, words)
    elif what == Q_TOPDECK:
        schnapps.legal_topdeck(s, R, p, words)
    elif what == Q_SIDE:
        schnapps.legal_side(s, R, p, words)
    elif what == Q_START:
        start_cards.legal_start(s, R, p, words)


@jit
def answer(s, R, a):
    """Answer the question on top."""
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_PLACE:
        plan.apply_place(s, R, p, a)
    elif what == Q_SERVE:
        service.apply_serve(s, R, p, a)
    elif what == Q_DIE:
        tavern.apply_die(s, R, p, a)
    elif what == Q_REDRAW:
        tavern.apply_redraw(s, R, p, a)
    elif what == Q_REMOVE:
        effects.apply_remove(s, R, p, a)
    elif what == Q_BONUS:
        flow.apply_bonus(s, R, p, a)
    elif what == Q_DISMISS:
        start_cards.apply_dismiss(s, R, p, a)
    elif what == Q_ACCEPT:
        start_cards.apply_accept(s, R, p, a)
    else:
        answer_modules(s, R, p, a, what)


@jit
def answer_modules(s, R, p, a, what):
    """Answer a question of modules 2 to 5."""
    if what == Q_TURN:
        plan.apply_turn(s, R, p, a)
    elif what == Q_CHEER:
        reputation.apply_cheer(s, R, p, a)
    elif what == Q_SIGN:
        guest_book.apply_sign(s, R, p, a)
    elif what == Q_TOPDECK:
        schnapps.apply_topdeck(s, R, p, a)
    elif what == Q_SIDE:
        schnapps.apply_side(s, R, p, a)
    elif what == Q_START:
        start_cards.apply_start(s, R, p, a)


@jit
def waiting(s):
    """Whether a question is open, with nothing on top of it that is still to be done."""
    return s.asks.n > 0 and top(s.asks).what < T_STEPS


@jit
def proceed(s, R):
    """What lies on the stack to be done, or what the phase does next."""
    if s.asks.n > 0:
        carry_on(s, R, top(s.asks).what)
    else:
        flow.proceed(s, R)


reset, step, determinize = turns(FOLDER, flow.set_up, proceed, legal, answer, waiting)
