"""Self-doubt: where a good part of the addresses of one shape fail in one way, the reading of the site is wrong.

Each use of an address has a shape: its form, the folders that it names, signs, the page that it stands on. Each failure
may have explanations other than a slip of the author: the page is there in another language, the folder has no page at
all, the anchor differs in case only. Where an explanation fits most of what a part of the shape asks for, what it
explains is one doubt, and no error. Targets count, not uses: forty links to one removed page are one failure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import language, lazy_re
from tutorial_tool.links import heading_ids, redirect_faults, redirects
from tutorial_tool.links.disk import SUFFIXES, below
from tutorial_tool.links.references import Reference
from tutorial_tool.links.target import Target
from tutorial_tool.site import Page, page_facts

if TYPE_CHECKING:
    from tutorial_tool.core.source import Span
    from tutorial_tool.links.resolving import Addresses

Kind = Literal["page", "picture", "anchor", "redirect"]
Place = tuple[str, int]  # Where a use stands: the path of a file, and the offset in it

LEAST, LEAST_ON_PAGE = 6, 10
"""Different targets that must fail, and how many where they are of one page, which may be bad in earnest."""
SHARE, SHARE_OF_FEW = 0.5, 0.75
"""The share of a shape's targets that must fail, and that of fewer than twice the least number."""
WHOLE = 0.8  # The share from which the rest of the shape is doubted, too, whatever explains it
_TIMES = 3  # How much more often anchors of pages with a component fail than those of pages without it
# All measured in targets, on 24 public trees with 5,643 false errors and 944 true ones, 2026-11: none of the true ones
# was lost; half the shares and numbers lost 30, and mended 23 false ones more.

_VERSION = lazy_re.compile(r"(?<=/)(?:version-)?v?\d+(?:\.(?:\d+|x))*(?=/)|(?<=/)versioned_docs/")
_SIGN = lazy_re.compile(r"[!:@*\[\]{}$~+,;=&'\"()|]")
_ENDS = lazy_re.compile(r"\.\w{1,5}$|/$")
_COUNTED = lazy_re.compile(r"[a-z_-]*[a-z][-_]\d+")
"""An anchor with a number behind it: generators count in two ways, which is a slip to tell."""
_COMPONENT = lazy_re.compile(r"<[A-Z]")
_INDEX = lazy_re.compile(r"(?:/index|/README)?(?:\.mdx?|\.html|/)?$")
_NUMBER = lazy_re.compile(r"\d+[-._]")
"""What orders the files of a folder."""
_OF_FAILURES = "language"  # What explains failures where it explains most of these, however much of the shape resolves


class Use(NamedTuple):
    """A use of an address that is decided: what it leads to, whether that is there, and if not, what may explain it."""

    kind: Kind
    key: str
    ok: bool
    place: Place
    shape: frozenset[str]
    why: frozenset[str]


class Doubt(NamedTuple):
    """Failures that one explanation fits: of `targets` different ones, which are `share` of those of a shape."""

    kind: Kind
    why: str
    shape: str
    targets: int
    share: float
    places: tuple[Place, ...]  # Where the uses stand, the first one first


