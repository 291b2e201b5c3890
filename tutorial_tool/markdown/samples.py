"""Finds code samples that do not parse because of one kind of character, or that are in another language.

A sample that does not parse proves little, as samples leave out their context. A sample that parses once a comma is
added was meant to parse. The grammars are those of tree-sitter, from `ast-grep-py`.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start


class Repair(NamedTuple):
    """A repair of a sample: at each of `places`, replace `old` by `new`; one of the two is empty."""

    language: str
    places: tuple[int, ...]
    old: str
    new: str


class Language(NamedTuple):
    """A language's name, its grammar, and the frames that may surround a sample, at `%s`."""

    name: str
    grammar: str
    frames: tuple[str, ...]
    needs_semicolons: bool = False  # Whether a statement can't end without `;`


_MEMBERS = "class A {%s\n}"
_IN_JAVA = (_MEMBERS, "class A { void f() {%s\n}}", "interface A {%s\n}")
_IN_SCRIPT = (_MEMBERS, "({%s\n})", "a = [%s\n]", "interface A {%s\n}", "declare module a {%s\n}", "async () => {%s\n}")
_LANGUAGES = {
    "c": Language("C", "c", ("void f() {%s\n}",), needs_semicolons=True),
    "c++": Language("C++", "cpp", (_MEMBERS + ";", "void f() {%s\n}"), needs_semicolons=True),
    "c#": Language("C#", "csharp", (*_IN_JAVA, "async Task f() {%s\n}"), needs_semicolons=True),
    "dart": Language("Dart", "dart", (_MEMBERS, "void f() async {%s\n}"), needs_semicolons=True),
    "go": Language("Go", "go", ("func f() {%s\n}", "package a\nfunc f() {%s\n}")),
    "java": Language("Java", "java", _IN_JAVA, needs_semicolons=True),
    "javascript": Language("JavaScript", "javascript", _IN_SCRIPT[:3]),
    "json": Language("JSON", "json", ("{%s\n}", "[%s\n]")),
    "kotlin": Language("Kotlin", "kotlin", (_MEMBERS, "interface A {%s\n}")),
    "php": Language("PHP", "php", ("<?php %s\n", "<?php class A {%s\n}"), needs_semicolons=True),
    "python": Language("Python", "python", ("if a:\n%s\n", "f(%s\n)")),
    "ruby": Language("Ruby", "ruby", ("class A\n%s\nend",)),
    "rust": Language("Rust", "rust", ("fn f() {%s\n}", "impl A {%s\n}"), needs_semicolons=True),
    "swift": Language("Swift", "swift", (_MEMBERS, "protocol A {%s\n}", "f(%s\n)")),
    "tsx": Language("TypeScript", "tsx", (*_IN_SCRIPT, "a = <>%s\n</>")),
    "typescript": Language("TypeScript", "typescript", _IN_SCRIPT),
}
OTHER_NAMES = {
    "cpp": "c++", "cs": "c#", "csharp": "c#", "golang": "go", "js": "javascript", "jsonc": "json", "jsx": "tsx",
    "kt": "kotlin", "py": "python", "rb": "ruby", "rs": "rust", "ts": "typescript",
}  # fmt: skip
_INFO = lazy_re.compile(r"[{.]*(?P<name>[\w+#-]+)")
_COMMANDS = lazy_re.compile(
    r"\s*(?:(?:\$ )?(?:(?:npm|pnpm|pip3?|brew|pod|cargo) (?:install|add|i)|yarn add|composer require|go (?:get|mod)|"
    r"dotnet add|flutter pub|bundle install|git clone)\b[^\n]*\s*)+"
)
_STRING = lazy_re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'")
_TOKEN = lazy_re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'((?:[^'\\\n]|\\.){2,}+)'|//.*")  # Group 1: more than a character
_QUOTED = lazy_re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`[^`$\\]*`|//.*|/\*(?s:.*?)\*/")
_UNCLEAR = lazy_re.compile(r"[\"'`/#\\]")  # Remains of strings, comments, or regular expressions
_LEFT_OUT = lazy_re.compile(r"\.\.\.(?![\w(\[{$])|…|^[+-](?![+\-\d=>])|\[!code", re.MULTILINE)
"""What shows that a sample is incomplete: an omission, or the added and removed lines of a diff."""
_OF_A_CHANGE = lazy_re.compile(r"\b(?:del|ins|diff|remove|add)\b")
_LINE = lazy_re.compile(r"^[ \t]*(?:[A-Z_]{3,}\([^\n]*\)|\{\{[^\n]*\}\})[ \t]*$", re.MULTILINE)
"""A line that may need no `;`: a macro of C such as `UCLASS()`, or an included file."""
_PLACEHOLDER = lazy_re.compile(r"<[A-Za-z][\w .-]*[ _-][\w .-]*>|<[A-Z_]{3,}>|(?<!=)\$?\{\{[^\n]*?\}\}")
_DECLARATION = lazy_re.compile(
    r"^(?!import|package|using).*(?:declaration|declaration_statement|definition|_item)$|^variable_name$"
)
"""Kinds of nodes that few languages share: declarations, and PHP's variables."""
_MAY_END_WITH_COMMA = lazy_re.compile(
    r"jsonc|json5|[jt]sconfig|compilerOptions|vscode|settings\.json|launch\.json|devcontainer|deno|wrangler"
)
"""JSON files whose readers accept a comma before a closing bracket."""
_VALUE_ENDS = lazy_re.compile(r"[\"'`\]}\d]\Z")
_VALUE_BEGINS = lazy_re.compile(r"\s*[\"'{\[]")
_ONLY_COMMENTS = lazy_re.compile(r"(?:\s*+(?://|#|/?\*)[^\n]*+)*+\s*\Z")
_CLOSES = lazy_re.compile(r"\s*(?://[^\n]*\s*)?[)\]}]")
_CHAINED = lazy_re.compile(r"\s*\n\s*\.\w")  # A call on the line below of what is above
_WITH_EITHER_QUOTES = ("Dart", "JavaScript", "PHP", "Python", "Ruby", "TypeScript")
_WITH_TAGS = ("javascript", "php", "tsx")  # Grammars with text between tags
_WITH_MARKUP = ("JavaScript", "TypeScript", "PHP")  # Languages whose samples may be templates
LARGEST = 10_000  # Maximum characters of a handwritten sample
_MAX_FAULTS = 4  # Maximum faults that one kind of character causes


