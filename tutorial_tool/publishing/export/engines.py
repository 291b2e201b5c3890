"""Target generators of rendered pages: how each reads headings, tabs, admonitions and page order."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files as files_
from tutorial_tool.links import heading_ids
from tutorial_tool.links.anchors import build_github_slug
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.trees import TreeFinder
from tutorial_tool.site import Layout

Tabs = Literal["mkdocs", "jsx", "code-group", "bold"]
"""Tabs as in `pymdownx.tabbed`, as components, as a group of code only, or one after the other."""
Boxes = Literal["mkdocs", "docusaurus", "docusaurus 2", "starlight", "vitepress", "alert", "quote"]
"""The form of notes and warnings; if there is none, a quotation that starts with the title."""
Attributes = Literal["all", "colon", "braces", "none"]
"""Which attributes after a link are parsed: Python-Markdown's `{: … }`, `{…}`, or none."""
Features = Literal["markdown", "html", "jsx"]  # The form of what is around a step; the latter two as in the plugin
Languages = Literal["site", "i18n", "hugo", "docusaurus", "folder"]
"""The location of translations: a separate site, `page.de.md`, Docusaurus' folders, or `docs/de`."""
Order = Literal["", "docusaurus", "hugo", "starlight", "vitepress", "mdbook"]
"""The form in which a generator reads the order of pages."""


class Engine(NamedTuple):
    """A supported generator: its name, and the syntax that it reads where generators differ.

    `slug` returns the anchor that it gives a heading without an id.
    """

    name: str
    heading_ids: str
    slug: Callable[[str], str] = build_github_slug
    tabs: Tabs = "bold"
    boxes: Boxes = "quote"
    attributes: Attributes = "none"
    order: Order = ""
    details: bool = False  # Whether Markdown within `<details>` is parsed
    jsx: bool = False  # Whether tags are JSX, which must be closed
    html: bool = True  # Whether raw HTML reaches the page
    features: Features = "markdown"
    index_name: str = "index.md"
    links: str = "md"  # To files, or `url`
    languages: Languages = "folder"
    passed_over: str = ""  # Another generator, configured beside MkDocs


PLAIN = Engine("", "attr-list", tabs="mkdocs", boxes="mkdocs", attributes="all", features="html", languages="site")
ENGINES = {
    "docusaurus": Engine(
        "Docusaurus",
        "hugo",
        tabs="jsx",
        boxes="docusaurus",
        order="docusaurus",
        details=True,
        jsx=True,
        languages="docusaurus",
    ),
    "hugo": Engine("Hugo", "hugo", order="hugo", html=False, index_name="_index.md", links="url", languages="hugo"),
    "vitepress": Engine(
        "VitePress", "hugo", tabs="code-group", boxes="vitepress", attributes="braces", order="vitepress", details=True
    ),
    "vuepress": Engine("VuePress", "hugo", details=True),
    "mdbook": Engine("mdBook", "hugo", order="mdbook", details=True),
    "jekyll": Engine("Jekyll", "hugo", attributes="colon"),
    "astro": Engine("Astro", "none", details=True),
    "sphinx": Engine("Sphinx", "none"),
    "eleventy": Engine("Eleventy", "none", details=True),
    "mintlify": Engine("Mintlify", "none", heading_ids.build_collapsed_id, details=True, jsx=True),
}
_NAMED = (
    (lazy_re.compile(r"docusaurus\.config\.\w+"), "docusaurus"),
    (lazy_re.compile(r"hugo\.(?:toml|ya?ml|json)"), "hugo"),
    (lazy_re.compile(r"astro\.config\.\w+"), "astro"),
    (lazy_re.compile(r"\.vitepress"), "vitepress"),
    (lazy_re.compile(r"\.vuepress"), "vuepress"),
    (lazy_re.compile(r"book\.toml"), "mdbook"),
    (lazy_re.compile(r"\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s"), "eleventy"),
)
"""Configuration files that identify their generator even without a folder of pages."""
_OTHER_FORMAT = lazy_re.compile(r"\bformat[\"']?\s*:\s*[\"'](?:detect|md)[\"']")
"""Set in Docusaurus if not all pages are MDX."""
_SLASH = lazy_re.compile(r"\btrailingSlash[\"']?\s*:\s*true")  # Set in Docusaurus if each page is a folder
_UNSAFE = lazy_re.compile(r"\bunsafe[\"']?\s*[:=]\s*true")  # Set in Hugo if raw HTML reaches the page
_I18N = lazy_re.compile(r"^[ ]*-[ ]+i18n:", re.MULTILINE)  # The plugin mkdocs-static-i18n, in `plugins`
_ALERT_HOOK = lazy_re.compile(r"render-blockquote\b.*\.html")


def detect_engine(layout: Layout) -> Engine:
    """Detect the generator by its configuration around the pages; `PLAIN` if it reads `{: #id }`."""
    root, disk = layout.root.resolve().as_posix(), Disk()
    if _I18N.search(_read_configuration(root, "mkdocs.y", disk)):
        return PLAIN._replace(languages="i18n")
    tree = TreeFinder(disk, root).find_enclosing_tree(posixpath.join(root, layout.docs))
    named = next((name for form, name in _NAMED if any(map(form.fullmatch, disk.list_entries(root)))), "")
    if tree is None or (tree.root != root and named):
        return _configure_engine(named, root, disk, is_old=False)
    made = _configure_engine(tree.generator.name, tree.root, disk, is_old=tree.old_mdx)
    return made._replace(passed_over=ENGINES[named].name) if named and tree.is_exact else made


def _configure_engine(name: str, root: str, disk: Disk, *, is_old: bool) -> Engine:
    """Return a generator as its project configures it; `is_old` for Docusaurus 1 and 2."""
    usual = ENGINES.get(name, PLAIN)
    boxes: Boxes
    if name == "docusaurus":
        boxes = "docusaurus 2" if is_old else "docusaurus"
        config = _read_configuration(root, "docusaurus.config.", disk)
        is_mdx = not _OTHER_FORMAT.search(config)
        features: Features = "jsx" if is_mdx and _SLASH.search(config) else "markdown"
        return usual._replace(boxes=boxes, tabs="jsx" if is_mdx else "bold", jsx=is_mdx, features=features)
    if name == "astro" and "starlight" in _read_configuration(root, "astro.config.", disk):
        return usual._replace(name="Starlight", boxes="starlight", order="starlight", links="url")
    if name == "hugo":
        boxes = "alert" if _has_alert_template(Path(root)) else usual.boxes
        is_html = _UNSAFE.search(_read_configuration(root, "hugo.", disk)) is not None
        return usual._replace(boxes=boxes, html=is_html, features="html" if is_html else "markdown")
    return usual


def _read_configuration(root: str, beginning: str, disk: Disk) -> str:
    """Return the text of the configuration file with this prefix, or ""."""
    for name in sorted(disk.list_entries(root)):
        if name.startswith(beginning):
            read = files_.read(Path(root, name), root=Path(root))
            return read.text if isinstance(read, Source) else ""
    return ""


def _has_alert_template(root: Path) -> bool:
    """Return whether Hugo has a blockquote template, in the site or a theme: otherwise it shows `[!NOTE]`."""
    folders = [root / "layouts", *(theme / "layouts" for theme in root.glob("themes/*"))]
    return any(_ALERT_HOOK.fullmatch(path.name) for folder in folders for path in folder.rglob("render-blockquote*"))
