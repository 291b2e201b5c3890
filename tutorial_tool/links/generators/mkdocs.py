"""MkDocs, ProperDocs and Zensical: the URLs of pages follow from the paths of their files alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult

from tutorial_tool import data
from tutorial_tool.config.site_generator import find_docs_dir, find_typed_docs_dir, has_sections_of_hugo
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.data import iter_named
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs import files
from tutorial_tool.links import translations, urls
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree
from tutorial_tool.links.urls import split_url

if TYPE_CHECKING:
    from tutorial_tool.links.tab_ids import Tabs

_QUIET_PLUGINS = frozenset(
    """search tutorial redirects macros minify git-revision-date git-revision-date-localized git-authors git-committers
    awesome-pages awesome-nav literate-nav section-index glightbox social privacy offline meta exclude include-markdown
    table-reader mermaid2 autorefs open-in-new-tab charts badges tooltips autolinks-plugin abbreviations
    optimize group info typeset rss print-site pdf-export with-pdf markdownextradata include_dir_to_nav
    same-dir embed_file roamlinks ezlinks simple-hooks callouts img2fig panzoom drawio kroki swagger-ui-tag
    encryptcontent file-filter htmlproofer linkcheck markmap video spellcheck add-number enumerate-headings
    i18n mike tags""".split()
)
"""Plugins that add no pages to a site, except translations."""
_ENV = lazy_re.compile(r"!ENV[ \t]+\Z")
_MADE = {
    "print-site": ("print_page.html", "print_page"),
    "rss": ("feed_rss_created.xml", "feed_rss_updated.xml", "feed_json_created.json", "feed_json_updated.json"),
    "llmstxt": ("llms.txt", "llms-full.txt"),
    "mkdocstrings": ("objects.inv",),
    "with-pdf": ("pdf",),
}
"""Pages, files and folders that each plugin writes."""
_MADE_BY_THEMES = {
    "mkdocs": ("css", "img/favicon.ico", "img/grid.png", "js", "webfonts"),
    "readthedocs": ("css", "img/favicon.ico", "js"),
    "material": ("assets/images/favicon.png", "assets/javascripts", "assets/stylesheets"),
}
"""Files and folders of the themes of MkDocs 1.6 and Material 9.6; those of other themes are unknown."""
_MADE_BY_ANY_THEME = ("img/favicon.ico", "css", "js")
_MADE_BY_ALL = ("sitemap.xml", "sitemap.xml.gz", "search/search_index.json", "404.html")  # Files that MkDocs writes
READ_TAGS = frozenset(("macros", "markdownextradata", "jinja", "jinja2"))
"""Plugins that render the template tags of any page."""
JOINING = frozenset(("monorepo", "techdocs-core"))
"""Plugins that add the pages of other folders whose configurations the navigation names."""
_OTHER_LISTS = lazy_re.compile(r"(?!(?:markdown\.extensions\.)?sane_lists$)[\w.-]*(?:lists|callouts|obsidian)\b")
"""Extensions and plugins that parse lists differently."""
_WRITING = frozenset("gen-files api-autonav autoapi mkdocs-autoapi coverage ezglossary".split())
"""Plugins that write pages outside the docs folder."""


@lru_cache(16)
def _get_source(path: str, raw: str) -> Source:
    """Return the same source object for the same file, so that an editor parses its YAML once."""
    return Source(path, raw)


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site of a folder with a configuration; None for one that publishes no pages here."""
    folder, name, disk, root = configuration
    tree = read_zensical(folder) if name.endswith(".toml") else read_yaml(folder, name, root)
    is_elsewhere = Path(folder, name).is_symlink() and not disk.is_folder(tree.docs)
    is_part = tree.config is not None and not name.endswith(".toml") and find_docs_dir(Path(folder)) is None
    return None if is_elsewhere or is_part or has_sections_of_hugo(Path(tree.docs)) else tree


def read_yaml(folder: str, name: str, root: str) -> Tree:
    """Read the site of a `mkdocs.yml`. If that is not valid YAML, nothing is known about the site."""
    read = files.read(Path(folder, name), root=root)
    source = _get_source(read.path, read.raw) if isinstance(read, Source) else None
    node, faults = data.load_yaml(source) if source else data.LoadedYaml(None)
    stated = node if isinstance(node, data.Mapping) else data.Mapping((), Source(name, "").span(0))
    tree = _build_tree(folder, root, source, stated)
    if source is None or node is not None or not faults:
        return tree
    docs = normpath(join(folder, find_typed_docs_dir(source) or "docs"))
    unknown = replace(tree, docs=docs, slugs="any", has_all_pages=False, is_complete=False)
    return replace(unknown, config=None, node=None, faults=faults)


