"""The display of recipes, and cooking (TD 3.2 M1)."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import draw_card, interrupted
from alehouse.envs.taverns_dragons.layout import A_CUBE, A_DONE, CUBE, KINDS, RECIPE_DECK, RECIPES, SHOWN
from alehouse.envs.taverns_dragons.state import IN_SIGHT, NOTHING

# The display of recipes


@jit
def draw_recipe(s):
    """Draw the next recipe; when none is left, first shuffle the discarded ones."""
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
    """Return as a set the spaces of the display with a recipe."""
    found = 0
    for space in range(SHOWN):
        found |= int(s.display[space] >= 0) << space
    return found


@jit
def take_away(s, space):
    """Remove a recipe from the display: those above it slide down, and a new one comes on top."""
    for k in range(space, 0, -1):
        s.display[k] = s.display[k - 1]
    s.display[0] = draw_recipe(s)


@jit
def move_down(s):
    """Move all recipes one space down and discard the lowest (TD 3.5)."""
    bottom = s.display[SHOWN - 1]
    if bottom >= 0:
        s.thrown = int(s.thrown) | bit(bottom)
    take_away(s, SHOWN - 1)


# Cooking a recipe


@jit
def payable(R, me):
    """Return as a set the recipes whose ingredients are all in the pantry."""
    found = first(RECIPES)
    for kind in range(KINDS):
        found &= int(R.payable[kind, min(IN_SIGHT, int(me.pantry[kind]))])
    return found


@jit
def missing(R, me, recipe):
    """Return how many ingredients of a recipe are not in the pantry."""
    n = 0
    for kind in range(KINDS):
        n += max(0, int(R.needs[recipe, kind]) - int(me.pantry[kind]))
    return n


@jit
def cookable(s, R, me):
    """Return as a set the spaces of the display whose recipe a seat can cook, with gelatinous cubes if necessary."""
    recipes = payable(R, me)
    found = 0
    for space in range(SHOWN):
        recipe = int(s.display[space])
        if recipe >= 0:
            found |= int(within(recipes, recipe) or (me.items[CUBE] > 0 and missing(R, me, recipe) <= me.items[CUBE])) << space
    return found


@jit
def cook(s, R, p, space, value):
    """Cook the recipe of a space with a die; a seat with gelatinous cubes first chooses how to use them."""
    push(s, Q.DISH, p, space, value)
    if s.seat[p].items[CUBE] > 0:
        push(s, Q.CUBE, p)


@jit
def legal_cube(s, R, p, words):
    """List what a cube may stand for, in ascending order; also stopping, once the rest is in the pantry (TD-A19)."""
    me, recipe, question = s.seat[p], int(s.display[interrupted(s).a]), top(s)
    lacking = missing(R, me, recipe)
    put(words, A_DONE, int(lacking == 0))
    for kind in range(int(question.a), KINDS):
        need, have = int(R.needs[recipe, kind]), int(me.pantry[kind])
        cubes = int(question.b) if kind == question.a else 0
        if cubes < need and int(me.items[CUBE]) > lacking - int(have < need):
            put(words, A_CUBE + kind, 1)
        if have < need:
            return


@jit
def apply_cube(s, R, p, a):
    """Turn a cube into an ingredient, or stop."""
    if a == A_DONE:
        pop(s)
        return
    me, question, kind = s.seat[p], top(s), a - A_CUBE
    question.b = question.b + 1 if kind == question.a else 1
    question.a = kind
    me.items[CUBE] -= 1
    me.used[CUBE] += 1
    me.pantry[kind] += 1


@jit
def serve(s, R):
    """Pay the ingredients of the dish, score its points and those of the die, refill the display (TD-A29)."""
    dish = top(s)
    me, space = s.seat[dish.seat], int(dish.a)
    recipe = int(s.display[space])
    prestige = int(R.points[recipe]) + int(dish.b)
    pop(s)
    for kind in range(KINDS):
        me.pantry[kind] -= R.needs[recipe, kind]
    me.score += prestige
    me.best = max(int(me.best), prestige)
    me.cooked = int(me.cooked) | bit(recipe)
    s.deed.cooked = 1
    take_away(s, space)
