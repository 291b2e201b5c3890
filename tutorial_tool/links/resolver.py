"""The targets of a site's links, and suggestions for broken ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from posixpath import basename, commonpath, dirname, join, normpath, relpath, splitext
from typing import Protocol
from urllib.parse import quote, unquote

from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.similarity import NEARLY_ALL
from tutorial_tool.core.source import Span
from tutorial_tool.fs.globs import matches
from tutorial_tool.links import navigation_entries, references, sidebars, snippets, urls
from tutorial_tool.links.anchors import build_github_slug
from tutorial_tool.links.disk import SUFFIXES, make_relative
from tutorial_tool.links.doubt import MIN_FAILING, Doubts, Kind
from tutorial_tool.links.evidence import Evidence, is_part
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.navigation_entries import Entry
from tutorial_tool.links.navigations import MissingEntry, Navigations
from tutorial_tool.links.pages import Found, Pages
from tutorial_tool.links.paths import Paths
from tutorial_tool.links.redirect_tables import RedirectTables
from tutorial_tool.links.redirect_targets import RedirectFollower
from tutorial_tool.links.references import Reference, has_scheme, is_computed
from tutorial_tool.links.sidebars import Sidebars
from tutorial_tool.links.site_anchors import SiteAnchors
from tutorial_tool.links.snippets import MissingFile as LostFile
from tutorial_tool.links.suggestions import NEAR_BESIDE, Suggestion, Suggestions, find_best_match
from tutorial_tool.links.target import Target
from tutorial_tool.links.target_candidates import TargetFinder
from tutorial_tool.links.tree import SEVERAL, Tree
from tutorial_tool.links.urls import split_url
from tutorial_tool.markdown import shortcodes
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.headings import build_python_markdown_slug
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import NO_ADDRESSING, Page, Site


class LinkLike(Protocol):
    """The parts of a link that determine its target."""

    @property
    def kind(self) -> str: ...
    @property
    def href(self) -> str: ...
    @property
    def place(self) -> Range | None: ...


_COMMENT = lazy_re.compile(r"%%.*?%%", re.DOTALL)
_COPIED = lazy_re.compile(
    r"(?:^|/)(?:archetypes|templates)/|(?:^|[-_/])(?:template|(?:sample|template)_readme)\.md$", re.IGNORECASE
)
"""Pages to copy: templates of decisions, proposals, and READMEs."""
_MAIL = ("mailto:", "tel:", "sms:")


class Addresses:
    """The links of a site. Call `get_addresses(site)`, so that all rules share one instance."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.settings = site.redirects, site.addressing
        self.pages = Pages(site)
        self.targets = TargetFinder(self.pages)
        self.tables = RedirectTables(self.pages)
        self.evidence = Evidence(self.pages, self.targets, self.tables)
        self.redirects = RedirectFollower(self.pages, self.targets, self.evidence, self.tables)
        self.suggestions = Suggestions(self.pages, self.targets)
        self.paths = Paths(self.pages, self.targets)
        self.sidebars = Sidebars(self.pages)
        self.anchors = SiteAnchors(self.pages, self.get_links)

    @cached_property
    def doubts(self) -> Doubts:
        """The URLs that fail in such numbers that the tool probably misreads the site."""
        return Doubts(self)

    def is_known(self, tree: Tree) -> bool:
        """Return whether the publisher of a tree is known: by a configuration, or GitHub shows the files."""
        if tree.recognized:
            return True
        requested = self.targets.mounts.requested_paths[tree.id]
        routes = (path for path in requested if "." not in basename(path.rstrip("/")))
        return len(list(islice(routes, SEVERAL))) < SEVERAL

    def have_front_matter(self, tree: Tree) -> bool:
        """Return whether several pages of a tree have front matter."""
        return self._front_counts[tree.id] > SEVERAL

    @cached_property
    def _front_counts(self) -> Counter[str]:
        return Counter(self.get_tree(page).id for page in self.site.pages if page.document.front_matter)

    def is_proven(self, page: Page, kind: Kind, reference: Reference) -> bool:
        """Return whether so few URLs of that form are broken that the site is read correctly."""
        resolved, asked = self.doubts.get_target_counts(kind, page, reference)
        return self.is_known(self.get_tree(page)) and (asked - resolved < MIN_FAILING or resolved >= NEARLY_ALL * asked)

    def list_tried_files(self, page: Page, reference: Reference) -> tuple[str, ...]:
        """Return the files that were tried for a reference, as findings name them."""
        path = unquote(reference.path)
        if reference.is_path or not path:
            return ()
        tried = self.targets.list_tried_files(page, path, raw=reference.is_raw)
        return tuple(make_relative(file, self.pages.root) for file in tried)

    # Pages

    def get_tree(self, page: Page) -> Tree:
        return self.pages.get_tree(page)

    def get_url(self, page: Page) -> str:
        """Return the path of a page's URL, from the host's root: `/base/guide/links/`."""
        return self.pages.get_url(page)

    def is_published(self, page: Page) -> bool:
        """Return whether a page has a URL, and is not just included in others."""
        return not is_part(self.get_tree(page), page)

    # Anchors

    def get_anchors(self, page: Page) -> frozenset[str]:
        """Return the known anchors of a page."""
        return self.anchors.get_ids(page)

    def has_anchor(self, page: Page, fragment: str) -> bool | None:
        """Return whether a page has an anchor, or None if unknown."""
        known = self.anchors.has_anchor(page, fragment)
        globs = self.site.addressing.generated if known is False else ()
        address = f"{self.get_url(page).strip('/')}#{fragment}" if globs and page in self.pages.by_file.values() else ""
        return None if address and matches(globs, address) else known

    def get_plugins(self, page: Page) -> frozenset[str]:
        """Return the MkDocs plugins that a page is published with."""
        return mkdocs.get_plugins(self.get_tree(page))

    # Links

    @cache_method
    def get_links(self, page: Page) -> list[tuple[Reference, Target]]:
        """Return the references on a page, each with its target."""
        references = () if self.is_test_page(page) else self.pages.get_references(page)
        return [(reference, self.resolve_reference(page, reference)) for reference in references]

    def is_test_page(self, page: Page) -> bool:
        """Return whether only tests read a page, or people or Hugo copy it: nobody follows its links."""
        file, tree = self.pages.get_file(page), self.get_tree(page)
        if self.site.is_project or basename(file).lower() == "readme.md":  # its build ignores files around it
            return False
        is_read = self.evidence.programs.is_test_page(file) or _COPIED.search(page.path) is not None
        return is_read and (not tree.recognized or self.has_tests_only(tree))

    def has_tests_only(self, tree: Tree) -> bool:
        """Return whether only tests build a site."""
        return tree.recognized and self.evidence.programs.is_test_page(f"{tree.root}/index.md")

    def resolve_reference(self, page: Page, reference: Reference) -> Target:
        """Return the target of a reference on a page."""
        target = self._resolve_reference(page, reference)
        if target.kind != "missing":
            return target
        is_excused = self.site.addressing != NO_ADDRESSING and self._is_excused(page, target)
        if not self.get_tree(page).recognized:
            is_excused = is_excused or self._resolves_for_program(page, reference, target.path)
        return Target("unknown", None, target.path) if is_excused else target

    def _resolves_for_program(self, page: Page, reference: Reference, path: str) -> bool:
        """Return whether a URL resolves from the root, or one in front matter from any folder around its page."""
        if reference.is_image:
            return self.targets.find_at_root(self.get_tree(page), normpath(f"/{path}")) is not None
        is_stated = reference.kind == "front-matter"
        folders = self.pages.disk.iter_ancestors(dirname(self.pages.get_file(page))) if is_stated else ()
        return any(self.targets.find_at_path(normpath(join(folder, path))) is not None for folder in folders)

    def _is_excused(self, page: Page, target: Target) -> bool:
        """Return whether the configuration declares a target: generated, or shown in another language."""
        addressing, path = self.site.addressing, normpath(join(dirname(f"/{page.path}"), target.path))
        if addressing.generated and matches(addressing.generated, path.lstrip("/")):
            return True
        code = language.find_language_folder(path) if addressing.fallback else ""
        if not code or code == addressing.fallback:
            return False
        others = (path.replace(f"/{code}/", with_, 1) for with_ in (f"/{addressing.fallback}/", "/"))
        return any(self._is_present(page, other) for other in others)

    def _is_present(self, page: Page, path: str) -> bool:
        """Return whether something exists at a path from the site's root, or from the folder of pages."""
        file = normpath(join(self.pages.docs, path.lstrip("/")))
        return (self.targets.find_at_path(file) or self.targets.find_at_root(self.get_tree(page), path)) is not None

    def _resolve_reference(self, page: Page, reference: Reference) -> Target:
        """Return the target of a reference, by the files alone."""
        comments = _COMMENT.finditer(page.plain) if self.get_tree(page).by_name and "%%" in page.plain else ()
        if any(match.start() < reference.place.start < match.end() for match in comments):  # in Obsidian
            return Target("unknown", None, reference.href)
        if not reference.is_path:
            target = self.resolve_href(page, reference.href, raw=reference.is_raw)
            is_anywhere = target.kind == "self" and page.dialect is Dialect.MYST  # which searches all pages
            return Target("unknown", None, reference.href) if is_anywhere else target
        path, _, fragment = reference.href.partition("#")
        fragment = fragment or unquote(reference.fragment)
        if not path:
            return Target("self", page, page.path, fragment)
        own = reference.kind != "ref" or not shortcodes.get_language(page.plain, reference.place.start)
        result, known = self.paths.find(page, path, reference.kind, translated=own)
        return self._build_target(result, path, fragment, known=known)

    def resolve_link(self, page: Page, link: LinkLike) -> Target:
        """Return the target of a link on a page."""
        if link.place is not None and (kind := references.PATHS.get(link.kind)):
            return self.resolve_reference(page, Reference(kind, link.href, link.place))
        return self.resolve_href(page, link.href, raw=link.kind == "html")

    def resolve_href(self, page: Page, href: str, *, raw: bool = False) -> Target:
        """Return the target of a URL on a page. `raw` if browsers get the URL unchanged, as in HTML."""
        generator, href = self.get_tree(page).generator, href.strip()
        href = href.replace("\\", "/") if raw or generator.reads_backslashes else href  # browsers read them so
        href = next((start + href[len(end) :] for end, start in generator.schemes if href.startswith(end)), href)
        if not href or href.startswith("#"):
            return Target("self", page, page.path, unquote(href[1:]))
        return self._resolve_href(page, href, raw)

    @cache_method
    def _resolve_href(self, page: Page, href: str, raw: bool) -> Target:
        if href.lower().startswith(_MAIL):
            return Target("mail", None, href)
        alias = self.get_tree(page).generator.root_alias
        if is_computed(href) and not (alias and href.startswith(alias)):
            return Target("unknown", None, href)
        if has_scheme(href):
            return self._resolve_external(self.get_tree(page), href)
        path, _, fragment = href.partition("#")
        path, _, query = path.partition("?")
        path, fragment = path if self._is_literal(page, path) else unquote(path), unquote(fragment)
        if query and not path:
            return Target("unknown", None, href)  # interpreted by a script of the page
        if not path:
            return Target("self", page, page.path, fragment)
        if alias and path.startswith(alias):
            return self._resolve_alias(page, path, fragment)
        if path.startswith("/"):
            if path.endswith(SUFFIXES) and (file := self.targets.find_from_home(page, path)) is not None:
                return self._build_target(file, path, fragment, known=True)
            return self._resolve_absolute(page, urls.join_path("/", path), fragment, raw)
        return self._resolve_relative(page, path, fragment, raw)

    def _is_literal(self, page: Page, path: str) -> bool:
        """Return whether the name of a file has the escapes of a path, as in exports of GitBook."""
        is_guessed = "%" in path and not self.get_tree(page).is_exact
        return is_guessed and self.pages.disk.is_file(normpath(join(dirname(self.pages.get_file(page)), path)))

    def _resolve_external(self, tree: Tree, href: str) -> Target:
        """Return the target of a full URL, which may be a page of this site."""
        parts = split_url(href)
        hosts = {url.netloc.lower().removeprefix("www.") for url in (parts, split_url(tree.origin))}
        if not tree.origin or parts.scheme not in ("http", "https") or len(hosts) > 1:
            return Target("external", None, href)
        page = self.pages.find_by_url(tree, unquote(parts.path)) if parts.path.startswith(tree.base) else None
        is_home = page is not None and not parts.path.strip("/")
        is_others = is_home and any(id_ == tree.id for id_, _ in self.evidence.elsewhere)  # perhaps of another build
        return Target("external", None if is_others else page, href, unquote(parts.fragment))

    def _resolve_absolute(self, page: Page, path: str, fragment: str, raw: bool) -> Target:
        tree = self.get_tree(page)
        is_file = tree.root_is_docs and not raw
        file = normpath(tree.docs + path)
        result = self.targets.find_in_docs(tree, file) if is_file else self.targets.find_at_root(tree, path)
        if result is not None:
            is_inferred = not is_file and self.targets.find_directly(tree, path) is None
            result = (self._find_sibling(page, result, path, fragment) if is_inferred else None) or result
            return self._build_target(self._find_translation(page, result, fragment), path, fragment, known=True)
        if moved := self.redirects.follow(tree, path, fragment):
            return moved
        return self._build_target(None, path, fragment, known=self._can_prove_missing(tree, path, is_file))

    @cache_method
    def _can_prove_missing(self, tree: Tree, path: str, is_file: bool) -> bool:
        can_prove = self.evidence.can_prove_file_missing if is_file else self.evidence.can_prove_root_missing
        known = can_prove(tree, path) or self.evidence.is_slip(tree, path)
        return known and not self._may_be_unrendered(path)

    def _resolve_alias(self, page: Page, path: str, fragment: str) -> Target:
        """Return the target of a path relative to the folder of the configuration."""
        tree = self.get_tree(page)
        file = normpath(join(tree.root, path.removeprefix(tree.generator.root_alias)))
        known = self.pages.disk.is_folder(dirname(file)) and self.evidence.is_fully_loaded(tree)
        known = known and not self.evidence.differs_in_case(page, file)
        return self._build_target(self.targets.find_at_path(file), path, fragment, known=known)

    def _may_be_unrendered(self, path: str) -> bool:
        """Return whether a path may be that of a page that failed to render: that is already reported."""
        if not self.site.is_project or not self.site.errors:
            return False
        requested = f"/{path.strip('/')}".removesuffix(".md").removesuffix("/index")
        lacking = [place.path for address, place in self.site.places.items() if address not in self.site.by_address]
        names = tuple(f"/{name.removesuffix('.md')}" for name in lacking)
        return requested.endswith(names) or not any(page.generated for page in self.site.pages)  # as of invalid data

    def _resolve_relative(self, page: Page, path: str, fragment: str, raw: bool) -> Target:
        if (result := self.targets.find_relative(page, path, raw=raw)) is not None:
            return self._build_target(self._find_translation(page, result, fragment), path, fragment, known=True)
        tree, requested = self.get_tree(page), self.tables.list_relative_urls(page, path)
        if moved := next(filter(None, (self.redirects.follow(tree, url, fragment) for url in requested)), None):
            return moved
        if tree.generator.name and not tree.recognized and (moved := self.redirects.follow_file(page, path, fragment)):
            return moved
        if self.evidence.programs.has_base_tag(tree.root):
            rooted = self._resolve_absolute(page, urls.join_path("/", path), fragment, raw)
            if rooted.kind in ("page", "file"):
                return rooted
        known = self.evidence.can_prove_relative_missing(page, path)
        if not known and self.is_published(page) and not self.evidence.may_be_label(tree, path):
            known = self.evidence.is_slip(tree, requested[0]) or self._lacks_slash(page, path)
        known = known and not self._may_be_unrendered(normpath(join(dirname(page.path), path)))
        return self._build_target(None, path, fragment, known=known)

    def _find_sibling(self, page: Page, result: Found, path: str, fragment: str) -> Page | None:
        """Return the page in the linking page's own language or version, unless only the one found has the anchor."""
        if not isinstance(result, Page):
            return None
        own, there = (splitext(self.pages.get_file(linked))[0].split("/") for linked in (page, result))
        at = len(commonpath(("/".join(own), "/".join(there))).split("/"))  # the first folder that differs
        if at >= min(len(own), len(there)) - 1 or there[at] in path.split("/"):
            return None
        twin = self.targets.find_at_path("/".join((*there[:at], own[at], *there[at + 1 :])))
        has_own = self.anchors.has_own
        return twin if isinstance(twin, Page) and (has_own(twin, fragment) or not has_own(result, fragment)) else None

    def _find_translation(self, page: Page, result: Found, fragment: str) -> Found:
        """Return a target's translation into the page's language if that has the anchor, else the target.

        Docusaurus shows it at the URL, as a site without a known generator may show `setup.fr.md` for `setup.md`.
        """
        if not fragment or not isinstance(result, Page):
            return result
        twin, code = None, splitext(splitext(self.pages.get_file(page))[0])[1]
        if self.get_tree(page).generator.find_untranslated(self.pages.get_file(page)):
            twin = self.targets.find_from_home(page, self.pages.get_docs_path(result).removeprefix("docs/"))
        elif code[1:] in language.CODES and not self.get_tree(page).recognized:
            twin = self.pages.by_file.get(code.join(splitext(self.pages.get_file(result))))
        return twin if isinstance(twin, Page) and self.anchors.has_own(twin, fragment) else result

    def _lacks_slash(self, page: Page, path: str) -> bool:
        """Return whether a URL that is broken relative to its page resolves from the root."""
        tree = self.get_tree(page)
        if tree.hugo is not None and not tree.hugo.is_fully_loaded:
            return False  # the page may exist in the language of the linking page
        if path.startswith(".") or path.endswith(SUFFIXES) or self.targets.find_at_root(tree, f"/{path}") is None:
            return False
        return not self.evidence.is_known_to_doxygen(self.pages.get_file(page), path)

    def _build_target(self, result: Found, path: str, fragment: str, *, known: bool) -> Target:
        if result is None:
            return Target("missing" if known else "unknown", None, path, fragment)
        if isinstance(result, str):
            return Target("file", None, make_relative(result, self.pages.docs), fragment)
        return Target("page", result, result.path, fragment)

    def resolve_url(self, url: str) -> Target:
        """Return what is at the path of a URL now."""
        path, last = unquote(url), Target("unknown", None, url)
        for tree in self.pages.trees:
            if path.startswith(tree.base) and (result := self.targets.find_at_root(tree, path)):
                return self._build_target(result, path, "", known=True)
            if moved := self.redirects.follow(tree, path):
                return moved
            is_known = (tree.is_exact and self.pages.disk.is_folder(tree.docs)) or self.evidence.is_fully_loaded(tree)
            if is_known and not tree.is_generated(path.removeprefix(tree.base)):
                last = Target("missing", None, url)
        return last

    # The navigation

    @cached_property
    def nav_entries(self) -> list[Entry]:
        """The pages that the navigation of a `mkdocs.yml` names."""
        out = []
        for tree in self.pages.trees:
            for path, span in navigation_entries.iter_pages(tree):
                result = self.targets.find_in_docs(tree, normpath(join(tree.docs, path)))
                known = result is None and navigation_entries.can_prove_missing(tree, path)
                known = known and not self._may_be_unrendered(path)
                known = known and not self.evidence.is_build_output(tree, normpath(join(tree.docs, path)))
                known = known and self.pages.disk.is_folder(tree.docs)
                out.append(Entry(path, self._build_target(result, path, "", known=known), span, tree))
        return out

    @cached_property
    def missing_nav_entries(self) -> list[MissingEntry]:
        """The missing pages in the navigation of other generators."""
        return Navigations(self.pages, self.targets, self.evidence, self.tables).missing_entries

    def has_nav(self, page: Page) -> bool:
        """Return whether the configuration of a page's tree contains the whole navigation."""
        tree = self.get_tree(page)
        is_named = navigation_entries.has_nav(tree) or self._find_summary_page(tree) is not None
        return is_named or self.sidebars.is_known(page)

    def get_nav_path(self, page: Page) -> str:
        """Return a page's path as a navigation names it: relative to the docs folder, without language."""
        path, translations = self.pages.get_docs_path(page), self.get_tree(page).translations
        return translations.split(path)[1] if translations else path

    def _find_summary_page(self, tree: Tree) -> Page | None:
        """Return the page that is the navigation, or None: pages that it does not name are not published."""
        return self.pages.by_file.get(join(tree.docs, tree.generator.summary)) if tree.generator.summary else None

    def get_chapter_titles(self, tree: Tree) -> dict[Page, str]:
        """Return the chapters of an mdBook in the order of its navigation, each with its title there."""
        out: dict[Page, str] = {}
        for reference, target in self.get_links(summary) if (summary := self._find_summary_page(tree)) else ():
            if target.page is not None and target.page is not summary:
                out.setdefault(target.page, reference.text)
        return out

    def is_prefixed(self, page: Page, reference: Reference) -> bool:
        """Return whether the generator may add the base of the site to a URL from the host's root."""
        tree = self.get_tree(page)
        is_read = not reference.is_raw or (tree.generator.bundles_images and reference.is_image)
        return reference.is_prefixed or (tree.adds_base and is_read)

    def is_draft(self, page: Page, reference: Reference) -> bool:
        """Return whether a link without a URL is a draft chapter of mdBook."""
        return not reference.href.strip() and page is self._find_summary_page(self.get_tree(page))

    def find_exclusion(self, page: Page) -> Span | None:
        """Return the span of the `mkdocs.yml` pattern that keeps a page from being published, or None."""
        return navigation_entries.find_exclusion(self.get_tree(page), self.pages.get_docs_path(page))

    def is_unlisted(self, page: Page) -> bool:
        """Return whether the configuration or the page excludes it from the navigation, or from the site."""
        is_hidden = self.is_test_page(page) or sidebars.is_hidden(page)
        return is_hidden or navigation_entries.is_unlisted(self.get_tree(page), self.pages.get_docs_path(page))

    @cached_property
    def is_fully_loaded(self) -> bool:
        """Whether all pages in the folders of the trees are linted."""
        return all(self.evidence.is_fully_loaded(tree) for tree in self.pages.trees)

    # Suggestions

    def suggest_file(self, page: Page, href: str, *, raw: bool = False) -> Suggestion | None:
        """Return the file (no page) that a URL probably means: in another case, or the most similar one.

        `raw` as for `resolve_href`: the URL is relative to that of the page, where people may write it relative to its
        file.
        """
        path = unquote(references.strip_query(href))
        starts = self._list_start_folders(page, path, raw=raw)
        for start in starts:
            full = normpath(join(start, path.lstrip("/")))
            entries = self.pages.disk.list_entries(dirname(full)).items()
            names = [name for name, is_folder in entries if not is_folder and not name.endswith(SUFFIXES)]
            same = [name for name in names if name.casefold() == basename(full).casefold()]
            if near := same[0] if same else find_best_match(basename(full), names, NEAR_BESIDE):
                address = href[: href.rfind("/") + 1] + quote(near)
                if start != starts[0] and not path.startswith("/"):  # it exists relative to the file
                    address = quote(relpath(join(dirname(full), near), starts[0]))
                return Suggestion(address, len(same) == 1)
        return None

    def iter_sibling_files(self, page: Page, href: str, *, raw: bool = False) -> Iterator[str]:
        """Yield the names of the files in the folder of a URL's target, with `raw` as for `suggest_file`."""
        path = unquote(references.strip_query(href))
        for start in self._list_start_folders(page, path, raw=raw):
            entries = self.pages.disk.list_entries(dirname(normpath(join(start, path.lstrip("/")))))
            yield from (name for name, is_folder in entries.items() if not is_folder)

    def _list_start_folders(self, page: Page, path: str, *, raw: bool) -> list[str]:
        """Return the folders that the path of a URL may be relative to, the likeliest first."""
        tree, here = self.get_tree(page), dirname(self.pages.get_file(page))
        if path.startswith("/"):
            return [tree.docs, *tree.static]
        if raw and tree.is_exact:
            folder = f"/{self.get_url(page).removeprefix(tree.base)}".rpartition("/")[0]
            return [normpath(f"{tree.docs}{folder}/"), here]
        return [here]

    def resolves_elsewhere(self, page: Page, href: str) -> bool:
        """Return whether a URL resolves where a site publishes a copy of the file."""
        path = unquote(references.strip_query(href))
        if not self.get_tree(page).is_plain or not path or path.startswith("/"):
            return False
        places = self._pages_by_text.get(page.plain, ())
        return any(self.targets.find_at_path(normpath(join(dirname(place), path))) is not None for place in places)

    @cached_property
    def _pages_by_text(self) -> dict[str, list[str]]:
        """The pages of sites by their texts."""
        pages = (page for page in self.site.pages if not self.get_tree(page).is_plain)
        return group_pairs((page.plain, self.pages.get_file(page)) for page in pages)

    def find_missing_snippets(self, page: Page) -> Iterator[LostFile]:
        """Yield the missing files that a page includes."""
        folder = dirname(self.pages.get_file(page))
        lost = snippets.find_missing(page.plain, folder, self.get_tree(page), self.pages.disk)
        is_ignored = self.evidence.programs.is_ignored
        return (file for file in lost if not any(is_ignored(join(at, basename(file.name))) for at in file.folders))

    def find_escaped_docs(self, page: Page, path: str) -> str:
        """Return MkDocs' docs folder if a relative path points to an existing file outside it, else ""."""
        tree, file = self.get_tree(page), normpath(join(dirname(self.pages.get_file(page)), unquote(path)))
        is_out = tree.is_exact and bool(path) and path[0] != "/" and not tree.contains_path(file)
        is_there = is_out and (self.pages.disk.is_file(file) or self.pages.disk.is_folder(file))
        return make_relative(tree.docs, tree.root) if is_there else ""

    def find_published_url(self, page: Page, path: str) -> str | None:
        """Return the relative URL of the page whose file a link in HTML names, or None."""
        target = self.resolve_href(page, path)
        to = target.page if target.kind == "page" else None
        return self.suggestions.format_url(page, to, path, raw=True) if to else None

    def find_heading_anchor(self, page: Page, text: str) -> str | None:
        """Return the anchor of the heading with this text, or None."""
        known, slugs = self.get_anchors(page), (build_python_markdown_slug(text), build_github_slug(text))
        return next((slug for slug in slugs if slug in known), None)


def get_addresses(site: Site) -> Addresses:
    """Return the links of a site, built once and shared by all callers."""
    cache = vars(site)  # not a weak dictionary: `Addresses` refers to its site, so neither would be freed
    addresses = cache.get("addresses")
    if not isinstance(addresses, Addresses) or addresses.settings != (site.redirects, site.addressing):
        addresses = cache["addresses"] = Addresses(site)
    return addresses
