"""Reject fixes that break YAML or front matter, cause errors, or change unrelated words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from tutorial_tool import data, links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.core.traced import Traced
from tutorial_tool.data import forms
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.site import Page, Site

Edits = Mapping[str, Sequence[Edit]]  # The edits of each file, by path, ordered by span


_MARKUP_RULES = ("unparsed-markup", "unclosed-fence", "malformed-table")
"""Rules that report Markdown which the site generator does not parse as intended."""


# Checks of one file, before rendering


def check_files(edits: Edits, overlay: Mapping[str, str]) -> str | None:
    """Return why the edited files would be worse, or None. `overlay` are their new texts."""
    for path, file_edits in edits.items():
        before = file_edits[0].span.source
        after = Source(path, overlay[path])
        if after.text != _splice_edits(before.text, file_edits):
            return f"the line ends around it would merge in {path}"
        if reason := _check_yaml(before, after, file_edits):
            return reason
    return None


def _splice_edits(text: str, edits: Iterable[Edit]) -> str:
    out, copied = [], 0
    for edit in edits:
        out += [text[copied : edit.span.start], edit.text]
        copied = edit.span.end
    return "".join([*out, text[copied:]])


def _check_yaml(before: Source, after: Source, edits: Sequence[Edit]) -> str | None:
    """Return why the YAML of a data file or front matter would not be parsed as expected, or None."""
    old_part = _find_yaml_part(before)
    if old_part is None and (front := forms.find_front_matter(before.text)) and not forms.find_problem(before, front):
        new_front = forms.find_front_matter(after.text)
        if new_front is None or forms.find_problem(after, new_front):
            return f"the front matter of {before.path} would no longer be read"
    if old_part is None or not any(edit.span.start <= old_part[1] and old_part[0] <= edit.span.end for edit in edits):
        return None
    old = data.load_yaml(before, *old_part)
    if old.findings:
        return None  # it was invalid before; the linter reports whether it still is
    new_part = _find_yaml_part(after)
    if new_part is None:
        return f"{before.path} would lose its front matter"
    new = data.load_yaml(after, *new_part)
    if new.findings:
        return f"{before.path} would no longer be read: {new.findings[0].message}"
    return _check_values(before.path, old.node, new.node, edits)


def _find_yaml_part(source: Source) -> tuple[int, int] | None:
    if source.path.endswith((".yaml", ".yml")):
        return 0, len(source.text)
    front_matter = data.find_front_matter(source.text)
    return (front_matter.start, front_matter.end) if front_matter else None


def _check_values(path: str, old: data.Node | None, new: data.Node | None, edits: Sequence[Edit]) -> str | None:
    """Return why the values would differ from the old ones with the edits applied, or None."""
    values = list(data.iter_scalars(old, keys=True))
    value_edits = [edit for edit in edits if _is_in_value(edit, values)]
    edited = zip(edits, _iter_new_spans(edits), strict=True)
    rewritten = [(edit, new_span) for edit, new_span in edited if edit not in value_edits]
    expected = _iter_tokens(old, [(edit.span.start, edit.span.end) for edit, _ in rewritten], value_edits)
    tokens = _iter_tokens(new, [new_span for _, new_span in rewritten], [])
    for expected_token, token in zip_longest(expected, tokens, fillvalue=_END):
        if expected_token != token:
            return f"{path} would read {_describe_token(token)} where it should read {_describe_token(expected_token)}"
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


def _iter_tokens(
    node: data.Node | None, rewritten: Sequence[tuple[int, int]], value_edits: Sequence[Edit]
) -> Iterator[str | None]:
    """Yield the values and brackets of a tree in order, without those inside of a rewritten span.

    A value is yielded as `=` and its text, with `value_edits` applied; None is a partly rewritten value.
    """
    if node is None or any(start <= node.span.start and node.span.end <= end for start, end in rewritten):
        return
    match node:
        case data.Scalar():
            is_partly_rewritten = any(start < node.span.end and node.span.start < end for start, end in rewritten)
            yield None if is_partly_rewritten else f"={_apply_edits(node, value_edits)}"
        case data.Sequence():
            yield "a list"
            for item in node.items:
                yield from _iter_tokens(item, rewritten, value_edits)
            yield "the end of a list"
        case data.Mapping():
            yield "a mapping"
            for key, value in node.items:
                yield from _iter_tokens(key, rewritten, value_edits)
                yield from _iter_tokens(value, rewritten, value_edits)
            yield "the end of a mapping"


def _apply_edits(scalar: data.Scalar, edits: Iterable[Edit]) -> str:
    text = scalar.plain
    for edit in reversed(list(edits)):
        span = _locate_in_traced(scalar.text, edit.span)
        if span is not None:
            text = text[: span[0]] + edit.text + text[span[1] :]
    return text


def _locate_in_traced(text: Traced, span: Span) -> tuple[int, int] | None:
    run_start = 0
    for run in text.runs:
        if run.aligned and run.span is not None and run.span.contains(span):
            start = run_start + span.start - run.span.start
            return start, start + span.end - span.start
        run_start += run.length
    return None


def _iter_new_spans(edits: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each edit's text after all edits, in order."""
    shift = 0
    for edit in edits:
        start = edit.span.start + shift
        yield start, start + len(edit.text)
        shift += len(edit.text) - (edit.span.end - edit.span.start)