def _build_tree(folder: str, root: str, config: Source | None, stated: data.Mapping) -> Tree:
    site = _parse_site_url(_get_value(stated, "site_url"))
    custom = data.get_text(stated, "theme", "custom_dir")
    used = dict(_iter_plugins(stated))
    ruled = filter(None, (data.get_text(node, "rules") for node in used.values() if node is not None))
    is_plain = used.keys() <= (_QUIET_PLUGINS if has_included_sites(stated) else _QUIET_PLUGINS | JOINING)
    is_plain = is_plain and stated.get("INHERIT") is None
    calls = partial(_has_hook_for, stated, folder, root)
    is_component = "techdocs-core" in used and not site.netloc  # of Backstage, beside others
    return Tree(
        GENERATOR,
        folder,
        normpath(join(folder, _get_value(stated, "docs_dir") or "docs")),
        urls.normalize_base(f"docs/default/component/{basename(folder)}" if is_component else site.path),
        urls.build_origin(site),
        _get_value(stated, "use_directory_urls").lower() not in ("false", "no", "off"),
        slugs="any" if _has_slugify(stated) else "python-markdown",
        tabs=_get_tab_mode(stated),
        alters_pages=calls(_REWRITES),
        has_all_pages=is_plain and not calls(_ADDS),
        is_complete=is_plain and stated.get("hooks") is None,
        adds_pages=not _WRITING.isdisjoint(used) or calls(_WRITES),
        translations=translations.read_options(used.get("i18n")),
        static=(normpath(join(folder, custom)),) if custom else (),
        generated=(*ruled, *_list_build_output(used), *_list_theme_output(stated)),
        generated_paths=frozenset(_iter_included_names(folder, stated, root)) if used.keys() & JOINING else frozenset(),
        config=config,
        node=stated,
    )


def _get_value(stated: data.Mapping, key: str) -> str:
    """Return a value of the configuration; of one from the environment (`!ENV`), its default."""
    node = stated.get(key)
    if isinstance(node, data.Sequence):
        return data.get_text(node.items[-1]) if len(node.items) > 1 else ""
    is_given = node is not None and _ENV.search(node.span.source.text, 0, node.span.start)
    return "" if is_given else data.get_text(node)


def _parse_site_url(url: str) -> SplitResult:
    """Return the parts of a site's URL; empty if it names no host, as MkDocs rejects it."""
    site = split_url(url)
    return site if site.netloc else split_url("")


def _list_build_output(used: Mapping[str, data.Node | None]) -> Iterator[str]:
    """Yield the files and folders that a build generates."""
    yield from _MADE_BY_ALL
    for name, options in used.items():
        yield from _MADE.get(name, ())
        names = options.get("feeds_filenames") if isinstance(options, data.Mapping) else None
        if isinstance(names, data.Mapping):
            yield from (data.get_text(value) for _, value in names.items)


def _list_theme_output(stated: data.Mapping) -> tuple[str, ...]:
    name = data.get_text(stated, "theme", "name") or data.get_text(stated, "theme")
    is_default = not name and stated.get("theme") is None
    return _MADE_BY_THEMES.get("mkdocs" if is_default else name, _MADE_BY_ANY_THEME)


def _iter_plugins(node: data.Mapping) -> Iterator[tuple[str, data.Node | None]]:
    """Yield the plugins' names, without any package prefix, and their options."""
    return ((name.rpartition("/")[2], options) for name, options in iter_named(node, "plugins"))


def get_plugin_options(tree: Tree, name: str) -> data.Node | None:
    """Return the options of a MkDocs plugin, or None if it is not used."""
    return dict(_iter_plugins(tree.node)).get(name) if tree.node is not None else None


@lru_cache(maxsize=64)
def get_plugins(tree: Tree) -> frozenset[str]:
    """Return the plugins that a MkDocs or Zensical tree uses."""
    return frozenset(name for name, _ in _iter_plugins(tree.node)) if tree.node is not None else tree.plugins


@lru_cache(maxsize=64)
def has_other_lists(tree: Tree) -> bool:
    """Return whether an extension or plugin parses lists in its own way."""
    extensions = iter_named(tree.node, "markdown_extensions") if tree.node else ()
    names = get_plugins(tree).union(name for name, _ in extensions)
    return bool(tree.node) and any(map(_OTHER_LISTS.match, names))


def _has_slugify(node: data.Mapping) -> bool:
    tocs = [options for name, options in iter_named(node, "markdown_extensions") if name == "toc"]
    return any(isinstance(toc, data.Mapping) and (toc.get("slugify") or toc.get("separator")) for toc in tocs)


