"""Code actions: a finding's fix, all safe fixes of a file, a comment that silences it, a word for the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.linter import fixer, suppressions
from tutorial_tool.linter.fix_guard import LintedSite
from tutorial_tool.lsp import edits, settling, silence, vocabulary
from tutorial_tool.lsp.edits import Uri
from tutorial_tool.lsp.places import range_of
from tutorial_tool.lsp.silence import File, Insertion
from tutorial_tool.lsp.workspace import Checked
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.directive_comments import Comment


# An ignore that silences nothing, taken out.
def cut(finding: Finding, file: File) -> tuple[int, int] | None:
    """What to take out of a file so that a comment no longer names a rule: mostly the comment, with its line."""
    text, (start, end) = file.source.text, file.yaml
    in_yaml = start <= finding.span.start < end
    comments = directive_comments.in_yaml(file.source, start, end) if in_yaml else []
    comments += [] if in_yaml else directive_comments.in_markdown(text, file.dialect, template=file.template)
    comment = next((item for item in comments if item.start <= finding.span.start < item.end), None)
    if comment is None:
        return None
    if len(comment.names) > 1:
        return _name_cut(comment, finding.span.start)
    line, stop = text.rfind("\n", 0, comment.start) + 1, text.find("\n", comment.end) + 1 or len(text)
    if text[line : comment.start].strip() or text[comment.end : stop].strip():
        return line + len(text[line : comment.start].rstrip()), comment.end
    blank_before = line == 0 or text[:line].endswith("\n\n")
    return line, stop + (blank_before and not in_yaml and text.startswith("\n", stop))


def _name_cut(comment: Comment, offset: int) -> tuple[int, int] | None:
    """One name of several, with the comma and blanks that part it from the next or last one."""
    index = next((at for at, (start, end) in enumerate(comment.names) if start <= offset < end), None)
    if index is None:
        return None
    start, end = comment.names[index]
    return (comment.names[index - 1][1], end) if index else (start, comment.names[1][0])


# The name that a finding says was meant, written in place of the one that stands there.
_RULES = frozenset(("invalid-data", "undefined-name", "invalid-template"))
_MEANT = lazy_re.compile(r"did you mean (['`])(?P<name>[^'`\n]+)\1\?$")
_QUOTED = lazy_re.compile(r"['`]([^'`\n]+)['`]")


def edit(finding: Finding) -> Edit | None:
    """The edit, where the message names what is meant, and what it is meant for stands at the finding's place."""
    match = _MEANT.search(finding.message) if finding.rule in _RULES and finding.exact else None
    if match is None:
        return None
    place = _odd(finding.span, _QUOTED.findall(finding.message[: match.start()]))
    return Edit(place, match["name"]) if place and match["name"] != place.text else None


def _odd(span: Span, named: list[str]) -> Span | None:
    """Where the last of some names stands that is at a place."""
    for name in reversed(named):
        at = span.text.rfind(name)
        if at >= 0 and span.text.count(name) == 1:
            return span.cut(at, at + len(name))
    return None


FIX_ALL = "source.fixAll.tutorial-tool"  # What editors run on saving, where that is wanted


class Asked(NamedTuple):
    """Which file of what was checked, which part of it, and how the client names and counts."""

    checked: Checked
    path: Path
    part: Span
    shown: tuple[types.Diagnostic, ...]
    uri: Uri
    encoding: str
    snippets: bool = False  # Whether the client can put the cursor where the reason is to be written

    @property
    def findings(self) -> list[Finding]:
        """The findings whose places share a character with the part, or touch it."""
        matches = self.checked.by_file.get(self.path, ())
        return [f for f in matches if f.span.start <= self.part.end and self.part.start <= f.span.end]

    @property
    def file(self) -> File:
        return File.of(self.checked, self.part.source)


def quick_fixes(asked: Asked) -> Iterator[types.CodeAction]:
    """What can be done about the findings of a part, the best first."""
    findings = asked.findings
    for finding in findings:
        yield from _fixes(finding, asked)
        yield from _meant(finding, asked)
        yield from _settled(finding, asked)
    for finding in findings:
        yield from _words(finding, asked)
    file, reported = asked.file, set[str]()
    for finding in findings:
        yield from _needless(finding, file, asked)
        yield from _silenced(finding, file, asked)
        if finding.rule not in reported:
            reported.add(finding.rule)
            made = silence.everywhere(finding, file)
            yield from _inserted(f"Ignore '{finding.rule}' in this file", finding, made, asked)


def _fixes(finding: Finding, asked: Asked) -> Iterator[types.CodeAction]:
    if finding.fix is None:
        return
    title = finding.fix.title[:1].upper() + finding.fix.title[1:]
    yield types.CodeAction(
        title if finding.fix.safe else f"{title} (review the change)",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=_diagnostics(finding, asked),
        is_preferred=finding.fix.safe,
        edit=edits.of_sources(finding.fix.edits, asked.checked.target.root, asked.uri, asked.encoding),
    )


