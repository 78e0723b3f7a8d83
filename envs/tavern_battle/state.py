"""The state of one table of Tavern Battle, and its rules as a record.

A set of cards, characters or seats is a whole number whose bit k stands for number k.
"""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, ARRIVALS, CHARACTERS, HEROES, KINDS, OBJECTS, PLACES, SEATS, TAVERN_STATES, TREASURES, WEAPONS,
)  # fmt: skip

NOBODY = -1  # no seat, no character, no card


class Seat:
    """What one player has, and what he remembers of the treasures."""

    treasures: i8  # set of treasures in hand, with those drawn as weapons
    safe: i8  # set of treasures put safe by characters who fled
    offer: i8  # set of treasures offered in this trade turn
    may: Annotated[Array, "i8", PLACES]  # for each place the set of treasures that may lie there, after all this seat has seen
    group: i4  # set of this seat's characters, with those out of play
    types: i4  # set of object types in hand
    objects: Annotated[Array, "i1", OBJECTS]  # number of objects in hand, by type
    agitation: Annotated[Array, "i1", KINDS]  # number of agitation cards in hand, by kind
    cards: i1  # number of agitation cards in hand
    held: i1  # number of objects in hand
    cloaks: i1  # number of bottles under the cloak that this seat has posted
    passing: i1  # the treasure chosen to pass to the left, or NOBODY


class Act:
    """The action of the character activated last, or a riposte to it."""

    verb: i1  # what dice are rolled for: STRIKE, THROW, HIDE, STAY or WINDOW; else NOBODY
    actor: i1  # the character who acts
    object: i1  # the type of the object used, or NOBODY
    weapon: i1  # the drawn weapon used, or NOBODY
    target: i1  # the character attacked, or NOBODY
    points: i1  # points that the supports add
    supports: i1  # number of supports
    called: i1  # set of other seats asked for a support
    foe: i1  # the attacker whom a riposte answers, or NOBODY
    supporters: i4  # set of characters who support; in a riposte, those it may be aimed at


class State(Header):
    """A table."""

    phase: i1
    cursor: i1  # number of seats, or of arrivals, that the phase has dealt with
    seller: i1
    leader: i1  # who activates next; in the trade, who posted last
    turns: i1  # number of trade turns played
    posted: i1  # number of agitation cards posted
    shown: i1  # the treasure for sale, or NOBODY
    rounds: i1  # the round of the brawl, from 1; 0 in the trade
    broken_value: i2  # tavern value of all broken objects
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    faces: Annotated[Array, "i1", 6]  # number of dice of the last roll for an action, by face
    parry: i1  # the defender's die against that roll
    agitation: Annotated[Array, "i1", KINDS]  # number of cards posted, by kind
    insulted: i4  # set of insulted heroes
    # sets of characters, by position and by what is true of them
    upright: i4
    tilted: i4
    down: i4
    ko: i4
    fled: i4
    covered: i4  # characters behind a protection
    hidden: i4
    steady: i4  # characters who have passed a test to hide this round
    door: i4  # characters at the door
    door_now: i4  # characters who went to the door this round
    fallen_once: i4  # heroes who have been down before
    # for each character
    owner: Annotated[Array, "i1", CHARACTERS]  # the seat, or NOBODY
    cover: Annotated[Array, "i1", CHARACTERS]  # the type of the protection in front of him, or NOBODY
    den: Annotated[Array, "i1", CHARACTERS]  # the type of the hide-out he is in, or NOBODY
    # cards
    bearer: Annotated[Array, "i1", WEAPONS]  # the character who has drawn each weapon, or NOBODY
    fresh: i1  # set of weapons drawn this round
    fallen: i8  # set of treasures face up in the centre
    pile: i8  # set of treasures face down in the centre
    deck: Annotated[Array, "i1", OBJECTS]  # objects still to be drawn, by type
    shuffled: Annotated[Array, "i1", OBJECTS]  # objects that the deck had when it was shuffled, by type
    hidden_objects: Annotated[Array, "i1", OBJECTS]  # objects in the deck and in all hands together, by type
    discard: Annotated[Array, "i1", OBJECTS]
    used: Annotated[Array, "i1", OBJECTS]  # weapons that lie on characters until the round ends
    broken: Annotated[Array, "i1", OBJECTS]
    left: i1  # number of objects left in the deck
    arrivals: i4  # set of arrivals not seen yet, by row of their table
    drawn: i1  # number of cards drawn from the arrivals deck
    arrival: i1  # the character who may be claimed, or NOBODY
    heard: i1  # set of seats that have been asked whether they claim him
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]  # set of legal actions


class Rules(RulesHeader):
    """Every number and switch of a variant."""

    casse_tout: i1
    tous_sur_un: i1
    tete_dure: i1
    treasures: i1  # dealt to each player, as are the next two
    agitation: i1
    objects: i1
    turns: i1  # this and the next fields are numbers that rules.toml explains
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
    lends: Annotated[Array, "i1", (2, CHARACTERS)]  # support points in strength, and in cunning
    lenders: Annotated[Array, "i4", 2]  # sets of characters with support points in strength, and in cunning
    kin: Annotated[Array, "i4", ARRIVALS]  # for each arrival the set of heroes with one of its affinities circled
    greedy: i4  # set of heroes with ANY
    keepers: i4  # set of heroes with TAVERN
    worth: Annotated[Array, "i1", (HEROES, TREASURES)]  # points of each treasure with each hero
    # objects
    contact: i4  # set of types for contact, as are the next three for their uses
    ranged: i4
    protection: i4
    hideout: i4
    price: Annotated[Array, "i1", OBJECTS]  # tavern value of each type
    copies: Annotated[Array, "i1", OBJECTS]
    kinds: Annotated[Array, "i1", KINDS]  # copies of each agitation card
    least: Annotated[Array, "i1", len(TAVERN_STATES)]  # value of the tavern from which each row of its table counts
    points: Annotated[Array, "i1", len(TAVERN_STATES)]  # points of that row
    # switches
    mask_bad_claims: i1
    max_offer: i1
    no_effects: i1


STATE, RULES = record(State), record(Rules)