def has_included_sites(node: data.Mapping | None) -> bool:
    """Return whether the navigation may include the pages of other configurations."""
    nav = node.get("nav") if node else None
    return nav is not None and _JOINED.search(nav.span.text) is not None


_JOINED = lazy_re.compile(r"[!*](?:include|import)[ \t]")


_INCLUDED = lazy_re.compile(r"!include[ \t]+([^\s*\"']+\.ya?ml)")
_NAME = lazy_re.compile(r"^site_name[ \t]*:[ \t]*[\"']?([^\"'\n#]+)", re.MULTILINE)


def _iter_included_names(folder: str, node: data.Mapping, root: str) -> Iterator[str]:
    """Yield the folders below which included sites are published: they have the names of those sites."""
    nav = node.get("nav")
    for match in _INCLUDED.finditer(nav.span.text) if nav is not None else ():
        read = files.read(Path(folder, match[1]), root=root)
        if isinstance(read, Source) and (name := _NAME.search(read.text)):
            yield name[1].strip()


def _has_hook_for(stated: data.Mapping, folder: str, root: str, events: re.Pattern[str]) -> bool:
    """Return whether a hook handles one of some events, or cannot be read."""
    items = hooks.items if isinstance(hooks := stated.get("hooks"), data.Sequence) else ()
    read = (files.read(Path(folder, item.plain), root=root) for item in items if isinstance(item, data.Scalar))
    return any(not isinstance(source, Source) or events.search(source.text) for source in read)


_REWRITES = lazy_re.compile(r"\bon_(?:page_read_source|page_markdown|page_content|post_page|env)\b")
"""MkDocs events at which a hook may change the content of a page."""
_WRITES = lazy_re.compile(r"\bon_(?:files|pre_build|startup)\b")  # Events at which a hook may add pages
_ADDS = lazy_re.compile(r"\bon_(?:config|files|nav|env|pre_build|startup)\b")
"""Events at which a hook may add pages or change the navigation."""


def _get_tab_mode(node: data.Mapping) -> Tabs:
    """Return which ids the titles of tabs get: their own if a `slugify` is configured."""
    for name, options in iter_named(node, "markdown_extensions"):
        if name in _TABS and isinstance(options, data.Mapping) and options.get("slugify") is not None:
            return "heading" if data.is_on(options, "combine_header_slug") else "title"
    return ""


_TABS = ("pymdownx.tabbed", "pymdownx.blocks.tab")


def read_zensical(folder: str) -> Tree:
    """Read the site of a `zensical.toml`."""
    read = files.read(Path(folder, "zensical.toml"), root=folder)
    stated = get_section(parse_toml(read.text) if isinstance(read, Source) else {}, "project")
    site = _parse_site_url(str(stated.get("site_url", "")))
    plugins = stated.get("plugins")
    used = {str(plugin).rpartition("/")[2] for plugin in plugins} if isinstance(plugins, dict | list) else set[str]()
    return Tree(
        GENERATOR,
        folder,
        normpath(join(folder, str(stated.get("docs_dir", "docs")))),
        urls.normalize_base(site.path),
        urls.build_origin(site),
        stated.get("use_directory_urls", True) is not False,
        slugs="any",
        tabs="heading",
        config=read if isinstance(read, Source) else None,
        plugins=frozenset(used),
        adds_pages=not used <= {*_QUIET_PLUGINS, "autorefs", "mkdocstrings"},
    )


def build_page_path(tree: Tree, path: str, _front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: that of its folder for `index` and `README`."""
    stem = urls.strip_suffix(tree.translations.get_published_path(path) if tree.translations else path)
    folder, name = dirname(stem), basename(stem)
    if name in ("index", "README"):
        return f"{folder}/" if folder else ""
    return f"{stem}/" if tree.directory_urls else f"{stem}.html"


def read_redirects(tree: Tree, _root: str) -> Iterator[Redirect]:
    """Yield the redirects of `mkdocs-redirects`: paths of pages, relative to the docs folder."""
    options = get_plugin_options(tree, "redirects")
    result = options.get("redirect_maps") if isinstance(options, data.Mapping) else None
    for key, value in result.items if isinstance(result, data.Mapping) else ():
        if isinstance(value, data.Scalar):
            yield Redirect(key.plain, value.plain, value.span)


GENERATOR = Generator(
    "mkdocs",
    "MkDocs",
    r"(?:mkdocs|properdocs)\.ya?ml|zensical\.toml",
    precedence=1,
    read_tree=read_tree,
    build_page_path=build_page_path,
    is_exact=True,
    keeps_pages=True,
    read_redirects=read_redirects,
    includes="snippets",
    has_extensions=True,
)
