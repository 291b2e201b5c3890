"""YAML and front matter: the text as written, the place of each character, and clear errors for any input."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.work import seconds, soon
from tutorial_tool import data
from tutorial_tool.core.diagnostics import MAX_DEPTH, MAX_FINDINGS
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Run, Traced, concatenate, strip_origins, trace_span, trace_to_span
from tutorial_tool.data import (
    LoadedYaml,
    Mapping,
    Node,
    Scalar,
    Sequence,
    convert_to_plain,
    find_front_matter,
    forms,
    load_traced,
    load_yaml,
    reading,
)
from tutorial_tool.markdown import directive_comments


def read(text: str) -> LoadedYaml:
    return load_yaml(Source("data.yaml", text))


def told(text: str) -> list[str]:
    """What is wrong with a text, as people read it."""
    return [str(finding).removeprefix("data.yaml:") for finding in read(text).findings]


def value(text: str) -> Scalar:
    """The value of the first key."""
    node = read(text).node
    assert isinstance(node, Mapping)
    found = node.items[0][1]
    assert isinstance(found, Scalar)
    return found


def scalars(node: Node | None) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    elif node:
        for key, item in node.items:
            yield from (key, *scalars(item))


def check_runs(text: Traced) -> tuple[int, int]:
    """Runs cover the text, and aligned ones are the characters that they point to; how many are, of how many."""
    at = exact = 0
    for run in text.runs:
        assert run.length > 0
        assert run.span is not None
        if run.aligned:
            assert run.span.text == strip_origins(text)[at : at + run.length]
            exact += run.length
        at += run.length
    assert at == len(text)
    return exact, at


def check_it_was_read_again(scalar: Scalar) -> None:
    """The places are those of characters, not of the scalar with its quotes or header as a whole."""
    if scalar.style and scalar.text.strip():
        assert scalar.span.start not in [run.span.start for run in scalar.text.runs if run.span]


# The text as written (decision 2)

AS_WRITTEN = [
    "on",
    "no",
    "y",
    "On",
    "Off",
    "Yes",
    "1.10",
    "007",
    "5:30",
    "2026-01-01",
    "~",
    "null",
    "0x1F",
    "1_000",
    ".inf",
]


@pytest.mark.parametrize("text", AS_WRITTEN)
def test_scalars_are_the_text_as_written(text: str) -> None:
    assert convert_to_plain(read(f"key: {text}\n").node) == {"key": text}
    assert convert_to_plain(read(f"{text}: value\n").node) == {text: "value"}
    assert convert_to_plain(read(f"[{text}]\n").node) == [text]


@pytest.mark.parametrize("tag", ["!!str", "!!int", "!!float", "!!bool", "!!null", "!"])
def test_core_tags_change_nothing(tag: str) -> None:
    found = read(f"key: {tag} 1.10\n")
    assert (convert_to_plain(found.node), found.findings) == ({"key": "1.10"}, ())


def test_no_value_is_an_empty_text_at_its_place() -> None:
    node = read("a:\nb: ''\nc:\n  - \n  - x\n").node
    assert convert_to_plain(node) == {"a": "", "b": "", "c": ["", "x"]}
    assert [(scalar.span.start, scalar.span.end) for scalar in scalars(node) if not scalar.text] == [
        (2, 2),
        (6, 8),
        (15, 15),
    ]


def test_nodes_know_their_places() -> None:
    text = "a: &x !!map\n  b: [1, 'two']   # comment\n  c: |\n    text\n\n# comment\nd: {e: f}\n"
    node = read(text).node
    assert isinstance(node, Mapping)
    assert node.span.text == text.rstrip()
    assert [key.span.text for key, _ in node.items] == ["a", "d"]
    assert [item.span.text for _, item in node.items] == ["b: [1, 'two']   # comment\n  c: |\n    text", "{e: f}"]
    assert [scalar.span.text for scalar in scalars(node.get("a"))] == ["b", "1", "'two'", "c", "|\n    text"]


def test_a_mapping_is_asked_by_key() -> None:
    node = read("copy: a\nitems: b\n").node
    assert isinstance(node, Mapping)
    assert (node.list_keys(), node.get("none"), node.get_key("none")) == (["copy", "items"], None, None)
    assert node.get_key("items") == node.items[1][0]
    assert node.get("items") == node.items[1][1]


# The places of characters

STYLES = {
    "word": [("word", "word", True)],
    "'word'": [("word", "word", True)],
    '"word"': [("word", "word", True)],
    "'it''s'": [("it", "it", True), ("'", "''", False), ("s", "s", True)],
    '"a\\u00e9b"': [("a", "a", True), ("é", "\\u00e9", False), ("b", "b", True)],
    '"a\\x41\\n\\"c"': [
        ("a", "a", True), ("A", "\\x41", False), ("\n", "\\n", False), ('"', '\\"', False), ("c", "c", True)
    ],
    "one\n  two": [("one", "one", True), (" ", "\n  ", False), ("two", "two", True)],
    "one\n\n\n  two": [("one", "one", True), ("\n\n", "\n\n\n  ", False), ("two", "two", True)],
    "'one  \n  two'": [("one", "one", True), (" ", "  \n  ", False), ("two", "two", True)],
    '"one \\\n   two"': [("one ", "one ", True), ("two", "two", True)],
    '"one\\\n\n  two"': [("one", "one", True), ("\n", "\\\n\n  ", False), ("two", "two", True)],
    '"one\\\n  \\ two"': [("one", "one", True), (" ", "\\ ", False), ("two", "two", True)],
    "|\n  one\n   two\n\n  three": [
        ("one\n", "one\n", True), (" two\n\n", " two\n\n", True), ("three\n", "three\n", True)
    ],
    "|-\n  one": [("one", "one", True)],
    "|2-\n    one": [("  one", "  one", True)],
    "|+ # kept\n  one\n\n": [("one\n\n\n", "one\n\n\n", True)],
    ">\n  one\n  two\n": [("one", "one", True), (" ", "\n  ", False), ("two\n", "two\n", True)],
    ">-\n  one\n\n  two\n": [("one", "one", True), ("\n", "\n", True), ("two", "two", True)],
    ">\n\n  one\n    more\n  two\n": [
        ("\n", "\n", True), ("one\n", "one\n", True), ("  more\n", "  more\n", True), ("two\n", "two\n", True)
    ],
    "🙂 ‘é’": [("🙂 ‘é’", "🙂 ‘é’", True)],
}  # fmt: skip


@pytest.mark.parametrize("written", STYLES)
def test_each_character_has_its_place(written: str) -> None:
    text = value(f"🙂: {written}\n").text
    shown, at = [], 0
    for run in text.runs:
        shown.append((strip_origins(text)[at : at + run.length], run.span and run.span.text, run.aligned))
        at += run.length
    assert shown == STYLES[written]


WORDS = [
    "word",
    "it's",
    'say "hi"',
    "a: b",
    "#x",
    "\\",
    "é",
    "’",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "- li",
    "{{ x }}",
    "|",
    "1.",
    "🙂",
    "end ",
]
contents = st.lists(
    st.sampled_from(WORDS) | st.sampled_from([" ", "", "\n", "\u2028", "\x85", "\u2029 ", "\x07"]), max_size=12
)


@settings(max_examples=400)
@given(
    words=contents,
    style=st.sampled_from([None, "'", '"', "|", ">"]),
    unicode=st.booleans(),
    width=st.sampled_from([12, 40, 1000]),
    lists=st.booleans(),
)
def test_scalars_that_pyyaml_writes(
    words: list[str], style: str | None, unicode: bool, width: int, lists: bool
) -> None:
    """Whatever the style, the text is what PyYAML's own loader reads, and most characters have their exact place."""
    thing: Any = ["".join(words), {"k": "".join(words)}] if lists else {"k": {"v": "".join(words)}}
    written = yaml.safe_dump(thing, default_style=style, allow_unicode=unicode, width=width)
    found = read(written)
    assert found.findings == ()
    assert convert_to_plain(found.node) == yaml.load(written, yaml.BaseLoader)
    for scalar in scalars(found.node):
        check_runs(scalar.text)
        check_it_was_read_again(scalar)


