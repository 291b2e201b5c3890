"""codespell: known misspellings, in any text. It reports lines, but no columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool, UnreadableOutput
from tutorial_tool.external_linters.typos import SPELLING

_LINE = lazy_re.compile(r"(?P<path>.+?):(?P<line>\d+): (?P<word>\S+) ==> (?P<better>.+)")
_IGNORED = lazy_re.compile(r"(?:WARNING|Used config files|\s|$)")


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    seen: Counter[tuple[str, int, str]] = Counter()
    for line in out.splitlines():
        value = _LINE.fullmatch(line)
        if value is None:
            if _IGNORED.match(line):
                continue
            raise UnreadableOutput(f"it printed `{line[:200]}`")
        number, word = int(value["line"]), value["word"]
        source = texts.get_source(value["path"])
        key = source.path, number, word
        text = source.get_line_text(min(number, source.line_count))
        places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
        places = places or [max(text.find(word), 0)]
        at = places[min(seen[key], len(places) - 1)]
        seen[key] += 1
        yield texts.build_remark(source.path, number, at + 1, "typo", _format_message(value), length=len(word))


def _format_message(match: re.Match[str]) -> str:
    better = match["better"].partition(" | ")[0]  # a reason may follow
    return f"`{match['word']}` should read " + " or ".join(f"`{word.strip()}`" for word in better.split(","))


TOOL = Tool(
    "codespell",
    "finds known misspellings",
    install="pip install codespell",
    tested="2.3 to 2.4",
    options=("--disable-colors", "--quiet-level", "35"),
    read=_parse_output,
    docs="https://github.com/codespell-project/codespell",
    codes=frozenset((0, 65)),
    equivalents={"*": (*SPELLING, "typos/typo")},
)
