"""A paragraph without a period, where the others of its page end with one, or without a colon before what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import MASK, Prose
from tutorial_tool.rules import rule
from tutorial_tool.rules.text._corpus import is_history
from tutorial_tool.site import Page, PageFix

_SENTENCE = lazy_re.compile(
    r"(?-i:[A-Z])(?=(?:\S+\s+){7})(?=[\s\S]*\b(?:you|it|this|we|is|are|can|will|must|should)\b)", re.IGNORECASE
)
_ENDED = lazy_re.compile(rf"[.!?:;…][\"”’)\]]*(?:\s*{MASK})*\Z")
_OPEN = lazy_re.compile(rf"(?:[a-z]{{2}}|[a-z]\)|{MASK})\Z")
_GOES_ON = lazy_re.compile(r"\b(?:and|or|by|that|since|as|at|including|to|the|an?|is|are)\Z")
"""End of a paragraph whose sentence continues in a list or a sample."""
_MARKED = ("[", "*", "_", "<", "!", "{")  # Start of a paragraph that may be a heading or a button
_TYPED_END = lazy_re.compile(
    r"(?:https?://|www\.)\S*\Z|>\Z|!\[[^\]]*\]\([^)]*\)\Z|\]\{[^}]*\}\Z|[.!?:;…][\"”’`)*_]*(?:\s*\[\^[^\]]*\])*\Z"
)
"""A URL, a tag, an image, a directive, or a mark that the parsed text lacks, such as one in code."""
_FORMULA = lazy_re.compile(r"\s*(?:\$\$|\\\[|```math)")  # Completes the sentence of the previous paragraph
_ANNOUNCES = lazy_re.compile(r"\b(?:the following|as follows|like this|these steps)\b[^.!?:;…\uff1a]*\Z", re.IGNORECASE)
"""A sentence that introduces a list, a table or a sample. 36 trees, 2026-11: 99 % end with a colon or period."""
_LISTED = lazy_re.compile(r"\s*(?:[-*+] |\||\d+[.)]|```|~~~|:::)")


@rule("text", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    if is_history(page):
        return
    text = page.plain
    paragraphs = [prose for prose in page.document.texts if prose.block.kind == prose.kind == "paragraph"]
    sentences = [prose for prose in paragraphs if _SENTENCE.match(prose)]
    ended = sum(_ENDED.search(prose.rstrip()) is not None for prose in sentences)
    without = [prose for prose in sentences if _lacks_end_mark(prose, text)]
    if len(without) > 2 or ended < 10 * len(without):  # 21 trees, 2026-11: 89 of 97 reviewed are slips
        without = []
    for prose in paragraphs:
        if _LISTED.match(text, prose.block.end) and _ANNOUNCES.search(prose.rstrip()) and _lacks_end_mark(prose, text):
            yield _build_finding(page, prose, ":", "missing colon: this sentence introduces what follows")
        elif prose in without:
            message = f"missing period or colon: the other {ended} paragraphs on this page end with one"
            yield _build_finding(page, prose, ":" if _LISTED.match(text, prose.block.end) else ".", message)


def _build_finding(page: Page, prose: Prose, mark: str, message: str) -> Finding:
    read = prose.rstrip()
    end = prose.block.start + len(page.plain[prose.block.start : prose.block.end].rstrip())
    fix = PageFix(f"add `{mark}`", ((end, end, mark),), safe=False)
    return page.flag(prose.locate(len(read) - len(read.split()[-1]), len(read)), message, fix=fix)


def _lacks_end_mark(prose: Prose, text: str) -> bool:
    read, typed = prose.rstrip(), text[prose.block.start : prose.block.end].strip()
    if _FORMULA.match(text, prose.block.end) or typed.startswith(_MARKED) or _TYPED_END.search(typed[-200:]):
        return False
    return _OPEN.search(read) is not None and not _GOES_ON.search(read)
