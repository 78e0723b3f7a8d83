"""One decision: what is legal, what an answer does, and on to the next question."""

from alehouse.envs.bloody_inn import flow, night
from alehouse.envs.bloody_inn.layout import (
    BURY, FOLDER, P_OVER, Q_ACTION, Q_BARROW, Q_CORPSE, Q_DIG, Q_DISMISS, Q_DONOR, Q_DRAFT, Q_EVENING, Q_KEY, Q_LIME, Q_LIME_CORPSE,
    Q_LODGE, Q_MORE, Q_PAY, Q_PLACE, Q_RECIPIENT, Q_SERVICE, Q_STUDY, Q_TOMB_OWNER, Q_UNDER,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules import attached, deal, notables, objects
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.turns import turns


@jit
def secret(s):
    """Whether the objects in a hand could add to the choice."""
    ask = top(s.asks)
    what = ask.what
    if s.seat[ask.seat].held == 0:
        return False
    attach = what == Q_ACTION or what == Q_BARROW or (what == Q_MORE and s.act.verb == BURY)
    return attach or what == Q_EVENING or objects.awaited(what) >= 0


@jit
def legal(s, R, words):
    """The answers to the question on top."""
    bits.clear(words)
    if s.phase == P_OVER:
        return
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_LODGE:
        flow.legal_lodge(s, R, p, words)
    elif what == Q_ACTION:
        night.legal_action(s, R, p, words)
    elif what == Q_PAY:
        night.legal_pay(s, R, p, words)
    elif what == Q_UNDER:
        night.legal_under(s, R, p, words)
    elif what == Q_MORE:
        night.legal_more(s, R, p, words)
    elif what == Q_KEY:
        night.legal_key(s, R, p, words)
    elif what == Q_SERVICE:
        night.legal_service(s, R, p, words)
    elif what == Q_DIG:
        flow.legal_dig(s, R, p, words)
    elif what == Q_DISMISS:
        flow.legal_dismiss(s, R, p, words)
    elif what == Q_STUDY:
        notables.legal_study(s, R, p, words)
    else:
        legal_objects(s, R, p, words, what)


@jit
def legal_objects(s, R, p, words, what):
    """The answers to the questions of module 3."""
    if what == Q_DRAFT:
        deal.legal_draft(s, R, p, words)
    elif what == Q_EVENING:
        objects.legal_evening(s, R, p, words)
    elif what == Q_PLACE:
        objects.legal_place(s, R, p, words)
    elif what == Q_CORPSE:
        objects.legal_corpse(s, R, p, words)
    elif what == Q_RECIPIENT:
        objects.legal_recipient(s, R, p, words)
    elif what == Q_BARROW:
        attached.legal_barrow(s, R, p, words)
    elif what == Q_LIME:
        attached.legal_lime(s, R, p, words)
    elif what == Q_LIME_CORPSE:
        attached.legal_lime_corpse(s, R, p, words)
    elif what == Q_TOMB_OWNER:
        objects.legal_tomb_owner(s, R, p, words)
    elif what == Q_DONOR:
        objects.legal_donor(s, R, p, words)
    else:
        objects.legal_window(s, R, p, words, objects.awaited(what))


@jit
def answer(s, R, a):
    """Answer the question on top."""
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_LODGE:
        flow.apply_lodge(s, R, p, a)
    elif what == Q_ACTION:
        night.apply_action(s, R, p, a)
    elif what == Q_PAY:
        night.apply_pay(s, R, p, a)
    elif what == Q_UNDER:
        night.apply_under(s, R, p, a)
    elif what == Q_MORE:
        night.apply_more(s, R, p, a)
    elif what == Q_KEY:
        night.apply_key(s, R, p, a)
    elif what == Q_SERVICE:
        night.apply_service(s, R, p, a)
    elif what == Q_DIG:
        flow.apply_dig(s, R, p, a)
    elif what == Q_DISMISS:
        flow.apply_dismiss(s, R, p, a)
    elif what == Q_STUDY:
        notables.apply_study(s, R, p, a)
    else:
        answer_objects(s, R, p, a, what)


@jit
def answer_objects(s, R, p, a, what):
    """Answer a question of module 3."""
    if what == Q_DRAFT:
        deal.apply_draft(s, R, p, a)
    elif what == Q_EVENING:
        objects.apply_evening(s, R, p, a)
    elif what == Q_PLACE:
        objects.apply_place(s, R, p, a)
    elif what == Q_CORPSE:
        objects.apply_corpse(s, R, p, a)
    elif what == Q_RECIPIENT:
        objects.apply_recipient(s, R, p, a)
    elif what == Q_BARROW:
        night.apply_barrow(s, R, p, a)
    elif what == Q_LIME:
        attached.apply_lime(s, R, p, a)
    elif what == Q_LIME_CORPSE:
        attached.apply_lime_corpse(s, R, p, a)
    elif what == Q_TOMB_OWNER:
        objects.apply_tomb_owner(s, R, p, a)
    elif what == Q_DONOR:
        objects.apply_donor(s, R, p, a)
    else:
        objects.apply_window(s, R, p, a, objects.awaited(what))


reset, step, determinize = turns(FOLDER, flow.set_up, flow.proceed, legal, answer, secret=secret, redeal=deal.redeal)
