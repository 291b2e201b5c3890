"""Score the misspellings that linters report against labels, side by side.

    python benchmarks/accuracy/text.py CLONES [--labels FILE] [--bin FOLDER ...] [--verbose]

`CLONES` is a folder with a clone of each labelled repository, named `owner+name`, at the labelled commit. Nothing is
fetched or installed: a tool that is neither in `--bin` nor on the path is left out. Each tool reads the Markdown files
below the labelled folder, with its default settings for English.

A line of the labels is a repository (`repo`, `rev`, `folder`) or a place (`repo`, `file`, 1-based `line`, `word`,
`label`): a `defect`, or `either` where a word is accepted by some, which counts neither for nor against a tool.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
Place = tuple[str, int, str]
"""A file, a 1-based line and a word in lower case."""
RULES = ("misspelling", "misspelled-code")
PER_CALL = 200
"""Files that a tool is given at once."""


class Tool(NamedTuple):
    """A tool: its arguments, and how what it printed is read. One that checks no spelling has no reader: its findings
    are only counted."""

    name: str
    arguments: tuple[str, ...]
    read: Callable[[str], Iterator[Place]] | None
    needs_files: bool = True


def read_ours(out: str) -> Iterator[Place]:
    """The misspellings in the output of `lint`."""
    for finding in json.loads(out):
        if finding["rule"] in RULES and finding["severity"] != "hint":
            yield finding["path"], finding["line"], finding["message"].split("`")[1].lower()


def read_typos(out: str) -> Iterator[Place]:
    """The lines of JSON that typos prints."""
    for row in map(json.loads, out.splitlines()):
        if row["type"] == "typo":
            yield row["path"], row["line_num"], row["typo"].lower()


def read_lines(pattern: str) -> Callable[[str], Iterator[Place]]:
    """Read lines of text by a pattern with the groups file, line and word."""
    expression = re.compile(pattern, re.MULTILINE)
    return lambda out: ((match[1], int(match[2]), match[3].lower()) for match in expression.finditer(out))


TOOLS = (
    Tool("tutorial-tool", ("lint", "--no-cache", "--output-format", "json"), read_ours, needs_files=False),
    Tool("typos", ("--format", "json", "--force-exclude"), read_typos),
    Tool("codespell", (), read_lines(r"^(.+?):(\d+): (\S+) ==>")),
    Tool(
        "cspell",
        ("--no-progress", "--no-summary", "--no-color"),
        read_lines(r"^(.+?):(\d+):\d+ - Unknown word \((\S+?)\)"),
    ),
    Tool("rumdl", ("check", "--no-cache"), None),
    Tool("markdownlint-cli2", (), None),
)


class Score(NamedTuple):
    """What a tool found: of the labelled defects, of words that are right; all findings of one without spelling."""

    found: set[tuple[str, Place]]
    wrong: set[tuple[str, Place]]
    findings: int


def read_labels(file: Path) -> tuple[list[dict[str, Any]], dict[str, dict[Place, str]]]:
    """The repositories, and the labels of each by place."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    labels: dict[str, dict[Place, str]] = {row["repo"]: {} for row in rows}
    for row in rows:
        if "label" in row:
            labels[row["repo"]][row["file"], row["line"], row["word"].lower()] = row["label"]
    return [row for row in rows if "rev" in row], labels


def find_program(tool: Tool, folders: list[Path]) -> list[str] | None:
    """The command of a tool: ours is that of this environment."""
    if tool.name == "tutorial-tool":
        return [sys.executable, "-m", "tutorial_tool"]
    found = next((folder / tool.name for folder in folders if (folder / tool.name).exists()), None)
    path = str(found.resolve()) if found else shutil.which(tool.name)
    return [path] if path else None


def run(command: list[str], tool: Tool, folder: Path, files: list[str]) -> str:
    """What a tool prints about the files; findings are on either stream."""
    calls = [files[at : at + PER_CALL] for at in range(0, len(files), PER_CALL)] if tool.needs_files else [[]]
    done = [
        subprocess.run([*command, *tool.arguments, *some], cwd=folder, capture_output=True, text=True, check=False)
        for some in calls
    ]
    return "".join(call.stdout if tool.read else call.stdout + call.stderr for call in done)


def score(repo: str, tool: Tool, out: str, labels: dict[Place, str]) -> Score:
    """Compare the places that a tool reports with the labels."""
    if tool.read is None:
        return Score(set(), set(), len(re.findall(r"\.mdx?:\d+", out)))
    places = set(tool.read(out))
    kinds = {place: labels.get(_labelled(place, labels), "") for place in places}
    found = {(repo, _labelled(place, labels)) for place, kind in kinds.items() if kind == "defect"}
    return Score(found, {(repo, place) for place, kind in kinds.items() if not kind}, len(places))


def _labelled(place: Place, labels: dict[Place, str]) -> Place:
    """The labelled place of a word, of which a tool may report a part: `endpopint` of `authorization_endpopint`."""
    file, line, word = place
    return next((at for at in labels if at[:2] == (file, line) and (word in at[2] or at[2] in word)), place)


def main() -> None:
    """Print a table of all tools over all labelled repositories that are in the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--labels", type=Path, default=HERE / "labels/words/misspellings.jsonl")
    parser.add_argument("--bin", type=Path, nargs="*", default=[], help="folders with the other tools")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    repos, labels = read_labels(options.labels)
    folders = {row["repo"]: options.clones / row["repo"].replace("/", "+") / row["folder"] for row in repos}
    folders = {repo: folder for repo, folder in folders.items() if folder.is_dir()}
    files = {
        repo: sorted(
            path.relative_to(folder).as_posix() for suffix in ("md", "mdx") for path in folder.rglob(f"*.{suffix}")
        )
        for repo, folder in folders.items()
    }
    pages = sum(map(len, files.values()))
    defects = {(repo, at) for repo in folders for at, kind in labels[repo].items() if kind == "defect"}
    print(f"{len(folders)} trees, {pages} pages, {len(defects)} misspellings\n")
    print("| Tool | Precision | Recall | Findings per 100 pages |\n| --- | --- | --- | --- |")
    for tool in TOOLS:
        command = find_program(tool, options.bin)
        if command is None:
            continue
        scores = [score(repo, tool, run(command, tool, folders[repo], files[repo]), labels[repo]) for repo in folders]
        found = set[tuple[str, Place]]().union(*(one.found for one in scores))
        wrong = set[tuple[str, Place]]().union(*(one.wrong for one in scores))
        print(
            f"| {tool.name} | {_ratio(len(found), len(found | wrong), tool)} | {_ratio(len(found), len(defects), tool)}"
            f" | {100 * sum(one.findings for one in scores) / max(pages, 1):.0f} |",
            flush=True,
        )
        for mark, places in (("wrong", wrong), ("missed", defects - found)) if options.verbose and tool.read else ():
            print(*(f"    {mark} {repo} {file}:{line} {word}" for repo, (file, line, word) in sorted(places)), sep="\n")


def _ratio(part: int, whole: int, tool: Tool) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole and tool.read else "–"


if __name__ == "__main__":
    main()
