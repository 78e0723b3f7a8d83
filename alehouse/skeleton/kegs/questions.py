"""Every question of Kegs. Kernels name a question by its number, `Q.BID`, where Q is this module."""

from alehouse.envs.core.declare.questions import Question, Questions
from alehouse.skeleton.kegs import play
from alehouse.skeleton.kegs.layout import FOLDER

QUESTIONS = Questions(FOLDER, Question("bid", "choose a bid card", play.legal_bid, play.apply_bid, "2"))


def __getattr__(name: str) -> int:
    """Return the number of the question with this name in capitals."""
    return QUESTIONS.number(name)