PLAIN = st.text("ab:#-'\"\\ \n\t{}[]|>,x0é🙂\x85\u2028u4n", max_size=25)


@settings(max_examples=600)
@given(
    body=PLAIN,
    form=st.sampled_from(
        [
            "k: {}",
            "'{}'",
            '"{}"',
            'k: "{}"',
            "k: |\n  {}\n",
            "k: >\n  {}",
            "k: |2+\n  {}\nz: 1",
            "k: >-\n {}",
            "k: {}\n  x\n",
            "- {}\n- b",
        ]
    ),
)
def test_scalars_that_people_write(body: str, form: str) -> None:
    """Any text in any style: either PyYAML rejects it and so do we, or the values agree and no place is wrong."""
    text = form.format(body.replace("\n", "\n  ") if "\n" in form else body)
    try:
        expected = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, TypeError):  # a list as a key is a TypeError
        assert read(text).findings or re.search(r"[\[,] ?:\w", text)  # text in YAML 1.2
        return
    found = read(text)
    if not found.findings:  # such as a key that is given twice
        assert convert_to_plain(found.node) == (expected if expected is not None else "")
        for scalar in scalars(found.node):
            check_runs(scalar.text)
            check_it_was_read_again(scalar)


def test_most_characters_have_their_exact_place() -> None:
    """Folds and escapes are coarse, the rest is not: 2,000 texts in five styles, as PyYAML wraps them."""
    chance, exact, size = random.Random(7), 0, 0
    for number in range(2000):
        text = " ".join(chance.choice([*WORDS, "word", "two words"]) for _ in range(chance.randint(1, 8)))
        written = yaml.safe_dump({"k": text}, default_style=(None, "'", '"', "|", ">")[number % 5], allow_unicode=True)
        for scalar in scalars(read(written).node):
            found = check_runs(scalar.text)
            exact, size = exact + found[0], size + found[1]
    assert exact > 0.9 * size


