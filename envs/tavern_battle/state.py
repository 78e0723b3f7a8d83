"""The records of Tavern Battle: the state of one table, and the rules it is played by.

A set of cards, characters or seats is an integer whose bit k stands for member k.
"""

from typing import Annotated

from alehouse.envs.core.declare.record import (
    Array, Header, RulesHeader, few, i1, i4, i8, many, none_or, one_of, record, subset, upto,
)  # fmt: skip
from alehouse.envs.core.run.question_stack import Stack
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, ARRIVALS, CHARACTERS, HEROES, KINDS, OBJECTS, PHASES, PLACES, SEATS, TAVERN_STATES, TREASURES, VERB_NAMES, WEAPONS,
)  # fmt: skip

NOBODY = -1  # stands for no seat, no character, or no card


class Seat:
    """What one player has, and what he remembers of the treasures."""

    treasures: Annotated[i8, subset(TREASURES)]  # the set of treasures in hand, with those drawn as weapons
    safe: Annotated[i8, subset(TREASURES)]  # the set of treasures that fleeing characters put into safety
    offer: Annotated[i8, subset(TREASURES)]  # the set of treasures offered in this trade turn
    may: Annotated[Array, "i8", PLACES, subset(TREASURES)]  # for each place, the treasures that this seat thinks may lie there
    group: Annotated[i4, subset(CHARACTERS)]  # the set of this seat's characters, with those out of play
    types: Annotated[i4, subset(OBJECTS)]  # the set of object types in hand
    objects: Annotated[Array, "i1", OBJECTS, upto(127)]  # number of objects in hand, by type
    agitation: Annotated[Array, "i1", KINDS, upto(127)]  # number of agitation cards in hand, by kind
    cards: few  # number of agitation cards in hand
    held: few  # number of objects in hand
    cloaks: few  # number of bottles under the cloak that this seat has posted
    passing: Annotated[i1, none_or(TREASURES)]  # the treasure chosen to pass to the left, or NOBODY


class Sale:
    """The last sale of the trade, while agitation cards can take it back."""

    seller: Annotated[i1, one_of(SEATS)]
    buyer: Annotated[i1, one_of(SEATS)]
    sold: Annotated[i1, none_or(TREASURES)]  # the treasure sold, or NOBODY before the first sale
    paid: Annotated[i8, subset(TREASURES)]  # the set of treasures given for it


class Act:
    """The action of the last activated character, or a riposte to it."""

    verb: Annotated[i1, none_or(VERB_NAMES)]  # what dice are rolled for: STRIKE, THROW, HIDE, STAY or WINDOW; otherwise NOBODY
    actor: Annotated[i1, none_or(CHARACTERS)]  # the character who acts
    object: Annotated[i1, none_or(OBJECTS)]  # the type of the object used, or NOBODY
    weapon: Annotated[i1, none_or(WEAPONS)]  # the drawn weapon used, or NOBODY
    target: Annotated[i1, none_or(CHARACTERS)]  # the character attacked, or NOBODY
    points: few  # points that the supports add
    supports: few  # number of supports
    called: Annotated[i1, subset(SEATS)]  # the set of other seats that were asked for a support
    foe: Annotated[i1, none_or(CHARACTERS)]  # the attacker against whom a riposte is made, or NOBODY
    supporters: Annotated[i4, subset(CHARACTERS)]  # the set of supporting characters; in a riposte, of those it may be aimed at


class State(Header):
    """The state of one table."""

    phase: Annotated[i1, one_of(PHASES)]
    cursor: few  # how many seats, or arrivals, of the current phase are done
    seller: Annotated[i1, one_of(SEATS)]
    leader: Annotated[i1, one_of(SEATS)]  # the seat that activates next; in the trade, the seat that posted last
    turns: few  # number of trade turns played
    posted: few  # number of agitation cards posted
    shown: Annotated[i1, none_or(TREASURES)]  # the treasure for sale, or NOBODY
    rounds: few  # the number of the current round of the brawl, from 1; 0 during the trade
    broken_value: many  # total tavern value of all broken objects
    sale: Annotated[Sale, Sale]
    stack: Annotated[Stack, Stack]
    act: Annotated[Act, Act]
    faces: Annotated[Array, "i1", 6, upto(127)]  # number of dice with each face in the last roll of an action
    parry: Annotated[i1, upto(6)]  # the face of the defender's die against that roll, or 0
    rolls: many  # number of rolls for actions so far
    agitation: Annotated[Array, "i1", KINDS, upto(127)]  # number of cards posted, by kind
    insulted: Annotated[i4, subset(CHARACTERS)]  # the set of insulted heroes
    # Sets of characters, by position and by other things that are true of them
    upright: Annotated[i4, subset(CHARACTERS)]
    tilted: Annotated[i4, subset(CHARACTERS)]
    down: Annotated[i4, subset(CHARACTERS)]
    ko: Annotated[i4, subset(CHARACTERS)]
    fled: Annotated[i4, subset(CHARACTERS)]
    covered: Annotated[i4, subset(CHARACTERS)]  # the set of characters behind a protection
    hidden: Annotated[i4, subset(CHARACTERS)]
    steady: Annotated[i4, subset(CHARACTERS)]  # the set of characters who have passed a test to hide in this round
    door: Annotated[i4, subset(CHARACTERS)]  # the set of characters at the door
    door_now: Annotated[i4, subset(CHARACTERS)]  # the set of characters who went to the door in this round
    fallen_once: Annotated[i4, subset(CHARACTERS)]  # the set of heroes who have been down before
    # For each character:
    owner: Annotated[Array, "i1", CHARACTERS, none_or(SEATS)]  # the seat that owns him, or NOBODY
    cover: Annotated[Array, "i1", CHARACTERS, none_or(OBJECTS)]  # the type of the protection in front of him, or NOBODY
    den: Annotated[Array, "i1", CHARACTERS, none_or(OBJECTS)]  # the type of the hide-out he hides in, or NOBODY
    # Cards on the table, in decks and piles
    bearer: Annotated[Array, "i1", WEAPONS, none_or(CHARACTERS)]  # the character who has drawn each weapon, or NOBODY
    fresh: Annotated[i1, subset(WEAPONS)]  # the set of weapons drawn in this round
    fallen: Annotated[i8, subset(TREASURES)]  # the set of treasures face up in the centre
    pile: Annotated[i8, subset(TREASURES)]  # the set of treasures face down in the centre
    deck: Annotated[Array, "i1", OBJECTS, upto(127)]  # number of objects still to be drawn, by type
    shuffled: Annotated[Array, "i1", OBJECTS, upto(127)]  # number of objects in the deck when it was shuffled, by type
    hidden_objects: Annotated[Array, "i1", OBJECTS, upto(127)]  # number of objects in the deck and in all hands together, by type
    discard: Annotated[Array, "i1", OBJECTS, upto(127)]
    used: Annotated[Array, "i1", OBJECTS, upto(127)]  # number of weapons of each type that lie on characters until the round ends
    broken: Annotated[Array, "i1", OBJECTS, upto(127)]
    left: many  # number of objects left in the deck
    arrivals: Annotated[i4, subset(ARRIVALS)]  # the set of arrivals not seen yet, by row of their table
    drawn: Annotated[i1, upto(ARRIVALS)]  # number of cards drawn from the arrivals deck
    arrival: Annotated[i1, none_or(CHARACTERS)]  # the arrival who may be claimed now, or NOBODY
    heard: Annotated[i1, subset(SEATS)]  # the set of seats that have been asked whether they claim him
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
    ko_scoreless: i1


STATE, RULES = record(State), record(Rules)
