"""Reject fixes that break YAML or front matter, cause errors, or change unrelated words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from tutorial_tool import data, links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import forms
from tutorial_tool.site import Page, Site

Edits = Mapping[str, Sequence[Edit]]  # The edits of each file, by path, ordered by span


_READ_ELSE = ("unparsed-markup", "unclosed-fence", "malformed-table")
"""Rules that report Markdown which the site generator does not parse as intended."""


class LintedSite(NamedTuple):
    """A site and its findings."""

    site: Site
    findings: list[Finding]


# Checks of one file, before rendering


def check_files(edits: Edits, overlay: Mapping[str, str]) -> str | None:
    """Return why the edited files would be worse, or None. `overlay` are their new texts."""
    for path, of_path in edits.items():
        before = of_path[0].span.source
        after = Source(path, overlay[path])
        if after.text != _splice_edits(before.text, of_path):
            return f"the line ends around it would merge in {path}"
        if reason := _check_yaml(before, after, of_path):
            return reason
    return None


def _splice_edits(text: str, edits: Iterable[Edit]) -> str:
    out, at = [], 0
    for edit in edits:
        out += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*out, text[at:]])


def _check_yaml(before: Source, after: Source, edits: Sequence[Edit]) -> str | None:
    """Return why the YAML of a data file or front matter would not be parsed as expected, or None."""
    part = _find_yaml_part(before)
    if part is None and (front := forms.find_front_matter(before.text)) and not forms.find_problem(before, front):
        now_front = forms.find_front_matter(after.text)
        if now_front is None or forms.find_problem(after, now_front):
            return f"the front matter of {before.path} would no longer be read"
    if part is None or not any(edit.span.start <= part[1] and part[0] <= edit.span.end for edit in edits):
        return None
    was = data.load_yaml(before, *part)
    if was.findings:
        return None  # it was invalid before; the linter reports whether it still is
    now_part = _find_yaml_part(after)
    if now_part is None:
        return f"{before.path} would lose its front matter"
    now = data.load_yaml(after, *now_part)
    if now.findings:
        return f"{before.path} would no longer be read: {now.findings[0].message}"
    return _check_values(before.path, was.node, now.node, edits)


def _find_yaml_part(source: Source) -> tuple[int, int] | None:
    if source.path.endswith((".yaml", ".yml")):
        return 0, len(source.text)
    front_matter = data.find_front_matter(source.text)
    return (front_matter.start, front_matter.end) if front_matter else None


def _check_values(path: str, was: data.Node | None, now: data.Node | None, edits: Sequence[Edit]) -> str | None:
    """Return why the values would differ from the old ones with the edits applied, or None."""
    values = list(_iter_scalars(was))
    letters = [edit for edit in edits if _is_in_value(edit, values)]
    rewritten = [
        (edit, place) for edit, place in zip(edits, _iter_new_spans(edits), strict=True) if edit not in letters
    ]
    expected = _iter_tokens(was, [(edit.span.start, edit.span.end) for edit, _ in rewritten], letters)
    tokens = _iter_tokens(now, [place for _, place in rewritten], [])
    for want, got in zip_longest(expected, tokens, fillvalue=_END):
        if want != got:
            return f"{path} would read {_describe_token(got)} where it should read {_describe_token(want)}"
    return None


_END = "the end"


def _describe_token(token: str | None) -> str:
    if token is None:
        return "another value"
    return f"`{token[1:]}`" if token[0] == "=" else token


def _is_in_value(edit: Edit, values: Sequence[data.Scalar]) -> bool:
    """Return whether an edit changes text within a value, not YAML syntax: lines, quotation marks, keys."""
    if "\n" in edit.span.text + edit.text or edit.text[:1] in ("'", '"'):
        return False
    return any(_locate_in_traced(value.text, edit.span) is not None for value in values)


def _iter_scalars(node: data.Node | None) -> Iterator[data.Scalar]:
    match node:
        case data.Scalar():
            yield node
        case data.Sequence():
            for item in node.items:
                yield from _iter_scalars(item)
        case data.Mapping():
            for key, value in node.items:
                yield key
                yield from _iter_scalars(value)


def _iter_tokens(
    node: data.Node | None, rewritten: Sequence[tuple[int, int]], letters: Sequence[Edit]
) -> Iterator[str | None]:
    """Yield the values and brackets of a tree in order, without those inside of a rewritten span.

    A value is yielded as `=` and its text, with the edits of its letters; None is a partly rewritten value.
    """
    if node is None or any(start <= node.span.start and node.span.end <= end for start, end in rewritten):
        return
    match node:
        case data.Scalar():
            partly = any(start < node.span.end and node.span.start < end for start, end in rewritten)
            yield None if partly else f"={_apply_edits(node, letters)}"
        case data.Sequence():
            yield "a list"
            for item in node.items:
                yield from _iter_tokens(item, rewritten, letters)
            yield "the end of a list"
        case data.Mapping():
            yield "a mapping"
            for key, value in node.items:
                yield from _iter_tokens(key, rewritten, letters)
                yield from _iter_tokens(value, rewritten, letters)
            yield "the end of a mapping"


def _apply_edits(scalar: data.Scalar, edits: Iterable[Edit]) -> str:
    text = strip_origins(scalar.text)
    for edit in reversed(list(edits)):
        place = _locate_in_traced(scalar.text, edit.span)
        if place is not None:
            text = text[: place[0]] + edit.text + text[place[1] :]
    return text


def _locate_in_traced(text: Traced, span: Span) -> tuple[int, int] | None:
    at = 0
    for run in text.runs:
        if run.aligned and run.span is not None and run.span.start <= span.start and span.end <= run.span.end:
            start = at + span.start - run.span.start
            return start, start + span.end - span.start
        at += run.length
    return None


def _iter_new_spans(edits: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each edit's text after all edits, in order."""
    shift = 0
    for edit in edits:
        start = edit.span.start + shift
        yield start, start + len(edit.text)
        shift += len(edit.text) - (edit.span.end - edit.span.start)