def test_places_behind_a_byte_order_mark_and_windows_line_ends() -> None:
    source = Source("data.yaml", "\ufeffa: one\r\nb: |\r\n  two\r\n  three\r\n")
    node = load_yaml(source).node
    assert convert_to_plain(node) == {"a": "one", "b": "two\nthree\n"}
    assert [str(scalar.span) for scalar in scalars(node)] == [f"data.yaml:{at}" for at in ("1:1", "1:4", "2:1", "2:4")]
    for scalar in scalars(node):
        assert check_runs(scalar.text) == (len(scalar.text), len(scalar.text))


def test_a_second_byte_order_mark_moves_nothing() -> None:
    assert value("\ufeff\ufeffa: one\n").span.text == "one"


def test_a_part_of_a_file() -> None:
    source = Source("page.md", "---\ntitle: 🙂 one\n---\n\nText.\n")
    found = data.load_front_matter(source)
    assert found is not None
    assert isinstance(found.node, Mapping)
    assert [key.span.text for key, _ in found.node.items] == ["title"]
    assert found.node.span.text == "title: 🙂 one"
    assert load_yaml(source, 4, 9).node == Scalar(trace_span(Span(source, 4, 9)), Span(source, 4, 9), "")


# Anchors, aliases, merge keys


def test_an_alias_is_the_anchors_node() -> None:
    node = read("a: &x one\nb: *x\n&k c: [*k]\n").node
    assert isinstance(node, Mapping)
    assert convert_to_plain(node) == {"a": "one", "b": "one", "c": ["c"]}
    assert node.get("a") is node.get("b")


def test_merged_keys_stand_first_and_explicit_ones_win() -> None:
    text = "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\nall: {y: 9, <<: [*b, *m], w: 5}\nquoted: {'<<': text}\n"
    assert (
        convert_to_plain(read(text).node)["all"]
        == {"x": "1", "y": "9", "z": "4", "w": "5"}
        == yaml_strings(text)["all"]
    )
    assert told(text) == []
    assert convert_to_plain(read(text).node)["quoted"] == {"<<": "text"}


def yaml_strings(text: str) -> Any:
    """PyYAML's own merge, with values as text."""
    loaded = yaml.safe_load(text)
    return {key: {name: str(item) for name, item in entry.items()} for key, entry in loaded.items()}


def test_only_mappings_are_merged() -> None:
    assert told("a: {<<: one}\n") == ["1:9: invalid-data: `<<` takes a mapping, or a list of mappings"]


# Mistakes

