"""No pattern takes exponential time: what one repeats stands there again and again, and then something that ends it."""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

import pytest

from tests.test_lazy_re import PACKAGE, WRITTEN, patterns

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that ends a search"),
]
TIMES = 35
"""How often a part is repeated: 2³⁵ steps take minutes, 35³ take none."""
SECONDS = 1.0
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
SIGNS = "a5Z_ -.<>`*|\"'(){}[]&:;,=/\\#!\n\t"
CLASSES = {
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
}
Part = tuple[Any, Any]


class Endless(BaseException):
    """A search took too long."""


@cache
def uses() -> dict[str, set[str]]:
    """How each variable with a pattern is used, by its name: `_TAG` as in `_TAG.search(…)`."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for name, method in re.findall(r"\b([A-Z_]+)\.(\w+)\(", path.read_text(encoding="utf-8")):
            found.setdefault(f"{path.stem if name[0] == '_' else ''}{name}", set()).add(method)
            found.setdefault(f"{path.parent.name if name[0] == '_' else ''}{name}", set()).add(method)
    return found


def is_in(sign: str, items: Sequence[Part]) -> bool:
    """Whether a parsed class of characters has this one."""
    has = False
    for code, value in items:
        has |= code is codes.LITERAL and ord(sign) == value
        has |= code is codes.RANGE and value[0] <= ord(sign) <= value[1]
        has |= code is codes.CATEGORY and bool(re.match(CLASSES[value], sign))
    return has != (items[0][0] is codes.NEGATE)


def sign_of(items: Sequence[Part], chance: random.Random) -> str:
    known = [sign for sign in SIGNS if is_in(sign, items)]
    known += [chr(value) for code, value in items if code is codes.LITERAL and items[0][0] is not codes.NEGATE]
    return chance.choice(known or [chr(items[0][1][0]) if items[0][0] is codes.RANGE else "é"])


def text_of(parts: Iterable[Part], chance: random.Random, depth: int = 0) -> str:
    """A text that parsed parts match, but for what they look ahead and back for."""
    out = ""
    for code, value in parts:
        if code in REPEATS:
            least, most, inner = value
            number = least if depth > 6 else chance.randint(least, min(int(most), least + 2))
            out += "".join(text_of(inner, chance, depth + 1) for _ in range(number))
        elif code is codes.LITERAL:
            out += chr(value)
        elif code in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            out += sign_of(value, chance) if code is codes.IN else chance.choice(" a<")
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            out += text_of(value[-1] if code is codes.SUBPATTERN else value, chance, depth + 1)
        elif code is codes.BRANCH:
            out += text_of(chance.choice(value[1]), chance, depth + 1)
    return out


def repeated(parts: Sequence[Part], before: Sequence[Part] = ()) -> Iterator[tuple[list[Part], Sequence[Part]]]:
    """Each part that may stand there again and again, with all that stands before it."""
    for number, (code, value) in enumerate(parts):
        passed = [*before, *parts[:number]]
        if code in REPEATS:
            if value[1] > TIMES:
                yield passed, value[2]
            yield from repeated(value[2], passed)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            yield from repeated(value[-1] if code is codes.SUBPATTERN else value, passed)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from repeated(branch, passed)


def texts(pattern: re.Pattern[str], chance: random.Random, tries: int) -> Iterator[str]:
    for before, part in repeated(list(parser.parse(pattern.pattern, pattern.flags))):
        for number in range(tries):
            many = [text_of(part, chance) for _ in range(TIMES)]
            middle = "".join(many) if number % 2 else many[0] * TIMES
            yield from (text_of(before, chance) + middle + ending for ending in ("", "\0", "\n"))


def check(path: Path, tries: int) -> None:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    chance = random.Random(name)
    for variable, value in vars(import_module(name)).items():
        own = path.parent.name if path.stem == "__init__" else path.stem
        used = uses().get(f"{own if variable[0] == '_' else ''}{variable}", {"search"})
        for pattern in patterns(value):
            made = re.compile(pattern.pattern, pattern.flags)
            ways = [made.fullmatch] * ("fullmatch" in used) + [made.match] * ("match" in used)
            ways += [made.search] * bool(used - {"match", "fullmatch"})
            for text in texts(made, chance, tries):
                try:
                    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                    for way in ways:
                        way(text)
                except Endless:
                    pytest.fail(f"{name}.{variable}: {text!r}")
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.fixture(autouse=True)
def _timer() -> Iterator[None]:
    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, ring)
    yield
    signal.signal(signal.SIGVTALRM, before)


def search_all(pattern: re.Pattern[str]) -> None:
    for text in texts(pattern, random.Random(1), 2):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        pattern.search(text)


def test_an_exponential_pattern_is_noticed() -> None:
    with pytest.raises(Endless):
        search_all(re.compile(r"a(?:<\w+[^<>]*>)*b"))
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.mark.parametrize("number", range(8))
def test_no_pattern_takes_exponential_time(number: int) -> None:
    for path in WRITTEN[number::8]:
        check(path, 2)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_pattern_takes_exponential_time_however_it_is_tried() -> None:
    for path in WRITTEN:
        check(path, 12)
