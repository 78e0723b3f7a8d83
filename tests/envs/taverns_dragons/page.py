"""The tables of the rules page, copied by hand: tests compare the game's tables with these."""

ZONES = ("city", "meadow", "wood", "pass", "maple", "marsh", "canyon", "caves", "road")
SLOTS = {"a": (1, 2, 3), "b": (3, 4, 5), "c": (5, 6, 7), "d": (7, 8)}  # zones beside each place slot
SPACES = (0, 1, 1, 2, 1, 1, 2, 1, 1)  # token spaces of each zone
PRINTED = {2: "plant", 5: "mushroom"}

# End zones by zone of departure and number of steps (1.2).
ENDS = {
    0: ((1,), (2,), (3, 5), (4, 6), (5, 7)),
    1: ((2,), (3, 5), (4, 6), (5, 7), (6, 8)),
    2: ((3, 5), (4, 6), (5, 7), (6, 8), (0, 7)),
    3: ((4,), (5, 7), (6, 8), (0, 7), (1, 8)),
    4: ((5, 7), (6, 8), (0, 7), (1, 8), (0, 2)),
    5: ((6,), (7,), (8,), (0,), (1,)),
    6: ((7,), (8,), (0,), (1,), (2,)),
    7: ((8,), (0,), (1,), (2,), (3, 5)),
    8: ((0,), (1,), (2,), (3, 5), (4, 6)),
}

BANK = {"one": 1, "two": 2, "three": 3, "four": 4, "blank": 2}
MINIONS = {"plain": (2, 0), "booted": (2, 1), "sturdy": (3, 0)}  # slots, extra steps
INGREDIENTS = ("plant", "mushroom", "spice", "egg", "meat")
TOKENS = {"plant": 4, "mushroom": 3, "spice": 2, "egg": 1, "meat": 0}
PLACES = {"campfire": 2, "portal": 1, "enchanted_runes": 1, "caravan": 2, "dungeon": 1, "forge": 1, "library": 0, "market": 0}  # energy
FACES = ("sword", "sword", "bow", "bow", "claw", "flame")

# Place slot; lines as swords, bows and what they pay (1.7).
DRAGONS = {
    "emberwing": ("A", ((1, 1, "gold", 2), (2, 0, "meat", 1), (0, 2, "meat", 1), (2, 1, "prestige", 4))),
    "mossback": ("B", ((0, 2, "energy", 2), (1, 1, "meat", 1), (2, 0, "meat", 1), (2, 1, "prestige", 4))),
    "bogmaw": ("C", ((1, 0, "gold", 1), (1, 1, "meat", 1), (0, 2, "meat", 1), (2, 2, "prestige", 6))),
    "stormcrest": ("D", ((2, 0, "gold", 2), (0, 2, "meat", 1), (1, 1, "energy", 2), (1, 2, "prestige", 5))),
}
TROPHIES = (2, 3, 3, 4, 4, 5)

# Ingredients as plants, mushrooms, spices, eggs, meat; points (1.8).
RECIPES = {
    "herb_broth": ((2, 0, 0, 0, 0), 4),
    "mushroom_skewers": ((0, 2, 0, 0, 0), 5),
    "peppered_salad": ((1, 0, 1, 0, 0), 5),
    "forest_stew": ((2, 1, 0, 0, 0), 6),
    "mushroom_fricassee": ((1, 2, 0, 0, 0), 7),
    "spiced_caps": ((0, 1, 1, 0, 0), 6),
    "spiced_pottage": ((2, 0, 1, 0, 0), 7),
    "herb_omelette": ((1, 0, 0, 1, 0), 7),
    "mushroom_omelette": ((0, 1, 0, 1, 0), 8),
    "dragon_tartare": ((1, 0, 0, 0, 1), 7),
    "dragon_steak": ((0, 2, 0, 0, 1), 10),
    "dragon_ribs": ((0, 0, 1, 0, 1), 8),
    "royal_casserole": ((1, 1, 1, 0, 0), 8),
    "flamed_egg": ((0, 0, 1, 1, 0), 9),
    "great_cauldron": ((2, 2, 0, 0, 0), 9),
    "spice_feast": ((1, 0, 2, 0, 0), 9),
    "dragon_ragout": ((2, 1, 0, 0, 1), 11),
    "family_platter": ((0, 0, 0, 1, 1), 10),
    "royal_souffle": ((0, 1, 1, 1, 0), 12),
    "kings_banquet": ((1, 1, 1, 0, 1), 13),
}

# Gold, prestige, bonus (1.9).
HEROES = {
    "guardian": (3, 2, "gold"),
    "map_bearer": (3, 2, "rune"),
    "tracker": (3, 2, "plant"),
    "owl_master": (4, 2, "sword"),
    "champion": (4, 3, "sword"),
    "summoner": (4, 2, "mushroom"),
    "bard": (3, 2, "rune"),
    "alchemist": (4, 2, "mushroom"),
    "huntress": (4, 3, "bow"),
    "paladin": (4, 3, "sword"),
    "druid": (2, 1, "plant"),
    "thief": (3, 1, "gold"),
    "royal_chef": (4, 3, "spice"),
    "runner": (2, 2, "rune"),
    "griffin_rider": (5, 3, "gold"),
    "oracle": (2, 1, "rune"),
    "merchant": (3, 2, "gold"),
    "dwarven_smith": (3, 2, "sword"),
    "elven_archer": (3, 2, "bow"),
    "jester": (2, 2, "gold"),
}

# Amount wanted, prestige (1.10).
MISSIONS = {
    "cook": (4, 4),
    "innkeeper": (4, 4),
    "dragon_slayer": (1, 4),
    "treasurer": (5, 3),
    "hoarder": (4, 3),
    "healthy": (0, 2),
    "homecoming": (3, 4),
    "spice_lover": (2, 4),
    "mushroom_lover": (3, 4),
    "gourmet": (2, 5),
    "patron": (3, 4),
    "tireless": (4, 3),
}

TRACKS = ("raccoons_den", "boars_head", "mushroom_cellar", "dragons_tooth", "wandering_inn")
ITEMS = ("gelatinous_cube", "potion_of_life", "lucky_talisman", "winged_boots", "hourglass", "enchanted_glaive")
# The page has the dragon first after round 1, which would leave Mossback without effect (TD-A1).
ROUNDS = (
    ("ingredients", "dragon"), ("mead", "event_plus"), ("ingredients", "event_minus"), ("mead", "dragon"),
    ("ingredients", "event_plus"), ("mead", "event_minus"),
)  # fmt: skip
