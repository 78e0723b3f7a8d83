"""The card tables of the rules page (sections 1.3 to 1.8), typed a second time to compare with."""

TYPES = ("beer", "weapon", "invention", "magic", "music", "jewel", "holy", "demonic")

# Strength, cunning, value of each affinity, which of them are circled.
HEROES = {
    "dwarf": (3, 1, {"beer": 2, "weapon": 1, "invention": 1}, {"beer"}),
    "magician": (1, 3, {"magic": 2, "invention": 1, "jewel": 1}, {"magic", "invention"}),
    "elf": (1, 3, {"music": 2, "magic": 1, "weapon": 1}, {"music", "magic"}),
    "troll": (3, 0, {"beer": 2, "demonic": 1, "any": 1}, {"beer", "demonic"}),
    "tavernkeeper": (2, 1, {"tavern": 0, "beer": 1}, {"tavern", "beer"}),
    "barbarian": (3, 1, {"weapon": 2, "beer": 1, "jewel": 1}, {"weapon", "beer"}),
    "paladin": (2, 2, {"holy": 2, "weapon": 2}, {"holy", "weapon"}),
    "thief": (1, 3, {"jewel": 2, "invention": 1, "any": 1}, {"jewel", "invention"}),
    "priestess": (2, 2, {"holy": 2, "music": 1, "beer": 1}, {"holy", "music"}),
    "gnome": (1, 3, {"invention": 2, "jewel": 1, "magic": 1}, {"invention", "jewel"}),
    "necromancer": (2, 2, {"demonic": 2, "magic": 1, "music": 1}, {"demonic", "magic"}),
    "amazon": (2, 2, {"music": 2, "weapon": 1, "holy": 1}, {"music", "weapon"}),
}

TREASURES = {
    "dwarven_axe": "weapon",
    "demonic_sword": "weapon demonic",
    "blessed_lance": "weapon holy",
    "elven_bow": "weapon",
    "jewelled_dagger": "weapon jewel",
    "repeating_crossbow": "weapon invention",
    "dark_ale": "beer",
    "abbey_beer": "beer holy",
    "goblin_brew": "beer",
    "devils_stout": "beer demonic",
    "bottomless_tankard": "beer magic",
    "beer_pump": "beer invention",
    "golden_tankard": "beer jewel",
    "clockwork_songbird": "invention music",
    "spyglass": "invention",
    "steam_engine": "invention",
    "everburning_lamp": "invention magic",
    "grimoire": "magic",
    "crystal_ball": "magic",
    "wand": "magic",
    "black_grimoire": "magic demonic",
    "enchanted_lute": "music magic",
    "silver_flute": "music jewel",
    "war_drum": "music weapon",
    "drinking_songs": "music beer",
    "angels_harp": "music holy",
    "ruby": "jewel",
    "crown": "jewel",
    "chest_of_coins": "jewel",
    "cursed_necklace": "jewel demonic",
    "jewelled_chalice": "holy jewel",
    "saints_bone": "holy",
    "prayer_book": "holy",
    "demon_skull": "demonic",
    "horned_idol": "demonic",
    "infernal_machine": "invention demonic",
}

# Flags (Contact, Ranged, Protection, Hide-out, Trophy), tavern value of one, copies.
OBJECTS = {
    "table_leg": ("C", 0, 4),
    "stool": ("C", 1, 2),
    "fire_poker": ("C", 0, 1),
    "bench": ("C", 1, 1),
    "plate": ("R", 0, 4),
    "serving_tray": ("RP", 0, 2),
    "oil_lamp": ("R", 1, 1),
    "stew_pot": ("R", 1, 1),
    "bottle": ("CR", 1, 4),
    "tankard": ("CR", 0, 2),
    "chair": ("CR", 2, 2),
    "overturned_table": ("P", 2, 3),
    "bar_counter": ("P", 3, 1),
    "harpsichord": ("P", 3, 1),
    "wall_shield": ("P", 1, 1),
    "barrel": ("RH", 1, 2),
    "cupboard": ("H", 1, 1),
    "curtain": ("H", 0, 1),
    "cellar_hatch": ("H", 0, 1),
    "wall_trophy": ("T", 1, 1),
}

# Strength, cunning, support in strength, in cunning, affinities.
ARRIVALS = {
    "sergeant": (2, 1, 1, 0, "tavern"),
    "recruit": (2, 1, 1, 0, "tavern"),
    "bouncer": (3, 1, 1, 0, "tavern weapon"),
    "drunkard": (1, 1, 1, 0, "beer"),
    "brewer": (1, 2, 0, 1, "beer invention"),
    "mercenary": (2, 1, 1, 0, "weapon jewel"),
    "blacksmith": (2, 1, 1, 0, "weapon invention"),
    "apprentice": (1, 2, 0, 1, "magic"),
    "witch": (1, 2, 0, 1, "magic demonic"),
    "tinker": (1, 2, 0, 1, "invention"),
    "bard": (1, 2, 0, 1, "music beer"),
    "dancer": (1, 2, 0, 1, "music jewel"),
    "merchant": (1, 2, 0, 1, "jewel"),
    "monk": (2, 1, 1, 0, "holy beer"),
    "pilgrim": (1, 1, 1, 0, "holy"),
    "cultist": (1, 2, 0, 1, "demonic"),
    "half_orc": (2, 1, 1, 0, "demonic weapon"),
}

# Points for the tavern from each value on, highest first.
TAVERN = ((30, 8), (24, 5), (20, 4), (15, 3), (10, 2), (5, 1), (0, 0))


def tavern_points(value: int) -> int:
    """Return the points that the Tavernkeeper's owner scores for a value of the tavern."""
    return next(points for least, points in TAVERN if value >= least)
