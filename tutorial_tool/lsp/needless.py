"""An ignore that silences nothing, taken out."""

from __future__ import annotations

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.lsp.silence import File
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.directive_comments import Comment


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
