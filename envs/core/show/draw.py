"""The drawing of a view, as SVG, as pixels, or shown where a person looks."""

import importlib
import io
import sys

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import game_of
from alehouse.envs.core.show.svg import EDGE, WIDTH, Picture
from alehouse.envs.core.show.theme import fixed
from alehouse.envs.core.show.view import View


class NoPixels(ImportError, TypeError):
    """What draws pixels is not installed. A TypeError too: by that some libraries know that an environment has no pixels."""


def draw(view: View) -> str:
    """Return the picture of a view as SVG; `data-action` of its groups are the answers that concern what they show."""
    game = game_of(view.module)
    return game.draw(view) if game.draw else plain(view, game.title)


def plain(view: View, title: str) -> str:
    """Return a picture of a table in words, for a game that has no drawing of its own."""
    picture = Picture(view, title, view.variant)
    for told in str(view.table).splitlines():
        indent = 14.0 * (len(told) - len(told.lstrip()))
        picture.y = picture.paragraph(EDGE + indent, picture.y + 14, WIDTH - 2 * EDGE - indent, told, 13) - 11
    picture.y += EDGE
    return picture.svg()


def need_pixels() -> None:
    """Raise NoPixels unless pictures can be made pixels."""
    try:
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401
    except ImportError as error:
        raise NoPixels(f"render_mode='rgb_array': pictures as pixels need {error.name}: pip install 'alehouse[pixels]'") from None


def pixels(svg: str, theme: str = "light") -> npt.NDArray[np.uint8]:
    """Return a picture as an array of height x width x 3."""
    need_pixels()
    import resvg_py
    from PIL import Image

    with Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=fixed(svg, theme))))) as image:
        return np.asarray(image.convert("RGB"))


def show(view: View, text: str) -> None:
    """Show a table to a person: its picture in a notebook, its text anywhere else."""
    if "ipykernel" in sys.modules:
        notebook = importlib.import_module("IPython.display")
        notebook.display(notebook.SVG(data=draw(view)))
    else:
        print(text, end="\n\n")
