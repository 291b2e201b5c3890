"""Detection of misread sites: if many URLs of one shape fail in the same way, the tool is wrong.

Each use of a URL has a shape: its form, the folders that it names, its characters, and the page that it is on. Each
failure may have explanations other than a mistake of the author: the page exists in another language, the folder has no
pages at all, the anchor differs in case only. If an explanation fits most targets of a part of the shape, what it
explains is one doubt, and no error. Targets count, not uses: forty links to one removed page are one failure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import PurePosixPath
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.similarity import NEARLY_ALL
from tutorial_tool.links import heading_ids, redirect_faults, redirects
from tutorial_tool.links.disk import SUFFIXES, make_relative
from tutorial_tool.links.references import Reference, strip_query
from tutorial_tool.links.target import Target
from tutorial_tool.site import Page, page_facts

if TYPE_CHECKING:
    from tutorial_tool.core.source import Span
    from tutorial_tool.links.resolver import Addresses
    from tutorial_tool.links.tree import Tree

Kind = Literal["page", "picture", "anchor", "redirect"]
Place = tuple[str, int]  # Location of a use: file path and offset

MIN_FAILING, MIN_FAILING_ON_PAGE = 6, 10  # Minimum targets that must fail; more if on one page, which may be wrong
MIN_SHARE, MIN_SHARE_OF_FEW = 0.5, 0.75
"""Minimum share of a shape's targets that must fail, and that share below twice the minimum number."""
_MIN_FAILURE_RATIO = 3  # Minimum ratio of the failure rates of anchors on pages with and without a component
# All measured in targets, on 24 public trees with 5,643 false errors and 944 true ones, 2026-11: none of the true ones
# was lost; half the shares and numbers lost 30, and removed 23 more false ones.

_VERSION = lazy_re.compile(r"(?<=/)(?:version-)?v?\d+(?:\.(?:\d+|x))*(?=/)|(?<=/)versioned_docs/")
_SIGN = lazy_re.compile(r"[!:@*\[\]{}$~+,;=&'\"()|\\]")
_OWN_SIGN = lazy_re.compile(r"[~@!$^&+=:*;|]")  # At the start of a URL: no path begins so
_ENDS = lazy_re.compile(r"\.\w{1,5}$|/$")
_COUNTED = lazy_re.compile(r"[a-z_-]*[a-z][-_]\d+")
"""An anchor that ends in a number. Generators number in two ways; mixing them up is a mistake worth reporting."""
_COMPONENT = lazy_re.compile(r"<[A-Z]")
_INDEX = lazy_re.compile(r"(?:/index|/README)?(?:\.mdx?|\.html|/)?$")
_NUMBER = lazy_re.compile(r"\d+[-._]")
"""A number that sorts the files of a folder."""
_OF_FAILURES = (
    ("page", "checked"),
    ("page", "language"),
    ("picture", "language"),
    ("anchor", "language"),
    ("picture", "path-case"),
)
"""Explanations that count if they cover most failures of a kind, however much of the shape resolves."""


class LinkUse(NamedTuple):
    """A use of a URL: its target, whether that exists, and if not, possible explanations."""

    kind: Kind
    key: str
    ok: bool
    place: Place
    features: frozenset[str]
    explanations: frozenset[str]


class Doubt(NamedTuple):
    """Failures that one explanation fits: `targets` distinct ones, which are `share` of those of a shape."""

    kind: Kind
    explanation: str
    feature: str
    targets: int
    share: float
    places: tuple[Place, ...]  # Locations of the uses, in order