class BrokenSample(NamedTuple):
    """A sample that does not parse, with the faults in each frame that may surround it."""

    language: Language
    info: str
    text: str
    is_lenient: bool  # Whether its readers may accept a comma before a closing bracket
    candidates: tuple[tuple[str, tuple[int, ...]], ...]


@lru_cache(2_000)  # pages of several platforms, languages, and versions repeat a sample
def find_broken(code: str, info: str) -> BrokenSample | None:
    """Return a sample that does not parse, even with a final `;`; None if it parses or cannot be judged.

    Not judged are samples in an unknown language, in part or too long, and all without `ast-grep-py`.
    """
    language = get_language(info)
    if language is None or not can_parse() or not is_whole(code):
        return None
    text = _LINE.sub(lambda match: " " * len(match[0]), code)
    text = _PLACEHOLDER.sub(lambda match: "a" * len(match[0]), text)
    last = text.rstrip()
    may_lack_end = not last.endswith(";") and (language.needs_semicolons or language.grammar in ("go", "tsx"))
    readings = []
    for frame in ("%s", *language.frames):
        faults = _find_faults(frame, text, language.grammar)
        may_end = may_lack_end and faults and faults[-1] >= find_line_start(last, len(last))
        if not faults or (may_end and not _find_faults(frame, last + ";", language.grammar)):
            return None
        readings.append((frame, tuple(faults)))
    is_lenient = language.name == "JSON" and _MAY_END_WITH_COMMA.search(info + code) is not None
    return BrokenSample(language, info, text, is_lenient, tuple(readings))


