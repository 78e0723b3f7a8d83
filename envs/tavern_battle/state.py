"""The records of Tavern Battle: the state of one table, and the rules it is played by.

A set of cards, characters or seats is an integer whose bit k stands for member k.
"""

from typing import Annotated

from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, i4, i8, record
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, ARRIVALS, CHARACTERS, HEROES, KINDS, OBJECTS, PLACES, SEATS, TAVERN_STATES, TREASURES, WEAPONS,
)  # fmt: skip

NOBODY = -1  # stands for no seat, no character, or no card


class Seat:
    """What one player has, and what he remembers of the treasures."""

    treasures: i8  # the set of treasures in hand, with those drawn as weapons
    safe: i8  # the set of treasures that fleeing characters put into safety
    offer: i8  # the set of treasures offered in this trade turn
    may: Annotated[Array, "i8", PLACES]  # for each place, the set of treasures that may lie there as far as this seat knows
    group: i4  # the set of this seat's characters, with those out of play
    types: i4  # the set of object types in hand
    objects: Annotated[Array, "i1", OBJECTS]  # number of objects in hand, by type
    agitation: Annotated[Array, "i1", KINDS]  # number of agitation cards in hand, by kind
    cards: i1  # number of agitation cards in hand
    held: i1  # number of objects in hand
    cloaks: i1  # number of bottles under the cloak that this seat has posted
    passing: i1  # the treasure chosen to pass to the left, or NOBODY


class Act:
    """The action of the last activated character, or a riposte to it."""

    verb: i1  # what dice are rolled for: STRIKE, THROW, HIDE, STAY or WINDOW; otherwise NOBODY
    actor: i1  # the character who acts
    object: i1  # the type of the object used, or NOBODY
    weapon: i1  # the drawn weapon used, or NOBODY
    target: i1  # the character attacked, or NOBODY
    points: i1  # points that the supports add
    supports: i1  # number of supports
    called: i1  # the set of other seats that were asked for a support
    foe: i1  # the attacker against whom a riposte is made, or NOBODY
    supporters: i4  # the set of supporting characters; in a riposte, of those it may be aimed at


class State(Header):
    """The state of one table."""

    phase: i1
    cursor: i1  # how many seats, or arrivals, of the current phase are done
    seller: i1
    leader: i1  # the seat that activates next; in the trade, the seat that posted last
    turns: i1  # number of trade turns played
    posted: i1  # number of agitation cards posted
    shown: i1  # the treasure for sale, or NOBODY
    rounds: i1  # the number of the current round of the brawl, from 1; 0 during the trade
    broken_value: i2  # total tavern value of all broken objects
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    faces: Annotated[Array, "i1", 6]  # number of dice with each face in the last roll of an action
    parry: i1  # the face of the defender's die against that roll
    agitation: Annotated[Array, "i1", KINDS]  # number of cards posted, by kind
    insulted: i4  # the set of insulted heroes
    # Sets of characters, by position and by other things that are true of them
    upright: i4
    tilted: i4
    down: i4
    ko: i4
    fled: i4
    covered: i4  # the set of characters behind a protection
    hidden: i4
    steady: i4  # the set of characters who have passed a test to hide in this round
    door: i4  # the set of characters at the door
    door_now: i4  # the set of characters who went to the door in this round
    fallen_once: i4  # the set of heroes who have been down before
    # For each character:
    owner: Annotated[Array, "i1", CHARACTERS]  # the seat that owns him, or NOBODY
    cover: Annotated[Array, "i1", CHARACTERS]  # the type of the protection in front of him, or NOBODY
    den: Annotated[Array, "i1", CHARACTERS]  # the type of the hide-out he hides in, or NOBODY
    # Cards on the table, in decks and piles
    bearer: Annotated[Array, "i1", WEAPONS]  # the character who has drawn each weapon, or NOBODY
    fresh: i1  # the set of weapons drawn in this round
    fallen: i8  # the set of treasures face up in the centre
    pile: i8  # the set of treasures face down in the centre
    deck: Annotated[Array, "i1", OBJECTS]  # number of objects still to be drawn, by type
    shuffled: Annotated[Array, "i1", OBJECTS]  # number of objects in the deck when it was shuffled, by type
    hidden_objects: Annotated[Array, "i1", OBJECTS]  # number of objects in the deck and in all hands together, by type
    discard: Annotated[Array, "i1", OBJECTS]
    used: Annotated[Array, "i1", OBJECTS]  # number of weapons of each type that lie on characters until the round ends
    broken: Annotated[Array, "i1", OBJECTS]
    left: i1  # number of objects left in the deck
    arrivals: i4  # the set of arrivals not seen yet, by row of their table
    drawn: i1  # number of cards drawn from the arrivals deck
    arrival: i1  # the arrival who may be claimed now, or NOBODY
    heard: i1  # the set of seats that have been asked whether they claim him
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]  # the set of legal actions


class Rules(RulesHeader):
    """Every number and switch of the rules in a variant."""

    casse_tout: i1
    tous_sur_un: i1
    tete_dure: i1
    treasures: i1  # number dealt to each player; likewise for the next two
    agitation: i1
    objects: i1
    turns: i1  # rules.toml explains this and the next fields
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
    # Values of the characters
    strength: Annotated[Array, "i1", CHARACTERS]
    cunning: Annotated[Array, "i1", CHARACTERS]
    lends: Annotated[Array, "i1", (2, CHARACTERS)]  # support points of each character in strength, and in cunning
    lenders: Annotated[Array, "i4", 2]  # the sets of characters with support points in strength, and in cunning
    kin: Annotated[Array, "i4", ARRIVALS]  # for each arrival, the set of heroes that have one of its affinities circled
    greedy: i4  # the set of heroes with ANY
    keepers: i4  # the set of heroes with TAVERN
    worth: Annotated[Array, "i1", (HEROES, TREASURES)]  # points of each treasure with each hero
    # Values of the objects and other cards
    contact: i4  # the set of object types for contact; the next three are sets for the other uses
    ranged: i4
    protection: i4
    hideout: i4
    price: Annotated[Array, "i1", OBJECTS]  # tavern value of each type
    copies: Annotated[Array, "i1", OBJECTS]
    kinds: Annotated[Array, "i1", KINDS]  # number of copies of each agitation card
    # for each row of the tavern's table, the lowest value of the tavern for which it counts
    least: Annotated[Array, "i1", len(TAVERN_STATES)]
    points: Annotated[Array, "i1", len(TAVERN_STATES)]  # points of each row of that table
    # Switches: 0 for the default reading of a rule, 1 for the other
    mask_bad_claims: i1
    max_offer: i1
    no_effects: i1


STATE, RULES = record(State), record(Rules)
