"""Find names that a page's text writes as another variant's code does: `setZones` for its own `SetZones`.

The text has the same form in all copies, so comparing slots does not find it: what should vary does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.core.similarity import ALIKE
from tutorial_tool.site import Page
from tutorial_tool.spelling.near_words import MIN_NAME
from tutorial_tool.variants import Step
from tutorial_tool.variation import Section, SectionRow, Unit

_NAME = lazy_re.compile(r"(?<![\w$])(?P<name>[A-Za-z_]\w*)(?![\w$])(?P<call>\()?")
_JOINED = lazy_re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]")
_SPAN = lazy_re.compile(r"(?<!`)`(?P<name>[A-Za-z_]\w*)(?:\([^`\n]*\))?`(?!`)")  # A name that is a whole code span
_OF_READER = lazy_re.compile(r"(?i:my|your|new)(?=[A-Z_])")  # Begins the names of what readers make: `myCache`
_WORD = lazy_re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*")
_LONG = lazy_re.compile(r"_*(?:(?>[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[\d_]*){3,}")
"""A name of three words or more; names of two words, such as `userId`, are often product concepts."""


_Places = dict[str, tuple[int, int]]  # Spans by name
_Uses = dict[str, set[tuple[bool, bool]]]  # By name: whether it is called, and whether it starts with a capital


class ForeignMethod(NamedTuple):
    """A name in a text, the page's own name instead, and the variants that have it as typed in code or settings."""

    variant: str
    place: tuple[int, int]
    typed: str
    own_name: str
    others: tuple[str, ...]


def find_foreign_methods(step: Step) -> Iterator[ForeignMethod]:
    """Find names in text that are in another variant's code, but not in the page's own.

    The page's own code has the name in another case or with a prefix, or a similar one in the same section.
    """
    read = {variant: _read_names(page) for variant, page in step.pages.items()}
    used = {variant: known for variant, (known, _) in read.items()}
    names = {variant: own for variant, (_, own) in read.items()}
    for section in variation.get_alignment(step).sections:
        yield from _find_in_section(step, section, used)
    for variant in step.pages:
        if names_by_form := _index_forms(names[variant]):
            yield from _find_on_page(variant, step.pages, names_by_form, names, used[variant])


def _index_forms(names: Counter[str]) -> dict[str, str]:
    """Return the most frequent name of each form."""
    return {form: name for name, _ in names.most_common()[::-1] for form in _iter_forms(name)}


def _iter_row_names(page: Page) -> Iterator[str]:
    """Yield the names of settings: the first cells of tables that are one name."""
    firsts = (row[0] for table in page.document.tables for row in table.rows if row)
    cells = (page.plain[cell.start : cell.end].strip("`* ") for cell in firsts)
    yield from filter(_NAME.fullmatch, cells)


def _find_in_section(step: Step, section: SectionRow, used: dict[str, set[str]]) -> Iterator[ForeignMethod]:
    """Find names that a text shares with another variant, while the code of the section has a similar one."""
    code = {variant: _index_uses(part) for variant, part in section.sections.items()}
    if sum(map(bool, code.values())) < 2:
        return
    rows = [{name: dict(_iter_named(step.pages[name], unit)) for name, unit in row.items()} for row in section.rows]
    in_text = {variant: set().union(*(row.get(variant, ()) for row in rows)) for variant in code}
    for row, variant, typed, others in _iter_shared(rows, code):
        if typed not in used[variant]:
            uses = set().union(*(code[other][typed] for other in others))
            foreign = in_text[variant].union(*(used[other] for other in others))
            own = (name for name in code[variant].keys() - foreign if not code[variant][name].isdisjoint(uses))
            if name := _find_similar(typed, own):
                yield ForeignMethod(variant, row[variant][typed], typed, name, others)


def _iter_shared(
    rows: list[dict[str, _Places]], code: Mapping[str, _Uses]
) -> Iterator[tuple[dict[str, _Places], str, str, tuple[str, ...]]]:
    """Yield the names that variants share in a text, with the others whose code has them: half of those or more."""
    for row in rows:
        for variant, typed in ((variant, typed) for variant, places in row.items() for typed in places):
            sharing = [other for other in row if other != variant and typed in row[other]]
            others = tuple(other for other in sharing if typed in code[other])
            if others and len(sharing) <= 2 * len(others):
                yield row, variant, typed, others