class Doubts:
    """The doubts about a site, and the places that they apply to."""

    def __init__(self, addresses: Addresses) -> None:
        self._of = addresses

    def get_doubt(self, kind: Kind, page: Page, reference: Reference) -> Doubt | None:
        """Return the doubt about a URL on a page, or None."""
        return self._by_place.get((kind, (page.path, reference.place.start)))

    def may_be_elsewhere(self, page: Page, reference: Reference, *, is_sure: bool = False) -> bool:
        """Return whether a folder in the path of a broken URL contains nothing known.

        If `is_sure` that the URL is broken, only two things excuse it: a build that stops at broken links, so that a
        program writes the page, and an unknown publisher that may show the page in the main language.
        """
        path, tree = self._known_paths.resolve_path(page, reference), self._of.get_tree(page)
        has_twin = not tree.recognized and self._known_paths.has_main_language_page(path)
        may_work = not is_sure or (tree.is_checked and not path.endswith(SUFFIXES)) or has_twin
        return may_work and self._known_paths.is_in_unknown_folder(path)

    def differs_in_case(self, page: Page, reference: Reference) -> bool:
        """Return whether a broken URL differs from a page's only in case, which some hosts and routers ignore."""
        return self._known_paths.differs_in_case(self._known_paths.resolve_path(page, reference))

    def get_redirect_doubt(self, span: Span | None) -> Doubt | None:
        return self._by_place.get(("redirect", (span.path, span.start))) if span else None

    def get_target_counts(self, kind: Kind, page: Page, reference: Reference) -> tuple[int, int]:
        """Return how many distinct targets in this form resolve in the page's tree, and how many are used."""
        return self._target_counts.get((kind, self._of.get_tree(page).id, classify_url(reference.href)), (0, 0))

    @cached_property
    def _by_place(self) -> Mapping[tuple[Kind, Place], Doubt]:
        return {(doubt.kind, place): doubt for doubt in reversed(self.all_doubts) for place in doubt.places}

    @cached_property
    def all_doubts(self) -> list[Doubt]:
        """The doubts, sorted by how many failures they explain, most first."""
        return list(find_doubts(self._uses))

    @cached_property
    def _target_counts(self) -> Mapping[tuple[Kind, str, str], tuple[int, int]]:
        ok, whole = defaultdict(set), defaultdict(set)
        for use in self._uses:
            at = use.kind, _get_feature(use, "tree="), _get_feature(use, "form=")
            whole[at].add(use.key)
            if use.ok:
                ok[at].add(use.key)
        return {at: (len(ok[at]), len(keys)) for at, keys in whole.items()}

    @cached_property
    def _uses(self) -> list[LinkUse]:
        return [*_iter_page_uses(self._of, self._known_paths), *_iter_redirect_uses(self._of, self._known_paths)]

    @cached_property
    def _known_paths(self) -> _KnownPaths:
        return _KnownPaths(self._of)


def _get_feature(use: LinkUse, name: str) -> str:
    return next((text.removeprefix(name) for text in use.features if text.startswith(name)), "")


# Uses


def classify_url(href: str) -> str:
    """Return how a URL is written: from the site's root, relative to the page, or as an anchor on it."""
    path = strip_query(href)
    return "site" if path.startswith("/") else "anchor" if not path else "relative"


def _iter_page_uses(addresses: Addresses, known: _KnownPaths) -> Iterator[LinkUse]:
    for page in addresses.site.pages:
        around, tree = _build_page_features(addresses, page), addresses.get_tree(page)
        for reference, target in addresses.get_links(page):
            if target.kind in ("external", "mail") or reference.kind == "autolink":
                continue
            own = around | _build_url_features(reference.kind, reference.href)
            if reference.href.partition("#")[0] and target.kind != "unknown":
                yield _build_path_use(page, reference, target, own, known, tree)
            if target.fragment and not reference.is_image and target.kind in ("page", "self", "file"):
                yield from _iter_anchor_uses(addresses, page, reference, target, own, known)


def _build_path_use(
    page: Page, reference: Reference, target: Target, own: frozenset[str], known: _KnownPaths, tree: Tree
) -> LinkUse:
    """Return the use of a link or image: if the tree is complete, no failure is explained away."""
    is_proven = tree.is_complete
    path, ok = known.resolve_path(page, reference), target.kind != "missing"
    kind: Kind = "picture" if reference.is_image else "page"
    why = frozenset() if ok or is_proven else frozenset(_explain_missing_page(page, path, reference, known, tree))
    base = f"base=/{path.strip('/').partition('/')[0]}"
    own |= {base} if classify_url(reference.href) == "site" else frozenset()
    why |= {base} if not ok and known.resolves_without_folder(page, reference) else frozenset()
    why |= {"checked"} if not ok and tree.is_checked and not known.is_in_unknown_folder(path) else frozenset()
    ends = frozenset() if ok or is_proven else known.find_ends(page, reference)
    own, why = own | ends, why | ends
    inner = path.removeprefix(known.get_docs_path(page))
    shape = own | _build_folder_features("to", path) | _build_path_features(inner)
    return LinkUse(kind, _VERSION.sub("", _normalize_path(path)), ok, (page.path, reference.place.start), shape, why)


