"""Candidate targets of a URL: the pages and files that generators, browsers and GitHub find for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from itertools import chain
from posixpath import basename, dirname, join, normpath, splitext
from urllib.parse import unquote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.links import navigation_entries, urls
from tutorial_tool.links.disk import PUBLISHED, SUFFIXES, make_relative, read_text
from tutorial_tool.links.hugo_content import Content
from tutorial_tool.links.mounts import Mounts, iter_unordered_stems
from tutorial_tool.links.pages import Found, Pages
from tutorial_tool.links.references import is_relative
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page

# The base of relative links without a suffix, inferred from those that resolve.
_FEWEST, _MOST = 5, 10
"""Minimum number of links that resolve only from URLs; of every `_MOST` of them, one may resolve only from files."""


_INDEXES = ("index.md", "index.mdx", "README.md", "readme.md", "_index.md", "index.markdown", "index.html")

_PROGRAMS = (".astro", ".js", ".jsx", ".ts", ".tsx", ".vue", ".svelte", ".md", ".mdx", ".html")

_TEMPLATES = tuple(".in .tmpl .tpl .template .j2 .jinja .jinja2 .erb .ejs .mustache .hbs .gotmpl".split())
"""Suffixes of template names; a build writes a file with the name before the suffix."""

_PERMALINK = lazy_re.compile(r"---\n(?:(?!---)[^\n]*\n)*?permalink[ \t]*:[ \t]*[\"']?(/[^\s\"']+)")


class TargetFinder:
    """Finds pages and files by URL. MkDocs has one rule; elsewhere any candidate that exists will do."""

    def __init__(self, pages: Pages) -> None:
        self._pages, self._disk = pages, pages.disk
        self._direct: dict[tuple[str, str], Found] = {}

    @cache_method
    def get_content(self, tree: Tree) -> Content:
        """Return the content of a Hugo tree, by path."""
        return Content(tree, self._disk)

    def find_hugo_page(self, page: Page, path: str, *, translated: bool = False) -> Found:
        """Return what Hugo's render hook for links finds, and `ref`, which requires the page's language."""
        tree, here = self._pages.get_tree(page), self._pages.get_file(page)
        file = self.get_content(tree).find(here, path, translated=translated) if tree.hugo and path else None
        return self._pages.by_file.get(file, file) if file is not None else None

    @cached_property
    def mounts(self) -> Mounts:
        """The mapping of paths to folders, inferred from the site's root-relative links."""
        return Mounts(self._pages, self)

    def list_tried_files(self, page: Page, path: str, *, raw: bool) -> tuple[str, ...]:
        """Return the files that are tried for a URL, the likeliest first."""
        tree, own, disk = self._pages.get_tree(page), copy(self), copy(self._disk)
        own._disk, own._direct, disk.asked = disk, {}, {}
        if not path.startswith("/"):
            own.find_relative(page, path, raw=raw)
        elif tree.root_is_docs and not raw:
            own.find_in_docs(tree, normpath(tree.docs + path))
        else:
            own.find_directly(tree, path)
        return tuple(disk.asked)

    def find_relative(self, page: Page, path: str, *, raw: bool) -> Found:
        """Return the target of a relative URL on a page. `raw` if browsers get the URL unchanged."""
        return next((result for result in self._iter_relative_candidates(page, path, raw) if result is not None), None)

    def _iter_relative_candidates(self, page: Page, path: str, raw: bool) -> Iterator[Found]:
        tree, file, url = self._pages.get_tree(page), self._pages.get_file(page), self._pages.get_url(page)
        near = normpath(join(dirname(file), path))
        if tree.is_exact:
            if not raw:
                yield self.find_in_docs(tree, near, file)
                yield self._find_navigation_folder(tree, near, file) if path.endswith("/") else None
            yield self._find_published(tree, urls.join_path(url, path))
            yield self._find_suffixless_page(near, path) if page.publisher else None
        elif tree.links == "file" and not raw:
            yield self._find_vitepress_target(tree, near, path)
        elif not raw and not splitext(path)[1] and self.counts_from_address(tree):
            address = urls.join_path(url, path)
            yield self._pages.find_by_url(tree, address)
            yield self._find_unlinted_page(tree, address.removeprefix(tree.base))
            yield self._find_fallback_page(tree, address.removeprefix(tree.base.rstrip("/")))
        else:
            yield from self._iter_near_candidates(page, path)
            yield from self._iter_folder_candidates(page, path)

    def _iter_near_candidates(self, page: Page, path: str) -> Iterator[Found]:
        """Yield the candidates relative to the page's file or URL, and those of the tree's generator."""
        tree, file, url = self._pages.get_tree(page), self._pages.get_file(page), self._pages.get_url(page)
        near = normpath(join(dirname(file), path))
        yield self.find_at_path(near)
        yield self._pages.find_by_url(tree, urls.join_path(url, path))
        yield self._find_static_file(tree, urls.join_path(url, path)) if splitext(path)[1] else None
        if tree.locales:
            joined = (urls.join_path(text, path) for text in (url, url.rstrip("/")))
            yield from (self._find_fallback_page(tree, text.removeprefix(tree.base.rstrip("/"))) for text in joined)
        yield self.find_directly(tree, normpath(f"/{path}")) if tree.generator.starts_at_root else None
        yield self._find_by_name(tree, path) if tree.by_name else None
        if tree.hugo is not None:
            yield from (self.find_at_path(normpath(join(folder, path))) for folder in tree.static)
            yield self.find_hugo_page(page, path)
            yield self._find_bundle_file(tree, near) if splitext(path)[1] else None

    def _iter_folder_candidates(self, page: Page, path: str) -> Iterator[Found]:
        """Yield the candidates relative to the folder that a page is published as, or to page folders."""
        tree, file, url = self._pages.get_tree(page), self._pages.get_file(page), self._pages.get_url(page)
        if not path.endswith(SUFFIXES):  # relative to the URL of a page published as a folder or a file
            yield self.find_at_path(normpath(join(splitext(file)[0], path)))
            yield self._pages.find_by_url(tree, urls.join_path(url.rstrip("/"), path))
        elif not tree.is_plain:  # Docusaurus and others also resolve it from the pages' folder
            homes = (
                tree.docs,
                *(folder for folder, _ in tree.outside_folders if file.startswith(f"{folder}/")),
                *(home for home in self.find_homes(tree) if file.startswith(f"{home}/")),
            )
            yield from (self.find_at_path(normpath(join(home, path))) for home in homes)
            name = urls.strip_suffix(path) if tree.generator.renames_files else path
            yield self._pages.find_by_url(tree, urls.join_path(url.rstrip("/"), name))
            yield self._find_untranslated(tree, normpath(join(dirname(file), path)))
        elif tree.generator.name and not tree.recognized:  # a program strips suffixes, browsers stop at the root
            yield self._pages.find_by_url(tree, urls.join_path(url.rstrip("/"), urls.strip_suffix(path)))

    def _find_static_file(self, tree: Tree, url: str) -> Found:
        """Return the static file published at the path of a URL, or None."""
        inner = url.removeprefix(tree.base.rstrip("/")).lstrip("/")
        return next(filter(self._disk.is_file, (normpath(join(folder, inner)) for folder in tree.static)), None)

    def _find_bundle_file(self, tree: Tree, near: str) -> Found:
        """Return the default language's bundle file, which Hugo uses if a translation has none."""
        default, *others = tree.hugo.languages if tree.hugo else ()
        own = next((language.folder for language in others if near.startswith(f"{language.folder}/")), None)
        return self.find_at_path(f"{default.folder}/{make_relative(near, own)}") if own else None

    def _find_suffixless_page(self, near: str, path: str) -> Page | None:
        """Return the page whose file a URL without a suffix names to other generators, or None."""
        stem = splitext(near)[0] if path.endswith(".html") else near
        if splitext(stem)[1] in SUFFIXES:
            return None
        names = (f"{stem}.md", *(join(stem, name) for name in _INDEXES))
        return next((self._pages.by_file[name] for name in names if name in self._pages.by_file), None)

    def _find_by_name(self, tree: Tree, path: str) -> Found:
        """Return what is at a path from which any leading folders may be omitted."""
        expected = splitext(path)[0] if path.endswith(SUFFIXES) else f"{path}README" if path.endswith("/") else path
        expected = "/" + normpath(expected.strip("/")).removeprefix("../").lower()
        file = self._index_names(tree).get(basename(expected), {})
        text = next((name for stem, name in file.items() if stem.endswith(expected)), None)
        return self._pages.by_file.get(text, text) if text else None

    @cache_method
    def _index_names(self, tree: Tree) -> Mapping[str, Mapping[str, str]]:
        """Return a tree's files by name and then path: in lower case, pages without suffix."""
        out: dict[str, dict[str, str]] = {}
        for file in chain.from_iterable(map(self._disk.walk, (*tree.folders, *tree.static))):
            stem = (splitext(file)[0] if file.endswith(SUFFIXES) else file).lower()
            out.setdefault(basename(stem), {})[stem] = file
        return out

    def counts_from_address(self, tree: Tree) -> bool:
        """Return whether a relative link without a suffix is relative to its page's URL, as a folder."""
        return tree.links == "url" or (tree.links == "any" and tree.id in self._of_addresses)

    @cached_property
    def _of_addresses(self) -> frozenset[str]:
        """The ids of trees whose links without a suffix are relative to page URLs, not to files."""
        matches: dict[str, list[int]] = {}
        for page, tree, path in self._find_bare_links():
            near = self.find_at_path(normpath(join(dirname(self._pages.get_file(page)), path)))
            there = self._pages.find_by_url(tree, urls.join_path(self._pages.get_url(page), path))
            if (near is None) != (there is None):
                matches.setdefault(tree.id, [0, 0])[near is None] += 1
        return frozenset(id_ for id_, (files, addresses) in matches.items() if addresses >= max(_FEWEST, _MOST * files))

    def _find_bare_links(self) -> Iterator[tuple[Page, Tree, str]]:
        """Yield the relative links without a suffix on pages whose URL ends in a slash, once per page."""
        for page in self._pages.site.pages:
            tree = self._pages.get_tree(page)
            if tree.is_plain or tree.is_exact or not self._pages.get_url(page).endswith("/"):
                continue
            links = (link for link in self._pages.get_references(page) if is_relative(link.href) and not link.is_path)
            for path in {unquote(link.path) for link in links if not (link.is_raw or link.is_image)}:
                if path and not splitext(path)[1]:
                    yield page, tree, path

    def _find_vitepress_target(self, tree: Tree, near: str, path: str) -> Found:
        """Return the target of a VitePress link: a page by its path, whatever the suffix, or a file."""
        end = splitext(path)[1]
        if end not in ("", ".md", ".html"):
            public = (normpath(join(folder, make_relative(near, tree.docs))) for folder in tree.static)
            return next((file for file in (near, *public) if self._disk.is_file(file)), None)
        stem = f"{near}/index" if path.endswith("/") else near.removesuffix(end)
        public = (f"{folder}/{make_relative(stem, tree.docs)}.html" for folder in tree.static)
        names = (f"{stem}.md", near, *public)
        return self._pages.by_file.get(f"{stem}.md") or next(filter(self._disk.is_file, names), None)

    @cache_method
    def find_homes(self, tree: Tree) -> frozenset[str]:
        """Return the folders of versions and translations: links to files may be relative to these, too."""
        if (pattern := tree.generator.home_pattern) is None:
            return frozenset()
        files = filter(tree.contains_path, self._pages.by_file)
        matches = (pattern.match(make_relative(file, tree.docs)) for file in files)
        return frozenset(join(tree.docs, home[0]) for home in matches if home)

    def find_from_home(self, page: Page, path: str) -> Found:
        """Return the page at a path relative to the folder of another page's version and translation."""
        file = self._pages.get_file(page)
        homes = self.find_homes(self._pages.get_tree(page))
        home = max(
            (home for home in homes if file.startswith(f"{home}/")), key=len, default=None
        )  # one may hold another
        near = join(home or "", normpath(path.lstrip("/")))
        return (self.find_at_path(near) or self._find_untranslated(self._pages.get_tree(page), near)) if home else None

    def _find_untranslated(self, tree: Tree, file: str) -> Found:
        """Return what is published where a translation lacks a file, or None."""
        original = tree.generator.find_untranslated(file)
        return self.find_at_path(original) if original else None

    def find_at_root(self, tree: Tree, path: str) -> Found:
        """Return what is at a path from the host's root, or from the root of the repository."""
        directly = self.find_directly(tree, path)
        if directly is not None or tree.is_exact or (tree.hugo is not None and tree.hugo.knows_urls):
            return directly
        return self._drop_unlisted_folder(tree, self.mounts.find(tree, path))

    def _drop_unlisted_folder(self, tree: Tree, result: Found) -> Found:
        """Return None for a folder that has no URL, since it has no index page; else the target."""
        if not isinstance(result, str) or tree.generator.lists_folders or not self._disk.is_folder(result):
            return result
        return None if tree.contains_path(result) and "/" in make_relative(result, tree.docs) else result

    def find_directly(self, tree: Tree, path: str) -> Found:
        """Return what is at a path from the host's root, by the tree's configuration and folders."""
        if (asked := (tree.id, path)) not in self._direct:
            find = self._find_at_exact_url if tree.is_exact else self._find_in_folders
            self._direct[asked] = find(tree, path)
        return self._direct[asked]

    def _find_at_exact_url(self, tree: Tree, path: str) -> Found:
        """Return what is at a path, if the configuration determines the URL of each page."""
        public = (normpath(join(folder, path.strip("/"))) for folder in tree.static)
        result = self._find_published(tree, path) or self._find_published(tree, tree.base + path[1:])
        return result or next(filter(self._disk.is_file, public), None)

    def _find_in_folders(self, tree: Tree, path: str) -> Found:
        """Return what is at a path below one of the folders that a generator publishes."""
        inner = path.removeprefix(tree.base.rstrip("/"))
        page = self._pages.find_by_url(tree, path) or self._pages.find_by_url(tree, inner)
        if page := page or self._find_fallback_page(tree, inner):
            return page
        if route := self._find_route_program(tree, inner.strip("/")):
            return route
        if tree.hugo and path.endswith(SUFFIXES) and (file := self.get_content(tree).find(f"{tree.docs}/", inner)):
            return self._pages.by_file.get(file, file)
        file = inner if tree.generator.resolves_files or not inner.endswith(SUFFIXES) else splitext(inner)[0]
        places = (normpath(join(folder, file.strip("/"))) for folder in self._iter_folders(tree, path))
        targets = (self._drop_unlisted_folder(tree, self.find_at_path(place)) for place in dict.fromkeys(places))
        kinds = (Page, str) if file == inner else Page  # not a folder of that name
        return next((target for target in targets if isinstance(target, kinds)), None)

    def _iter_folders(self, tree: Tree, path: str) -> Iterator[str]:
        """Yield the folders of a generator that may contain the target of a path."""
        yield from (*tree.static, *(language.folder for language in (tree.hugo.languages[:1] if tree.hugo else ())))
        yield from (tree.docs, tree.root, *(sorted(self.find_homes(tree)) if path.endswith(SUFFIXES) else ()))
        roots = self._pages.list_possible_roots(tree) if tree.is_plain else ()
        yield from (*roots, *(join(root, name) for root in roots for name in PUBLISHED))

    def _find_fallback_page(self, tree: Tree, path: str) -> Page | None:
        """Return the default language's page, shown if a translation is missing, or None."""
        code, _, rest = path.strip("/").partition("/")
        if code not in tree.locales[1:]:
            return None
        return self._pages.find_by_url(tree, f"/{tree.locales[0]}/{rest}")

    def _find_route_program(self, tree: Tree, path: str) -> str | None:
        """Return the program that renders the page at a path in generators built from components, or None."""
        if tree.is_plain:
            return None
        others = tree.generator.templates
        folders = (join(tree.root, "src/pages"), join(tree.root, "pages"), *((tree.docs,) if others else ()))
        stems = [normpath(join(folder, path)) for folder in folders]
        ends = (*_PROGRAMS, *others)
        names = [f"{stem}{middle}{end}" for stem in stems for middle in ("", "/index") for end in ends]
        return next(filter(self._disk.is_file, names), None) or self._find_stated_urls(tree).get(urls.build_key(path))

    @cache_method
    def _find_stated_urls(self, tree: Tree) -> Mapping[str, str]:
        """Return the pages of a Jekyll tree in HTML whose front matter states their URL, by that."""
        walked = self._disk.walk(tree.docs) if tree.generator.fills_liquid else ()
        files = (file for file in walked if file.endswith(".html"))
        stated = ((_PERMALINK.match(read_text(tree.docs, file)), file) for file in files)
        return {urls.build_key(match[1]): file for match, file in stated if match}

    def find_in_docs(self, tree: Tree, file: str, start: str = "") -> Found:
        """Return the page or file in MkDocs' docs folder that a path on the page in `start` means.

        If there are translations, it is that of the page's language, else that of the default one.
        """
        translations = tree.translations
        if translations is None or not tree.contains_path(file):
            return self.find_exact_file(tree, file)
        code = translations.split(make_relative(start, tree.docs))[0] if start else ""
        own = translations.iter_candidates(make_relative(file, tree.docs), code or translations.default)
        names = (normpath(join(tree.docs, name)) for name in own)
        return next((exactly for name in names if (exactly := self.find_exact_file(tree, name)) is not None), None)

    def _find_navigation_folder(self, tree: Tree, folder: str, file: str) -> Found:
        """Return the folder that an entry of a navigation file includes with all its pages, or None."""
        if not navigation_entries.is_navigation_file(tree, make_relative(file, tree.docs)):
            return None
        holds = self._disk.is_folder(folder) or any(path.startswith(f"{folder}/") for path in self._pages.by_file)
        return folder if holds else None

    def find_exact_file(self, tree: Tree, file: str) -> Found:
        """Return the page or file at a path in MkDocs' docs folder, or None."""
        if page := self._pages.by_file.get(file):
            return page
        if not tree.contains_path(file) or self._is_file(file):
            return file if tree.contains_path(file) else None
        return self._find_static_file(tree, make_relative(file, tree.docs)) or self._find_template(file)

    def _is_file(self, file: str) -> bool:
        return self._disk.is_file(file) or file in self._pages.figures

    def _find_template(self, *files: str) -> str | None:
        """Return the template from which a build makes one of these files, in the same folder, or None."""
        for file in files:
            if beside := self._disk.list_entries(dirname(file)):
                name = basename(file)
                if end := next((end for end in _TEMPLATES if beside.get(name + end) is False), None):
                    return file + end
        return None

    def _find_published(self, tree: Tree, url: str) -> Found:
        """Return what MkDocs publishes at the path of a URL, or None."""
        rest = url.removeprefix(tree.base)
        if not url.startswith(tree.base) or rest.endswith(SUFFIXES):
            return None
        if page := self._pages.find_by_url(tree, rest):
            return page
        file = normpath(join(tree.docs, rest or "."))
        own = file if self._is_file(file) else None
        return own or self._find_static_file(tree, url) or self._find_unlinted_page(tree, rest)

    def _find_unlinted_page(self, tree: Tree, rest: str) -> str | None:
        """Return the page on disk at a URL path that is not linted, or None."""
        stem = urls.build_key(rest)
        for name in (f"{stem}.md", f"{stem}.markdown", join(stem, "index.md"), join(stem, "README.md")):
            file = normpath(join(tree.docs, name))
            is_unread = self._disk.is_file(file) and file not in self._pages.by_file
            if is_unread and rest in urls.list_served_paths(tree.build_page_path(name)):
                return file
        return None

    def find_at_path(self, path: str) -> Found:
        """Return the page or file at a path; a missing suffix is guessed, as generators and GitHub do."""
        if page := self._pages.by_file.get(path):
            return page
        if self._is_file(path):
            return path
        stem = splitext(path)[0] if path.endswith((".html", ".htm", *SUFFIXES)) else path
        guesses = [*(stem + suffix for suffix in SUFFIXES), *(join(stem, name) for name in _INDEXES)]
        guesses = guesses if not path.endswith(SUFFIXES) else []
        for guess in guesses:
            if page := self._pages.by_file.get(guess):
                return page
            if self._disk.is_file(guess):
                return guess
        if self._disk.is_folder(path):
            return path
        return self._grouped.get(stem) or self._find_template(path, *guesses)

    @cached_property
    def _grouped(self) -> dict[str, Page]:
        """Pages with path parts that are not in their URLs, by path without these.

        They are folders in parentheses (Next.js) and numbers with a period before names (Nuxt).
        """
        out: dict[str, Page] = {}
        for file, page in self._pages.by_file.items():
            for stem in iter_unordered_stems(splitext(file)[0]):
                out.setdefault(dirname(stem) if basename(stem) in ("index", "page") else stem, page)
        return out