def is_whole(code: str) -> bool:
    """Return whether a sample is short enough to be handwritten, and leaves nothing out."""
    return len(code) <= LARGEST and not _LEFT_OUT.search(_STRING.sub('""', code))


@lru_cache(2_000)
def find_repair(sample: BrokenSample) -> Repair | None:
    """Return the characters that a sample lacks or has too many of; None if no one kind repairs it."""
    fewest = min(len(faults) for _, faults in sample.candidates)
    if fewest > _MAX_FAULTS:
        return None
    for frame, faults in sample.candidates:
        if len(faults) == fewest and (repair := _search_repair(frame, sample.text, faults, sample.language)):
            is_allowed = repair.old == "," and sample.is_lenient
            return None if is_allowed or _is_cut_off(frame, sample.text, repair, sample.language) else repair
    return None


def find_other_format(sample: BrokenSample) -> tuple[str, str] | None:
    """Return what a sample is that is commands or XML, and the language to mark it as; None if it is neither."""
    if _COMMANDS.fullmatch(sample.text):
        return "a shell command", "sh"
    text = sample.text.strip()
    if sample.language.name in _WITH_MARKUP or not (text.startswith("<") and text.endswith(">")):
        return None
    return None if _find_faults("%s", text, "html") else ("XML", "xml")


def find_single_quoted(sample: BrokenSample) -> tuple[tuple[int, int], ...]:
    """Return the spans of single-quoted strings in a sample that parses with double quotes; else nothing."""
    tokens = () if sample.language.name in _WITH_EITHER_QUOTES else _TOKEN.finditer(sample.text)
    spans = tuple(token.span() for token in tokens if token[1])
    text = _TOKEN.sub(lambda token: f'"{token[1]}"' if token[1] else token[0], sample.text)
    return spans if spans and find_broken(text, sample.info) is None else ()


@lru_cache(2_000)
def is_declaration(code: str, language: Language) -> bool:
    """Return whether code parses alone, and declares something or is a JSON object: a call parses in many languages."""
    from ast_grep_py import SgRoot

    frame = "<?php %s" if language.grammar == "php" else "%s"
    if _find_faults(frame, code, language.grammar):
        return False
    nodes = [SgRoot(frame.replace("%s", code), language.grammar).root()]
    for node in nodes:
        if _DECLARATION.search(node.kind()) or (language.grammar == "json" and node.kind() == "pair"):
            return True
        nodes += node.children()
    return False


def get_language_name(info: str) -> str:
    """Return the language in a fence's info string, as typed."""
    match = _INFO.match(info)
    return match["name"] if match else ""


def get_language(info: str) -> Language | None:
    """Return the language of a fence; None if it is unknown, and for parts of a diff."""
    name = get_language_name(info).lower() if not _OF_A_CHANGE.search(info) else ""
    return _LANGUAGES.get(OTHER_NAMES.get(name, name))


@cache
def can_parse() -> bool:
    """Return whether `ast-grep-py` is installed: some platforms have no wheel for it."""
    return importlib.util.find_spec("ast_grep_py") is not None


def _find_faults(frame: str, text: str, grammar: str) -> list[int]:
    """Return the offsets of faults within a frame: both ends of skipped text, and where something is missing."""
    from ast_grep_py import SgRoot

    whole, before = frame.replace("%s", text), frame.index("%s")
    nodes = SgRoot(whole, grammar).root().find_all({"rule": {"any": [{"kind": "ERROR"}, {"regex": "^$"}]}})
    return sorted({place.index - before for node in nodes for place in (node.range().start, node.range().end)})


