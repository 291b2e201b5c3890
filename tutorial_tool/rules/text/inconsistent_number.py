"""A number in words here and in digits there, in the same phrase: `up to five minutes`, `up to 5 minutes`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import Place, corpus
from tutorial_tool.site import Site
from tutorial_tool.spelling.usage import Passage

_NAMES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
          " seventeen eighteen nineteen twenty").split()  # fmt: skip
_VALUES = {name: value for value, name in enumerate(_NAMES)} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_PHRASE = lazy_re.compile(
    rf"(?<![\w.-])(?P<before>[A-Za-z]+ [A-Za-z]+) (?P<number>{'|'.join(_VALUES)}|\d{{1,2}}) "
    r"(?P<unit>[a-z]{3,})(?![\w-])"
)


@rule("text", Severity.HINT)
def check(site: Site, config: Config) -> Iterator[Finding]:
    read = corpus(site)
    phrases: dict[tuple[str, int, str], dict[bool, list[Place]]] = {}
    facts = read.usage.facts(_matches)
    for passage in sorted(facts, key=read.usage.order):
        for match in facts[passage]:
            number = match["number"]
            value = int(number) if number.isdigit() else _VALUES[number]
            key = match["before"].lower(), value, match["unit"].removesuffix("s")
            phrases.setdefault(key, {}).setdefault(number.isdigit(), []).extend(read.places(passage, match))
    mixed = [forms for (_, _, unit), forms in phrases.items() if len(forms) == 2 and _is_counted(unit, forms)]
    step_of = (
        {page: step for step in variants.of(site, config.variants) for page in step.pages.values()} if mixed else {}
    )
    for forms in mixed:
        written: tuple[set[object], ...] = tuple(
            {subject for place in places for subject in (place.page, step_of.get(place.page)) if subject}
            for places in forms.values()
        )
        if not written[0].isdisjoint(written[1]):
            few, many = sorted(forms.values(), key=len)
            yield _finding(few, many)


def _is_counted(unit: str, forms: Mapping[bool, list[Place]]) -> bool:
    """Whether a unit is a thing that is counted, and no word such as `more`: it stands for several somewhere."""
    return any(place.match["unit"] == f"{unit}s" for places in forms.values() for place in places)


def _matches(passage: Passage) -> list[re.Match[str]]:
    """The phrases with a number; most texts have none."""
    numbers = filter(str.isdigit, passage.words)
    has = not _VALUES.keys().isdisjoint(passage.words) or any(len(number) < 3 for number in numbers)
    return list(_PHRASE.finditer(passage.text)) if has else []


def _finding(few: list[Place], many: list[Place]) -> Finding:
    first, example = few[0], many[0]
    message = f"inconsistent number: `{_phrase(first)}` here, `{_phrase(example)}` elsewhere"
    related = [(place.page, _at(place), f"also `{_phrase(place)}`") for place in few[1:]]
    related += [(place.page, _at(place), f"`{_phrase(place)}`") for place in many]
    return first.page.flag(_at(first), message, related=related)


def _phrase(place: Place) -> str:
    return f"{place.match['number']} {place.match['unit']}"


def _at(place: Place) -> tuple[int, int]:
    return place.prose.at(place.match.start("number"), place.match.end("unit"))
