"""Build code actions: a finding's fix, all safe fixes of a file, an ignore comment, a vocabulary word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from string import ascii_letters, digits
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Span, find_line_start
from tutorial_tool.linter import fixer, suppressions
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.lsp import edits, suppression_comments, variant_actions, vocabulary
from tutorial_tool.lsp.edits import Uri
from tutorial_tool.lsp.places import build_range
from tutorial_tool.lsp.suppression_comments import File, Insertion
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.directive_comments import Comment
from tutorial_tool.variation.multi_alignment import find_changed_runs

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


# Remove an ignore comment that suppresses nothing.
def find_ignore_span(finding: Finding, file: File) -> tuple[int, int] | None:
    """Return the span to remove so that a comment no longer names a rule: mostly the comment's line."""
    text, (start, end) = file.source.text, file.yaml
    in_yaml = start <= finding.span.start < end
    comments = directive_comments.find_in_yaml(file.source, start, end) if in_yaml else []
    comments += [] if in_yaml else directive_comments.find_in_markdown(text, file.dialect, template=file.template)
    comment = next((item for item in comments if item.start <= finding.span.start < item.end), None)
    if comment is None:
        return None
    if len(comment.names) > 1:
        return _find_name_span(comment, finding.span.start)
    line, stop = find_line_start(text, comment.start), text.find("\n", comment.end) + 1 or len(text)
    if text[line : comment.start].strip() or text[comment.end : stop].strip():
        return line + len(text[line : comment.start].rstrip()), comment.end
    blank_before = line == 0 or text[:line].endswith("\n\n")
    return line, stop + (blank_before and not in_yaml and text.startswith("\n", stop))


def _find_name_span(comment: Comment, offset: int) -> tuple[int, int] | None:
    """Return the span of one name of several, with the comma and blanks that separate it."""
    index = next((at for at, (start, end) in enumerate(comment.names) if start <= offset < end), None)
    if index is None:
        return None
    start, end = comment.names[index]
    return (comment.names[index - 1][1], end) if index else (start, comment.names[1][0])


# Replace a name with the one that a finding suggests.
_RULES = frozenset(("invalid-data", "undefined-name", "invalid-template"))
_DID_YOU_MEAN = lazy_re.compile(r"did you mean (['`])(?P<name>[^'`\n]+)\1\?")
_DOTTED = "._" + ascii_letters + digits
_QUOTED = lazy_re.compile(r"['`]([^'`\n]+)['`]")


def suggest_edit(finding: Finding) -> Edit | None:
    """Return the edit if the message names the replacement and the text to replace is at the finding."""
    match = _DID_YOU_MEAN.search(finding.message) if finding.rule in _RULES and finding.exact else None
    if match is None:
        return None
    span = _find_named_span(finding.span, _QUOTED.findall(finding.message[: match.start()]))
    if span and match["name"].endswith(f".{span.text}"):  # it also replaces `platforms.` before the name
        span = span._replace(start=len(span.source.text[: span.start].rstrip(_DOTTED)))
    return Edit(span, match["name"]) if span and match["name"] != span.text else None


def _find_named_span(span: Span, named: list[str]) -> Span | None:
    """Return the span of the last of some names that occurs once in a span."""
    for name in reversed(named):
        offset = span.text.rfind(name)
        if offset >= 0 and span.text.count(name) == 1:
            return span.cut(offset, offset + len(name))
    return None


FIX_ALL = "source.fixAll.tutorial-tool"  # What editors run on save, if enabled


class ActionRequest(NamedTuple):
    """A request for code actions: the file, its part, and the client's diagnostics, URIs and encoding."""

    checked: CheckedTarget
    path: Path
    part: Span
    diagnostics: tuple[types.Diagnostic, ...]
    uri: Uri
    encoding: str
    snippets: bool = False  # Whether the client can put the cursor where the reason goes

    @property
    def findings(self) -> list[Finding]:
        """The findings whose spans overlap or touch the part."""
        matches = self.checked.by_file.get(self.path, ())
        return [f for f in matches if f.span.start <= self.part.end and self.part.start <= f.span.end]

    @property
    def file(self) -> File:
        return File.from_source(self.checked, self.part.source)


def iter_quick_fixes(requested: ActionRequest) -> Iterator[types.CodeAction]:
    """Yield the quick fixes for the findings of a part, best first."""
    findings = requested.findings
    for finding in findings:
        yield from _build_fix_actions(finding, requested)
        yield from _build_suggestion_actions(finding, requested)
        yield from _build_resolve_actions(finding, requested)
    for finding in findings:
        yield from _build_vocabulary_actions(finding, requested)
    file, reported = requested.file, set[str]()
    for finding in findings:
        yield from _build_removal_actions(finding, file, requested)
        comment = suppression_comments.build_line_ignore(finding, file)
        title = f"Ignore `{finding.rule}` here, with a reason"
        yield from _build_insertion_actions(title, finding, comment, requested)
        if finding.rule not in reported:
            reported.add(finding.rule)
            comment = suppression_comments.build_file_ignore(finding, file)
            yield from _build_insertion_actions(f"Ignore `{finding.rule}` in this file", finding, comment, requested)


def _build_action(
    title: str, finding: Finding, requested: ActionRequest, edit: types.WorkspaceEdit, *, preferred: bool | None = None
) -> types.CodeAction:
    """Build the quick fix of a finding, for the client's diagnostics of it."""
    span = build_range(finding.span, requested.encoding)
    diagnostics = [item for item in requested.diagnostics if item.range == span and item.code == finding.rule] or None
    kind = types.CodeActionKind.QuickFix
    return types.CodeAction(title, kind=kind, diagnostics=diagnostics, is_preferred=preferred, edit=edit)