@lru_cache(10_000)
def _build_path_features(path: str) -> frozenset[str]:
    first, *others = path.strip("/").split("/")
    deep = f"{1 + len(others)} parts below /{'/'.join((first, *others[:1]))}"
    return frozenset((f"to-language={language.find_language_folder(path)}", f"inside={basename(dirname(path))}", deep))


def _iter_anchor_uses(
    addresses: Addresses, page: Page, reference: Reference, target: Target, own: frozenset[str], known: _KnownPaths
) -> Iterator[LinkUse]:
    to = addresses.anchors.get_target_page(target)
    ok = addresses.has_anchor(to, target.fragment) if to is not None else None
    if to is None or ok is None:
        return
    components = to.get_cached(_find_components)
    code = language.find_language_folder(to.path)
    shape = own | {f"there={to.path}", f"to-language={code}", f"self={target.kind == 'self'}"}
    shape |= _build_folder_features("to", f"/{to.path}") | {f"component={name}" for name in components}
    shape |= set(_iter_fragment_features(target.fragment))
    is_proven = addresses.get_tree(to).is_complete
    reasons = () if ok or is_proven else _explain_missing_anchor(addresses, page, to, target.fragment, components)
    why = frozenset(reasons)
    is_untitled = to is page and not addresses.pages.get_title(page)
    shape |= {"no title on the page"} if is_untitled else set()
    is_part = ok is False and to is page and (is_untitled or known.is_nearby_anchor(page, target.fragment))
    why |= {"part"} if is_part else frozenset()
    key = _VERSION.sub("", f"/{to.path}#{target.fragment}")
    yield LinkUse("anchor", key, ok, (page.path, reference.place.start), shape, why)


def _iter_fragment_features(fragment: str) -> Iterator[str]:
    """Yield the features of the anchor itself."""
    yield f"affix={fragment.partition('-')[0]}"
    if fragment != fragment.lower():
        yield "capitals in the anchor"
    if _COUNTED.fullmatch(fragment):
        yield "a number at the end of the anchor"
    yield from (f"`{sign}` in the anchor" for sign in "/." if sign in fragment)


@page_facts.register
def _find_components(page: Page) -> tuple[str, ...]:
    """Return the components that a page uses, which may render elements with anchors."""
    tags = page.document.tags if _COMPONENT.search(page.plain) else ()
    return tuple(sorted({tag.name for tag in tags if tag.name[:1].isupper()}))


def _iter_redirect_uses(addresses: Addresses, known: _KnownPaths) -> Iterator[LinkUse]:
    for tree, redirect in addresses.tables.all_redirects:
        if redirect.page is None and redirect.span is not None:
            fault = redirect_faults.find_fault(addresses, tree, redirect)
            shape = _build_folder_features("from", redirect.old) | _build_folder_features("to", redirect.new)
            shape |= {f"tree={tree.id}", f"file={redirect.span.path}", f"pattern={redirects.is_pattern(redirect.old)}"}
            why = frozenset(() if tree.is_complete else _explain_redirect_fault(fault, redirect.new, known))
            place = redirect.span.path, redirect.span.start
            yield LinkUse("redirect", f"{redirect.old}>{redirect.new}", fault is None, place, frozenset(shape), why)


def _build_page_features(addresses: Addresses, page: Page) -> frozenset[str]:
    """Return the features that all URLs on a page share."""
    code, tree = language.find_language_folder(page.path), addresses.get_tree(page)
    own = {f"tree={tree.id}", f"at={page.path}", f"language={code}", f"language named: {bool(code)}"}
    own |= {f"folder={basename(dirname(page.path))}"}
    return frozenset(own | _build_folder_features("in", f"/{page.path}"))


@lru_cache(10_000)
def _build_url_features(kind: str, href: str) -> frozenset[str]:
    """Return the features of the URL itself."""
    path = strip_query(href)
    ends = _ENDS.search(path)
    out = {f"written={kind}", f"form={classify_url(path)}", f"ends={ends[0] if ends else ''}"}
    out |= {f"`{sign}` in the URL" for sign in _SIGN.findall(path)}
    out |= {"capitals in the URL"} if path != path.lower() else set()
    return frozenset(out | ({"up"} if path.startswith("../") else set()))


@lru_cache(10_000)
def _build_folder_features(name: str, path: str) -> frozenset[str]:
    parts = [part for part in path.partition("#")[0].strip("/").split("/") if part][:-1]
    return frozenset(f"{name}=/{'/'.join(parts[:n])}" for n in range(1, min(4, len(parts)) + 1))


