"""A site as plain Markdown files, with its navigation, for another site generator to build."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import yaml

from tutorial_tool import comments, data, lazy_re, navigation, sections
from tutorial_tool import files as files_
from tutorial_tool.addresses import heading_ids
from tutorial_tool.addresses.anchors import github_slug
from tutorial_tool.addresses.disk import Disk
from tutorial_tool.addresses.trees import Finder
from tutorial_tool.document import Document
from tutorial_tool.finding import Finding
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.source import Source
from tutorial_tool.traced import plain

DOCS = "docs"
NO_ANCHORS: Mapping[str, Mapping[str, str]] = {}
MARKDOWN_EXTENSIONS: list[Any] = [
    "admonition",
    "attr_list",
    "md_in_html",
    "tables",
    "pymdownx.superfences",
    {"pymdownx.tabbed": {"alternate_style": True}},
]


@dataclass(frozen=True)
class Options:
    """How pages are written: each engine reads its own form of front matter, index pages, links and heading ids."""

    front_matter: bool = True
    index: str = "index.md"
    links: str = "md"
    heading_ids: str = "attr-list"
    slug: Callable[[str], str] = github_slug
    """The anchor that the engine makes of the words of a heading without an id."""
    is_mkdocs: bool = True
    """Whether the engine may be one that reads `mkdocs.yml`."""


class Engine(NamedTuple):
    """A generator of which we know how it reads ids: the name that people know it by, and the form of the ids.

    `slug` is the anchor that it makes of the words of a heading without an id.
    """

    name: str
    heading_ids: str
    slug: Callable[[str], str] = github_slug


_ENGINES = {
    "docusaurus": Engine("Docusaurus", "hugo"),
    "hugo": Engine("Hugo", "hugo"),
    "vitepress": Engine("VitePress", "hugo"),
    "mdbook": Engine("mdBook", "hugo"),
    "jekyll": Engine("Jekyll", "hugo"),
    "astro": Engine("Astro", "none"),
    "sphinx": Engine("Sphinx", "none"),
    "eleventy": Engine("Eleventy", "none"),
}
PLAIN = Engine("", "attr-list")
_NAMED = lazy_re.compile(r"(hugo|astro)\.(?:config\.\w+|toml|ya?ml|json)")
"""Configurations that tell their generator before it has a folder of pages."""
_MINTLIFY = Engine("Mintlify", "none", heading_ids.collapsed)
"""Those that do not read `{: #id }`: MDX refuses it, and others show it to readers."""


def engine(layout: Layout) -> Engine:
    """The generator whose configuration stands around the pages of a project; `PLAIN` for one that reads `{: #id }`."""
    root = layout.root.resolve().as_posix()
    disk = Disk()
    tree = Finder(disk, root).around(posixpath.join(root, layout.docs))
    if tree is None:
        names = (_NAMED.fullmatch(name) for name in disk.entries(root))
        return next((_ENGINES[name[1]] for name in names if name), PLAIN)
    return _MINTLIFY if tree.slugs == "collapsed" else _ENGINES.get(tree.engine, PLAIN)


def files(site: Site, options: Options) -> dict[str, bytes]:
    """Every file of the rendered site, by its path in the target folder."""
    out: dict[str, bytes] = {}
    anchors = {page.path: _anchors(page, options.slug) for page in site.pages} if options.heading_ids == "none" else {}
    for path, content in _assets(site).items():
        out[f"{DOCS}/{path}"] = content
    for path, figure in site.figures.items():
        out[f"{DOCS}/{path}"] = figure.svg.encode()
    for page in site.pages:
        out[f"{DOCS}/{_renamed(page.path, options)}"] = _written(page, options, anchors)
    nav = _nav(site, options)
    out["navigation.json"] = (json.dumps(_navigation(site, nav, options), indent=2, ensure_ascii=False) + "\n").encode()
    if options.is_mkdocs:
        out["mkdocs.yml"] = _mkdocs(site, nav)
    return out


MANIFEST = ".tutorial-tool.json"
"""Stands in the target folder and names what was written, so that the next run can take away what is gone."""


class NotEmpty(Exception):
    """The target folder holds files that were not rendered."""


def write(folder: Path, contents: Mapping[str, bytes], *, force: bool = False) -> int:
    """Write the files, and delete those of an earlier run that are gone: all or nothing. Returns how many there are.

    Raises `NotEmpty` for a folder with other files in it, unless `force`, and `Error` where nothing can be written.
    """
    before = _manifest(folder)
    if not force and not before and not _is_ours(folder, contents):
        raise NotEmpty(f"{folder} holds other files: name an empty folder, or use --force")
    old = [path for path in before if path not in contents and not files_.unsafe(path)]
    known = _listed([*contents, *old])  # a run that is killed before its end still knows what to delete
    targets = {folder / path: content for path, content in {**contents, MANIFEST: known}.items()}
    gone = [folder / path for path in old]
    folder.mkdir(parents=True, exist_ok=True)
    files_.sweep(files_.below(folder))  # and one that was killed may have left files where nothing is written any more
    if gone:
        files_.write(folder / MANIFEST, known, root=folder)
    files_.write_all(targets, gone, root=folder)
    if gone:
        files_.write(folder / MANIFEST, _listed(contents), root=folder)
    return len(contents)


def _listed(paths: Iterable[str]) -> bytes:
    return (json.dumps(sorted(paths), indent=0) + "\n").encode()


def _is_ours(folder: Path, contents: Mapping[str, bytes]) -> bool:
    """Whether a folder is empty, or holds what a run that was killed had written by then."""
    found = [path for path in folder.rglob("*") if path.is_file() or path.is_symlink()] if folder.is_dir() else []
    left = set(files_.sweep({path.parent for path in found}))
    return all(_is_same(path, contents.get(path.relative_to(folder).as_posix())) for path in found if path not in left)


def _is_same(path: Path, content: bytes | None) -> bool:
    return content is not None and path.stat().st_size == len(content) and path.read_bytes() == content


def _manifest(folder: Path) -> list[str]:
    """What an earlier run wrote; nothing where it cannot be told."""
    try:
        listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in listed if isinstance(path, str)] if isinstance(listed, list) else []


def _assets(site: Site) -> dict[str, bytes]:
    """The files of the docs folder that are not pages."""
    folder = site.layout.root / site.layout.docs
    pages = {page.path for page in site.pages}
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        if name not in pages and not hidden and path.resolve().is_relative_to(folder.resolve()):
            found[name] = path.read_bytes()
    return found


def _renamed(path: str, options: Options) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, options.index) if name == "index.md" else path


def markdown(page: Page, *, front_matter: bool = True) -> bytes:
    """A page as plain Markdown, its links as it has them."""
    return _written(page, Options(front_matter=front_matter))


Anchors = Mapping[str, Mapping[str, str]]
"""By page, the anchor that an engine makes of a heading's words, by the id that the heading has here."""


