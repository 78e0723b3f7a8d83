"""Run notebooks and write what they print into them: `make notebooks`, or `python tools/run_notebooks.py NOTEBOOK ...`."""

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def kept(outputs: list[Any]) -> list[Any]:
    """Return outputs without progress and warnings, printed lines as one text, and pictures without a text that has an address in it."""
    found = list[Any]()
    for output in outputs:
        if output.get("name") == "stderr":
            continue
        if output.output_type == "stream" and found and found[-1].output_type == "stream":
            found[-1].text += output.text
        else:
            found.append(output)
        if " at 0x" in output.get("data", {}).get("text/plain", ""):
            del output.data["text/plain"]
    return found


def main() -> None:
    """Run the notebooks named on the command line, or all, each in its own folder."""
    for path in map(Path, sys.argv[1:] or sorted(map(str, (Path(__file__).parent.parent / "notebooks").glob("*.ipynb")))):
        book = nbformat.read(path, as_version=4)
        NotebookClient(book, timeout=None, record_timing=False, resources={"metadata": {"path": str(path.parent)}}).execute()
        book.metadata = {"kernelspec": book.metadata["kernelspec"], "language_info": {"name": "python"}}
        for cell in book.cells:
            if cell.cell_type == "code":
                cell.outputs = kept(cell.outputs)
        nbformat.write(book, path)
        print(path)


if __name__ == "__main__":
    main()
