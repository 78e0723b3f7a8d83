"""The colours of pictures, by name, in a light and a dark scheme.

A picture names its colours as CSS variables, so it follows the scheme of the page it stands on. A page may set them itself. c0 to c7 are
told apart by colour-blind readers; pictures never rely on them alone, there is always a shape, a letter or a number beside.
"""

import re

NAMES = ("paper", "card", "sunk", "ink", "soft", "line", "can", "bad", "on", *(f"c{k}" for k in range(8)))
LIGHT = ("#f6f1e7", "#fffdf9", "#ebe3d4", "#2b251d", "#675d4f", "#c6baa6", "#b86e00", "#a3241b", "#ffffff",
         "#0067a3", "#bd4f00", "#007a58", "#98437f", "#8f6500", "#4556b0", "#74532f", "#5d5d5d")  # fmt: skip
DARK = ("#1c1916", "#2a2621", "#37322b", "#f1e9dc", "#b8ad9d", "#595145", "#ffb454", "#ff8a7a", "#15120f",
        "#6cb8ea", "#f59a5e", "#4fd0a5", "#e09ccb", "#edbd4a", "#a3b0ff", "#cfa981", "#b5b5b5")  # fmt: skip
THEMES = {"light": dict(zip(NAMES, LIGHT, strict=True)), "dark": dict(zip(NAMES, DARK, strict=True))}
STYLE = "".join(
    start + "".join(f"--{name}:{colour};" for name, colour in THEMES[theme].items()) + end
    for theme, start, end in (("light", ".alehouse{", "}"), ("dark", "@media(prefers-color-scheme:dark){.alehouse{", "}}"))
)


def colour(name: str | None) -> str:
    """Return a colour by its name, as CSS says it."""
    return f"var(--{name})" if name else "none"


def fixed(svg: str, theme: str = "light") -> str:
    """Return a picture with the colours of one theme, for viewers that know no CSS variables."""
    return re.sub(r"var\(--(\w+)\)", lambda found: THEMES[theme][found[1]], re.sub("<style>.*?</style>", "", svg))