def _meant(finding: Finding, asked: Asked) -> Iterator[types.CodeAction]:
    made = edit(finding) if finding.fix is None else None
    if made is not None:
        yield types.CodeAction(
            f"Write '{made.text}'",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=_diagnostics(finding, asked),
            edit=edits.of_sources((made,), asked.checked.target.root, asked.uri, asked.encoding),
        )


def _settled(finding: Finding, asked: Asked) -> Iterator[types.CodeAction]:
    """The other copies with the text of this one, or this one with theirs."""
    checked = asked.checked
    for way in settling.settle(finding, checked.site, checked.target):
        yield types.CodeAction(
            way.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=_diagnostics(finding, asked),
            edit=edits.of_sources(way.edits, checked.target.root, asked.uri, asked.encoding),
        )


def _words(finding: Finding, asked: Asked) -> Iterator[types.CodeAction]:
    word = vocabulary.word_of(finding)
    made = vocabulary.addition(asked.checked.target.config, word) if word else None
    if made is None:
        return
    if made.source is None:
        change = edits.new_file(made.path, made.text, asked.uri)
    else:
        place = edits.insertion(made.source, made.offset, made.text, asked.encoding)
        change = edits.workspace_edit({made.path: [place]}, asked.uri)
    yield types.CodeAction(
        f"Add '{word}' to the vocabulary ({made.path.name})",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=_diagnostics(finding, asked),
        edit=change,
    )


def _needless(finding: Finding, file: File, asked: Asked) -> Iterator[types.CodeAction]:
    """A comment that silences nothing is taken out."""
    part = cut(finding, file) if finding.rule == suppressions.UNUSED else None
    if part is not None:
        place = range_of(file.source.span(*part), asked.encoding)
        yield types.CodeAction(
            f"Remove the ignore of '{finding.span.text}'",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=_diagnostics(finding, asked),
            is_preferred=True,
            edit=edits.workspace_edit({asked.path: [types.TextEdit(place, "")]}, asked.uri),
        )


def _silenced(finding: Finding, file: File, asked: Asked) -> Iterator[types.CodeAction]:
    yield from _inserted(f"Ignore '{finding.rule}' here, with a reason", finding, silence.here(finding, file), asked)


def _inserted(title: str, finding: Finding, made: Insertion | None, asked: Asked) -> Iterator[types.CodeAction]:
    if made is None:
        return
    place = edits.insertion(asked.part.source, made.offset, made.text, asked.encoding)
    if asked.snippets:
        change = types.WorkspaceEdit(document_changes=[_snippet(asked, place.range, made)])
    else:
        change = edits.workspace_edit({asked.path: [place]}, asked.uri)
    yield types.CodeAction(
        title, kind=types.CodeActionKind.QuickFix, diagnostics=_diagnostics(finding, asked), edit=change
    )


def _snippet(asked: Asked, place: types.Range, made: Insertion) -> types.TextDocumentEdit:
    """The comment, with the cursor on its reason."""
    before, after = made.text[: made.reason], made.text[made.reason + len(silence.REASON) :]
    text = f"{_literal(before)}${{1:{silence.REASON}}}{_literal(after)}"
    document = types.OptionalVersionedTextDocumentIdentifier(asked.uri(asked.path))
    return types.TextDocumentEdit(document, [types.SnippetTextEdit(place, types.StringValue(text))])


def _literal(text: str) -> str:
    """A text in a snippet, as it is."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _diagnostics(finding: Finding, asked: Asked) -> list[types.Diagnostic] | None:
    """What the client shows of a finding."""
    place = range_of(finding.span, asked.encoding)
    return [shown for shown in asked.shown if shown.range == place and shown.code == finding.rule] or None


# All of a file


def may_fix_all(checked: Checked, path: Path) -> bool:
    """Whether a file has a finding with a safe fix that changes this file alone."""
    return any(_is_own(finding, checked.name(path)) for finding in checked.by_file.get(path, ()))


def fix_all(checked: Checked, path: Path) -> list[Edit]:
    """The edits of all safe fixes of a file, after as many rounds as they take; those that do harm are left out."""
    name, target = checked.name(path), checked.target
    if target.layout is None:
        target = replace(target, paths=(path,))  # of a tree, one page is fixed as `lint --fix PAGE` fixes it

    def load(overlay: Mapping[str, str]) -> LintedSite:
        site, findings = target.lint({**checked.texts, **overlay})
        return LintedSite(site, [f if _is_own(f, name) else replace(f, fix=None) for f in findings])

    change = fixer.run_rounds(load).changes.get(name)
    if change is None:
        return []
    return [
        Edit(change.before.span(start, end), text)
        for start, end, text in _differences(change.before.text, change.after.text)
    ]


def _is_own(finding: Finding, name: str) -> bool:
    return finding.fix is not None and finding.fix.safe and all(e.span.path == name for e in finding.fix.edits)


def _differences(before: str, after: str) -> Iterable[tuple[int, int, str]]:
    """What to replace so that one text becomes the other, whole lines at a time."""
    from difflib import SequenceMatcher

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield starts[a], starts[b], "".join(new[c:d])
