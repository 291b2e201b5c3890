"""Names with other capitals than in the code beside them: `getSetupURI`, where the samples have `getSetupUri`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import is_history
from tutorial_tool.rules.text._variables import find_miscased_variables
from tutorial_tool.site import Page, PageFix, Site, page_facts

_NAME = lazy_re.compile(r"(?<![\w$-])[A-Za-z][A-Za-z0-9]{4,60}(?![\w-])")
_SPAN = lazy_re.compile(r"(?:[\w.]+\.)?(?P<name>[A-Za-z][A-Za-z0-9]{4,60})(?:\(\))?")
_WORD = lazy_re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ACRONYM = lazy_re.compile(r"[A-Z]{2,}")
_MIN_USES = 4
"""Minimum lines of code with a name on other pages, if the page's nearby code lacks it. 40 trees, 2026-11. More if more
texts have the other form: that of an API whose code is elsewhere."""
_MIN_INTERFACE_WORDS = 3  # Minimum words of an interface's name; fewer may name a concept of the product


class _NameSpan(NamedTuple):
    """A name in the text, its offset, and the form in the code nearby; "" if that has none."""

    name: str
    start: int
    nearby_form: str

    @property
    def place(self) -> tuple[int, int]:
        return self.start, self.start + len(self.name)


@rule("text", Severity.WARNING)
def check(site: Site, config: Config) -> Iterator[Finding]:
    lines: Counter[str] = Counter()
    for page in site.pages:
        lines.update(page.get_cached(_find_names_in_code))
    forms = group_by(lines, str.lower)
    pages = [page for page in site.pages if not is_history(page)]
    spans = Counter(span.name for page in pages for span in page.get_cached(_find_spans))
    for page in pages:
        for span in page.get_cached(_find_spans):
            least = max(_MIN_USES, spans[span.name])
            good = span.nearby_form or _find_majority_form(span.name, forms.get(span.name.lower(), []), lines, least)
            if good and not _is_idea(span.name, good, lines) and span.name not in config.full_vocabulary:
                where = "nearby code" if span.nearby_form else f"{lines[good]} lines of code on other pages"
                yield _build_finding(page, (span.place,), good, f"as in {where}")
        for variable in page.get_cached(find_miscased_variables):
            yield _build_finding(page, variable.places, variable.declared, "as it is declared")


def _build_finding(page: Page, places: tuple[tuple[int, int], ...], good: str, reason: str) -> Finding:
    fix = PageFix(f"replace with `{good}`", tuple((*place, good) for place in places), safe=False)
    return page.flag(places[0], f"`{page.plain[slice(*places[0])]}` should read `{good}`, {reason}", fix=fix)


def _find_majority_form(name: str, forms: list[str], lines: Mapping[str, int], least: int) -> str:
    """Return the form on at least so many lines of the site's code, if no code has the name or an instance of it.

    Acronyms prove nothing: one language's API may have `Url`, and another one's `URL`.
    """
    if any(_is_instance(name, form) for form in forms):
        return ""
    alike = (form for form in forms if form[0] == name[0])
    good = max(alike, key=lambda form: (lines[form], form), default="")
    return good if lines[good] >= least and not _differ_in_acronyms(name, good) else ""


def _is_idea(name: str, good: str, lines: Mapping[str, int]) -> bool:
    """Return whether a name is a concept of the product, as `userId` is, which an API may call `userID`."""
    is_short = len(_WORD.findall(name)) < _MIN_INTERFACE_WORDS
    return is_short and bool(lines[name]) and _differ_in_acronyms(name, good)


def _is_instance(name: str, form: str) -> bool:
    """Return whether two names differ only in the case of the first word, as a class and its instance do."""
    return _lower_first_word(name) == _lower_first_word(form)


def _lower_first_word(name: str) -> str:
    first = _WORD.match(name)
    end = first.end() if first else 0
    return name[:end].lower() + name[end:]


def _differ_in_acronyms(name: str, form: str) -> bool:
    acronyms = {at for text in (name, form) for match in _ACRONYM.finditer(text) for at in range(*match.span())}
    return any(left != right and at in acronyms for at, (left, right) in enumerate(zip(name, form, strict=True)))


def _is_compound(name: str) -> bool:
    """Return whether a name consists of several words that only capitals separate."""
    return not name.isupper() and not name[1:].islower() and any(map(str.islower, name))


@page_facts.register
def _find_names_in_code(page: Page) -> Mapping[str, int]:
    """Return the number of lines with each compound name in the samples of a page."""
    lines = chain.from_iterable(block.text.split("\n") for block in page.document.code_blocks)
    names = chain.from_iterable(filter(_is_compound, {*_NAME.findall(line)}) for line in lines)
    return dict(sorted(Counter(names).items()))


@page_facts.register
def _find_spans(page: Page) -> tuple[_NameSpan, ...]:
    """Find the names in a page's text that the code nearby has in another form, or not at all."""
    headings = ((heading.content_start, heading.content_end) for heading in page.document.headings)
    named = (_parse_name(page, *span) for span in (*page.document.code_spans, *headings))
    spans = [(start, name) for start, name in named if name]
    if not spans:
        return ()
    forms = group_by(page.get_cached(_find_names_in_code), str.lower)
    in_code = ((start, name, forms.get(name.lower(), [])) for start, name in spans)
    out = (
        _NameSpan(name, at, _find_nearby_form(page, at, name, near)) for at, name, near in in_code if name not in near
    )
    return tuple(span for span in out if span.nearby_form or span.name.lower() not in forms)


def _parse_name(page: Page, start: int, end: int) -> tuple[int, str]:
    text = page.plain[start:end]
    inner = text.strip("`")
    match = _SPAN.fullmatch(inner)
    if match is None or not _is_compound(match["name"]):
        return start, ""
    return start + text.index(inner) + match.start("name"), match["name"]


def _find_nearby_form(page: Page, start: int, name: str, forms: Collection[str]) -> str:
    """Return the form in the page's code of a name, unless its line has both, as tables of two APIs' names do."""
    form, *more = forms or ("",)
    if not form or more or _is_instance(name, form):
        return ""
    line = page.plain[find_line_start(page.plain, start) : find_line_end(page.plain, start)]
    if form in line:
        return ""
    if name[0] != form[0]:  # a class whose instance is in the code, maybe with its first words joined: `devcycleClient`
        is_joined = len(_WORD.findall(form)) < len(_WORD.findall(name))
        return "" if is_joined or _differ_in_acronyms(name, form) else name[0] + form[1:]
    return form
