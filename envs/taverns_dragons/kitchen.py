"""The display of recipes, and cooking (TD 3.2 M1)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import draw_card
from alehouse.envs.taverns_dragons.layout import A_CUBE, A_DONE, CUBE, KINDS, RECIPE_DECK, RECIPES, SHOWN
from alehouse.envs.taverns_dragons.state import IN_SIGHT, NOTHING

# The display


@jit
def draw_recipe(s):
    """The next recipe; the discarded ones are shuffled when there is none left."""
    if s.recipes == 0:
        s.recipes = s.thrown
        s.thrown = 0
        s.recipe_pass += 1
    if s.recipes == 0:
        return NOTHING
    recipe = draw_card(s, RECIPE_DECK, s.recipe_pass, s.recipes)
    s.recipes = without(s.recipes, recipe)
    return recipe


@jit
def displayed(s):
    """Spaces of the display with a recipe, as a set."""
    found = 0
    for space in range(SHOWN):
        found |= int(s.display[space] >= 0) << space
    return found


@jit
def take_away(s, space):
    """A recipe leaves the display: those above slide down, a new one comes on top."""
    for k in range(space, 0, -1):
        s.display[k] = s.display[k - 1]
    s.display[0] = draw_recipe(s)


@jit
def move_down(s):
    """The end of a round: all move down, the one at the bottom is discarded (TD 3.5 (3))."""
    bottom = s.display[SHOWN - 1]
    if bottom >= 0:
        s.thrown = int(s.thrown) | bit(bottom)
    take_away(s, SHOWN - 1)


# Cooking


@jit
def payable(R, me):
    """Recipes the pantry suffices for, as a set."""
    found = first(RECIPES)
    for kind in range(KINDS):
        found &= int(R.payable[kind, min(IN_SIGHT, int(me.pantry[kind]))])
    return found


@jit
def wanting(R, me, recipe):
    """Ingredients of a recipe that are not in the pantry."""
    n = 0
    for kind in range(KINDS):
        n += max(0, int(R.needs[recipe, kind]) - int(me.pantry[kind]))
    return n


@jit
def cookable(s, R, me):
    """Spaces of the display a seat can cook from, as a set."""
    recipes = payable(R, me)
    found = 0
    for space in range(SHOWN):
        recipe = int(s.display[space])
        if recipe >= 0:
            found |= int(within(recipes, recipe) or (me.items[CUBE] > 0 and wanting(R, me, recipe) <= me.items[CUBE])) << space
    return found


@jit
def cook(s, R, p, space, value):
    """Begin with the cubes, if there are some."""
    s.deed.space = space
    s.deed.value = value
    if s.seat[p].items[CUBE] > 0:
        push(s, Q.CUBE, p)
    else:
        serve(s, R, p)


@jit
def legal_cube(s, R, p, words):
    """What a cube may stand for, kinds in ascending order; enough, once the rest is in the pantry (TD-A19)."""
    me, recipe, ask = s.seat[p], int(s.display[s.deed.space]), top(s)
    lacking = wanting(R, me, recipe)
    put(words, A_DONE, int(lacking == 0))
    for kind in range(int(ask.a), KINDS):
        need, have = int(R.needs[recipe, kind]), int(me.pantry[kind])
        cubed = int(ask.b) if kind == ask.a else 0
        if cubed < need and int(me.items[CUBE]) > lacking - int(have < need):
            put(words, A_CUBE + kind, 1)
        if have < need:
            return


@jit
def apply_cube(s, R, p, a):
    """A cube becomes an ingredient, or the dish is served."""
    me, ask = s.seat[p], top(s)
    if a == A_DONE:
        pop(s)
        serve(s, R, p)
        return
    kind = a - A_CUBE
    ask.b = ask.b + 1 if kind == ask.a else 1
    ask.a = kind
    me.items[CUBE] -= 1
    me.used[CUBE] += 1
    me.pantry[kind] += 1


@jit
def serve(s, R, p):
    """Pay the ingredients, score points and die, refill the display (TD-A29)."""
    me, deed = s.seat[p], s.deed
    recipe = int(s.display[deed.space])
    for kind in range(KINDS):
        me.pantry[kind] -= R.needs[recipe, kind]
    worth = int(R.points[recipe]) + int(deed.value)
    me.score += worth
    me.best = max(int(me.best), worth)
    me.cooked = int(me.cooked) | bit(recipe)
    deed.cooked = 1
    take_away(s, int(deed.space))
    deed.space = 0
    deed.value = 0