def _anchors(page: Page, made: Callable[[str], str]) -> dict[str, str]:
    """The anchors of a page without ids, by the ids that it has here."""
    found = zip(sections.read(page.text, page.document), page.document.headings, strict=True)
    taken: dict[str, int] = {}
    out = {}
    for section, heading in found:
        slug = made(sections.words(heading.text.block.inlines))
        count = taken[slug] = taken.get(slug, -1) + 1
        out[section.id] = f"{slug}-{count}" if count else slug
    return out


def _written(page: Page, options: Options, anchors: Anchors = NO_ANCHORS) -> bytes:
    text = comments.strip(plain(page.text), page.dialect)
    if options == Options() and text == page.text:
        return page.encoded()
    document = page.document if text == page.text else Document(text, page.dialect)
    text = _changed(
        text, [*_heading_edits(text, document, options), *_link_edits(document, page.path, options, anchors)]
    )
    if not options.front_matter:
        text = without_front_matter(text, page)
    return page.style.encoded(text)


def _changed(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _heading_edits(text: str, document: Document, options: Options) -> list[tuple[int, int, str]]:
    edits = []
    for heading in document.headings:
        if heading.id and heading.attrs and options.heading_ids != "attr-list":
            start, end = heading.attrs
            new = f"{{#{heading.id}}}" if options.heading_ids == "hugo" else ""
            start -= 0 if new else len(text[:start]) - len(text[:start].rstrip(" "))
            edits.append((start, end, new))
    return edits


def _link_edits(document: Document, path: str, options: Options, anchors: Anchors) -> list[tuple[int, int, str]]:
    """Relative links as a browser follows them from the page's address, which is a folder; anchors as headings have
    them without ids."""
    if options.links == "md" and not anchors:
        return []
    edits = []
    targets = [(link.href, link.place) for link in document.links]
    targets += [(image.src, image.place) for image in document.images]
    targets += [(definition.href, definition.place) for definition in document.definitions]
    for href, place in targets:
        new = _anchored(href, path, anchors)
        new = _url(new, path) if options.links == "url" else new
        if new != href and place is not None:
            edits.append((*place, new))
    return list(dict.fromkeys(edits))


def _anchored(href: str, page: str, anchors: Anchors) -> str:
    path, _, anchor = href.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    new = anchors.get(target, {}).get(anchor)
    return f"{path}#{new}" if new else href


def _url(href: str, page: str) -> str:
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return href
    index = posixpath.basename(page) == "index.md"
    here = posixpath.dirname(page) if index else page.removesuffix(".md")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), parts.path))
    folder = target.endswith(".md")
    target = re.sub(r"(^|/)index\.md$", r"\1", target).removesuffix(".md") if folder else target
    path = posixpath.relpath(target or ".", here or ".")
    return path + ("/" if folder else "") + href[len(parts.path) :]