def _convert_edits(changes: Iterable[Edit], requested: ActionRequest) -> types.WorkspaceEdit:
    return edits.convert_edits(changes, requested.checked.target.root, requested.uri, requested.encoding)


def _build_fix_actions(finding: Finding, requested: ActionRequest) -> Iterator[types.CodeAction]:
    if finding.fix is None:
        return
    title = finding.fix.title[:1].upper() + finding.fix.title[1:]
    title = title if finding.fix.safe else f"{title} (review the change)"
    edit = _convert_edits(finding.fix.edits, requested)
    yield _build_action(title, finding, requested, edit, preferred=finding.fix.safe)


def _build_suggestion_actions(finding: Finding, requested: ActionRequest) -> Iterator[types.CodeAction]:
    edit = suggest_edit(finding) if finding.fix is None else None
    if edit is not None:
        yield _build_action(f"Write `{edit.text}`", finding, requested, _convert_edits((edit,), requested))


def _build_resolve_actions(finding: Finding, requested: ActionRequest) -> Iterator[types.CodeAction]:
    """Yield the actions that apply this copy's text to the others, or theirs to this one."""
    checked = requested.checked
    for resolution in variant_actions.find_resolutions(finding, checked.site, checked.target):
        yield _build_action(resolution.title, finding, requested, _convert_edits(resolution.edits, requested))


def _build_vocabulary_actions(finding: Finding, requested: ActionRequest) -> Iterator[types.CodeAction]:
    word = vocabulary.get_word(finding)
    addition = vocabulary.build_addition(requested.checked.target.config, word) if word else None
    if addition is None:
        return
    if addition.source is None:
        change = edits.build_new_file(addition.path, addition.text, requested.uri)
    else:
        insertion = edits.build_insertion(addition.source, addition.offset, addition.text, requested.encoding)
        change = edits.build_workspace_edit({addition.path: [insertion]}, requested.uri)
    yield _build_action(f"Add `{word}` to the vocabulary ({addition.path.name})", finding, requested, change)


def _build_removal_actions(finding: Finding, file: File, requested: ActionRequest) -> Iterator[types.CodeAction]:
    """Yield the action that removes a comment that suppresses nothing."""
    part = find_ignore_span(finding, file) if finding.rule == suppressions.UNUSED else None
    if part is not None:
        removal = types.TextEdit(build_range(file.source.span(*part), requested.encoding), "")
        edit = edits.build_workspace_edit({requested.path: [removal]}, requested.uri)
        yield _build_action(f"Remove the ignore of `{finding.span.text}`", finding, requested, edit, preferred=True)


def _build_insertion_actions(
    title: str, finding: Finding, comment: Insertion | None, requested: ActionRequest
) -> Iterator[types.CodeAction]:
    if comment is None:
        return
    insertion = edits.build_insertion(requested.part.source, comment.offset, comment.text, requested.encoding)
    if requested.snippets:
        change = types.WorkspaceEdit(document_changes=[_build_snippet_edit(requested, insertion.range, comment)])
    else:
        change = edits.build_workspace_edit({requested.path: [insertion]}, requested.uri)
    yield _build_action(title, finding, requested, change)


def _build_snippet_edit(requested: ActionRequest, place: types.Range, comment: Insertion) -> types.TextDocumentEdit:
    """Return the edit that inserts the comment, with its reason as a placeholder under the cursor."""
    before, after = comment.text.split(suppression_comments.REASON, 1)
    text = f"{_escape_snippet(before)}${{1:{suppression_comments.REASON}}}{_escape_snippet(after)}"
    document = types.OptionalVersionedTextDocumentIdentifier(requested.uri(requested.path))
    return types.TextDocumentEdit(document, [types.SnippetTextEdit(place, types.StringValue(text))])


def _escape_snippet(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


# All fixes of a file


def can_fix_all(checked: CheckedTarget, path: Path) -> bool:
    """Return whether a file has a finding with a safe fix that changes this file alone."""
    return any(_is_own(finding, checked.get_name(path)) for finding in checked.by_file.get(path, ()))


def fix_all(checked: CheckedTarget, path: Path) -> list[Edit]:
    """Return the edits of all safe fixes of a file, repeated as needed, without harmful ones."""
    name, target = checked.get_name(path), checked.target
    if target.layout is None:
        target = replace(target, paths=(path,))  # in a tree, fix one page as `lint --fix PAGE` does

    def load(overlay: Mapping[str, str]) -> LintedSite:
        site, findings = target.lint({**checked.texts, **overlay})
        return LintedSite(site, [f if _is_own(f, name) else replace(f, fix=None) for f in findings])

    change = fixer.run_rounds(load).changes.get(name)
    if change is None:
        return []
    return [
        Edit(change.before.span(start, end), text)
        for start, end, text in _iter_differences(change.before.text, change.after.text)
    ]


def _is_own(finding: Finding, name: str) -> bool:
    return finding.fix is not None and finding.fix.safe and all(e.span.path == name for e in finding.fix.edits)


def _iter_differences(before: str, after: str) -> Iterable[tuple[int, int, str]]:
    """Yield the replacements, in whole lines, that turn one text into the other."""
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = list(accumulate(map(len, old_lines), initial=0))
    for a, b, c, d in find_changed_runs(old_lines, new_lines):
        yield starts[a], starts[b], "".join(new_lines[c:d])
