"""Adds to the site what lies outside docs/: results, changelog, notebooks as pages, the Python reference, and each game's figures.

mkdocs calls the functions named `on_...` while it builds the site.
"""

import base64
import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from alehouse.envs.games import GAMES

ROOT = Path(__file__).parent.parent
MADE = {name: name for name in ("RESULTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md")}
MADE |= {"SECURITY.md": "reporting.md"}  # another name, since some systems take it and security.md for the same
MEASURED = ("Speed", "Random play", "Agents")  # sections of RESULTS.md with figures of single games
LINK = re.compile(r"(\[(?:[^\]\[]|\[[^\]]*\])*\])\(([^)\s:#]+)(#[^)\s]*)?\)")
TRIED = ("kernel", "batch", "heuristics", "networks", "aec")  # ways of playing that the page of a game shows
REFERENCE = {
    "alehouse": ("The front door", "`import alehouse` gives these names.", ()),
    "alehouse.agents": ("Agents", "`from alehouse import agents`", ()),
    "alehouse.training.seat_vec_env": ("Training", "`from alehouse.training import SeatVecEnv`, with the extra `train`.", ("SeatVecEnv",)),
    "alehouse.envs.core.faces": ("Faces", "For PettingZoo and Gymnasium; `alehouse.envs.bloody_inn.env` and the like are these.", ()),
}


def on_files(files: Files, config: Any) -> Files:
    """Add pages made from files outside docs/, and the files that pages link to."""
    for name, place in MADE.items():
        add(files, config, place, (ROOT / name).read_text(encoding="utf-8"))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for name, content in notebook(path):
            add(files, config, f"notebooks/{name}", content)
    add(files, config, "reference.md", reference())
    pages = [ROOT / name for name in MADE] + sorted((ROOT / "docs").glob("*.md"))
    for path in {target for page in pages for target in outside(page)}:
        add(files, config, str(path.relative_to(ROOT)), path.read_bytes())
    return files


def add(files: Files, config: Any, name: str, content: str | bytes) -> None:
    """Add a file to the site."""
    files.append(File.generated(config, name, content=content))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where the site has the page, and add the measured figures to the page of a game."""
    place = page.file.src_uri
    folder = ROOT if place in MADE.values() else ROOT / "notebooks" if place.startswith("notebooks/") else ROOT / "docs"
    text = LINK.sub(lambda link: relinked(link, folder, place), markdown)
    name = place.removesuffix(".md")
    return f"{text}\n{measured(name)}" if name in GAMES else text


def target_of(link: str, folder: Path) -> Path:
    """Return the file that a link on a page in this folder leads to."""
    return (folder / link).resolve()


def relinked(link: re.Match[str], folder: Path, page: str) -> str:
    """Return a link as it must read on the site; a link to a folder becomes plain text."""
    words, to, anchor = link[1], link[2], link[3] or ""
    path = target_of(to, folder)
    if not path.is_relative_to(ROOT):
        return link[0]
    if path.is_dir():
        return words[1:-1]
    place = MADE.get(path.name) or str(path.relative_to(ROOT)).removeprefix("docs/").replace(".ipynb", ".md")
    return f"{words}({'../' * page.count('/')}{place}{anchor})"


def outside(page: Path) -> Iterator[Path]:
    """Yield the files beyond docs/ and the made pages that a page links to."""
    for _, to, _ in LINK.findall(page.read_text(encoding="utf-8")):
        path = target_of(to, page.parent)
        known = path.is_relative_to(ROOT / "docs") or path.suffix == ".ipynb" or path.name in MADE
        if path.is_file() and path.is_relative_to(ROOT) and not known:
            yield path


def notebook(path: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield the page of a notebook and its pictures, as file names and contents."""
    parts = []
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for k, cell in enumerate(cells):
        text = "".join(cell["source"])
        if "on a hosted notebook" in text:
            continue
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for n, output in enumerate(cell.get("outputs", ())):
            for kind, ending in (("image/svg+xml", "svg"), ("image/png", "png")):
                if kind in output.get("data", {}):
                    data = "".join(output["data"][kind])
                    name = f"{path.stem}-{k}-{n}.{ending}"
                    yield name, base64.b64decode(data) if ending == "png" else data
                    parts.append(f"![What the cell shows]({name})")
                    break
            else:
                said = "".join(output.get("text") or output.get("data", {}).get("text/plain", ()))
                parts.append(f"```text\n{said.rstrip()}\n```")
    heading, _, rest = "\n\n".join(parts).partition("\n")
    yield f"{path.stem}.md", f"{heading}\n\n*A notebook: `notebooks/{path.name}` of the repository, with what it printed.*\n{rest}"


def reference() -> str:
    """Return the page of the Python reference: every public name, from its docstring."""
    parts = ["# Python reference", "Written from the docstrings. [The interface by example](api.md) shows the same names at work."]
    for module, (title, about, only) in REFERENCE.items():
        names = only or importlib.import_module(module).__all__
        parts += [f"## {title}", about, *(f"::: {module}.{name}" for name in sorted(names, key=str.lower))]
    return "\n\n".join(parts) + "\n"


def measured(name: str) -> str:
    """Return the figures of a game in RESULTS.md: speed, random play and agents."""
    text = (ROOT / "RESULTS.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in re.split(r"^## ", text, flags=re.MULTILINE)}
    parts = ["## Speed and baselines", "From the [results](RESULTS.md), which say how each figure was measured."]
    for heading in MEASURED:
        tables = re.findall(r"^\| game \|.*\n\|[-| ]+\n(?:\|.*\n)+", sections[heading], re.MULTILINE)
        for table in tables[:1]:
            head, line, *rows = table.splitlines()
            kept = [
                row for row in rows if row.startswith(f"| {name} |") and ("| mode |" not in head or any(f"| {m} |" in row for m in TRIED))
            ]
            parts += [f"**{heading}**", "\n".join([head, line, *kept])]
    return "\n\n".join(parts) + "\n"
