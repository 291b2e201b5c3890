"""VitePress: a folder with `.vitepress`, whose links name files, and which may publish files elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from posixpath import join

from tutorial_tool.core import lazy_re
from tutorial_tool.links import literals, urls
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_STATIC = ("public", ".vuepress/public")
_SOURCE = lazy_re.compile(r"\bsrcDir\s*:\s*[\"']([^\"']+)[\"']")
_CUSTOM = lazy_re.compile(r"\b(?:remark|rehype)Plugins\b|RemarkPlugins\b|\bkeywords\s*:|\.use\(|\bmd\b")
_REWRITES = lazy_re.compile(r"\brewrites\b[\"']?\s*(?::\s*(?=(\{)))?")
_PATTERN = lazy_re.compile(r"[:*()]")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site around a folder `.vitepress`."""
    folder, name, disk, _ = configuration
    text = read_configuration(folder, name, disk)
    source = _SOURCE.search(text)
    docs = _programs.find_folder(folder, source and source[1], "", disk)
    if docs is None:
        return None
    base, origin = _programs.find_base(text)
    rewrites = _find_rewrites(text)
    return Tree(
        GENERATOR,
        folder,
        docs,
        base,
        origin,
        links="any" if _REWRITES.search(text) or not text else "file",
        custom_markup=not text or _CUSTOM.search(text) is not None,
        made=frozenset(_urls_of_files((rewrites or {}).values())),
        moved=None if rewrites is None else tuple(rewrites),
        prefixes=True,
        static=_programs.existing_folders((folder, docs), _STATIC, disk),
        slugs="vitepress",
    )


def read_configuration(folder: str, name: str, disk: Disk) -> str:
    """Read the configuration in a folder, which may be a folder itself."""
    for inner, stem in ((name, "config."), (join(name, "config"), "index.")):
        for entry in sorted(disk.entries(join(folder, inner))):
            if entry.startswith(stem) and disk.is_file(join(folder, inner, entry)):
                return _programs.read_program(folder, join(inner, entry))
    return ""


def _find_rewrites(text: str) -> dict[str, str] | None:
    """Find the files that are published as others, each with that one; None where patterns or code say so."""
    out: dict[str, str] = {}
    for found in _REWRITES.finditer(text):
        value = literals.value_at(text, found.end()) if found[1] else None
        if not isinstance(value, literals.Object):
            return None
        for key, new in value.items:
            if not isinstance(new, literals.Text) or _PATTERN.search(key.value + new.value):
                return None
            out[key.value] = new.value
    return out


def _urls_of_files(names: Iterable[str]) -> Iterator[str]:
    """List the URLs of files, and how links may name them."""
    for name in names:
        stem = name.removesuffix(".md").strip("/")
        yield from (stem, f"{stem}.md", f"{stem}.html")
        if stem == "index" or stem.endswith("/index"):
            yield stem.removesuffix("index").strip("/")


GENERATOR = Generator(
    "vitepress",
    "VitePress",
    r"\.vitepress",
    read_tree=read_tree,
    page_path=partial(urls.page_path, ending=".html"),
)