# Explanations


def _explain_missing_page(page: Page, path: str, reference: Reference, known: _KnownPaths, tree: Tree) -> Iterator[str]:
    if known.resolves_from_root(page, reference):
        return  # a missing slash, with any generator
    href = reference.href
    slashed = reference._replace(href=href.replace("\\", "/"))
    is_there = known.resolves(page, slashed.href) or known.differs_in_case(known.resolve_path(page, slashed))
    reasons = {
        "backslash": slashed != reference and is_there,
        "helper": reference.kind == "prefixed",
        "language": known.has_main_language_page(path),
        "folder": known.is_in_unknown_folder(path),
        "start": known.resolves_from_above(page, reference),
        "dynamic": "[" in path,
        "sign": _OWN_SIGN.match(href) or ("@" in href and known.resolves(page, href.rpartition("@")[0])),  # `x.png@50p`
        "path-case": known.differs_in_case(path),
        "name": known.has_name(reference),
        "slug": classify_url(href) == "relative" and "." not in basename(path) and not tree.recognized,
    }
    yield from (reason for reason, fits in reasons.items() if fits)


def _explain_missing_anchor(
    addresses: Addresses, page: Page, to: Page, fragment: str, components: Iterable[str]
) -> Iterator[str]:
    anchors = addresses.get_anchors(to)
    if fragment != fragment.lower() and fragment.lower() in {anchor.lower() for anchor in anchors}:
        yield "case"
    elif heading_ids.normalize_id(fragment) in map(heading_ids.normalize_id, anchors):
        yield from () if _COUNTED.fullmatch(fragment) else ("marks",)
    elif _COUNTED.fullmatch(fragment) and fragment.rstrip("0123456789")[:-1] in anchors:
        yield "count"
    else:
        yield from (f"component={name}" for name in components)
        yield from _explain_affix(addresses.get_tree(to), fragment, anchors, components)
    if "/" in fragment.rstrip("/"):
        yield "route"
    if "." in fragment and not any("." in anchor for anchor in anchors):
        yield "dot"
    here, there = language.find_language_folder(page.path), language.find_language_folder(to.path)
    yield from ("language",) if here and here != there else ()


def _explain_affix(tree: Tree, fragment: str, anchors: Iterable[str], components: Iterable[str]) -> Iterator[str]:
    """Yield how an anchor begins, if no known one does: an unknown program or a component may build all of them."""
    affix, may_be_built = fragment.partition("-")[0], components or not tree.recognized
    begin = heading_ids.normalize_id(affix)
    if may_be_built and not any(heading_ids.normalize_id(anchor).startswith(begin) for anchor in anchors):
        yield f"affix={affix}"


def _explain_redirect_fault(fault: redirect_faults.Fault | None, new: str, known: _KnownPaths) -> Iterator[str]:
    if fault is not None and fault.kind == "circle":
        yield "circle"
    if fault is not None and fault.kind == "missing" and known.is_in_unknown_folder(new.partition("#")[0]):
        yield "folder"