# Checks of the site, rendered and linted again


def check_site(was: LintedSite, now: LintedSite, edits: Edits) -> str | None:
    """Return why the edited site would be worse, or None.

    That is the case with new errors, new markup that is not parsed, missing pages, an anchor that others may link to,
    or changes to words outside of the edits.
    """
    return (
        _find_new_finding(was, now, edits)
        or _find_lost_anchor(was.site, now.site, edits)
        or _find_changed_words(was.site, now.site, edits)
    )


def _find_lost_anchor(was: Site, now: Site, edits: Edits) -> str | None:
    """Find a heading whose anchor would change where not all pages that may link to it are loaded."""
    before, after = links.get_addresses(was), links.get_addresses(now)
    if before.is_fully_loaded:
        return None
    pages = {page.path: page for page in now.pages}
    for page in was.pages:
        if page.source.path in edits and (other := pages.get(page.path)):
            lost = sorted(before.get_anchors(page) - after.get_anchors(other))
            if lost and after.get_anchors(other) - before.get_anchors(page):
                return f"#{lost[0]} would change a URL that pages outside this run may link to"
    return None


def _find_new_finding(was: LintedSite, now: LintedSite, edits: Edits) -> str | None:
    """Find the first new error, or warning about markup that an edit has written."""
    known: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for finding in was.findings:
        for span in _get_spans(finding):
            known.setdefault((finding.rule, span.path), []).append(_move_span(span, edits.get(span.path, ())))
    new = {path: list(_iter_new_spans(of_path)) for path, of_path in edits.items()}
    engine = frozenset(finding.rule for finding in now.site.findings)
    for finding in now.findings:
        if was.site.errors and finding.rule not in engine:
            continue  # rules could not check the pages while rendering failed
        for span in _get_spans(finding):
            if finding.severity is not Severity.ERROR and not _is_touched(span, new.get(span.path, ())):
                continue
            places = known.get((finding.rule, span.path), ())
            if not any(start <= span.end and span.start <= end for start, end in places):
                return f"it brings {finding.rule} at {span}: {finding.message}"
    return None


def _get_spans(finding: Finding) -> list[Span]:
    """Return the spans that a fix must not add; all of them where one finding is reported for several."""
    if finding.severity is Severity.ERROR:
        return [finding.span]
    if finding.severity is not Severity.WARNING or finding.rule not in _READ_ELSE:
        return []
    return [finding.span, *(related.span for related in finding.related)]


def _move_span(span: Span, edits: Sequence[Edit]) -> tuple[int, int]:
    """Return the offsets of a span after edits; replaced text moves to the ends of the new text."""
    start, end = span.start, span.end
    for edit, (new_start, new_end) in zip(edits, _iter_new_spans(edits), strict=True):
        if edit.span.start <= span.start:
            past = span.start - edit.span.end
            start = new_end + past if past >= 0 else new_start
        if edit.span.start <= span.end:
            end = new_end + max(span.end - edit.span.end, 0)
    return start, max(start, end)


_WORD = lazy_re.compile(r"\w+")
_MARK = lazy_re.compile(r"\*+|_{2,}|~~|`+|\]\(")
"""Markdown that is visible to readers only if unclosed."""


def _find_changed_words(was: Site, now: Site, edits: Edits) -> str | None:
    """Return why words outside of the edits would change on a page, or None."""
    after = {page.path: page for page in now.pages}
    old = {path: [(edit.span.start, edit.span.end) for edit in of_path] for path, of_path in edits.items()}
    new = {path: list(_iter_new_spans(of_path)) for path, of_path in edits.items()}
    for page in was.pages:
        other = after.get(page.path)
        if other is None:
            return f"the page {page.path} would be gone"
        if strip_origins(page.text) != strip_origins(other.text):
            if marks := Counter(_iter_visible(other, _MARK, new)) - Counter(_iter_visible(page, _MARK, old)):
                return f"`{min(marks)}` in {page.path} would be shown as text"
            for word, changed in zip_longest(_iter_visible(page, _WORD, old), _iter_visible(other, _WORD, new)):
                if word != changed:
                    return f"other words of {page.path} would change: {_quote_word(word)} to {_quote_word(changed)}"
    return None


def _quote_word(word: str | None) -> str:
    return "nothing" if word is None else f"`{word}`"


def _iter_visible(
    page: Page, pattern: re.Pattern[str], places: Mapping[str, Sequence[tuple[int, int]]]
) -> Iterator[str]:
    """Yield the words or characters visible on a page, in order, without those within edits."""
    for prose in page.document.get_prose():
        for match in pattern.finditer(prose):
            runs = page.text.get_runs_between(*prose.locate(match))
            if not any(run.span and _is_touched(run.span, places.get(run.span.path, ())) for run in runs):
                yield match[0]


def _is_touched(span: Span, places: Sequence[tuple[int, int]]) -> bool:
    """Return whether a span overlaps or touches one of the ordered spans."""
    index = bisect_left(places, span.start, key=lambda place: place[1])
    return index < len(places) and places[index][0] <= span.end