MISTAKES = {
    # What is written: where the mistake stands, and the words that say it.
    "a:\n\tb: c\n": ("2:1", "tab in the indentation"),
    "a:\n  b: 1\n\tc: 2\n": ("3:1", "tab in the indentation"),
    "title: Note: this\n": ("1:12", "`: ` inside a value: put the value in quotes"),
    "a: {b: 64 KB: max, c: d}\n": (
        "1:13",
        "`: ` inside a value: put the value in quotes, or a comma before the next key",
    ),
    "a: {b: c d: e}\n": ("1:11", "`: ` inside a value: put the value in quotes, or a comma before the next key"),
    "🙂: Note: this\n": ("1:8", "`: ` inside a value: put the value in quotes"),
    "a: b\n  c: d\n": ("2:3", "`c` is not allowed here: the line above already gives a value"),
    "title: {{ x }} y\n": ("1:8", "a value that starts with `{{` is a mapping to YAML: put it in quotes"),
    "title: {{ x }}\n": ("1:8", "a value that starts with `{{` is a mapping to YAML: put it in quotes"),
    "- {{ x }}\n": ("1:3", "a value that starts with `{{` is a mapping to YAML: put it in quotes"),
    "title: {% if x %}a\n": ("1:8", "a value that starts with `{%` is a mapping to YAML: put it in quotes"),
    "a: {b: @c/d}\n": ("1:8", "a value can't start with `@`: put it in quotes"),
    "a:\n  name Python\n  b: c\n": ("2:3", "`name Python` is missing a colon: write `name: Python`"),
    "a:\n    name Python\n  b: c\n": ("3:3", "`b` is not allowed here: the line above already gives a value"),
    "a: [b](c)\n": ("1:4", "a value that starts with `[` is a list to YAML: put it in quotes"),
    "a: *b* c\n": ("1:4", "a value that starts with `*` is a reference to YAML: put it in quotes"),
    "a: & b\n": ("1:4", "a value that starts with `&` is an anchor to YAML: put it in quotes"),
    "a: 'it's'\n": ("1:8", "text after the closing quote"),
    'a: "b" and "c"\n': ("1:8", "text after the closing quote"),
    'a: "b\nc: "d"\n': ("2:4", "this quote closes one from a line above"),
    'a: "b\nc: d\n': ("1:4", "unclosed quote"),
    "x: y\na: 'b\n": ("2:4", "unclosed quote"),
    'a: "C:\\path"\n': ("1:7", "`\\p` is not an escape"),
    'a: "C:\\Program\\agent.log"\n': ("1:7", "`\\P` is not an escape in double quotes: write `\\\\` for a backslash"),
    'a: "D:\\temp"\n': ("1:7", "`\\t` is not an escape in double quotes"),
    'a: "\\xZZ"\n': ("1:5", "`\\x` is not an escape"),
    "a: @b\n": ("1:4", "a value can't start with `@`: put it in quotes"),
    "a: `b`\n": ("1:4", "a value can't start with a backtick: put it in quotes"),
    "a: %b\n": ("1:4", "a value can't start with `%`: put it in quotes"),
    "a: > text\n": ("1:6", "text after `>` belongs on the next line, indented"),
    "a: - b\n": ("1:4", "a list starts on its own line, below its key"),
    "a:\n  b: 1\n c: 2\n": ("3:2", "the indentation of 1 space matches no line above; align it"),
    "a:\n    - b\n  - c\n": ("3:3", "the indentation of 2 spaces matches no line above; align it"),
    " a: 1\nb: 2\n": ("2:1", "this line is not indented, but the line above it is"),
    "- a\nb: c\n": ("2:1", "this is not a `- item`, but the list from line 1 on has not ended"),
    "a: b\n- c\n": ("2:1", "this is a `- item` among the keys from line 1 on"),
    "a: b\nfoo\nc: d\n": ("2:1", "this line is neither `key: value` nor `- item`"),
    "a: 1\nb:2\nc: 3\n": ("2:2", "a space is missing after `:`"),
    "a:b\nc: d\n": ("1:2", "a space is missing after `:`"),
    "- a\n-b\nc: d\n": ("2:1", "a space is missing after `-`"),
    'a: {b: c, d: "e}\nf: {g: "h"}\n': ("1:14", "unclosed quote"),
    "a: {b: C #, d: e}\nf: g\n": ("1:10", "` #` starts a comment here: put the text in quotes"),
    "a:\n \u00a0b: c\n  d: e\n": (
        "2:2",
        "a non-breaking space (U+00A0) is in the indentation: YAML allows only ordinary spaces",
    ),
    "a: [b, c\nd: e\n": ("1:4", "the `[` that opens here is never closed"),
    "a: {b: c\n": ("1:4", "the `{` that opens here is never closed"),
    "a: [\n": ("1:4", "the `[` that opens here is never closed"),
    "a: [b, {c: d},\n# e\n": ("1:4", "the `[` that opens here is never closed"),
    "{a: b}: c\n": ("1:1", "a key must be text, not a list or mapping"),
    "? [a]\n: b\n": ("1:3", "a key must be text, not a list or mapping"),
    "a: !important b\n": ("1:4", "the tag `!important` is unknown"),
    "a: &x !!binary b\n": ("1:7", "the tag `!!binary` is unknown"),
    "a: *b\n": ("1:4", "there is no anchor `&b` above"),
    "a: &x [*x]\n": ("1:8", "alias `*x` is inside its own anchor `&x`; remove it"),
    "a: b\n---\nc: d\n": ("2:1", "a second YAML document starts here"),
    "a: \x07b\n": ("1:4", "the character U+0007 is not allowed in YAML"),
    "🙂: '\x00'\n": ("1:5", "the character U+0000 is not allowed in YAML"),
    "a: b\na: c\n": ("2:1", "duplicate key `a`; remove one"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_once_at_its_place(text: str) -> None:
    place, words = MISTAKES[text]
    assert len(told(text)) == 1
    assert told(text)[0].startswith(f"{place}: invalid-data: {words}")


def test_all_keys_that_are_given_twice_are_told_in_one_run() -> None:
    text = "a: 1\nb: {c: 1, d: 2, c: 3}\n'a': 2\n\"a\": 3\ne: *none\n"
    findings = read(text).findings
    assert [str(finding.span) for finding in findings] == [f"data.yaml:{at}" for at in ("2:17", "3:1", "4:1", "5:4")]
    assert [str(other.span) for finding in findings for other in finding.related] == ["data.yaml:2:5"] + [
        "data.yaml:1:1"
    ] * 2
    assert convert_to_plain(read(text).node) == {"a": "1", "b": {"c": "1", "d": "2"}, "e": ""}


def test_findings_have_the_name_of_what_is_read() -> None:
    found = data.load_front_matter(Source("page.md", "---\ntitle: a: b\n---\n"))
    assert found is not None
    assert [str(finding) for finding in found.findings] == [
        "page.md:2:9: front-matter: `: ` inside a value: put the value in quotes"
    ]


@settings(max_examples=300)
@given(st.text("ab: -?\n\t'\"[]{},&*!|>%@`#\\<x0\ufeff\x00é\u2028\ud800~.", max_size=30))
def test_any_text_gives_a_node_or_findings_inside_it(text: str) -> None:
    source = Source("data.yaml", text)
    found = load_yaml(source)
    for finding in found.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(source.text)
    for scalar in scalars(found.node):
        if "\x00" not in text and "\ud800" not in text:
            check_runs(scalar.text)


# Limits

SIZE = 1_000_000


def repeated(text: str) -> str:
    return text * (SIZE // len(text))


HOSTILE: dict[str, Callable[[], str]] = {
    "lists in lists": lambda: repeated("["),
    "mappings in mappings": lambda: repeated("{a: "),
    "lists of lists": lambda: repeated("- "),
    "keys of keys": lambda: repeated("? "),
    "deeper lines": lambda: "".join(" " * depth + "a:\n" for depth in range(1400)),
    "anchors": lambda: repeated("&a "),
    "tags": lambda: repeated("!! "),
    "a tag": lambda: repeated("!"),
    "stars": lambda: repeated("*"),
    "colons": lambda: repeated(": "),
    "commas": lambda: repeated(","),
    "an open quote": lambda: '"' + repeated("a\n"),
    "documents": lambda: repeated("---\n"),
    "tag lines": lambda: "".join(f"%TAG !e{number}! tag:e\n" for number in range(40_000)) + "--- a",
    "directives": lambda: repeated("%YAML 1.1\n"),
    "control characters": lambda: repeated("\x07"),
    "laughs": lambda: (
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))
    ),
    "merged laughs": lambda: (
        "a0: &a0 {x: y}\n"
        + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}], k{n}: v}}\n" for n in range(1, 30))
    ),
    "a long chain": lambda: "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 9000)),
}
"""Small for who sends them: each must be one clear finding, at once."""


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_files_are_refused_at_once(shape: str) -> None:
    source = Source("data.yaml", HOSTILE[shape]())
    found = load_yaml(source)
    assert len(found.findings) == (MAX_FINDINGS if shape == "control characters" else 1)
    assert len(found.findings[0].message) < 200
    soon(lambda: load_yaml(source), within=1)  # 0.1 s on a quiet machine


