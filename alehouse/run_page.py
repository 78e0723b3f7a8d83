"""The page that `make run` ends with: what was played, who won, and what the balance reports say first."""

import base64
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from alehouse.envs.core.run.files import read_text
from alehouse.envs.games import variant

SENTENCES = 5  # of a balance report, its first ones
TEMPLATE = Path(__file__).with_name("run_page.html")


def page(done: Sequence[Any], seed: int) -> str:
    """Return the page of the steps that are done, a section for each variant."""
    import jinja2

    sections: dict[str, dict[str, Any]] = {}
    for one in done:
        v = variant(one.step.variant)
        section = sections.setdefault(v.game, {"title": v.spec.title, "known": v.spec.numbers.known(), "steps": []})
        section["steps"].append(shown(one.step.what, str(v), one.found))
    for section in sections.values():
        section["steps"].sort(key=lambda step: (step["variant"], ("random", "arena", "balance").index(step["what"])))
    template = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(read_text(TEMPLATE))
    ended = time.strftime("%Y-%m-%d %H:%M")
    return template.render(sections=sections, seed=seed, version=version("alehouse"), ended=ended)


def shown(what: str, v: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return what the template shows of a step."""
    step = found | {"what": what, "variant": v}
    if "failed" in found:
        return step
    if what == "random":
        step["picture"] = base64.b64encode(found["picture"].encode()).decode()
    elif what == "arena":
        ratings = (found["ratings"] or {}).get("agents", [None] * len(found["agents"]))
        named = zip(found["agents"], ratings, strict=True)
        step["rows"] = [row | {"rating": rating, "plays": found["levels"][row["name"]]} for row, rating in named]
        step["game_page"] = below_runs(found["game_page"])
    else:
        step["first"], step["report"] = found["sentences"][:SENTENCES], below_runs(found["report"])
    return step


def below_runs(path: str) -> str:
    """Return a path as a link of the page, which lies in the folder of runs."""
    return Path(path).as_posix().removeprefix("runs/")