def without_front_matter(text: str, page: Page) -> str:
    """A page's text with its title as a heading, where its body has none."""
    found = data.split(text)
    body = text[found.body :].lstrip("\n") if found else text
    if not found or any(heading.level == 1 for heading in page.document.lean.headings):
        return body
    title = data.metadata(text).get("title")
    return f"# {title}\n\n{body}" if title else body


def _nav(site: Site, options: Options) -> list[Any]:
    said = _settings(site).get("nav")
    others = [page.path for page in site.pages if page.place is None]
    nav = navigation.whole(site, said if isinstance(said, list) else None, list(others))
    return [_nav_renamed(entry, options) for entry in nav]


def _nav_renamed(entry: Any, options: Options) -> Any:
    if isinstance(entry, dict):
        return {title: _nav_renamed(value, options) for title, value in entry.items()}
    if isinstance(entry, list):
        return [_nav_renamed(value, options) for value in entry]
    return _renamed(entry, options) if isinstance(entry, str) else entry


def _navigation(site: Site, nav: list[Any], options: Options) -> list[dict[str, Any]]:
    """The navigation as data: title, and path or children, of each entry."""
    titles = {_renamed(page.path, options): page.stated_title for page in site.pages}
    out = []
    for entry in nav:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(value, list):
            out.append({"title": title, "children": _navigation(site, value, options)})
        else:
            out.append({"title": title or titles.get(value) or value, "path": value})
    return out


def _site_file(site: Site) -> Source | None:
    """The project's own `mkdocs.yml`, if there is one that can be read."""
    for name in ("mkdocs.yml", "properdocs.yml"):
        path = site.layout.root / name
        if path.is_file():
            source = files_.read(path, root=site.layout.root)
            return None if isinstance(source, Finding) or data.load_yaml(source).node is None else source
    return None


def _settings(site: Site) -> Mapping[str, Any]:
    """What the project's own `mkdocs.yml` says, as plain data; nothing where there is none."""
    source = _site_file(site)
    settings = data.to_plain(data.load_yaml(source).node) if source else {}
    return settings if isinstance(settings, dict) else {}


_TAKEN_OVER = (
    "site_url",
    "site_description",
    "copyright",
    "theme",
    "extra_css",
    "extra_javascript",
    "markdown_extensions",
)
"""What of a site's `mkdocs.yml` says how its pages are published; plugins and hooks stay behind."""


def _mkdocs(site: Site, nav: list[Any]) -> bytes:
    """The file with which MkDocs and engines like it publish the pages as the site itself does."""
    titles = [plain(tutorial.title) for tutorial in site.model.tutorials.values()]
    config = {
        "site_name": _settings(site).get("site_name") or (titles[0] if titles else "Tutorial"),
        "docs_dir": DOCS,
        "theme": {"name": "material", "font": False},
        "markdown_extensions": MARKDOWN_EXTENSIONS,
        "nav": nav,
    }
    ours, source = _node(yaml.safe_dump(config, sort_keys=False, allow_unicode=True)), _site_file(site)
    if source is not None:
        theirs = dict(_entries(_node(source.text)))
        said = {key: theirs[key] for key in _TAKEN_OVER if key in theirs}
        _join(ours, said)
    return yaml.serialize(ours, allow_unicode=True).encode()


def _node(text: str) -> yaml.Node:
    """YAML as nodes, their tags unread: `!!python/name:` is written again as it stands."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    assert node is not None
    return node


def _entries(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((key.value, value) for key, value in node.value)


def _join(ours: yaml.Node, said: Mapping[str, yaml.Node]) -> None:
    """Put what a site says in place of ours; of the extensions, those that our pages need stay."""
    known = dict(_entries(ours))
    for key, value in said.items():
        if key == "theme" and isinstance(value, yaml.MappingNode):
            value.value = [pair for pair in value.value if pair[0].value != "custom_dir"]  # it is not there
        if key == "markdown_extensions":
            _add_missing(value, known[key])
        if key in known:
            ours.value = [(name, value if name.value == key else old) for name, old in ours.value]
        else:
            ours.value.append((yaml.ScalarNode("tag:yaml.org,2002:str", key), value))


def _add_missing(theirs: yaml.Node, needed: yaml.Node) -> None:
    """Add the extensions that are needed to those of a site."""
    is_list = isinstance(theirs, yaml.SequenceNode)
    names = {_name(node) for node in theirs.value} if is_list else {name for name, _ in _entries(theirs)}
    for node in needed.value:
        if _name(node) in names:
            continue
        if is_list:
            theirs.value.append(node)
        elif isinstance(theirs, yaml.MappingNode):
            is_bare = isinstance(node, yaml.ScalarNode)
            pair = (node, yaml.MappingNode("tag:yaml.org,2002:map", [])) if is_bare else node.value[0]
            theirs.value.append(pair)


def _name(node: yaml.Node) -> str:
    """The name of an extension, with options or without."""
    return str(node.value[0][0].value) if isinstance(node, yaml.MappingNode) and node.value else str(node.value)
