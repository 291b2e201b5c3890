"""Apply the comments that suppress findings; report those that suppress nothing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from tutorial_tool import data
from tutorial_tool.config.settings import COPIES, TOOLS, Config, is_tool_name
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion, select_places
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source, Span, find_line_end, find_line_start
from tutorial_tool.data import FrontMatter, forms
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.directive_comments import CALLED, Comment, iter_nodes
from tutorial_tool.markdown.parser import Block, Dialect, parse_blocks
from tutorial_tool.rules import GROUPS, OUTSIDE, Rule, get_rules
from tutorial_tool.site import Site

UNUSED, UNKNOWN = "unused-ignore", "unknown-ignore"

_MARKERS = lazy_re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
"""What may precede a comment on its own line: markers of quotations and list items."""
_COMMENT = lazy_re.compile(r"<!--.*?-->", re.DOTALL)
_WORD = lazy_re.compile(r"[\w/-]+")


# What comments cover


@dataclass(eq=False)
class Ignore:
    """One name in a comment: the rule, the part of a file that it covers, and whether it was used."""

    rule: str
    span: Span
    covered_span: Span
    used: bool = field(default=False, init=False)

    def contains(self, span: Span) -> bool:
        """Return whether a span of the same file is in the part that is covered."""
        return span.overlaps(Span(span.source, self.covered_span.start, self.covered_span.end))


class _CommentedFile:
    """A source, and what the comments in it cover."""

    def __init__(self, source: Source, dialect: Dialect, *, template: bool) -> None:
        self.source, self.text, self.dialect = source, source.text, dialect
        self.is_yaml = source.path.endswith((".yaml", ".yml"))
        self.front = None if self.is_yaml else data.find_front_matter(self.text) or forms.find_front_matter(self.text)
        self.yaml = (0, len(self.text)) if self.is_yaml else self.front[:2] if self.front else (0, 0)
        self.template = template

    @cached_property
    def comments(self) -> list[Comment]:
        markdown = (
            [] if self.is_yaml else directive_comments.find_in_markdown(self.text, self.dialect, template=self.template)
        )
        if self.front:
            return [*directive_comments.find_in_front_matter(self.source, self.front), *markdown]
        return directive_comments.find_in_yaml(self.source) if self.is_yaml else markdown

    def get_covered_span(self, comment: Comment) -> Span:
        if comment.verb == "ignore-file":
            return self.source.get_full_span()
        start, end = find_line_start(self.text, comment.start), find_line_end(self.text, comment.end)
        is_alone = _MARKERS.fullmatch(self.text, start, comment.start) and not self.text[comment.end : end].strip()
        following = self._find_after(comment) if is_alone else None
        return self.source.span(start, max(end, following[1]) if following else end)

    def _find_after(self, comment: Comment) -> tuple[int, int] | None:
        """Return what follows a comment on its own line: an entry, a source line, or a block."""
        if comment.start < self.yaml[1]:
            return _find_first_after(comment.end, self._entries) or (
                self._find_next_line(comment.end) if self.front else None
            )
        if self.text.startswith("{#", comment.start):
            return self._find_next_line(comment.end)
        return _find_first_after(comment.end, self._blocks) or self._find_next_line(comment.end)

    def _find_next_line(self, offset: int) -> tuple[int, int] | None:
        """Return the next line with anything but comments, as its start and end; None if there is none."""
        start = find_line_end(self.text, offset) + 1
        while start < len(self.text):
            end = find_line_end(self.text, start)
            if self.text[start:end].strip() and not self._has_only_comments(start, end):
                return start, end
            start = end + 1
        return None

    def _has_only_comments(self, start: int, end: int) -> bool:
        uncommented, position = "", start
        for comment in self.comments[bisect_right(self.comments, start, key=lambda comment: comment.end) :]:
            if comment.start >= end:
                break
            if comment.start < end:
                uncommented += self.text[position : max(comment.start, position)]
                position = max(comment.end, position)
        uncommented += self.text[position:end]
        return not _COMMENT.sub("", uncommented).strip() and (position > start or bool(uncommented.strip()))

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        body = directive_comments.find_body_start(self.text)
        blocks = _iter_blocks(parse_blocks(self.text[body:], self.dialect))
        spans = [(body + block.start, body + block.end) for block in blocks]
        spans = [(start, start + len(self.text[start:end].rstrip("\n"))) for start, end in spans]
        return sorted((span for span in spans if not self._has_only_comments(*span)), key=_get_span_order)

    @cached_property
    def _entries(self) -> list[tuple[int, int]]:
        """The keys with their values, and the items of lists."""
        if self.front and forms.is_toml(self.text):
            return sorted(_iter_toml_entries(self.source, self.front), key=_get_span_order)
        out = []
        for node in iter_nodes(data.load_yaml(self.source, *self.yaml).node):
            if isinstance(node, data.Mapping):
                out += [(key.span.start, value.span.end) for key, value in node.items]
            elif isinstance(node, data.Sequence):
                out += [(item.span.start, item.span.end) for item in node.items]
        return sorted(out, key=_get_span_order)


def _iter_toml_entries(source: Source, front: FrontMatter) -> Iterator[tuple[int, int]]:
    if forms.find_problem(source, front) is None:
        from tutorial_tool.data import toml_places

        entries = toml_places.find_entries(source.text[front.start : front.end])
        yield from ((front.start + start, front.start + end) for start, end in entries)


def _iter_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _iter_blocks(block.children)


def _get_span_order(span: tuple[int, int]) -> tuple[int, int]:
    """Return a sort key: of spans with the same start, the longest first."""
    return span[0], -span[1]


def _find_first_after(offset: int, spans: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the first of ordered spans after an offset; of several with that start, the longest."""
    index = bisect_left(spans, offset, key=lambda span: span[0])
    return spans[index] if index < len(spans) else None


