"""Traced strings: whatever `str` can do gives the same text, and no character a wrong origin."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import (
    Run,
    Traced,
    concatenate,
    ensure_traced,
    mark_block,
    strip_origins,
    trace_span,
    trace_to_span,
)

# Each letter stands once, so that its place in the source is known: a character with another place is wrong. White
# space and the comma repeat, as they must to be split at. Some letters at the end become two in another case.
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZéñφЖ字ßŉİǆﬁ🙂"
SEPARATORS = " \t\n,"
OPEN = {"count", "encode", "endswith", "find", "format", "format_map", "index", "rfind", "rindex", "startswith"}


@st.composite
def sources(draw: st.DrawFn) -> Source:
    letters = draw(st.permutations(LETTERS))[: draw(st.integers(1, 12))]
    return Source("page.md", "".join(letter + draw(st.text(SEPARATORS, max_size=2)) for letter in letters))


@st.composite
def strings(draw: st.DrawFn) -> Traced:
    """Parts of a file, with text between them that has no place, or one as a whole."""
    source = draw(sources())
    size = len(source.text)
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, size))
        span = Span(source, start, draw(st.integers(start, size)))
        parts.append(
            draw(st.sampled_from([trace_span(span), trace_to_span(draw(st.text(" ,-", max_size=3)), span), "", "--"]))
        )
    return concatenate(parts)


def check(text: object, expected: object, *, recased: bool = False) -> None:
    """`text` is what plain `str` gives, its runs cover it, and aligned ones stand where its characters do."""
    assert type(text) in (type(expected), Traced)
    if isinstance(expected, list | tuple) and isinstance(text, list | tuple):
        assert len(text) == len(expected)
        for one, other in zip(text, expected, strict=True):
            check(one, other)
    elif isinstance(text, str) and isinstance(expected, str):
        assert strip_origins(text) == expected
        assert type(strip_origins(text)) is str
        if isinstance(text, Traced):
            check_runs(text, recased=recased)
    else:
        assert text == expected


def check_runs(text: Traced, *, recased: bool = False) -> None:
    at = 0
    for run in text.runs:
        assert run.length > 0
        if run.aligned:
            assert run.span is not None
            assert run.span.end - run.span.start == run.length
            shown = strip_origins(text)[at : at + run.length]
            assert all(map(same_letter if recased else str.__eq__, run.span.text, shown))
        at += run.length
    assert at == len(text)


def same_letter(one: str, other: str) -> bool:
    return other in (one, one.upper(), one.lower(), one.title(), one.casefold())


def outcome(function: Callable[[], Any]) -> tuple[Any, type[Exception] | None]:
    try:
        return function(), None
    except Exception as error:  # noqa: BLE001 - whatever `str` raises, we raise too
        return None, type(error)


def agree(text: Traced, do: Callable[[Any], Any], *, recased: bool = False) -> None:
    """The same result, or the same error, for the traced text and the plain one."""
    expected, wrong = outcome(lambda: do(strip_origins(text)))
    found, ours = outcome(lambda: do(text))
    assert ours is wrong
    if wrong is None:
        check(found, expected, recased=recased)


texts = st.text(SEPARATORS + "ab-", max_size=3) | strings()
counts = st.integers(-1, 3)
widths = st.integers(-2, 20)
characters = st.none() | st.text(SEPARATORS + LETTERS[:8], max_size=4)
ARGUMENTS: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    **dict.fromkeys(("capitalize", "casefold", "lower", "swapcase", "title", "upper"), st.just(())),
    **dict.fromkeys((name for name in dir(str) if name.startswith("is")), st.just(())),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), st.tuples() | st.tuples(characters)),
    **dict.fromkeys(
        ("removeprefix", "removesuffix", "partition", "rpartition", "startswith", "endswith"), st.tuples(texts)
    ),
    **dict.fromkeys(
        ("split", "rsplit"), st.tuples() | st.tuples(st.none() | texts) | st.tuples(st.none() | texts, counts)
    ),
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), st.tuples(texts) | st.tuples(texts, counts, widths)),
    **dict.fromkeys(
        ("center", "ljust", "rjust"), st.tuples(widths) | st.tuples(widths, st.sampled_from(["*", "🙂", "--"]))
    ),
    "encode": st.just(()),
    "expandtabs": st.tuples() | st.tuples(widths),
    "format": st.tuples(texts),
    "format_map": st.just(({"a": "b"},)),
    "join": st.tuples(st.lists(texts, max_size=4)) | st.just(([1],)),
    "maketrans": st.just(("ab", "cd")),
    "replace": st.tuples(texts, texts) | st.tuples(texts, texts, counts),
    "splitlines": st.tuples() | st.tuples(st.booleans()),
    "translate": st.just(({ord("a"): "xyz", ord("b"): None},)),
    "zfill": st.tuples(widths),
}
CASES = {"capitalize", "casefold", "lower", "swapcase", "title", "upper"}


def test_every_method_of_str_is_tried() -> None:
    assert {name for name in dir(str) if not name.startswith("_")} == set(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
@settings(max_examples=20)
@given(data=st.data())
def test_methods(name: str, data: st.DataObject) -> None:
    text, arguments = data.draw(strings()), data.draw(ARGUMENTS[name])
    agree(text, lambda value: getattr(value, name)(*arguments), recased=name in CASES)


@pytest.mark.parametrize("name", ARGUMENTS)
@settings(max_examples=10)
@given(data=st.data())
def test_methods_of_plain_text_with_traced_arguments(name: str, data: st.DataObject) -> None:
    text, arguments = data.draw(st.text(SEPARATORS + "abc", max_size=9)), data.draw(ARGUMENTS[name])
    plainly = [strip_origins(argument) if isinstance(argument, str) else argument for argument in arguments]
    expected, wrong = outcome(lambda: getattr(text, name)(*plainly))
    found, ours = outcome(lambda: getattr(text, name)(*arguments))
    assert (ours, found) == (wrong, expected)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "text + other": lambda text, other: text + other,
    "other + text": lambda text, other: other + text,
    "text * n": lambda text, _: text * 3,
    "n * text": lambda text, _: 2 * text,
    "text * negative": lambda text, _: text * -1,
    "text * fraction": lambda text, _: text * 1.5,
    "text + number": lambda text, _: text + 1,
    "number + text": lambda text, _: 1 + text,
    "text[text]": lambda text, other: text[other],
    "list(text)": lambda text, _: list(text),
    "reversed(text)": lambda text, _: list(reversed(text)),
    "sorted(text)": lambda text, _: sorted(text),
    "str(text)": lambda text, _: str(text),
    "repr(text)": lambda text, _: repr(text),
    "text % other": lambda text, other: text % other,
    "template % text": lambda text, _: "%s-%s" % (text, text),  # noqa: UP031 - what a template may write
    "f'{text}'": lambda text, _: f"{text}",
    "f'-{text!s:>9}-'": lambda text, _: f"-{text!s:>9}-",
    "format(text, width)": lambda text, _: format(text, "^12"),
    "other in text": lambda text, other: other in text,
    "hash(text)": lambda text, _: hash(text),
    "text == other": lambda text, other: (text == other, text != other, text < other),
    "max(text)": lambda text, _: max(text, default=""),
    "plain join": lambda text, other: other.join([text, text]),
    "unpacked": lambda text, _: [*text],
}


@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=20)
@given(text=strings(), other=texts)
def test_operators(name: str, text: Traced, other: str) -> None:
    agree(text, lambda value: OPERATORS[name](value, other))


@given(text=strings(), index=st.integers(-30, 30))
def test_a_character(text: Traced, index: int) -> None:
    agree(text, lambda value: value[index])


@given(text=strings(), data=st.data())
def test_a_slice(text: Traced, data: st.DataObject) -> None:
    part = data.draw(st.slices(len(text)))
    agree(text, lambda value: value[part])
    found = text[part]
    if part.step in (None, 1):
        assert isinstance(found, Traced)
        start, stop, _ = part.indices(len(text))
        assert origins(found) == origins(text)[start : max(start, stop)]


def origins(text: str) -> list[tuple[Span | None, bool]]:
    """The place of each character."""
    assert isinstance(text, Traced) or not text
    out: list[tuple[Span | None, bool]] = []
    for at in range(len(text)):
        run, start = ensure_traced(text).find_run(at)
        cut = run.cut(at - start, at - start + 1)
        out.append((cut.span, cut.aligned))
    return out


@given(parts=st.lists(strings(), max_size=4))
def test_concat_keeps_the_place_of_every_character(parts: list[Traced]) -> None:
    assert origins(concatenate(parts)) == [origin for part in parts for origin in origins(part)]
    assert strip_origins(concatenate(parts)) == "".join(map(strip_origins, parts))


@given(text=strings(), separator=st.sampled_from([",", " ", "\n", ", "]))
def test_split_and_join_give_the_text_back(text: Traced, separator: str) -> None:
    pieces = text.split(separator)
    parted = [*text.partition(separator)]
    assert [o for p in parted for o in origins(p)] == origins(text)
    assert [o for p in pieces for o in origins(p)] == [
        origin for at, origin in enumerate(origins(text)) if at not in taken(strip_origins(text), separator)
    ]
    assert strip_origins(Traced.join(ensure_traced(separator), pieces)) == strip_origins(text)


def taken(text: str, separator: str) -> set[int]:
    """The offsets that separators fill, from left to right."""
    out: set[int] = set()
    at = text.find(separator)
    while at >= 0:
        out |= set(range(at, at + len(separator)))
        at = text.find(separator, at + len(separator))
    return out


@given(text=strings())
def test_lines_and_words_keep_their_places(text: Traced) -> None:
    assert [o for line in text.splitlines(True) for o in origins(line)] == origins(text)
    assert [o for word in text.split() for o in origins(word)] == [
        origin for letter, origin in zip(strip_origins(text), origins(text), strict=True) if not letter.isspace()
    ]


@given(text=strings())
def test_case_changes_keep_places_or_give_them_all_up(text: Traced) -> None:
    for changed in (text.upper(), text.lower(), text.title(), text.swapcase(), text.capitalize(), text.casefold()):
        if isinstance(changed, Traced):
            assert changed.runs == text.runs
        else:
            assert len(changed) > len(text)


@given(text=strings())
def test_pickled_text_comes_back(text: Traced) -> None:
    back = pickle.loads(pickle.dumps(text))
    assert type(back) is Traced
    assert strip_origins(back) == strip_origins(text)
    assert [(r.length, r.aligned, r.span and r.span.text) for r in back.runs] == [
        (r.length, r.aligned, r.span and r.span.text) for r in text.runs
    ]
    assert len({r.span.source for r in back.runs if r.span}) <= 1  # one file stays one
    assert type(pickle.loads(pickle.dumps(strip_origins(text)))) is str


def test_what_str_gives_back_is_traced_where_it_can_be() -> None:
    text = trace_span(Source("page.md", "one, two\nthree").get_full_span())
    for part in (text[5:8], text.split(", ")[1][:3], text.splitlines()[0][-3:], text.partition(", ")[2][:3]):
        assert isinstance(part, Traced)
        assert [str(run.span) for run in part.runs] == ["page.md:1:6"]
    for whole in (f"{text}", str(text), text.upper(), text.replace("x", "y"), text + "", text * 1, text.ljust(3)):
        assert isinstance(whole, Traced)
        assert whole.runs == text.runs


def test_replaced_text_has_the_places_of_what_replaces_it() -> None:
    source = Source("page.md", "one two three")
    text, new = trace_span(Span(source, 0, 7)), trace_span(Span(source, 8, 13))
    replaced = text.replace("two", new)
    assert isinstance(replaced, Traced)
    assert [run.span and run.span.text for run in replaced.runs] == ["one ", "three"]


def test_text_without_a_place_stays_so() -> None:
    assert concatenate(["a", "b"]).runs == (Run(1, None), Run(1, None)) or concatenate(["a", "b"]).runs == (
        Run(2, None),
    )
    assert (
        ensure_traced("").runs
        == trace_to_span("", Source("f", "x").get_full_span()).runs
        == trace_span(Source("f", "").get_full_span()).runs
        == ()
    )


def test_neighbours_become_one_run() -> None:
    whole = trace_span(Source("page.md", "one two").get_full_span())
    assert concatenate(whole).runs == whole.runs
    assert concatenate([whole[:3], whole[3:]]).runs == whole.runs
    assert len(concatenate([whole[3:], whole[:3]]).runs) == 2


def test_a_block_makes_the_whole_a_block() -> None:
    table = mark_block("| a |")
    assert table.block
    assert concatenate(["\n", table]).block
    assert not concatenate(["\n", "x"]).block
    assert pickle.loads(pickle.dumps(table)).block


def test_runs_of_a_part() -> None:
    source = Source("page.md", "one two")
    text = concatenate(
        [trace_span(Span(source, 0, 3)), trace_to_span("xyz", Span(source, 3, 4)), trace_span(Span(source, 4, 7))]
    )
    assert [(run.length, run.span and run.span.text) for run in text.get_runs_between(2, 7)] == [
        (1, "e"),
        (3, " "),
        (1, "t"),
    ]
    assert text.get_runs_between(3, 3) == ()
    with pytest.raises(IndexError):
        text.find_run(9)
    with pytest.raises(IndexError):
        text.find_run(-1)


@pytest.mark.soak
@settings(max_examples=20_000)
@given(data=st.data())
def test_methods_after_methods(data: st.DataObject) -> None:
    """Long proof: four methods one after the other, still the same text and no wrong place."""
    text: str = data.draw(strings())
    expected, recased = strip_origins(text), False
    for _ in range(4):
        name = data.draw(st.sampled_from(sorted(set(ARGUMENTS) - OPEN - {"maketrans"})))
        arguments = data.draw(ARGUMENTS[name])
        found, wrong = outcome(lambda: getattr(text, name)(*arguments))  # noqa: B023
        other, same = outcome(lambda: getattr(expected, name)(*arguments))  # noqa: B023
        assert wrong is same
        recased = recased or name in CASES
        if wrong is None and isinstance(found, str):
            text, expected = found, strip_origins(other)
            assert strip_origins(text) == expected
    if isinstance(text, Traced):
        check_runs(text, recased=recased)