class Doubts:
    """The doubts about a site, and which places they hold for."""

    def __init__(self, of: Addresses) -> None:
        self._of = of

    def about(self, kind: Kind, page: Page, reference: Reference) -> Doubt | None:
        """The doubt about an address on a page."""
        return self._by_place.get((kind, (page.path, reference.place.start)))

    def may_be_elsewhere(self, page: Page, reference: Reference) -> bool:
        """Whether nothing is known below some folder of an address that leads nowhere."""
        return self._known.is_empty(self._known.path(page, reference))

    def about_redirect(self, span: Span | None) -> Doubt | None:
        return self._by_place.get(("redirect", (span.path, span.start))) if span else None

    def of_kind(self, kind: Kind) -> list[Doubt]:
        return [doubt for doubt in self.all if doubt.kind == kind]

    def share(self, kind: Kind, page: Page, reference: Reference) -> tuple[int, int]:
        """How many of the targets that pages of its tree name in that form are there, and how many there are."""
        return self._shares.get((kind, self._of.tree(page).id, form(reference.href)), (0, 0))

    @cached_property
    def _by_place(self) -> Mapping[tuple[Kind, Place], Doubt]:
        return {(doubt.kind, place): doubt for doubt in reversed(self.all) for place in doubt.places}

    @cached_property
    def all(self) -> list[Doubt]:
        """The doubts, those that explain most first."""
        return list(found(self._uses))

    @cached_property
    def _shares(self) -> Mapping[tuple[Kind, str, str], tuple[int, int]]:
        ok, whole = defaultdict(set), defaultdict(set)
        for use in self._uses:
            at = use.kind, _feature(use, "tree="), _feature(use, "form=")
            whole[at].add(use.key)
            if use.ok:
                ok[at].add(use.key)
        return {at: (len(ok[at]), len(keys)) for at, keys in whole.items()}

    @cached_property
    def _uses(self) -> list[Use]:
        return [*_of_pages(self._of, self._known), *_of_redirects(self._of, self._known)]

    @cached_property
    def _known(self) -> _Known:
        return _Known(self._of)


def _feature(use: Use, name: str) -> str:
    return next((text.removeprefix(name) for text in use.shape if text.startswith(name)), "")


# Uses


def form(href: str) -> str:
    """How an address is written: from the site's root, from the page, or as a place on it."""
    path = href.partition("#")[0].partition("?")[0]
    return "site" if path.startswith("/") else "anchor" if not path else "relative"


def _of_pages(of: Addresses, known: _Known) -> Iterator[Use]:
    for page in of.site.pages:
        around, is_proven = _around(of, page), of.tree(page).closed
        for reference, target in of.links(page):
            if target.kind in ("external", "mail") or reference.kind == "autolink":
                continue
            own = around | _shape(reference.kind, reference.href)
            if reference.href.partition("#")[0] and target.kind != "unknown":
                yield _of_path(page, reference, target, own, known, is_proven=is_proven)
            if target.fragment and not reference.is_image and target.kind in ("page", "self", "file"):
                yield from _of_anchor(of, page, reference, target, own, known)


def _of_path(
    page: Page, reference: Reference, target: Target, own: frozenset[str], known: _Known, *, is_proven: bool
) -> Use:
    """A link or picture. `is_proven` where every page and file of the published site is known: nothing excuses it."""
    path, ok = known.path(page, reference), target.kind != "missing"
    kind: Kind = "picture" if reference.is_image else "page"
    why = frozenset() if ok or is_proven else frozenset(_why_no_page(page, path, reference, known))
    shape = own | _folders("to", path) | _ends_of(path.removeprefix(known.docs(page)))
    return Use(kind, _VERSION.sub("", path), ok, (page.path, reference.place.start), shape, why)


@lru_cache(10_000)
def _ends_of(path: str) -> frozenset[str]:
    first, *others = path.strip("/").split("/")
    deep = f"{1 + len(others)} parts below /{'/'.join((first, *others[:1]))}"
    return frozenset((f"to-language={language.find_language_folder(path)}", f"inside={basename(dirname(path))}", deep))


def _of_anchor(
    of: Addresses, page: Page, reference: Reference, target: Target, own: frozenset[str], known: _Known
) -> Iterator[Use]:
    to = of.named(target)
    ok = of.has_anchor(to, target.fragment) if to is not None else None
    if to is None or ok is None:
        return
    components = to.kept(_components)
    shape = own | {
        f"there={to.path}",
        f"to-language={language.find_language_folder(to.path)}",
        f"self={target.kind == 'self'}",
    }
    shape |= _folders("to", f"/{to.path}") | {f"component={name}" for name in components}
    shape |= set(_signs_of(target.fragment))
    is_proven = of.tree(to).closed
    why = frozenset() if ok or is_proven else frozenset(_why_no_anchor(of, page, to, target.fragment, components))
    is_untitled = to is page and not of.title(page)
    shape |= {"no title on the page"} if is_untitled else set()
    is_part = ok is False and to is page and (is_untitled or known.is_around(page, target.fragment))
    why |= {"part"} if is_part else frozenset()
    key = _VERSION.sub("", f"/{to.path}#{target.fragment}")
    yield Use("anchor", key, ok, (page.path, reference.place.start), shape, why)