def _iter_named(page: Page, unit: Unit) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names that are a whole code span of a sentence, with their spans."""
    if unit.kind == "sentence":
        yield from ((match["name"], match.span("name")) for match in _SPAN.finditer(page.plain, *unit.place))


def _index_uses(section: Section) -> _Uses:
    """Index the names of several words in a section's code: whether they are called, and start with a capital."""
    uses: _Uses = {}
    for match in (match for unit in section.units if unit.kind == "code" for match in _NAME.finditer(unit.text)):
        if _JOINED.search(match["name"]):
            uses.setdefault(match["name"], set()).add((match["call"] is not None, match["name"][0].isupper()))
    return uses


def _find_similar(typed: str, names: Iterable[str]) -> str:
    """Return the most similar of some names if it is one for the same thing, else an empty text."""
    similarity, name = max(((_measure_similarity(typed, name), name) for name in names), default=(0.0, ""))
    return name if similarity >= ALIKE else ""


def _measure_similarity(typed: str, name: str) -> float:
    """Measure in percent how similar two names are; less if their last words, which say what a thing is, differ.

    Names that the reader replaces, constructors, private names, and methods with a longer selector count as different.
    """
    if name.strip("_") == typed or _OF_READER.match(name) or (typed[0].islower() and name.startswith(typed)):
        return 0.0
    left, right = _normalize_name(typed), _normalize_name(name)
    last, other = (_WORD.findall(text)[-1:] for text in (typed, name))
    return fuzz.ratio(left, right) * (1 if last == other else 0.9)


def _find_on_page(
    variant: str,
    pages: Mapping[str, Page],
    names_by_form: dict[str, str],
    names: dict[str, Counter[str]],
    used: set[str],
) -> Iterator[ForeignMethod]:
    page = pages[variant]
    text = page.plain
    for start, end in _find_in_text(page):
        typed = text[start:end]
        called = names_by_form.get(_normalize_name(typed), "")
        others = tuple(other for other in names if typed in names[other])
        is_type = typed[0].isupper() and called[:1].islower()  # a class, and an instance of it
        is_constant = typed.isupper() != called.isupper()  # the value of a parameter
        if not called or typed in used or is_type or is_constant or not _JOINED.search(typed):
            continue
        if _is_instance(typed, called, page, [pages[other] for other in others]):
            continue
        if others and not any(called in line and typed in line.replace(called, "") for line in text.split("\n")):
            # a line with both forms explains a rename, or lists the keys and the methods of the same options
            yield ForeignMethod(variant, (start, end), typed, called, others)


def _is_instance(typed: str, called: str, page: Page, others: Iterable[Page]) -> bool:
    """Return whether a name may be that of an instance of the class `called`: other pages never call it.

    It is not, if `called` is a setting of the page.
    """
    is_same = typed[0].islower() and typed[1:] == called[1:]
    return is_same and called not in _iter_row_names(page) and not any(f"{typed}(" in other.plain for other in others)


def _find_in_text(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the spans of names in code spans, and of names of several words in the text."""
    for start, end in page.document.code_spans:
        yield from (match.span("name") for match in _NAME.finditer(page.plain, start, end))
    for prose in page.document.get_prose():
        if _JOINED.search(prose):
            matches = (match for match in _NAME.finditer(prose) if _LONG.fullmatch(match["name"]))
            named = (match for match in matches if prose[match.start() - 1 : match.start()] != "/")
            yield from (prose.locate(*match.span("name")) for match in named)


def _read_names(page: Page) -> tuple[set[str], Counter[str]]:
    """Return all names of a page's code and settings; and those that are called or have several words, in order."""
    matches = [match for block in page.document.code_blocks for match in _NAME.finditer(block.text)]
    rows = list(_iter_row_names(page))
    own = Counter(match["name"] for match in matches if match["call"] or _LONG.fullmatch(match["name"]))
    return {match["name"] for match in matches}.union(rows), own + Counter(filter(_LONG.fullmatch, rows))


def _iter_forms(name: str) -> Iterator[str]:
    """Yield the normalized forms of a name; for an environment variable, also without framework prefixes."""
    if len(_normalize_name(name)) >= MIN_NAME:
        yield _normalize_name(name)
    short = name.partition("_")[2] if name.isupper() else ""
    while _LONG.fullmatch(short):
        yield _normalize_name(short)
        short = short.partition("_")[2]


def _normalize_name(name: str) -> str:
    return name.replace("_", "").lower()
