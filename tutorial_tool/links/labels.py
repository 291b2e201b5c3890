"""The labels of a site of Sphinx or MyST, which links on all of its pages may name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from posixpath import basename, dirname, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.readings import SUFFIXES
from tutorial_tool.links.references import Reference
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page

_LABEL = lazy_re.compile(r"#?((?:[a-z][a-z0-9]*:)?[a-z0-9]+(?:[-_][a-z0-9]+)*-[a-z0-9]+(?:[-_][a-z0-9]+)*)")
"""What people call a label, and programs hardly call what is documented in them: words with a hyphen."""
_TARGET = lazy_re.compile(r"#([a-z][a-z0-9]*(?:[:-][a-z0-9]+)*)")
"""What a link of MyST names, on whatever page it stands; `#Lamp.start` is something that is documented in code."""
_STATED = lazy_re.compile(
    r"^[ \t>]*\.\.[ \t]+_`?([^`:\n]+(?::[^`:\s]+)?)`?:[ \t]*$|\(([^\s()]+)\)=|\$\$[ \t]*\(([^\s()]+)\)[ \t]*$"
    r"|:?(?:name|label|id)[:=][ \t]*[\"']?([^\s\"'>]+)",
    re.MULTILINE,
)
"""Where reStructuredText, MyST and HTML state a label."""
_WORD = lazy_re.compile(r"[a-z][a-z0-9_-]{4,}")
"""What may be the name of a page, long enough that another is hardly as near."""
_NAME = lazy_re.compile(r"[\w:.+-]+")
_BEFORE = lazy_re.compile(r"^[ \t]*\(([^\s()]+)\)=[ \t]*$", re.MULTILINE)  # A target of MyST, on a line of its own
_OTHERS = (".rst", ".txt", ".ipynb", ".md", ".inc")
_DEPTH = 50
_FEWEST = 3  # How many labels must be there, before one that is not there may be a slip


class Labels:
    """The labels of each tree. `anchors` gives those of a page, `references` what stands on it."""

    def __init__(
        self, pages: Pages, anchors: Callable[[Page], Iterable[str]], references: Callable[[Page], Iterable[Reference]]
    ) -> None:
        self._pages, self._anchors, self._references = pages, anchors, references
        self._known: dict[str, frozenset[str]] = {}
        self._sure: dict[str, bool] = {}
        self._targets: dict[str, frozenset[str]] = {}

    def lost(self, page: Page, reference: Reference) -> str:
        """The label that a link names and no page has; nothing where it is there, or where that cannot be told."""
        tree = self._pages.tree(page)
        label = _named(reference) if tree.generator.has_labels else ""
        return label if label and label not in self.known(tree) and self._is_sure(tree) else ""

    def document(self, page: Page, reference: Reference) -> str:
        """The page beside one which a link on that misnames by one letter, or two that are exchanged."""
        tree, name = self._pages.tree(page), reference.href
        if (
            not tree.generator.has_labels
            or reference.kind != "inline"
            or reference.is_image
            or not _WORD.fullmatch(name)
        ):
            return ""
        from rapidfuzz.distance import OSA

        beside = self._pages.disk.entries(dirname(self._pages.file(page)))
        names = [splitext(text)[0] for text in beside if text.endswith(_OTHERS)]
        near = [text for text in names if OSA.distance(name, text, score_cutoff=1) == 1]
        is_one = len(near) == 1 and not near[0].startswith(name) and not name.startswith(near[0])
        return near[0] if is_one and name.lower() not in self.known(tree) else ""

    def is_target(self, page: Page, name: str) -> bool:
        """Whether a page around is one of MyST's and states a target of a name, wherever its configuration stands."""
        tree = self._pages.tree(page)
        if tree.is_exact or not _NAME.fullmatch(name) or name.endswith((".html", *SUFFIXES)):
            return False
        if tree.id not in self._targets:
            texts = self._texts(self._pages.folder(tree), SUFFIXES)
            self._targets[tree.id] = frozenset(item.lower() for text in texts for item in _BEFORE.findall(text))
        return name.lower() in self._targets[tree.id]

    def _texts(self, folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
        for file in self._pages.disk.walk(folder, _DEPTH):
            page = self._pages.by_file.get(file)
            if page is not None:
                yield page.plain
            elif file.endswith(suffixes):
                read = files.read(Path(file), root=folder)
                yield read.text if isinstance(read, Source) else ""

    def known(self, tree: Tree) -> frozenset[str]:
        """All labels of a tree."""
        if tree.id not in self._known:
            self._known[tree.id] = frozenset(self._of(tree))
        return self._known[tree.id]

    def _of(self, tree: Tree) -> Iterator[str]:
        for page in self._pages.site.pages:
            if self._pages.tree(page) is tree:
                yield from self._anchors(page)
        for file in self._pages.disk.walk(tree.root, _DEPTH):
            if file.endswith(_OTHERS):
                yield basename(splitext(file)[0])
                yield basename(dirname(file))
                read = files.read(Path(file), root=tree.root)
                for match in _STATED.finditer(read.text) if isinstance(read, Source) else ():
                    yield next(filter(None, match.groups())).strip().lower()

    def _is_sure(self, tree: Tree) -> bool:
        """Whether the labels that links of a tree name are mostly there: others may be those of other projects."""
        if tree.id not in self._sure:
            pages = (page for page in self._pages.site.pages if self._pages.tree(page) is tree)
            asked = {label for page in pages for reference in self._references(page) if (label := _named(reference))}
            lost = len(asked - self.known(tree))
            self._sure[tree.id] = len(asked) - lost >= max(_FEWEST, lost)
        return self._sure[tree.id]


def _named(reference: Reference) -> str:
    """The label that a link names by its look."""
    if reference.kind == "label":
        return reference.href.lower() if re.fullmatch(r"[\w:.-]+", reference.href) else ""
    if reference.kind != "inline":
        return ""
    match = _TARGET.fullmatch(reference.href) or (None if reference.is_image else _LABEL.fullmatch(reference.href))
    return match[1].lower() if match else ""