def _signs_of(fragment: str) -> Iterator[str]:
    """What shows of an anchor itself."""
    if fragment != fragment.lower():
        yield "capitals in the anchor"
    if _COUNTED.fullmatch(fragment):
        yield "a number at the end of the anchor"
    if "/" in fragment:
        yield "`/` in the anchor"
    if "." in fragment:
        yield "`.` in the anchor"


@page_facts.of_each
def _components(page: Page) -> tuple[str, ...]:
    """The components that a page shows, which may draw what has anchors."""
    if not _COMPONENT.search(page.plain):
        return ()
    return tuple(sorted({tag.name for tag in page.document.tags if tag.name[:1].isupper()}))


def _of_redirects(of: Addresses, known: _Known) -> Iterator[Use]:
    for tree, redirect in of.redirects.all:
        if redirect.page is None and redirect.span is not None:
            fault = redirect_faults.find_fault(of, tree, redirect)
            shape = _folders("from", redirect.old) | _folders("to", redirect.new)
            shape |= {f"tree={tree.id}", f"file={redirect.span.path}", f"pattern={redirects.is_pattern(redirect.old)}"}
            why = frozenset(() if tree.closed else _why_no_redirect(fault, redirect.new, known))
            place = redirect.span.path, redirect.span.start
            yield Use("redirect", f"{redirect.old}>{redirect.new}", fault is None, place, frozenset(shape), why)


def _around(of: Addresses, page: Page) -> frozenset[str]:
    """What all addresses on a page have in common."""
    code = language.find_language_folder(page.path)
    own = {f"tree={of.tree(page).id}", f"at={page.path}", f"language={code}", f"language named: {bool(code)}"}
    own |= {f"folder={basename(dirname(page.path))}"}
    return frozenset(own | _folders("in", f"/{page.path}"))


@lru_cache(10_000)
def _shape(kind: str, href: str) -> frozenset[str]:
    """What shows of an address itself."""
    path = href.partition("#")[0].partition("?")[0]
    ends = _ENDS.search(path)
    out = {f"written={kind}", f"form={form(path)}", f"ends={ends[0] if ends else ''}"}
    out |= {f"`{sign}` in the URL" for sign in _SIGN.findall(path)}
    out |= {"capitals in the URL"} if path != path.lower() else set()
    return frozenset(out | ({"up"} if path.startswith("../") else set()))


@lru_cache(10_000)
def _folders(name: str, path: str, deep: int = 4) -> frozenset[str]:
    parts = [part for part in path.partition("#")[0].strip("/").split("/") if part][:-1]
    return frozenset(f"{name}=/{'/'.join(parts[:n])}" for n in range(1, min(deep, len(parts)) + 1))


# Explanations


def _why_no_page(page: Page, path: str, reference: Reference, known: _Known) -> Iterator[str]:
    if known.is_there_from_root(page, reference):
        return  # a slash is missing, whatever the generator is
    yield from ("helper",) if reference.kind == "prefixed" else ()
    yield from ("language",) if known.has_twin(path) else ()
    yield from ("folder",) if known.is_empty(path) else ()
    yield from ("start",) if known.is_above(page, reference) else ()
    yield from ("dynamic",) if "[" in path else ()
    yield from ("name",) if form(reference.href) == "relative" and known.has_name(path) else ()


def _why_no_anchor(of: Addresses, page: Page, to: Page, fragment: str, components: Iterable[str]) -> Iterator[str]:
    anchors = of.anchors(to)
    if fragment != fragment.lower() and fragment.lower() in {anchor.lower() for anchor in anchors}:
        yield "case"
    elif heading_ids.letters(fragment) in map(heading_ids.letters, anchors):
        yield from () if _COUNTED.fullmatch(fragment) else ("marks",)
    elif _COUNTED.fullmatch(fragment) and fragment.rstrip("0123456789")[:-1] in anchors:
        yield "count"
    else:
        yield from (f"component={name}" for name in components)
    if "/" in fragment.rstrip("/"):
        yield "route"
    if "." in fragment and not any("." in anchor for anchor in anchors):
        yield "dot"
    here, there = language.find_language_folder(page.path), language.find_language_folder(to.path)
    yield from ("language",) if here and here != there else ()


