"""A number in words here and in digits there, in the same phrase: `up to five minutes`, `up to 5 minutes`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._corpus import Place, corpus
from tutorial_tool.site import Site

_NAMES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
          " seventeen eighteen nineteen twenty").split()  # fmt: skip
_VALUES = {name: value for value, name in enumerate(_NAMES)} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_PHRASE = re.compile(
    rf"(?<![\w.-])(?P<before>[A-Za-z]+ [A-Za-z]+) (?P<number>{'|'.join(_VALUES)}|\d{{1,2}}) "
    r"(?P<unit>[a-z]{3,})(?![\w-])"
)


@rule("text", Severity.HINT)
def check(site: Site) -> Iterator[Finding]:
    read = corpus(site)
    words = set(_VALUES)
    digits = {word for word in read.counts if word.isdigit() and len(word) < 3}
    texts = [text for text, found in read.words.items() if not words.isdisjoint(found) or not digits.isdisjoint(found)]
    phrases: dict[tuple[str, int, str], dict[bool, list[Place]]] = {}
    for place in read.find(_PHRASE, texts):
        match = place.match
        number = match["number"]
        value = int(number) if number.isdigit() else _VALUES[number]
        key = match["before"].lower(), value, match["unit"].removesuffix("s")
        phrases.setdefault(key, {}).setdefault(number.isdigit(), []).append(place)
    for forms in phrases.values():
        if len(forms) == 2:
            few, many = sorted(forms.values(), key=len)
            yield _finding(few, many)


def _finding(few: list[Place], many: list[Place]) -> Finding:
    first, example = few[0], many[0]
    message = f"`{_phrase(first)}` here, `{_phrase(example)}` elsewhere"
    related = [(place.page, _at(place), f"`{_phrase(place)}` too") for place in few[1:]]
    related += [(place.page, _at(place), f"`{_phrase(place)}`") for place in many]
    return first.page.flag(_at(first), message, related=related)


def _phrase(place: Place) -> str:
    return f"{place.match['number']} {place.match['unit']}"


def _at(place: Place) -> tuple[int, int]:
    return place.prose.at(place.match.start("number"), place.match.end("unit"))
