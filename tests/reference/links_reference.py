"""Write the table of the public trees on which links were judged, from the record of the benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterator

BEGIN, END = "<!-- trees: begin -->", "<!-- trees: end -->"
_HEAD = "| Tree | Commit | Pages | Generator | Errors | Read | True |\n| --- | --- | --- | --- | --- | --- | --- |"


def describe_trees(record: str) -> str:
    """Return a row for each tree with what its first run found; what a person read of it is what was counted as true."""
    return "\n".join([_HEAD, *sorted(_rows(record), key=str.lower)])


def _rows(record: str) -> Iterator[str]:
    names: list[str] = []
    for line in record.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if cells[:1] == ["Tree"]:
            names = cells
        elif "False" in names and cells and not cells[0].startswith("---"):
            of = dict(zip(names, cells, strict=True))
            errors = next(of[name] for name in ("Errors before", "Errors") if name in of)
            read = next((of[name] for name in ("Read", "Different") if name in of), errors)
            right = int(read) - int(re.sub(r"\D", "", of["False"]))
            yield f"| {of['Tree']} | {of.get('Commit', '')} | {of['Pages']} | {of['Generator']} | {errors} | {read} | {right} |"