def _why_no_redirect(fault: redirect_faults.Fault | None, new: str, known: _Known) -> Iterator[str]:
    if fault is not None and fault.kind == "circle":
        yield "circle"
    if fault is not None and fault.kind == "missing" and known.is_empty(new.partition("#")[0]):
        yield "folder"


class _Known:
    """The addresses at which something stands: those of pages, and what uses that resolve name."""

    def __init__(self, of: Addresses) -> None:
        self._of = of
        self._anchors: dict[str, frozenset[str]] = {}

    def path(self, page: Page, reference: Reference) -> str:
        """Where an address leads, from the root of the site or of the folder that is linted."""
        path = unquote(reference.href.partition("#")[0].partition("?")[0])
        return normpath(join(dirname(f"/{page.path}"), path)) if path else ""

    def docs(self, page: Page) -> str:
        """The folder of a page's tree, as paths begin that count from the folder that is linted."""
        return f"/{below(self._of.tree(page).docs, self._of.pages.root)}"

    def is_around(self, page: Page, anchor: str) -> bool:
        """Whether another page of the same folder, or of the one above, has an anchor."""
        here = dirname(page.path)
        return anchor in self._anchors_in(here) or anchor in self._anchors_in(dirname(here))

    def _anchors_in(self, folder: str) -> frozenset[str]:
        if folder not in self._anchors:
            pages = self._by_folder.get(folder, ())
            self._anchors[folder] = frozenset(id_ for page in pages for id_ in self._of.anchors(page))
        return self._anchors[folder]

    @cached_property
    def _by_folder(self) -> dict[str, list[Page]]:
        out: dict[str, list[Page]] = {}
        for page in self._of.site.pages:
            out.setdefault(dirname(page.path), []).append(page)
        return out

    def is_there_from_root(self, page: Page, reference: Reference) -> bool:
        """Whether an address that counts from its page would lead somewhere from the root."""
        is_bare = reference.href[:1].isalnum() and not reference.is_path and reference.kind != "prefixed"
        return is_bare and self._of.resolve(page, f"/{reference.href}").kind in ("page", "file")

    @cached_property
    def _paths(self) -> frozenset[str]:
        pages = self._of.site.pages
        out = {_bare(f"/{page.path}") for page in pages} | {_bare(self._of.url(page)) for page in pages}
        for page in pages:
            for reference, target in self._of.links(page):
                if target.kind in ("page", "file"):
                    out.add(_bare(self.path(page, reference)))
        return frozenset(out)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(path[:at] for path in self._paths for at, sign in enumerate(path) if sign == "/") | {""}

    @cached_property
    def _main(self) -> str:
        """The language of most pages; "" where that has no folder of its own."""
        reported = Counter(language.find_language_folder(page.path) for page in self._of.site.pages)
        return "en" if reported["en"] else min(reported, key=lambda code: (-reported[code], code), default="")

    def has_twin(self, path: str) -> bool:
        """Whether what an address in another language leads to is there in that of most pages."""
        own = language.find_language_folder(path)
        if own in ("", self._main):
            return False
        parts = path.split("/")
        at = parts.index(own)
        others = [*parts[:at], self._main, *parts[at + 1 :]], [*parts[:at], *parts[at + 1 :]]
        return any(_bare("/".join(other)) in self._paths for other in others)

    def is_above(self, page: Page, reference: Reference) -> bool:
        """Whether a relative address would lead to a page if it counted from the folder above."""
        path = unquote(reference.href.partition("#")[0].partition("?")[0])
        above = normpath(join(dirname(dirname(f"/{page.path}")), path))
        return form(reference.href) == "relative" and path.endswith(SUFFIXES) and _bare(above) in self._paths

    def has_name(self, path: str) -> bool:
        """Whether a page somewhere else has the name of one that an address without a suffix asks for."""
        return "." not in (name := basename(path)) and name in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_NUMBER.sub("", basename(_bare(page.path))) for page in self._of.site.pages)

    def is_empty(self, path: str) -> bool:
        """Whether nothing is known below some folder of an address."""
        parts = _bare(path).split("/")[:-1]
        return any("/".join(parts[:n]) not in self._folders for n in range(2, len(parts) + 1))