# Checks of the site, rendered and linted again


def check_site(old: LintedSite, new: LintedSite, edits: Edits) -> str | None:
    """Return why the edited site would be worse, or None.

    That is the case with new errors, new markup that is not parsed, missing pages, an anchor that others may link to,
    or changes to words outside of the edits.
    """
    return (
        _find_new_finding(old, new, edits)
        or _find_lost_anchor(old.site, new.site, edits)
        or _find_changed_words(old.site, new.site, edits)
    )


def _find_lost_anchor(old: Site, new: Site, edits: Edits) -> str | None:
    """Find a heading whose anchor would change where not all pages that may link to it are loaded."""
    before, after = links.get_addresses(old), links.get_addresses(new)
    if before.is_fully_loaded:
        return None
    pages = {page.path: page for page in new.pages}
    for page in old.pages:
        if page.source.path in edits and (new_page := pages.get(page.path)):
            missing = sorted(before.get_anchors(page) - after.get_anchors(new_page))
            if missing and after.get_anchors(new_page) - before.get_anchors(page):
                return f"#{missing[0]} would change a URL that pages outside this run may link to"
    return None


def _find_new_finding(old: LintedSite, new: LintedSite, edits: Edits) -> str | None:
    """Find the first new error, or warning about markup that an edit has written."""
    old_spans = group_pairs(
        ((finding.rule, span.path), _move_span(span, edits.get(span.path, ())))
        for finding in old.findings
        for span in _get_spans(finding)
    )
    edited_spans = {path: list(_iter_new_spans(file_edits)) for path, file_edits in edits.items()}
    engine_rules = frozenset(finding.rule for finding in new.site.findings)
    for finding in new.findings:
        if old.site.errors and finding.rule not in engine_rules:
            continue  # rules could not check the pages while rendering failed
        for span in _get_spans(finding):
            if finding.severity is not Severity.ERROR and not _is_touched(span, edited_spans.get(span.path, ())):
                continue
            same_rule_spans = old_spans.get((finding.rule, span.path), ())
            if not any(start <= span.end and span.start <= end for start, end in same_rule_spans):
                return f"it brings {finding.rule} at {span}: {finding.message}"
    return None


def _get_spans(finding: Finding) -> list[Span]:
    """Return the spans that a fix must not add; all of them where one finding is reported for several."""
    if finding.severity is Severity.ERROR:
        return [finding.span]
    if finding.severity is not Severity.WARNING or finding.rule not in _MARKUP_RULES:
        return []
    return [finding.span, *(related.span for related in finding.related)]


def _move_span(span: Span, edits: Sequence[Edit]) -> tuple[int, int]:
    """Return the offsets of a span after edits; replaced text moves to the ends of the new text."""
    start, end = span.start, span.end
    for edit, (new_start, new_end) in zip(edits, _iter_new_spans(edits), strict=True):
        if edit.span.start <= span.start:
            after_edit = span.start - edit.span.end
            start = new_end + after_edit if after_edit >= 0 else new_start
        if edit.span.start <= span.end:
            end = new_end + max(span.end - edit.span.end, 0)
    return start, max(start, end)


_WORD = lazy_re.compile(r"\w+")
_MARKUP = lazy_re.compile(r"\*+|_{2,}|~~|`+|\]\(")  # Markdown that is visible to readers only if unclosed


def _find_changed_words(old_site: Site, new_site: Site, edits: Edits) -> str | None:
    """Return why words outside of the edits would change on a page, or None."""
    new_pages = {page.path: page for page in new_site.pages}
    old_spans = {path: [(edit.span.start, edit.span.end) for edit in file_edits] for path, file_edits in edits.items()}
    new_spans = {path: list(_iter_new_spans(file_edits)) for path, file_edits in edits.items()}
    for page in old_site.pages:
        new_page = new_pages.get(page.path)
        if new_page is None:
            return f"the page {page.path} would be gone"
        if page.plain != new_page.plain:
            old_markup, markup = _iter_visible(page, _MARKUP, old_spans), _iter_visible(new_page, _MARKUP, new_spans)
            if shown := Counter(markup) - Counter(old_markup):
                return f"`{min(shown)}` in {page.path} would be shown as text"
            words = zip_longest(_iter_visible(page, _WORD, old_spans), _iter_visible(new_page, _WORD, new_spans))
            if differing := next((pair for pair in words if pair[0] != pair[1]), None):
                change = " to ".join("nothing" if word is None else f"`{word}`" for word in differing)
                return f"other words of {page.path} would change: {change}"
    return None


def _iter_visible(
    page: Page, pattern: re.Pattern[str], edited_spans: Mapping[str, Sequence[tuple[int, int]]]
) -> Iterator[str]:
    """Yield the words or characters visible on a page, in order, without those within edits."""
    for prose in page.document.get_prose():
        for match in pattern.finditer(prose):
            runs = page.text.get_runs_between(*prose.locate(match))
            if not any(run.span and _is_touched(run.span, edited_spans.get(run.span.path, ())) for run in runs):
                yield match[0]


def _is_touched(span: Span, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a span overlaps or touches one of the ordered spans."""
    index = bisect_left(spans, span.start, key=lambda offsets: offsets[1])
    return index < len(spans) and spans[index][0] <= span.end
