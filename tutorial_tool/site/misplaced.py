"""Find misplaced tags: a whole link inside a URL, several lines within a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, build_error
from tutorial_tool.core.source import Source, blank_text

_MARK = lazy_re.compile(r"\{\{[-+]?\s*(?:link|figure|table|code)\(")
_HIDDEN = lazy_re.compile(r"\{#.*?#\}|\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}", re.DOTALL)
"""Text without tags: comments and raw blocks of Jinja."""
_ADDRESS = lazy_re.compile(
    r"(?:\[(?P<text>[^\[\]\n]*)\]\(\s*<?|\b(?:href|src)\s*=\s*[\"']?)"
    r"(?P<tag>\{\{[-+]?\s*(?P<call>link|figure)\((?:\s*(?P<ref>'[^'\n]*'|\"[^\"\n]*\")\s*\))?[^}\n]*\}\})"
)
_IN_TEXT = lazy_re.compile(
    r"(?<!!)\[(?P<before>[^\[\]\n]*)"
    r"(?P<tag>\{\{[-+]?\s*(?P<call>link)\((?:\s*(?P<ref>'[^'\n]*'|\"[^\"\n]*\")\s*\))?[^}\n]*\}\})"
    r"(?P<after>[^\[\]\n]*)\]\((?!\s*\{\{)"
)
_BLOCK = lazy_re.compile(
    r"^(?P<before>[^\n]*?)(?P<tag>\{\{[-+]?\s*(?P<call>table|code)\([^}\n]*\)\s*[-+]?\}\})(?P<after>[^\n]*)$",
    re.MULTILINE,
)
_BRANCH = lazy_re.compile(r"\{%[-+]?\s*(?P<word>if|elif|else|endif)\b[^%]*%\}")
_NO_TEXT = lazy_re.compile(r"\{%.*?%\}|</?[A-Za-z][^>]*>|<!--.*?-->|\{:[^}]*\}\s*$|^[ \t>]+|\s+")
"""Allowed on the line of a block: statements, HTML, attributes, quote markers."""
_ITEM = lazy_re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")
_FENCE = lazy_re.compile(r"[ \t]*`{3}[^`\n]*")


def find_in_template(source: Source) -> tuple[Finding, ...]:
    """Return the findings about misplaced tags in a template."""
    return tuple(_iter_findings(source)) if _MARK.search(source.text) else ()


def _iter_findings(source: Source) -> Iterator[Finding]:
    text = _HIDDEN.sub(lambda hidden: blank_text(hidden[0]), source.text)
    for match in _ADDRESS.finditer(text):
        yield build_error("invalid-template", _explain_in_url(match), source.span(*match.span("tag")))
    for match in _IN_TEXT.finditer(text):
        yield build_error("invalid-template", _explain_in_text(match), source.span(*match.span("tag")))
    for match in _BLOCK.finditer(text):
        if beside_block := _explain_beside_block(text, match):
            yield build_error("invalid-template", beside_block, source.span(*match.span("tag")))


def _explain_in_url(match: re.Match[str]) -> str:
    if match["call"] == "figure":
        return "`figure()` prints a whole image, not a URL: write it on its own"
    message = "`link()` prints a whole link, not a URL"
    if not match["ref"]:
        return f"{message}: give it the words with `text=`, and write no link around it"
    words = (match["text"] or "…").replace("'", "\\'")
    return f"{message}: write `{{{{ link({match['ref']}, text='{words}') }}}}` for all of it"


def _explain_in_text(match: re.Match[str]) -> str:
    message = "`link()` prints a whole link, and no text for one"
    if not match["ref"]:
        return f"{message}: write it without a link around it"
    if not (match["before"] + match["after"]).strip():
        return f"{message}: write `{{{{ link({match['ref']}) }}}}` alone"
    return f"{message}: write the words with `text=`, or beside it, and no link around it"


def _explain_beside_block(text: str, match: re.Match[str]) -> str | None:
    """Return what is wrong with the lines around a block's tag, if anything."""
    call = match["call"]
    before, after = _find_shown_text(match["before"], match["after"])
    if _NO_TEXT.sub("", _ITEM.sub("", before, 1)) or _NO_TEXT.sub("", after):
        return f"`{call}()` prints several lines: put it on its own line"
    adjacent_lines = (text[: max(match.start() - 1, 0)].rpartition("\n")[2], text[match.end() + 1 :].partition("\n")[0])
    if call == "code" and all(map(_FENCE.fullmatch, adjacent_lines)):
        return "`code()` prints its own fence: remove the one around it"
    return None


def _find_shown_text(before: str, after: str) -> tuple[str, str]:
    """Return the text next to a block's tag on its line, without that of other branches of an `{% if %}`."""
    line, offset = f"{before}\0{after}", 0
    open_branches = dict[int, int]()  # The number of the branch, by the offset of its `if`
    parts = list[tuple[str, dict[int, int]]]()
    for tag in _BRANCH.finditer(line):
        parts.append((line[offset : tag.start()], dict(open_branches)))
        offset = tag.end()
        if tag["word"] == "if":
            open_branches[tag.start()] = 0
        elif not open_branches:
            continue
        elif tag["word"] == "endif":
            open_branches.popitem()
        else:
            open_branches[max(open_branches)] += 1
    parts.append((line[offset:], open_branches))
    own = next(branches for text, branches in parts if "\0" in text)
    shown = (text for text, branches in parts if all(branches[tag] == own[tag] for tag in branches.keys() & own.keys()))
    before_block, _, after_block = "".join(shown).partition("\0")
    return before_block, after_block
