"""Build the comment that suppresses a finding in Markdown, a template or YAML, wherever that is safe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.linter import suppressions
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Block, Dialect
from tutorial_tool.site import Page, Site

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget

REASON = "say why"  # Placeholder for the author's reason
NEVER_IGNORED = frozenset(
    "invalid-data invalid-template undefined-name unreadable-file unknown-ignore unused-ignore".split()
)
"""What cannot be suppressed: pages are missing until it is fixed, or it is about suppression comments."""
_INDENTATION = lazy_re.compile(r"[ \t]*")
_TAGS = lazy_re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


class Insertion(NamedTuple):
    """A text to insert at an offset."""

    offset: int
    text: str


def find_written_page(site: Site, path: str) -> Page | None:
    """Return the page of a file, if it is handwritten."""
    return next((page for page in site.pages if page.source.path == path and not page.generated), None)


class File(NamedTuple):
    """A file with a finding; `template`: it is in the templates folder."""

    source: Source
    dialect: Dialect
    template: bool

    @classmethod
    def from_source(cls, checked: CheckedTarget, source: Source) -> File:
        """Return a file of a project or tree."""
        site = checked.site
        page = find_written_page(site, source.path)
        template = site.is_project and source.path.startswith(f"{site.layout.templates}/")
        return cls(source, page.dialect if page else Dialect.PYTHON_MARKDOWN, template)

    @property
    def yaml(self) -> tuple[int, int]:
        """The YAML part: all of a data file, the front matter of a page; (0, 0) if there is none."""
        if self.source.path.endswith((".yaml", ".yml")):
            return 0, len(self.source.text)
        front = data.find_front_matter(self.source.text)
        return (front.start, front.end) if front else (0, 0)


def build_line_ignore(finding: Finding, file: File) -> Insertion | None:
    """Return the comment that suppresses a finding and as little else as possible; None if none is safe."""
    if finding.rule in NEVER_IGNORED:
        return None
    start, end = file.yaml
    if start <= finding.span.start < end:
        candidates, is_harmless = _iter_above(file, finding, _format_comment("#", finding.rule)), _has_same_data
    elif file.template:
        comment = _format_comment("{#", finding.rule)
        candidates, is_harmless = _iter_above(file, finding, comment, lines=1), _is_outside_tags
    else:
        comment = _format_comment(_get_opening(file.dialect), finding.rule)
        candidates, is_harmless = _iter_in_markdown(file, finding, comment), _has_same_page
    return next((made for made in candidates if is_harmless(file, made) and _is_effective(file, finding, made)), None)


def build_file_ignore(finding: Finding, file: File) -> Insertion | None:
    """Return the comment that suppresses a rule in a whole file; None if none can."""
    if finding.rule in NEVER_IGNORED:
        return None
    if file.source.path.endswith((".yaml", ".yml")):
        insertion = Insertion(0, _format_comment("#", finding.rule, "ignore-file") + "\n")
    else:
        opening = "{#" if file.template else _get_opening(file.dialect)
        blank = "" if file.template else "\n"
        insertion = Insertion(
            directive_comments.find_body_start(file.source.text),
            _format_comment(opening, finding.rule, "ignore-file") + "\n" + blank,
        )
    return insertion if _is_effective(file, finding, insertion) else None


def _get_opening(dialect: Dialect) -> str:
    return "{/*" if dialect in (Dialect.MDX, Dialect.DOCUSAURUS) else "<!--"


def _format_comment(opening: str, rule: str, verb: str = "ignore") -> str:
    closing = {"{#": " #}", "{/*": " */}", "<!--": " -->", "#": ""}[opening]
    return f"{opening} {directive_comments.NAME} {verb}[{rule}] {REASON}{closing}"


# Allowed positions


def _iter_above(file: File, finding: Finding, comment: str, lines: int = 40) -> Iterator[Insertion]:
    """Yield insertions on a separate line: above the finding's, or above an earlier, less indented one."""
    source, depth = file.source, None
    finding_line = source.get_position(finding.span.start).line
    for line in range(finding_line, max(finding_line - lines, 0), -1):
        text = source.get_line_text(line)
        indentation = _INDENTATION.match(text)
        assert indentation is not None  # may be empty
        if text.strip() and (depth is None or len(indentation[0]) < depth):
            depth = len(indentation[0])
            yield Insertion(source.get_line_start(line), f"{indentation[0]}{comment}\n")


def _iter_in_markdown(file: File, finding: Finding, comment: str) -> Iterator[Insertion]:
    """Yield insertions above a block that is not nested, at the end of the line, and above the outermost block."""
    source = file.source
    blocks = _find_enclosing_blocks(Document(source.text, file.dialect).blocks, finding.span.start)
    outer = [source.get_line_start(source.get_position(block.start).line) for block in blocks[-1:]]
    if len(blocks) == 1:
        yield from (Insertion(start, comment + end) for start in outer for end in ("\n", "\n\n"))
    end = source.get_line_end(source.get_position(finding.span.start).line)
    line = source.text[:end].rstrip(" ")  # two spaces at its end would break the line
    yield Insertion(len(line), f" {comment}")
    yield from (Insertion(start, f"{comment}\n\n") for start in outer)


def _find_enclosing_blocks(blocks: Iterable[Block], offset: int) -> list[Block]:
    for block in blocks:
        if block.start <= offset < max(block.end, block.start + 1):
            return [*_find_enclosing_blocks(block.children, offset), block]
    return []


# Unintended changes


def _apply_insertion(file: File, insertion: Insertion) -> Source:
    text = file.source.text
    return Source(file.source.path, text[: insertion.offset] + insertion.text + text[insertion.offset :])


def _is_effective(file: File, finding: Finding, insertion: Insertion) -> bool:
    source = _apply_insertion(file, insertion)
    shift = len(insertion.text) if insertion.offset <= finding.span.start else 0
    span = source.span(finding.span.start + shift, finding.span.end + shift)
    ignores = suppressions.find_ignores(source, file.dialect, template=file.template)
    comment = range(insertion.offset, insertion.offset + len(insertion.text))
    inserted = [ignore for ignore in ignores if ignore.span.start in comment]
    return any(ignore.rule == finding.rule and ignore.covered_span.overlaps(span) for ignore in inserted)


def _has_same_data(file: File, insertion: Insertion) -> bool:
    start, end = file.yaml
    before = data.load_yaml(file.source, start, end).node
    after = data.load_yaml(_apply_insertion(file, insertion), start, end + len(insertion.text)).node
    return _get_texts(before) == _get_texts(after)


def _get_texts(node: data.Node | None) -> list[str]:
    return [str(scalar.text) for scalar in data.iter_scalars(node, keys=True)]


def _has_same_page(file: File, insertion: Insertion) -> bool:
    texts = (file.source.text, _apply_insertion(file, insertion).text)
    before, after = (_summarize_page(Document(text, file.dialect)) for text in texts)
    return before == after


def _summarize_page(document: Document) -> tuple[list[str], int, int]:
    """Summarize what a reader sees of a page, as far as a comment could change it."""
    return [" ".join(text.split()) for text in document.get_prose()], len(document.headings), len(document.tables)


def _is_outside_tags(file: File, insertion: Insertion) -> bool:
    return not any(tag.start() < insertion.offset < tag.end() for tag in _TAGS.finditer(file.source.text))