LARGE: dict[str, Callable[[int], str]] = {
    "keys": lambda size: "".join(f"k{number}: v\n" for number in range(size // 10)),
    "words in one list": lambda size: "[" + "word, " * (size // 10) + "]",
    "quoted words in one list": lambda size: "[" + '"word", ' * (size // 10) + "]",
    "a plain text of many lines": lambda size: "a\n" * (size // 2),
    "a quoted text of many lines": lambda size: '"' + "a \n b" * (size // 5) + '"',
    "escapes": lambda size: '"' + "\\n" * (size // 2) + '"',
    "spaces in quotes": lambda size: '"' + "  x" * (size // 3) + '"',
    "only spaces in quotes": lambda size: '"' + " " * size + '"',
    "a literal text": lambda size: "a: |\n" + "  x\n" * (size // 4),
    "a folded text": lambda size: "a: >\n" + "  x\n" * (size // 4),
    "empty lines in a text": lambda size: "a: |\n" + "\n" * size + "  x\n",
    "spaces in a text": lambda size: "a: |\n  x\n" + " " * size,
    "spaces after a value": lambda size: "a: b" + " " * size,
    "aliases": lambda size: "a: &a x\nb: [" + "*a, " * (size // 10) + "]",
    "merges": lambda size: "a: &a {x: y}\n" + "".join(f"k{n}: {{<<: *a}}\n" for n in range(size // 20)),
    "keys that are given twice": lambda size: "a: 1\n" * (size // 10),
    "a broken last line": lambda size: "k: v\n" * (size // 10) + "a: b: c",
}


@pytest.mark.parametrize("shape", LARGE)
def test_large_files_take_time_by_their_size(shape: str) -> None:
    """Four times the text takes about four times as long, not sixteen."""
    small, large = Source("s", LARGE[shape](12_000)), Source("l", LARGE[shape](48_000))
    gc.collect()
    soon(partial(load_yaml, large), 9 * seconds(partial(load_yaml, small)) + 0.01)


def test_aliases_do_not_hide_how_deep_a_file_is() -> None:
    def chain(length: int) -> str:
        return "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, length))

    assert told(chain(MAX_DEPTH - 1)) == []
    assert told(chain(MAX_DEPTH)) == ["50:12: invalid-data: more than 50 lists or mappings inside each other"]


def test_many_values_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_NODES", 2_500)
    found = read("- &a x\n- [" + "*a," * (reading.MAX_NODES + 1) + "]")
    assert [finding.message for finding in found.findings] == [
        "more than 2,500 values, aliases counted as often as they are used"
    ]


# Front matter

PAGES = {
    "---\ntitle: a\n---\n\n\nText\n": ("title: a\n", "Text\n"),
    "---  \ntitle: a\n...\t\nText\n": ("title: a\n", "Text\n"),
    "---\na: b\n--- x\n---\nText": ("a: b\n--- x\n", "Text"),
    "---\n\n---\nText": ("\n", "Text"),
    "---\n---\ntitle: a\n---\nText": ("---\ntitle: a\n", "Text"),  # MkDocs takes the second fence for YAML
    "---\ntitle: a\n ---\n---\n": ("title: a\n ---\n", ""),
    "---\ntitle: a\n---": None,  # MkDocs wants a line end after the fence
    "---\n---\n": None,
    "----\ntitle: a\n---\n": None,
    "\n---\ntitle: a\n---\n": None,
    " ---\ntitle: a\n---\n": None,
    "---\ntitle: a\n": None,
    "title: a\n\nText": None,
    "": None,
}


@pytest.mark.parametrize("text", PAGES)
def test_front_matter_stands_where_mkdocs_sees_it(text: str) -> None:
    found = find_front_matter(text)
    assert (found and (text[found.start : found.end], text[found.body :])) == PAGES[text]


def test_front_matter_may_end_the_file() -> None:
    text = "---\ntitle: a\n---"
    found = data.find_front_matter_at_end(text)
    assert found is not None
    assert (text[found.start : found.end], text[found.body :]) == ("title: a\n", "")
    assert (
        data.find_front_matter_at_end("---\ntitle: a\n")
        is data.find_front_matter_at_end("---")
        is data.find_front_matter_at_end("a\n---")
        is None
    )


@settings(max_examples=300)
@given(st.lists(st.sampled_from(["---", "...", "a: b", "- x", "", " ", "\t", "---\n", "Text", "...x"]), max_size=8))
def test_front_matter_is_split_as_mkdocs_splits_it(lines: list[str]) -> None:
    from mkdocs.utils import meta

    text = "\n".join(lines)
    found, expected = find_front_matter(text), meta.YAML_RE.match(text)
    assert (found and text[found.start : found.end]) == (expected and expected[1])
    if found and isinstance(convert_to_plain(load_yaml(Source("f", text), found.start, found.end).node), dict):
        body, values = meta.get_data(text)
        if values:
            assert text[found.body :] == body


def test_front_matter_as_plain_data() -> None:
    assert data.parse_metadata("---\ntitle: On\ntags: [1.10, no]\ncontent: x\n---\n\nText\n") == {
        "title": "On",
        "tags": ["1.10", "no"],
        "content": "x",
    }
    assert (
        data.parse_metadata("---\n- a\n---\n")
        == data.parse_metadata("---\na: b: c\n---\n")
        == data.parse_metadata("Text")
        == {}
    )
    assert data.parse_metadata("\n---\na: b\n---\n") == {}


# Front matter of a page that a template made


def rendered() -> tuple[Source, Source, Traced]:
    """A page whose title came from a data file; the template gave the rest."""
    values = Source("platforms.yaml", "name: Swan’s lake\n")
    template = Source(
        "guide.md.j2", '---\ntitle: "See {{ name }}"\nplain: {{ name }} too\nalso: >\n  a\n  b\n---\n# Head\n'
    )
    tag = Span(template, template.text.index("{{"), template.text.index("}}") + 2)
    name = trace_span(Span(values, 6, 17))
    name = Traced(name, [Run(run.length, run.span, run.aligned, (tag,)) for run in name.runs])
    parts: list[str] = []
    at = 0
    for start in (template.text.index("{{"), template.text.rindex("{{")):
        parts += [trace_span(Span(template, at, start)), name]
        at = template.text.index("}}", start) + 2
    return values, template, concatenate([*parts, trace_span(Span(template, at, len(template.text)))])


def test_values_of_a_rendered_page_come_from_where_its_text_came_from() -> None:
    values, template, page = rendered()
    place = find_front_matter(page)
    assert place is not None
    node = load_traced(page, place.start, place.end).node
    assert isinstance(node, Mapping)
    title = node.get("title")
    assert isinstance(title, Scalar)
    assert strip_origins(title.text) == "See Swan’s lake"
    assert [(run.length, run.span and str(run.span), run.aligned) for run in title.text.runs] == [
        (4, "guide.md.j2:2:9", True),
        (11, "platforms.yaml:1:7", True),
    ]
    assert title.text.runs[1].via
    assert title.span.source.text == strip_origins(page)
    assert title.span.text == '"See Swan’s lake"'
    for scalar in scalars(node):
        assert check_runs(scalar.text)
    assert {run.span.source for scalar in scalars(node) for run in scalar.text.runs if run.span} == {values, template}


def test_mistakes_in_a_rendered_page_stand_where_its_text_came_from() -> None:
    template = Source("guide.md.j2", "---\ntitle: a\ntitle: b\nx: {{ name }}\n---\n")
    values = Source("platforms.yaml", "name: 'Note: this'\n")
    at = template.text.index("{{")
    page = concatenate(
        [
            trace_span(Span(template, 0, at)),
            trace_span(Span(values, 7, 17)),
            trace_span(Span(template, at + 10, len(template.text))),
        ]
    )
    place = find_front_matter(page)
    assert place is not None
    findings = load_traced(page, place.start, place.end).findings
    assert [(str(finding), finding.exact) for finding in findings] == [
        ("platforms.yaml:1:12: front-matter: `: ` inside a value: put the value in quotes", True)
    ]
    findings = load_traced(page, place.start, page.index("x:")).findings
    assert [str(finding.span) for finding in findings] == ["guide.md.j2:3:1"]
    assert [str(other.span) for finding in findings for other in finding.related] == ["guide.md.j2:2:1"]


def test_a_coarse_page_gives_coarse_values_and_mistakes() -> None:
    template = Source("guide.md.j2", "{{ header(1) }}")
    page = trace_to_span("---\ntitle: 'a''b'\nx: y: z\n---\n", template.get_full_span())
    broken = load_traced(page, 4, 26).findings
    assert [(str(finding.span), finding.exact) for finding in broken] == [("guide.md.j2:1:1", False)]
    node = load_traced(page, 4, 18).node
    assert [[(run.aligned, run.span) for run in scalar.text.runs] for scalar in scalars(node)] == [
        [(False, template.get_full_span())],
        [(False, template.get_full_span())] * 3,
    ]


TOML = """\
+++
title = "A # b"  # c
weight=1
'slug' = 'd'
e.f = 2
aliases = [
  "/g/",  # h
  '/i/',
]
long = \"\"\"
j
k\"\"\"
menu = {main = 1}
[params]
title = "l"
+++
Text.
"""
JSON = '{\n  "title": "A \\"b\\"", "weight": 1,\n  "aliases": ["/g/",\n    "/i/"],\n  "menu": {"main": 1}\n}\n\nText.\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TOML, {"title": "A # b", "weight": "1", "slug": "d", "aliases": ["/g/", "/i/"]}),
        (JSON, {"title": 'A "b"', "weight": "1", "aliases": ["/g/", "/i/"], "menu": {"main": "1"}}),
    ],
)
def test_front_matter_in_other_forms_is_as_good_as_yaml(text: str, says: dict[str, object]) -> None:
    front = forms.find_front_matter(text)
    assert front is not None
    assert text[front.body :] == "Text.\n"
    assert directive_comments.find_body_start(text) == front.body
    source = Source("a.md", text)
    assert convert_to_plain(forms.load_front_matter(source, front)) == says
    yaml_text = forms.convert_to_yaml(text, front)
    assert len(yaml_text) == len(text)
    lines = {line.partition(":")[0] for line in yaml_text[front.start : front.end].splitlines() if ":" in line}
    assert says.keys() <= lines
    for name, value in says.items():  # each stands where it stood
        assert yaml_text[text.index(name) : text.index(name) + len(name)] == name
        assert not isinstance(value, str) or value in text.replace("\\", "")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("+++\na = \n+++\n", (2, 5)),
        ("+++\na = 1\na = 2\n+++\n", (3, 6)),
        ('{\n  "a": }\n}\n', (2, 8)),
        ('{\n  "a": ' + "[" * 100_000 + "\n}\n", None),
        ("+++\na = " + "[" * 100_000 + "\n+++\n", None),
    ],
)
def test_front_matter_in_other_forms_that_is_wrong_is_told(text: str, wrong: tuple[int, int] | None) -> None:
    front = forms.find_front_matter(text)
    assert front is not None
    source = Source("a.md", text)
    found = forms.find_problem(source, front)
    assert found is not None
    assert wrong is None or found.span.position == wrong
    assert forms.load_front_matter(source, front) is None
    assert not forms.convert_to_yaml(text, front)[front.start : front.end].strip()


@settings(max_examples=100)
@given(words=contents, style=st.sampled_from([None, "'", '"', "|", ">"]), cuts=st.lists(st.integers(0, 60), max_size=4))
def test_pages_of_many_parts(words: list[str], style: str | None, cuts: list[int]) -> None:
    """A YAML text put together from parts of two files: values as ever, and each aligned character in its own file."""
    written = yaml.safe_dump({"k": "".join(words)}, default_style=style, allow_unicode=True)
    files = Source("a", written), Source("b", written)
    edges = sorted({0, len(written), *(cut for cut in cuts if cut < len(written))})
    page = concatenate([trace_span(Span(files[n % 2], *edge)) for n, edge in enumerate(pairwise(edges))])
    found = load_traced(page)
    assert convert_to_plain(found.node) == convert_to_plain(read(written).node)
    for scalar in scalars(found.node):
        check_runs(scalar.text)
        at = 0
        for run in scalar.text.runs:
            assert run.span is not None
            inside = [n for n, (start, end) in enumerate(pairwise(edges)) if start <= run.span.start < end]
            assert [files[n % 2] for n in inside] == [run.span.source]
            at += run.length


@pytest.mark.soak
@settings(max_examples=20_000)
@given(words=contents, style=st.sampled_from([None, "'", '"', "|", ">"]), width=st.integers(8, 80))
def test_scalars_of_five_styles_in_full(words: list[str], style: str | None, width: int) -> None:
    written = yaml.safe_dump({"k": "".join(words)}, default_style=style, allow_unicode=True, width=width)
    found = read(written)
    assert convert_to_plain(found.node) == yaml.load(written, yaml.BaseLoader)
    for scalar in scalars(found.node):
        check_runs(scalar.text)
