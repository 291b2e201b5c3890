"""A parenthesis that is never closed, or was never opened, in its paragraph, list item, or table cell."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, Prose
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import is_history
from tutorial_tool.site import Page

_MARK = lazy_re.compile(r"(?<![:;=])(?<![:;=]-)\(|(?<=:)\((?=\w)|\)")  # But `:(`
_ALONE = lazy_re.compile(r"[“\"]?(?:\d+\.)*(?:\w{1,2}|\d+|[ivx]+|[:;=]-?)")
"""What may be in front of a `)` alone, as in `1)`, `a)`, `iv)`, or `:-)`."""
_UNCLOSED = "no `)` closes this parenthesis"
_ENDS = (".", "!", "?")  # How a text ends that does not go on in another one


@rule("text", Severity.WARNING, english=True, yields_to=("unparsed-markup", "broken-link", "malformed-table"))
def check(page: Page) -> Iterator[Finding]:
    if is_history(page):
        return
    opened: int | None = None  # in a text that goes on in another one: around several paragraphs, or a list
    for prose in page.document.texts:
        goes_on = prose.startswith("(") or not prose.rstrip().endswith(_ENDS)
        for mark, start in _find_unmatched(page, prose):
            if mark == ")" and opened is None:
                yield page.flag((start, start + 1), "no `(` opens this parenthesis")
            elif mark == ")":
                opened = None
            elif not goes_on:
                yield page.flag((start, start + 1), _UNCLOSED)
            else:
                if opened is not None:
                    yield page.flag((opened, opened + 1), _UNCLOSED)
                opened = start
    if opened is not None:
        yield page.flag((opened, opened + 1), _UNCLOSED)


def _find_unmatched(page: Page, prose: Prose) -> Iterator[tuple[str, int]]:
    """Yield the parentheses of a text without a counterpart, each with its offset in the page."""
    if prose.kind not in ("paragraph", "item", "quote", "cell") or not ("(" in prose or ")" in prose):
        return
    opened: list[int] = []
    closed: list[int] = []
    for match in _MARK.finditer(prose):
        at = match.start()
        if match[0] == "(":
            opened.append(at)
        elif opened:
            opened.pop()
        else:
            start = max(map(prose[:at].rfind, " \n")) + 1
            is_in_url = MASK in prose[start:at] and "://" in page.plain[slice(*prose.locate(start, at))]
            is_note = page.plain.startswith("</", prose.locate(at, at + 1).end)  # `<sup>1)</sup>`
            if not (is_in_url or is_note or _ALONE.fullmatch(prose, start, at)):
                closed.append(at)
    if (opened or closed) and not _may_have_formula(page, prose):
        yield from ((prose[at], prose.locate(at, at + 1).start) for at in (*closed, *opened))


def _may_have_formula(page: Page, prose: Prose) -> bool:
    """Return whether a text may have code, or a formula: `$x$`, `\\(x\\)`, or an interval such as `[0, 1)`."""
    typed = page.plain[prose.block.start : prose.block.end]
    return "{" in prose or "$" in typed or "\\" in typed or prose.count("[") != prose.count("]")