def _search_repair(
    frame: str, text: str, faults: Sequence[int], language: Language, before: Repair | None = None
) -> Repair | None:
    """Return the first edit that makes a text parse, or one edit repeated where each repairs a part."""
    places, moved = (before.places, len(before.places) * (len(before.new) - len(before.old))) if before else ((), 0)
    for edit in _iter_edits(text, faults, language):
        start, old, new = edit
        if before and ([old, new] != [before.old, before.new] or start - moved <= places[-1]):
            continue
        now = text[:start] + new + text[start + len(old) :]
        left = _find_faults(frame, now, language.grammar)
        repair = Repair(language.name, (*places, start - moved), old, new)
        if not left:
            return repair
        if len(left) < len(faults) and (whole := _search_repair(frame, now, left, language, repair)):
            return whole
    return None


def _iter_edits(text: str, faults: Sequence[int], language: Language) -> Iterator[tuple[int, str, str]]:
    """Yield the edits to try, as (offset, old, new): a missing or surplus character, an unopened bracket."""
    last = len(text.rstrip())
    nearby = {place for at in faults for place in _iter_nearby(text, at) if 0 < place < last}
    places = sorted(place for place in nearby if text[place - 1 : place + 1] != "''")  # `')'` would be a character
    brackets = _find_unbalanced(text, language)
    yield from ((place, "", sign) for sign in ")]}" if sign in brackets for place in places)
    if language.needs_semicolons:  # before commas, which a statement of C may go on with
        yield from (
            (place, "", ";") for place in places if text[place] == "\n" and not _ONLY_COMMENTS.match(text, place)
        )
    yield from ((place, "", ",") for place in places if _is_between_items(text, place))
    near = sorted({place for at in (*places, last) for place in (at, at - 1) if 0 <= place < last})
    yield from ((place, text[place], "") for place in near if _is_too_many(text, place, brackets))
    yield from ((place, "", sign) for sign in "({" if sign in brackets for place in places)


def _find_unbalanced(text: str, language: Language) -> str:
    """Return the brackets that a text may have too many or too few of; all if strings and comments are unclear."""
    rest = _QUOTED.sub("", text)
    may_have_text = language.grammar in _WITH_TAGS and "<" in rest
    if may_have_text or _UNCLEAR.search(rest) or (language.grammar == "rust" and "'" in text):
        return "()[]{}"
    return find_uneven_brackets(rest)


def find_uneven_brackets(text: str) -> str:
    """Return the pairs of brackets of which a text has more of one side, such as `()[]`."""
    return "".join(pair for pair in ("()", "[]", "{}") if text.count(pair[0]) != text.count(pair[1]))


def is_unopened(text: str, at: int) -> bool:
    """Return whether nothing opens a closing bracket: a sample that starts inside of it is indented further there."""
    return measure_indent(text) <= measure_indent(text[find_line_start(text, at) :])


def _is_too_many(text: str, at: int, brackets: str) -> bool:
    """Return whether a character may be surplus.

    It is a closing bracket, a comma before one, `;` in parentheses, or what separates a call from the one above.
    """
    if text[at] in ")]}":
        return text[at] in brackets and is_unopened(text, at)
    if text[at] in ";." and _CHAINED.match(text, at + 1):
        return True
    closer = _CLOSES.match(text, at + 1) if text[at] in ",;" else None
    return closer is not None and (text[at] == "," or not closer[0].endswith("}"))


def _iter_nearby(text: str, at: int) -> Iterator[int]:
    """Yield an offset, the end of the text before it, and the end of the line above."""
    yield at
    yield len(text[: max(at, 0)].rstrip())
    yield len(text[: find_line_start(text, max(at, 0))].rstrip())


def _is_between_items(text: str, at: int) -> bool:
    """Return whether a line ends here, or two values are adjacent: `"name" "hall"`."""
    return text[at] == "\n" or bool(_VALUE_ENDS.search(text, 0, at) and _VALUE_BEGINS.match(text, at))


def measure_indent(text: str) -> int:
    return len(text.lstrip("\n")) - len(text.lstrip())


def _is_cut_off(frame: str, text: str, repair: Repair, language: Language) -> bool:
    """Return whether a sample that lacks a closing bracket parses with it at its end: it is merely cut off."""
    return repair.new in ("}", ")", "]") and not _find_faults(frame, text + "\n" + repair.new, language.grammar)