def find_ignores(source: Source, dialect: Dialect, *, template: bool) -> list[Ignore]:
    """Return what the comments of a file ignore. `template` means that it is in the templates folder."""
    return _read_ignores([_CommentedFile(source, dialect, template=template)], get_rules())[0]


# Applying comments


def apply(
    findings: Iterable[Finding], site: Site, config: Config, *, links_checked: bool, tools_run: Container[str]
) -> list[Finding]:
    """Return the unsuppressed findings, and one for each unused comment or unknown rule in a comment.

    `links_checked`: external links were, so their rules ran. `tools_run` are the other tools that ran.
    """
    ignores, unknown = _read_ignores(_iter_files(site), get_rules())
    unsuppressed = _remove_ignored(findings, ignores, site, config)
    applicable = [ignore for ignore in ignores if _can_have_run(ignore.rule, links_checked, tools_run)]
    comment_findings = [*unknown, *_find_unused(applicable, site, config)]
    return unsuppressed + _remove_ignored(_apply_severities(comment_findings, site, config), ignores, site, config)


def _can_have_run(rule: str, links_checked: bool, tools_run: Container[str]) -> bool:
    """Return whether a rule had what it needs from outside: other hosts, or another tool."""
    tool, slash, _ = rule.partition("/")
    return tool in tools_run if slash else links_checked or rule not in OUTSIDE


def filter_unsuppressed(findings: Iterable[Finding], site: Site, config: Config) -> list[Finding]:
    """Return the findings that are not suppressed."""
    return _remove_ignored(findings, _read_ignores(_iter_files(site), get_rules())[0], site, config)


def _remove_ignored(findings: Iterable[Finding], ignores: list[Ignore], site: Site, config: Config) -> list[Finding]:
    """Return the findings at those places that neither the configuration nor a comment ignores."""
    rules, index = get_rules(), _index_ignores(ignores)

    def is_kept(rule: str, span: Span) -> bool:
        is_ignored = config.is_ignored_in(span.path, rules[rule]) or (site.is_project and config.excludes(span.path))
        return not is_ignored and not _mark_matching_ignores(rule, span, index)

    return [kept for finding in findings if (kept := select_places(finding, partial(is_kept, finding.rule)))]


_Index = dict[tuple[str, str], list[Ignore]]


def _index_ignores(ignores: Iterable[Ignore]) -> _Index:
    """Index ignores by rule and file, ordered by what they cover."""
    return group_by(
        sorted(ignores, key=lambda ignore: ignore.covered_span.start),
        lambda ignore: (ignore.rule, ignore.covered_span.path),
    )


LOOK_BACK = 200  # Maximum ignores, or findings, of one rule that are searched for one that starts earlier and overlaps


def _mark_matching_ignores(rule: str, span: Span, index: _Index) -> bool:
    """Mark the ignores that cover a finding as used, and return whether there are any."""
    candidates = index.get((rule, span.path), [])
    end = bisect_right(candidates, span.end, key=lambda ignore: ignore.covered_span.start)
    file_wide = bisect_right(candidates, 0, key=lambda ignore: ignore.covered_span.start)
    nearby = candidates[: min(file_wide, LOOK_BACK)] + candidates[max(end - LOOK_BACK, file_wide) : end]
    matching = [ignore for ignore in nearby if ignore.contains(span)]
    for ignore in matching:
        ignore.used = True
    return bool(matching)