class _KnownPaths:
    """The paths known to exist: those of pages, and the targets of links that resolve."""

    def __init__(self, addresses: Addresses) -> None:
        self._of = addresses

    def resolve_path(self, page: Page, reference: Reference) -> str:
        """Return the target path of a URL, from the root of the site or of the linted folder."""
        path = unquote(reference.path)
        return normpath(join(dirname(f"/{page.path}"), path)) if path else ""

    def get_docs_path(self, page: Page) -> str:
        """Return the docs folder of a page's tree as a path from the linted folder, with a leading slash."""
        return f"/{make_relative(self._of.get_tree(page).docs, self._of.pages.root)}"

    def is_nearby_anchor(self, page: Page, anchor: str) -> bool:
        """Return whether another page in the same or the parent folder has this anchor."""
        here = dirname(page.path)
        return anchor in self._collect_anchors(here) or anchor in self._collect_anchors(dirname(here))

    @cache_method
    def _collect_anchors(self, folder: str) -> frozenset[str]:
        return frozenset(id_ for page in self._by_folder.get(folder, ()) for id_ in self._of.get_anchors(page))

    @cached_property
    def _by_folder(self) -> dict[str, list[Page]]:
        return group_by(self._of.site.pages, lambda page: dirname(page.path))

    def resolves(self, page: Page, href: str) -> bool:
        return self._of.resolve_href(page, href).kind in ("page", "file")

    def resolves_from_root(self, page: Page, reference: Reference) -> bool:
        """Return whether a URL that is relative to its page would resolve from the site's root."""
        is_bare = reference.href[:1].isalnum() and not reference.is_path and reference.kind != "prefixed"
        return is_bare and self.resolves(page, f"/{reference.href}")

    def resolves_without_folder(self, page: Page, reference: Reference) -> bool:
        """Return whether a URL from the root would resolve without its first folder."""
        rest = reference.path.strip("/").partition("/")[2]
        is_url = classify_url(reference.href) == "site" and not reference.path.endswith(SUFFIXES)
        return is_url and bool(rest) and self.resolves(page, f"/{rest}")

    def find_ends(self, page: Page, reference: Reference) -> frozenset[str]:
        """Return the common ends of page names, such as `-ios`, with which a URL would resolve."""
        path = reference.path.rstrip("/")
        ends = self._common_ends if path and not path.endswith(SUFFIXES) else ()
        return frozenset(f"end={end}" for end in ends if self.resolves(page, path + end))

    @cached_property
    def _common_ends(self) -> list[str]:
        names = (_normalize_path(page.path).rpartition("-") for page in self._of.site.pages)
        ends = Counter(f"-{end}" for stem, _, end in names if stem and "/" not in end)
        return [end for end, count in ends.most_common(9) if count >= MIN_FAILING]

    @cached_property
    def _paths(self) -> frozenset[str]:
        pages = self._of.site.pages
        links = ((page, *link) for page in pages for link in self._of.get_links(page))
        resolved = (self.resolve_path(page, reference) for page, reference, to in links if to.kind in ("page", "file"))
        known = (path for page in pages for path in (f"/{page.path}", self._of.get_url(page)))
        return frozenset(map(_normalize_path, chain(known, resolved)))

    def differs_in_case(self, path: str) -> bool:
        """Return whether a path differs from an existing one only in case: sites may publish pages in small letters."""
        return (path := _normalize_path(path)) not in self._paths and path.casefold() in self._casefolded_paths

    @cached_property
    def _casefolded_paths(self) -> frozenset[str]:
        files = (file for tree in self._of.pages.trees for file in self._of.pages.disk.walk(tree.docs))
        paths = (f"/{make_relative(file, self._of.pages.docs)}" for file in files)
        return frozenset(map(str.casefold, chain(self._paths, paths)))

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(path[:at] for path in self._paths for at, sign in enumerate(path) if sign == "/") | {""}

    @cached_property
    def _main_language(self) -> str:
        """English if it has a folder, else the language of most pages; "" if that has no folder."""
        languages = Counter(language.find_language_folder(page.path) for page in self._of.site.pages)
        return "en" if languages["en"] else min(languages, key=lambda code: (-languages[code], code), default="")

    def has_main_language_page(self, path: str) -> bool:
        """Return whether the target of a URL in another language exists in the language of most pages."""
        own = language.find_language_folder(path)
        if own in ("", self._main_language):
            return False
        parts = path.split("/")
        at = parts.index(own)
        around, inner = parts[:at], parts[at + 1 :]
        others = [*around, self._main_language, *inner], [*around, *inner], ["", *inner]  # the last beside `i18n/de`
        return any(_normalize_path("/".join(other)) in self._paths for other in others)

    def resolves_from_above(self, page: Page, reference: Reference) -> bool:
        """Return whether a relative URL would resolve to a page from a folder above."""
        path = unquote(reference.path)
        is_file = classify_url(reference.href) == "relative" and path.endswith(SUFFIXES)
        above = PurePosixPath("/", page.path).parents[1:]
        return is_file and any(_normalize_path(normpath(join(folder, path))) in self._paths for folder in above)

    def has_name(self, reference: Reference) -> bool:
        """Return whether a relative URL names a page elsewhere without its suffix, or any file without its folders."""
        path = unquote(reference.path)
        is_name = "/" not in path or "." not in basename(path)
        return is_name and classify_url(path) == "relative" and basename(path) in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        files = (file for tree in self._of.pages.trees for file in self._of.pages.disk.walk(tree.docs))
        stems = (_NUMBER.sub("", _normalize_path(page.path).rpartition("/")[2]) for page in self._of.site.pages)
        return frozenset(chain(map(basename, files), stems))

    def is_in_unknown_folder(self, path: str) -> bool:
        """Return whether some folder in the path contains nothing known."""
        parts = _normalize_path(path).split("/")[:-1]
        return any("/".join(parts[:n]) not in self._folders for n in range(2, len(parts) + 1))


