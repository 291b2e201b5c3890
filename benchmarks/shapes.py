"""How the work of each rule and reader grows with the size of a page: `python -m benchmarks.shapes [--kb N] [NAME…]`.

A shape is a text of one kind, at N and 4 N kilobytes: characters and words repeated, nested, unclosed, unique, and each
literal of the rules' own patterns. Printed is each rule that takes more than 0.2 s at the larger size and more than 4.6
times what it takes at the smaller one.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.test_hostile import SHAPES as STRUCTURES
from tests.test_hostile import Shape, again
from tests.test_shapes_of_patterns import LITERALS
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import budgets, engine

KB = 1024
MOST = 4.6
"""What 4 times the size may cost: linear work, a logarithm, and noise."""
LEAST_SECONDS = 0.2
"""CPU time below which a growth is noise, as a garbage collection costs 0.05 s (2026-11)."""


def each(line: str) -> Shape:
    """A line again and again, with its number wherever it has `{}`."""
    return lambda size: "".join(line.replace("{}", str(n)) for n in range(size // len(line.replace("{}", "1000"))))


WORDS: Mapping[str, Shape] = {
    "link definitions of one name": again("[a]: b\n"),
    "link definitions": each("[a{}]: https://example.com/{}\n"),
    "a changelog": each("## [1.0.{}] - 2026-01-01\n\n- A change.\n\n[1.0.{}]: https://example.com/v1.0.{}\n\n"),
    "a misspelling on one line": again("recieve "),
    "a misspelling of three letters": again("teh "),
    "unique misspellings": each("recieve{} "),
    "misspellings in paragraphs": again("We recieve it.\n\n"),
    "articles": again("an a an "),
    "headings of one text below each other": again("## Parameters\n\nText.\n\n"),
    "broken anchors": lambda size: each("## H {}\n\n")(size // 2) + each("[a](#hn{}) ")(size // 2),
    "a title": lambda size: f"---\ntitle: {again('word ')(size)}\n---\n\n# A\n",
    "random letters": lambda size: "".join(chr(97 + (n * 7919 + n * n * 104729) % 26) for n in range(size)),
    "shortcodes that do not end": again("{{< a "),
    "comments of the tool that do not end": again("<!-- tutorial-tool: "),
    "attribute lists": again("{: #a }"),
    "imports": again("import a\n"),
    "breaks by spaces": again("a  \n"),
    "breaks by backslashes": again("a\\\n"),
    "hard spaces": again("a\xa0"),
    "one paragraph": again("word "),
    "braces": again("{"), "tags that do not end": again("{% a "), "comments that do not end": again("{# a "),
    "unique words": each("word{} "), "unique links": each("[a{}](b{}.md) "), "unique names": each("The Foo{} Bar. "),
    "sentences": again("Open the menu and click **Save**. "), "steps": each("{}. Open the menu.\n"),
    "code of many lines": lambda size: "```bash\n" + each("npm install package{}\n")(size) + "```\n",
    "tables of unique cells": lambda size: "|a|b|\n|-|-|\n" + each("|a{}|b{}|\n")(size),
    "unique urls": each("https://example.com/{} "), "versions": each("v1.{} "), "abbreviations": each("*[A{}]: b\n"),
    "images": each("![a{}](b{}.png) "), "unique headings": each("# The heading {}\n\nText.\n\n"),
}  # fmt: skip


class Grown(NamedTuple):
    """What one rule, or `reading`, takes on a shape: seconds at the smaller and at the larger size."""

    shape: str
    rule: str
    small: float
    large: float


def shapes(literals: int) -> dict[str, Shape]:
    """Return the shapes by name: those with words, of structures, and of so many literals of patterns."""
    chosen = LITERALS[:: max(1, len(LITERALS) // literals)][:literals] if literals else []
    made = {f"literal {text + ending!r}": again(text + ending) for text in chosen for ending in ("", " ", "\n", "a{} ")}
    return {**WORDS, **STRUCTURES, **made}


def seconds_by_rule(text: str) -> dict[str, float]:
    """Return the CPU time of each rule on a page, of `reading` it, and of `the rest`."""
    taken: dict[str, float] = defaultdict(float)
    unbounded = budgets.check_within_budget

    def timed(rule: object, heard: object, run_rule: Callable[..., Iterator[object]]) -> tuple[object, ...]:
        begun = time.process_time()
        found = unbounded(rule, heard, run_rule)  # type: ignore[arg-type]
        taken[rule.name] += time.process_time() - begun  # type: ignore[attr-defined]
        return found

    from tutorial_tool.linter import scheduler

    gc.collect()
    scheduler.check_within_budget = timed  # type: ignore[assignment, attr-defined]
    begun = time.process_time()
    try:
        read = site.load_plain([Path("a.md")], Path.cwd(), {"a.md": text})
        read.pages[0].document  # noqa: B018 - is read, and remembered
        taken["reading"] = time.process_time() - begun
        engine.run(read, Config(Path.cwd(), select=("ALL",)))
    finally:
        scheduler.check_within_budget = unbounded  # type: ignore[attr-defined]
    taken["the rest"] = time.process_time() - begun - sum(taken.values())
    return taken


def grown(name: str, shape: Shape, kb: int) -> list[Grown]:
    """Return the rules that grow too much on a shape."""
    small, large = (seconds_by_rule(shape(size)) for size in (kb * KB, 4 * kb * KB))
    found = [Grown(name, rule, small.get(rule, 0.0), after) for rule, after in large.items()]
    return [one for one in found if one.large > LEAST_SECONDS and one.large > MOST * max(one.small, 0.02)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=int, default=16, help="the smaller size")
    parser.add_argument("--literals", type=int, default=120, help="how many literals of patterns, four shapes each")
    parser.add_argument("names", nargs="*", help="shapes; all of them without")
    asked = parser.parse_args()
    chosen = {name: shape for name, shape in shapes(asked.literals).items() if not asked.names or name in asked.names}
    seconds_by_rule("# A page\n\nThe the text.\n")  # loads what is loaded once
    found: list[Grown] = []
    for name, shape in chosen.items():
        for one in grown(name, shape, asked.kb):
            print(f"{one.shape:40.40} {one.rule:28} {one.small:7.2f} {one.large:7.2f}", flush=True)
            found.append(one)
    day = datetime.now(tz=UTC).date()
    print(f"{day}: {len(chosen)} shapes at {asked.kb} and {4 * asked.kb} KB: {len(found)} grow too much")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