def _bare(path: str) -> str:
    """A path as pages of one address have it in common."""
    return _INDEX.sub("", f"/{path.lstrip('/')}")


# Doubts


class _Group(NamedTuple):
    """Failures of one kind with one explanation, in one part of their shape."""

    kind: Kind
    why: str
    shape: str


def found(uses: Iterable[Use]) -> Iterator[Doubt]:
    """The doubts that some uses raise, those that explain most first."""
    uses = list(uses)
    failing = _failing(uses)
    if not failing:
        return
    kinds = {group.kind for group in failing}
    of_kinds = [use for use in uses if use.kind in kinds]
    shares = dict(_shares(of_kinds, failing))
    taken: set[tuple[Kind, Place]] = set()
    while shares:
        fresh = {group: len(failing[group]) * (0.5 + share) for group, share in shares.items()}
        best = min(fresh, key=lambda group: (-fresh[group], group))
        share = shares.pop(best)
        places = dict.fromkeys(use.place for use in of_kinds if _fits(use, best, share))
        left = tuple(place for place in places if (best.kind, place) not in taken)
        taken |= {(best.kind, place) for place in left}
        if left:
            yield Doubt(best.kind, best.why, best.shape, len(failing[best]), share, left)
        old = {(use.kind, use.key) for use in of_kinds if (use.kind, use.place) in taken}
        explained = {group: sum((group.kind, key) in old for key in failing[group]) for group in shares}
        shares = {group: share for group, share in shares.items() if len(failing[group]) - explained[group] > 1}


def _failing(uses: Iterable[Use]) -> dict[_Group, set[str]]:
    """The targets that fail, by group, of the groups that have enough."""
    out: defaultdict[_Group, set[str]] = defaultdict(set)
    for use in uses:
        for why in use.why:
            names = (why,) if why.startswith("component=") else use.shape
            for name in names:
                out[_Group(use.kind, why, name)].add(use.key)
    return {group: keys for group, keys in out.items() if len(keys) >= _least(group)}


def _least(group: _Group) -> int:
    return LEAST_ON_PAGE if group.shape.startswith(("at=", "there=")) else LEAST


def _shares(uses: Iterable[Use], failing: Mapping[_Group, set[str]]) -> Iterator[tuple[_Group, float]]:
    """The share of what the groups' shapes ask for that fails, of the groups in which enough does."""
    whole: defaultdict[tuple[Kind, str], set[str]] = defaultdict(set)
    lost: defaultdict[tuple[Kind, str], set[str]] = defaultdict(set)
    for use in uses:
        for name in use.shape:
            whole[use.kind, name].add(use.key)
            if not use.ok:
                lost[use.kind, name].add(use.key)
    for group, keys in failing.items():
        at = group.kind, group.shape
        share = len(keys) / len((lost if group.why == _OF_FAILURES else whole)[at])
        is_component = group.why.startswith("component=")
        if is_component and not _is_much_worse(uses, group, share):
            continue
        is_few = len(keys) < 2 * _least(group) or is_component
        if share >= (SHARE_OF_FEW if is_few else SHARE):
            yield group, share


def _is_much_worse(uses: Iterable[Use], group: _Group, share: float) -> bool:
    """Whether anchors of the pages that have a component fail much more often than those of others."""
    others = [use for use in uses if use.kind == group.kind and group.shape not in use.shape]
    bad = {use.key for use in others if not use.ok}
    return bool(others) and _TIMES * len(bad) / len({use.key for use in others}) <= share


def _fits(use: Use, group: _Group, share: float) -> bool:
    """Whether a failure is doubted with a group: where nearly all of its shape fails, whatever explains it."""
    is_explained = group.why in use.why or (share >= WHOLE and group.why != _OF_FAILURES)
    return not use.ok and use.kind == group.kind and is_explained and group.shape in use.shape
