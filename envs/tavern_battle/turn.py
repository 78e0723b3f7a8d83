"""One decision: what is legal, what an answer does, and on to the next question."""

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below
from alehouse.envs.core.run.turns import turns
from alehouse.envs.tavern_battle import arrivals, brawl, flow, redeal, trade
from alehouse.envs.tavern_battle.layout import (
    A_PASS, FOLDER, P_OVER, Q_ACTION, Q_ACTIVATE, Q_BAIT, Q_BUYER, Q_CLAIM, Q_DROP, Q_INSULT, Q_KEEP, Q_LEND, Q_LOOT, Q_OFFER, Q_PASS_LEFT,
    Q_PENALTY, Q_PICK, Q_POST, Q_REVEAL, Q_RIPOSTE, Q_SECURE, Q_SUPPORT, Q_TARGET, Q_VICTIM,
)  # fmt: skip
from alehouse.envs.tavern_battle.modules import tete_dure, tous_sur_un

SELDOM = 16  # a lively player thinks of posting an agitation card once in so many windows


@jit
def secret(s):
    """Whether cards in a hand could add to the choice."""
    ask = top(s.asks)
    if ask.what == Q_ACTION:
        me = s.seat[ask.seat]
        return me.held > 0 or me.treasures != 0
    return ask.what == Q_OFFER or ask.what == Q_RIPOSTE


@jit
def legal(s, R, words):
    """The answers to the question on top."""
    bits.clear(words)
    if s.phase == P_OVER:
        return
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_ACTION:
        brawl.legal_action(s, R, p, words)
    elif what == Q_ACTIVATE:
        brawl.legal_activate(s, R, p, words)
    elif what == Q_TARGET:
        brawl.legal_target(s, R, p, words)
    elif what == Q_SUPPORT:
        brawl.legal_support(s, R, p, words)
    elif what == Q_KEEP:
        brawl.legal_keep(s, R, p, words)
    elif what == Q_CLAIM:
        arrivals.legal_claim(s, R, p, words)
    elif what == Q_PENALTY:
        arrivals.legal_penalty(s, R, p, words)
    elif what == Q_PICK:
        brawl.legal_pick(s, R, p, words)
    elif what == Q_LEND:
        tous_sur_un.legal_lend(s, R, p, words)
    elif what == Q_RIPOSTE:
        tete_dure.legal_riposte(s, R, p, words)
    elif what == Q_LOOT:
        tete_dure.legal_loot(s, R, p, words)
    else:
        legal_trade(s, R, p, words, what)


@jit
def legal_trade(s, R, p, words, what):
    """The answers to questions of the trade, and to those that want any treasure of a hand."""
    if what == Q_POST:
        trade.legal_post(s, R, p, words)
    elif what == Q_VICTIM:
        trade.legal_victim(s, R, p, words)
    elif what == Q_INSULT:
        trade.legal_insult(s, R, p, words)
    elif what == Q_OFFER:
        trade.legal_offer(s, R, p, words)
    elif what == Q_BUYER:
        trade.legal_buyer(s, R, p, words)
    else:
        trade.legal_hand(s, R, p, words)


@jit
def answer(s, R, a):
    """Answer the question on top."""
    what, p = top(s.asks).what, int(top(s.asks).seat)
    if what == Q_ACTION:
        brawl.apply_action(s, R, p, a)
    elif what == Q_ACTIVATE:
        brawl.apply_activate(s, R, p, a)
    elif what == Q_TARGET:
        brawl.apply_target(s, R, p, a)
    elif what == Q_SUPPORT:
        brawl.apply_support(s, R, p, a)
    elif what == Q_KEEP:
        brawl.apply_keep(s, R, p, a)
    elif what == Q_CLAIM:
        arrivals.apply_claim(s, R, p, a)
    elif what == Q_PENALTY:
        arrivals.apply_penalty(s, R, p, a)
    elif what == Q_PICK:
        brawl.apply_pick(s, R, p, a)
    elif what == Q_DROP:
        brawl.apply_drop(s, R, p, a)
    elif what == Q_SECURE:
        brawl.apply_secure(s, R, p, a)
    elif what == Q_LEND:
        tous_sur_un.apply_lend(s, R, p, a)
    elif what == Q_RIPOSTE:
        tete_dure.apply_riposte(s, R, p, a)
    elif what == Q_LOOT:
        tete_dure.apply_loot(s, R, p, a)
    else:
        answer_trade(s, R, p, a, what)


@jit
def answer_trade(s, R, p, a, what):
    """Answer a question of the trade."""
    if what == Q_POST:
        trade.apply_post(s, R, p, a)
    elif what == Q_VICTIM:
        trade.apply_victim(s, R, p, a)
    elif what == Q_INSULT:
        trade.apply_insult(s, R, p, a)
    elif what == Q_BAIT:
        trade.apply_bait(s, R, p, a)
    elif what == Q_PASS_LEFT:
        trade.apply_pass_left(s, R, p, a)
    elif what == Q_REVEAL:
        trade.apply_reveal(s, R, p, a)
    elif what == Q_OFFER:
        trade.apply_offer(s, R, p, a)
    else:
        trade.apply_buyer(s, R, p, a)


@jit
def lively(s):
    """The action of a random player who trades: as a uniform one, but he seldom posts (TB-R31)."""
    n = bits.count(s.can)
    k = below(s.seed, AGENTS, s.asked, 0, 0, n)
    if top(s.asks).what == Q_POST and below(s.seed, AGENTS, s.asked, 0, 1, SELDOM) > 0:
        return A_PASS
    return bits.nth(s.can, k)


reset, step, determinize = turns(FOLDER, flow.set_up, flow.proceed, legal, answer, secret=secret, redeal=redeal.redeal)