def _normalize_path(path: str) -> str:
    """Return the form of a path that all files for the same URL share."""
    return _INDEX.sub("", f"/{path.lstrip('/')}")


# Doubts


class _Group(NamedTuple):
    """Failures of one kind with one explanation, in one part of their shape."""

    kind: Kind
    explanation: str
    feature: str


def find_doubts(uses: Iterable[LinkUse]) -> Iterator[Doubt]:
    """Yield the doubts that these uses raise, those that explain most first."""
    uses = list(uses)
    failing = _group_failures(uses)
    if not failing:
        return
    kinds = {group.kind for group in failing}
    of_kinds = [use for use in uses if use.kind in kinds]
    shares = dict(_compute_shares(of_kinds, failing))
    taken: set[tuple[Kind, Place]] = set()
    while shares:
        fresh = {group: len(failing[group]) * (0.5 + share) for group, share in shares.items()}
        best = min(fresh, key=lambda group: (-fresh[group], group))
        share = shares.pop(best)
        places = dict.fromkeys(use.place for use in of_kinds if _matches_group(use, best, share))
        left = tuple(place for place in places if (best.kind, place) not in taken)
        taken |= {(best.kind, place) for place in left}
        if left:
            yield Doubt(best.kind, best.explanation, best.feature, len(failing[best]), share, left)
        old = {(use.kind, use.key) for use in of_kinds if (use.kind, use.place) in taken}
        explained = {group: sum((group.kind, key) in old for key in failing[group]) for group in shares}
        shares = {group: share for group, share in shares.items() if len(failing[group]) - explained[group] > 1}


def _group_failures(uses: Iterable[LinkUse]) -> dict[_Group, set[str]]:
    """Return the failing targets by group, for groups with enough of them."""
    out: defaultdict[_Group, set[str]] = defaultdict(set)
    for use in uses:
        for why in use.explanations:
            names = (why,) if "=" in why else use.features
            for name in names:
                out[_Group(use.kind, why, name)].add(use.key)
    return {group: keys for group, keys in out.items() if len(keys) >= _get_min_targets(group)}


def _get_min_targets(group: _Group) -> int:
    return MIN_FAILING_ON_PAGE if group.feature.startswith(("at=", "there=")) else MIN_FAILING


def _compute_shares(uses: Iterable[LinkUse], failing: Mapping[_Group, set[str]]) -> Iterator[tuple[_Group, float]]:
    """Yield the failing share of the targets of each group's shape, for groups where it is high enough."""
    whole: defaultdict[tuple[Kind, str], set[str]] = defaultdict(set)
    lost: defaultdict[tuple[Kind, str], set[str]] = defaultdict(set)
    for use in uses:
        for name in use.features:
            whole[use.kind, name].add(use.key)
            if not use.ok:
                lost[use.kind, name].add(use.key)
    for group, keys in failing.items():
        at = group.kind, group.feature
        share = len(keys) / len((lost if (group.kind, group.explanation) in _OF_FAILURES else whole)[at])
        is_component = group.explanation.startswith("component=")
        if is_component and not _is_much_worse(uses, group, share):
            continue
        is_few = len(keys) < 2 * _get_min_targets(group) or is_component
        if share >= (MIN_SHARE_OF_FEW if is_few else MIN_SHARE):
            yield group, share


def _is_much_worse(uses: Iterable[LinkUse], group: _Group, share: float) -> bool:
    """Return whether anchors fail much more often on pages that have a component than on others."""
    others = [use for use in uses if use.kind == group.kind and group.feature not in use.features]
    bad = {use.key for use in others if not use.ok}
    return bool(others) and _MIN_FAILURE_RATIO * len(bad) / len({use.key for use in others}) <= share


def _matches_group(use: LinkUse, group: _Group, share: float) -> bool:
    """Return whether a group's doubt covers a failure: any of its shape, if nearly all of that fails."""
    is_explained = group.explanation in use.explanations or (
        share >= NEARLY_ALL and (group.kind, group.explanation) not in _OF_FAILURES
    )
    return not use.ok and use.kind == group.kind and is_explained and group.feature in use.features
