"""The state of one table of Tavern Battle, and its rules as a record. Sets are words, bit k for card, character or seat k."""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, ARRIVALS, CHARACTERS, HEROES, KINDS, OBJECTS, PLACES, SEATS, TAVERN_STATES, TREASURES, WEAPONS,
)  # fmt: skip

NOBODY = -1  # no seat, no character, no card


class Seat:
    """One player."""

    treasures: i8  # set in hand, drawn weapons among them
    safe: i8  # set put safe by those who fled
    offer: i8  # set offered in this trade turn
    may: Annotated[Array, "i8", PLACES]  # treasures that may lie at each place, for all this seat has seen
    group: i4  # set of characters that are or were its own
    types: i4  # set of object types in hand
    objects: Annotated[Array, "i1", OBJECTS]  # in hand, by type
    agitation: Annotated[Array, "i1", KINDS]  # cards in hand, by kind
    cards: i1  # agitation cards in hand
    held: i1  # objects in hand
    cloaks: i1  # posted by this seat: bottles under the cloak
    passing: i1  # the treasure it has chosen to pass to the left, or NOBODY


class Act:
    """The action under way."""

    verb: i1
    actor: i1  # character
    object: i1  # type of the object used, or NOBODY
    weapon: i1  # the drawn weapon used, or NOBODY
    target: i1  # character, or NOBODY
    points: i1  # the supports add up to
    supports: i1  # how many
    called: i1  # set of seats asked for support
    foe: i1  # the attacker a riposte answers, or NOBODY
    supporters: i4  # set of characters


class State(Header):
    """A table."""

    phase: i1
    cursor: i1  # how far a phase has come
    seller: i1
    leader: i1  # in the trade, who posted last
    turns: i1  # trade turns played
    posted: i1  # agitation cards
    shown: i1  # the treasure for sale, or NOBODY
    rounds: i1  # of the brawl, the first is 1
    broken_value: i2
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    faces: Annotated[Array, "i1", 6]  # of the last dice rolled for an action: how many ones, twos ...
    parry: i1  # the defender's die against it
    agitation: Annotated[Array, "i1", KINDS]  # posted, by kind
    insulted: i4  # set of heroes
    # characters
    upright: i4
    tilted: i4
    down: i4
    ko: i4
    fled: i4
    covered: i4  # behind a protection
    hidden: i4
    steady: i4  # passed a test to hide this round
    door: i4  # at the door
    door_now: i4  # went there this round
    fallen_once: i4  # heroes who have been down
    owner: Annotated[Array, "i1", CHARACTERS]  # or NOBODY
    cover: Annotated[Array, "i1", CHARACTERS]  # the object in front of each, by type, or NOBODY
    den: Annotated[Array, "i1", CHARACTERS]  # the object each hides in
    # cards
    bearer: Annotated[Array, "i1", WEAPONS]  # who has drawn each weapon, or NOBODY
    fresh: i1  # set of weapons drawn this round
    fallen: i8  # treasures face up in the centre
    pile: i8  # treasures face down in the centre
    deck: Annotated[Array, "i1", OBJECTS]  # objects still to be drawn, by type
    shuffled: Annotated[Array, "i1", OBJECTS]  # what the deck was made of
    hidden_objects: Annotated[Array, "i1", OBJECTS]  # in the deck and in all hands
    discard: Annotated[Array, "i1", OBJECTS]
    used: Annotated[Array, "i1", OBJECTS]  # weapons lying on characters until the round ends
    broken: Annotated[Array, "i1", OBJECTS]
    left: i1  # objects in the deck
    arrivals: i4  # set of arrivals nobody has seen, by row of their table
    drawn: i1  # cards drawn of the arrivals deck
    arrival: i1  # the character to be claimed, or NOBODY
    heard: i1  # set of seats that have passed or failed
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number and switch of a variant."""

    casse_tout: i1
    tous_sur_un: i1
    tete_dure: i1
    treasures: i1  # dealt to each
    agitation: i1
    objects: i1
    turns: i1
    draw: i1
    many: i1
    arrivals: i1
    militia_among: i1
    bonus: i1
    supports: i1
    few_groups: i1
    hurts_hero: i1
    hurts_arrival: i1
    breaking_ones: i1
    hide_from: i1
    window_from: i1
    window_dice: i1
    secured: i1
    value: i1
    breaks_from: i1
    stunned: i1
    down: i1
    ko: i1
    # characters
    strength: Annotated[Array, "i1", CHARACTERS]
    cunning: Annotated[Array, "i1", CHARACTERS]
    lends: Annotated[Array, "i1", (2, CHARACTERS)]  # support points in strength and cunning
    lenders: Annotated[Array, "i4", 2]  # sets of those that have some
    kin: Annotated[Array, "i4", ARRIVALS]  # heroes with a circled affinity of each arrival
    greedy: i4  # sets of heroes: with ANY, with TAVERN
    keepers: i4
    worth: Annotated[Array, "i1", (HEROES, TREASURES)]
    # objects
    contact: i4  # sets of types
    ranged: i4
    protection: i4
    hideout: i4
    price: Annotated[Array, "i1", OBJECTS]  # tavern value
    copies: Annotated[Array, "i1", OBJECTS]
    kinds: Annotated[Array, "i1", KINDS]  # copies of the agitation cards
    least: Annotated[Array, "i1", len(TAVERN_STATES)]
    points: Annotated[Array, "i1", len(TAVERN_STATES)]
    # switches
    mask_bad_claims: i1
    max_offer: i1
    no_effects: i1


STATE, RULES = record(State), record(Rules)