def _iter_files(site: Site) -> Iterator[_CommentedFile]:
    """Yield the files that may contain comments: pages, templates, and data."""
    templates = f"{site.layout.templates}/" if site.is_project else "\0"
    pages = {page.source.path: page for page in site.pages}
    sources = {**site.sources, **{path: page.source for path, page in pages.items()}}
    for path, source in sources.items():
        page, template = pages.get(path), path.startswith(templates)
        if CALLED.search(source.text) and (page or template or path.endswith((".yaml", ".yml"))):
            yield _CommentedFile(source, page.dialect if page else Dialect.PYTHON_MARKDOWN, template=template)


def _read_ignores(files_: Iterable[_CommentedFile], rules: Mapping[str, Rule]) -> tuple[list[Ignore], list[Finding]]:
    """Return what the comments ignore, and findings on invalid ones."""
    ignores, unknown = [], []
    for file in files_:
        for comment in file.comments:
            if comment.verb not in ("ignore", "ignore-file") or not comment.names:
                message = "this comment suppresses nothing; write `ignore[rule-name]` or `ignore-file[rule-name]`"
                span = file.source.span(comment.start, comment.end)
                unknown.append(Finding(UNKNOWN, Severity.WARNING, message, span))
                continue
            for start, end in comment.names:
                span = file.source.span(start, end)
                if span.text in rules or ("/" in span.text and is_tool_name(span.text)):
                    ignores.append(Ignore(span.text, span, file.get_covered_span(comment)))
                elif "/" not in span.text:  # else a rule of an unknown tool
                    unknown.append(_report_unknown(span, rules))
        misspelled = directive_comments.find_misspelled(file.source, file.dialect, template=file.template)
        unknown += [_report_misspelled(file, file.source.span(start, end), rules) for start, end in misspelled]
    return ignores, unknown


def _report_misspelled(file: _CommentedFile, span: Span, rules: Container[str]) -> Finding:
    """Report a comment that only resembles a suppression, with its correct form."""
    known_rules = [word for word in _WORD.findall(span.text) if word in rules]
    directive = f"tutorial-tool: ignore[{', '.join(known_rules) or 'rule-name'}]"
    if span.text.startswith("#"):
        comment = f"# {directive}"
    elif file.dialect in (Dialect.MDX, Dialect.DOCUSAURUS) and span.text.startswith("{/*"):
        comment = f"{{/* {directive} */}}"
    else:
        comment = f"{{# {directive} #}}" if file.template and span.text.startswith("{#") else f"<!-- {directive} -->"
    return Finding(UNKNOWN, Severity.WARNING, f"this comment suppresses nothing; write `{comment}`", span)


def _report_unknown(span: Span, rules: Iterable[str]) -> Finding:
    if span.text in (*GROUPS, COPIES, *TOOLS):
        kind = "tool" if span.text in TOOLS else "group"
        message = f"`{span.text}` is a {kind}; name the rules to suppress"
    else:
        message = f"unknown rule `{span.text}`{format_suggestion(span.text, rules)}"
    return Finding(UNKNOWN, Severity.WARNING, message, span)


def _find_unused(ignores: Iterable[Ignore], site: Site, config: Config) -> Iterator[Finding]:
    for ignore in ignores:
        if not ignore.used and _has_checked(get_rules()[ignore.rule], ignore.span.source, site, config):
            message = f"`{ignore.rule}` has no finding here; remove it from the comment"
            yield Finding(UNUSED, Severity.WARNING, message, ignore.span)


_PAGE_LIKE_RULES = frozenset(("broken-link", "missing-image", "misspelling"))
"""Rules that use the whole site, but report the same on a page when only part of the site is checked."""


def _has_checked(rule: Rule, source: Source, site: Site, config: Config) -> bool:
    """Return whether a rule checked a file with everything that it needs to find something there.

    Rules that compare files are trusted in projects only: elsewhere, a run may cover a part of the tree.
    """
    default = rule.get_default(in_project=site.is_project)
    if (
        rule.name in (UNUSED, UNKNOWN)
        or config.get_severity(rule, default) is None
        or config.is_ignored_in(source.path, rule)
    ):
        return False
    if site.is_project:
        is_shown = any(page.source is source or source in page.provenance for page in site.pages)
        return not site.errors and (is_shown or source.path.endswith((".yaml", ".yml")))
    pages = [page for page in site.pages if page.source is source]
    is_in_language = not rule.is_english_only or any(page.may_be_english for page in pages)
    return (rule.level in ("Page", "") or rule.name in _PAGE_LIKE_RULES) and is_in_language


def _apply_severities(findings: Iterable[Finding], site: Site, config: Config) -> Iterator[Finding]:
    for finding in findings:
        rule = get_rules()[finding.rule]
        severity = config.get_severity(rule, rule.get_default(in_project=site.is_project))
        if severity is not None:
            yield replace(finding, severity=severity)
