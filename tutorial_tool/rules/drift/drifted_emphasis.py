"""A phrase that is bold, italic or code on the other copies, and is set in another way here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.similarity import ALIKE
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import decide_outliers, format_variant_names
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.units import include_emphasis

_MARKED = lazy_re.compile(r"(?<![\w*_`])(\*\*|__|\*|_|`)(?=[^\s*_`])([^*_`\n]+?)\1(?![\w*_`])")
_SPAN = lazy_re.compile(r"(?<![\w*_`])(`|\*\*|__|\*|_)(?=\S)[^\n]+?\1(?![\w*_`])")
_MARKS = str.maketrans("", "", "*_`")
_STYLE_NAMES = {"": "plain", "*": "italic", "**": "bold", "`": "code"}


@rule("drift", Severity.OFF)
def check(step: Step) -> Iterator[Finding]:
    for row in variation.get_alignment(step).iter_rows("sentence"):
        sources = {name: _get_source_text(step, name, unit) for name, unit in row.items()}
        for phrase, markers in _find_markers(sources):
            if {*markers.values()} == {"", "`"} and phrase.isalpha() and phrase.islower():
                continue  # a word of the language that is also a literal
            if len(set(markers.values())) == 2 and _are_alike([sources[name] for name in markers]):
                yield from _report_difference(step, row, phrase, markers)


def _find_markers(sources: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the phrases that a copy emphasizes, with the markers in each copy that has the phrase, "" for none."""
    marked = {name: {m[2]: m[1].replace("_", "*") for m in _MARKED.finditer(text)} for name, text in sources.items()}
    for phrase in dict.fromkeys(chain.from_iterable(marked.values())):
        having = [name for name, text in sources.items() if _contains_phrase(text, phrase)]
        yield phrase, {name: marked[name].get(phrase, "") for name in having}


def _report_difference(step: Step, row: Mapping[str, Unit], phrase: str, marks: Mapping[str, str]) -> Iterator[Finding]:
    verdict = decide_outliers(step, marks, {name: row[name].place for name in marks})
    name, other = verdict.outliers[0], verdict.majority[0]
    page = step.pages[name]
    if not is_intended(step, page, row[name].place):
        kinds = _STYLE_NAMES[marks[name]], _STYLE_NAMES[marks[other]]
        message = f"`{phrase}` is {kinds[0]} here, and {kinds[1]} on {format_variant_names(step, verdict.majority)}"
        offset = page.plain.find(phrase, *row[name].place)
        place = (offset, offset + len(phrase)) if offset >= 0 else row[name].place
        yield page.flag(place, message, related=[(step.pages[other], row[other].place, f"{kinds[1]} here")])


def _are_alike(texts: list[str]) -> bool:
    """Return whether all texts are nearly the same sentence, so that the phrase is the same in each."""
    first, *others = (text.lower().translate(_MARKS) for text in texts)
    return all(fuzz.ratio(first, other) >= ALIKE for other in others)


def _contains_phrase(text: str, phrase: str) -> bool:
    spans = _SPAN.sub(lambda span: span[0] if span[0].strip(span[1][0] + "`") == phrase else " ", text)
    return re.search(rf"(?<![\w.]){re.escape(phrase)}(?!\w)", spans) is not None


def _get_source_text(step: Step, name: str, unit: Unit) -> str:
    """Return the source of a sentence, including the emphasis markers at its ends."""
    text = strip_origins(step.pages[name].text)
    return text[slice(*include_emphasis(text, *unit.place))]
