"""Markdown dialects, and guessing a page's dialect from its content."""

from __future__ import annotations

import enum
import re

from tutorial_tool.core import lazy_re


class Dialect(enum.StrEnum):
    """The Markdown dialect of a page."""

    PYTHON_MARKDOWN = "python-markdown"
    COMMONMARK = "commonmark"
    GFM = "gfm"
    MDX = "mdx"
    HUGO = "hugo"
    DOCUSAURUS = "docusaurus"
    KRAMDOWN = "kramdown"
    KRAMED = "kramed"
    MYST = "myst"


JSX = frozenset((Dialect.MDX, Dialect.DOCUSAURUS))  # Dialects with tags of JSX, expressions, `import` and `export`
HAS_SPANS = frozenset((Dialect.PYTHON_MARKDOWN, Dialect.KRAMDOWN))
"""Dialects in whose tables a pipe in a code span separates no cells."""

_IMPORT = lazy_re.compile(r"^(?:import (?:[^\n`]* from )?|\}[ \t]*from )[\"'][^\"'\n]+[\"']", re.MULTILINE)
_FENCED = lazy_re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_PYTHON_MARKDOWN = lazy_re.compile(
    r'^ *(?:(?:!!!|\?\?\?\+?) +(?:"|\w+)|===\+?!? +")|\{: *[#.]\w|^ *-+8<-+ ', re.MULTILINE
)
_SHORTCODE = lazy_re.compile(
    r"\{\{[<%] .{0,400}?[>%]\}\}"
)  # limited, since each unclosed one would be searched to the end of its line
_KRAMDOWN = lazy_re.compile(r"\{%-? *(?:link|post_url|highlight) |^\{:toc\}", re.MULTILINE)
_MYST = lazy_re.compile(
    r"^ *(?:`{3,}|:{3,}) ?\{(?:note|tip|hint|important|warning|caution|danger|admonition|seealso|toctree|figure"
    r"|eval-rst|tab-set|dropdown|versionadded|versionchanged|deprecated|literalinclude|list-table|code-block)\}"
    r"|^\([\w:.-]+\)=[ \t]*$|(?<![`\w])\{(?:ref|doc|numref|term|py:\w+)\}`[^`\n]",
    re.MULTILINE,
)
_ALERT = lazy_re.compile(r"^ *> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_SYNTAXES = (
    (_SHORTCODE, Dialect.HUGO),
    (_KRAMDOWN, Dialect.KRAMDOWN),
    (_MYST, Dialect.MYST),
    (_PYTHON_MARKDOWN, Dialect.PYTHON_MARKDOWN),
    (_ALERT, Dialect.COMMONMARK),
    (lazy_re.compile(r"^ *:{3,} *\w+", re.MULTILINE), Dialect.DOCUSAURUS),
)
"""Syntax that only one dialect has. The first that a page has tells its dialect."""


def is_sure_guess(dialect: Dialect, text: str) -> bool:
    """Return whether a guessed dialect is certain: attribute lists in braces are not only Python-Markdown's."""
    marks = (match[0] for match in _PYTHON_MARKDOWN.finditer(text))
    return dialect is not Dialect.PYTHON_MARKDOWN or any(mark[0] != "{" for mark in marks)


def guess_dialect(path: str, text: str) -> Dialect:
    """Guess the dialect of a single file from its suffix and from syntax that only one dialect has."""
    if path.lower().endswith(".mdx"):
        return Dialect.MDX
    for syntax, dialect in _SYNTAXES:
        is_found = syntax.search(text) is not None
        if is_found and (syntax is not _PYTHON_MARKDOWN or syntax.search(_FENCED.sub("", text))):
            return dialect
    if "import " in text and _IMPORT.search(_FENCED.sub("", text)):
        return Dialect.DOCUSAURUS
    return Dialect.GFM
