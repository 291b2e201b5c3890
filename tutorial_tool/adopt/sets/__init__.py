"""Find sets of copies in files and folders; derive platforms, steps, and tutorials from paths."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutorial_tool import site, variants
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.existing_site import DOCS
from tutorial_tool.adopt.names.naming import build_slug
from tutorial_tool.adopt.names.topics import STOP_WORDS
from tutorial_tool.adopt.sets import sequence
from tutorial_tool.adopt.sets.numbers import read_number
from tutorial_tool.config import site_generator
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import count_common_start
from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.data.model import DEFAULT_PATH
from tutorial_tool.fs import files
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.template_limits import MAX_TEXT
from tutorial_tool.variants.names import count_spellings, extract_prose, select_form
from tutorial_tool.variants.paths import INDEXES

SUFFIXES = (".md", ".markdown", ".mdx")
NONE = (
    "nothing to adopt: no page here has a copy for another platform. "
    "If the paths do not show it, name the copies of one step, file by file"
)
"""The message if no set is found."""
_WORD = lazy_re.compile(r"[^\W_]+")
_FOLDER = lazy_re.compile(r"(?:^|(?<=/))([^/{]+)/")  # A folder of a pattern that is the same for all platforms


@dataclass(frozen=True)
class FoundSets:
    """The sets of copies, unreadable paths with reasons, and pages without counterparts.

    Paths are relative to `root`. `discovered` is true if the sets were found in folders, not named file by file.
    """

    sets: tuple[CopySet, ...]
    root: Path
    unreadable: Mapping[str, str] = field(default_factory=dict)
    unmatched: tuple[str, ...] = ()
    discovered: bool = False


@dataclass
class _Group:
    """Pages that correspond, by the name of the platform in their paths, and display names."""

    pages: dict[str, Page]
    names: Mapping[str, str] = field(default_factory=dict)


def find(
    paths: Sequence[Path],
    *,
    step: str | None = None,
    docs: Path | None = None,
    patterns: Iterable[tuple[str, str]] = (),
    config: Config | None = None,
) -> FoundSets:
    """Find the sets of copies in files, or in folders with all their contents.

    Paths are relative to the docs folder, if all copies are in one. `step` names the step of files that are one set.
    `docs` is the folder of pages that they may be in, `patterns` are (pattern, platform) of the project's tutorials.
    `config` may state the paths of copies.
    """
    named = [path.absolute() for path in paths]
    pages = list(dict.fromkeys(p for path in named for p in (files.find(path, SUFFIXES) if path.is_dir() else [path])))
    only_files = not any(path.is_dir() for path in named)
    root = _find_root(named, pages, docs)
    read = site.load_plain(pages, root)
    if _is_step(root, read.pages):
        root = root.parent
        read = site.load_plain(pages, root)
    unreadable = _remove_unreadable(read)
    with limit_time("looking for copies", sum(len(page.text) for page in read.pages)):
        stated, is_one_set = _get_stated_patterns(config, root), step is not None and only_files
        groups = _find_groups(read, stated, is_one_set=is_one_set, only_files=only_files)
        if not only_files and (inner := _find_docs_below(root, groups, docs)):
            read = site.load_plain([page for page in pages if page.is_relative_to(inner)], inner)
            groups, root = _move_groups(groups, read.pages, inner.relative_to(root)), inner
        named_step = step if only_files else None
        sets = _build_sets(groups, root, named_step)
        known = [(copy.pattern, copy.platform) for item in sets for copy in item.copies.values()]
        groups += _find_more_groups(read.pages, groups, dict.fromkeys([*patterns, *known]))
        sets = _build_sets(groups, root, named_step)
        alone = _find_ungrouped(read.pages, groups)
        ordered = tuple(sequence.sort_sets(list(_make_unique(sets)), read))
        return FoundSets(ordered, root, unreadable, alone, not only_files)


def _find_ungrouped(pages: Iterable[Page], groups: Iterable[_Group]) -> tuple[str, ...]:
    grouped = set(_iter_paths(groups))
    return tuple(page.path for page in pages if page.path not in grouped)


def _remove_unreadable(read: Site) -> dict[str, str]:
    """Remove the pages that cannot be adopted from the site, and return them with the reasons."""
    wrong = (finding for finding in read.findings if finding.rule in ("unreadable-file", "unsafe-path"))
    large = [page.path for page in read.pages if len(page.text) > MAX_TEXT]
    read.pages = [page for page in read.pages if page.path not in large]
    too_long = {path: f"{path} is longer than {MAX_TEXT:,} characters" for path in large}
    return {finding.span.path: str(finding) for finding in wrong} | too_long


def _find_groups(read: Site, stated: Sequence[str], *, is_one_set: bool, only_files: bool) -> list[_Group]:
    """Return the groups of pages that correspond: all of them if they are one set, else as discovered."""
    steps = variants.find_steps(read, stated)
    groups = [_Group(dict(step.pages), {id_: v.name for id_, v in step.variants.items()}) for step in steps]
    if len(read.pages) > 1 and (is_one_set or (only_files and not groups)):
        several = [] if is_one_set else _group_short_pages(read.pages)
        are_all = len(several) > 1 and sum(map(len, several)) == len(read.pages)
        return [_Group(_index_by_platform(pages)) for pages in (several if are_all else [read.pages])]
    return groups or [_Group(_index_by_platform(pages)) for pages in _group_short_pages(read.pages)]


def _build_sets(groups: Iterable[_Group], root: Path, step: str | None) -> list[CopySet]:
    return [copy_set for group in groups if (copy_set := _build_set(group, root, step))]


def describe_left_out(found: FoundSets) -> Iterator[str]:
    """Yield a note on pages with the path of a copy that were not recognized as one."""
    if separate := [path for path in found.unmatched if is_copy(path, found.sets)]:
        pages = "1 page here is no copy" if len(separate) == 1 else f"{len(separate)} pages here are no copies"
        yield f"{pages} of the others; to adopt such pages together, name the files. The first: {separate[0]}"


def is_copy(path: str, sets: Iterable[CopySet]) -> bool:
    """Return whether a path matches the patterns of these steps; an `.mdx` copy becomes an `.md` page."""
    for copy_set in sets:
        for copy in copy_set.copies.values():
            below = copy.source.path.rpartition(".")[0].removesuffix(copy.path.rpartition(".")[0])
            shape = re.escape(copy.pattern).replace(r"\{platform\}", "[^/]+")
            shape = shape.replace(r"\{step\}", re.escape(copy_set.step))
            if re.fullmatch(rf"{re.escape(below)}{shape}\.\w+", path):
                return True
    return False


def _iter_paths(groups: Iterable[_Group]) -> Iterator[str]:
    return (page.path for group in groups for page in group.pages.values())


def _find_docs_below(root: Path, groups: Sequence[_Group], docs: Path | None) -> Path | None:
    """Return the docs folder below a root that contains all grouped pages."""
    paths = [root / path for path in _iter_paths(groups)]
    if not paths:
        return None
    engine = site_generator.Finder().engine_at(paths[0].parent)
    first = root / paths[0].relative_to(root).parts[0]
    known = filter(None, (docs, engine and engine.docs, first if first.name in DOCS else None))
    below = (inner for inner in known if root in inner.parents)
    return next((inner for inner in below if all(path.is_relative_to(inner) for path in paths)), None)


def _move_groups(groups: Sequence[_Group], pages: Iterable[Page], folder: Path) -> list[_Group]:
    """Return the groups with the pages as read from a folder below."""
    known = {f"{folder.as_posix()}/{page.path}": page for page in pages}
    return [_Group({slug_: known[page.path] for slug_, page in group.pages.items()}, group.names) for group in groups]


def _get_stated_patterns(config: Config | None, root: Path) -> list[str]:
    """Return the configured path patterns of copies, relative to a folder."""
    if config is None or not config.variants:
        return []
    below = files.format_path(root, config.root)
    prefix = "" if below == "." else f"{below}/"
    return [pattern.removeprefix(prefix) for pattern in config.variants if pattern.startswith(prefix)]


def _find_more_groups(
    pages: Iterable[Page], groups: Iterable[_Group], known: Iterable[tuple[str, str]]
) -> list[_Group]:
    """Return more groups of pages whose paths match the patterns and platforms of known steps."""
    taken = set(_iter_paths(groups))
    by_stem = {posixpath.splitext(page.path)[0]: page for page in pages if page.path not in taken}
    stems = sorted(by_stem)
    matches: dict[tuple[str, str], _Group] = {}
    for pattern, platform in known:
        filled = pattern.replace("{platform}", platform)
        start, step, _ = filled.partition("{step}")
        regex = re.compile(re.escape(filled).replace(r"\{step\}", "([^/]+)", 1).replace(r"\{step\}", r"\1"))
        for stem in stems[bisect_left(stems, start) : bisect_right(stems, f"{start}\U0010ffff")] if step else ():
            if match := regex.fullmatch(stem):
                matches.setdefault((pattern, match[1]), _Group({})).pages[platform] = by_stem[stem]
    return [group for group in matches.values() if len(group.pages) > 1]


def _find_root(named: Sequence[Path], pages: Iterable[Path], docs: Path | None) -> Path:
    """Return the folder that paths of copies are relative to: their docs folder, if it can be determined."""
    common = Path(os.path.commonpath([path if path.is_dir() else path.parent for path in named] or [Path.cwd()]))
    if docs is not None and common.is_relative_to(docs):
        return docs
    finder = site_generator.Finder()
    for page in pages:
        engine = finder.engine_at(page.parent)
        if engine and engine.docs and common.is_relative_to(engine.docs):
            return engine.docs
        break
    below = [folder for folder in (common, *common.parents) if folder.name in DOCS and folder.parent != folder]
    return below[0] if below else common


def _group_short_pages(pages: Sequence[Page]) -> list[list[Page]]:
    """Return groups of pages that are too short for discovery.

    Their paths differ in one name, at any level, and half of their lines are equal.
    """
    most: list[list[Page]] = []
    for place in range(max((len(_split_path(page.path)) for page in pages), default=0)):
        matches: dict[tuple[str, ...], list[Page]] = {}
        for page in pages:
            parts = _split_path(page.path)
            if place < len(parts):
                matches.setdefault(tuple(part.replace(parts[place], "") for part in parts), []).append(page)
        alike = [group for group in matches.values() if len(group) > 1 and _are_alike(group)]
        most = max(most, alike, key=lambda groups: sum(map(len, groups)))
    return most


def _are_alike(pages: Sequence[Page]) -> bool:
    lines = [{line for line in page.plain.splitlines() if line.strip()} for page in pages]
    return len(set.intersection(*lines)) * 2 >= max(map(len, lines))


def _find_names_in_pages(pages: Mapping[str, Page]) -> dict[str, str]:
    """Return how the pages spell the platform names in their paths, capitalized if other names are."""
    matches = {slug_: select_form(count_spellings(slug_, extract_prose(page.plain))) for slug_, page in pages.items()}
    capitals = any(name != name.lower() for name in matches.values())
    named = {slug_: name or (slug_.replace("-", " ").title() if capitals else "") for slug_, name in matches.items()}
    return {slug_: name for slug_, name in named.items() if name}


def _index_by_platform(pages: Sequence[Page]) -> dict[str, Page]:
    """Index pages by the part in which all their paths differ, without its common prefix and suffix."""
    parts = [_split_path(page.path) for page in pages]
    length = min(map(len, parts))
    ends = [part[-length:] for part in parts]
    differing = [i for i in range(length) if len({part[i] for part in ends}) == len(pages)]
    if not differing:
        return {page.path: page for page in pages}
    names = [part[differing[0]] for part in ends]
    start = len(_get_shared_prefix(names))
    end = len(_get_shared_prefix([text[::-1] for text in names]))
    if any(len(text) <= start + end for text in names):
        start = end = 0
    return {text[start : len(text) - end]: page for text, page in zip(names, pages, strict=True)}


def _get_shared_prefix(texts: Sequence[str]) -> str:
    """Return the common prefix of texts, up to its last separator."""
    return re.sub(r"[^-_. ]*$", "", min(texts)[: count_common_start(min(texts), max(texts))])


def _split_path(path: str) -> list[str]:
    return posixpath.splitext(path)[0].split("/")


def _build_set(group: _Group, root: Path, step: str | None) -> CopySet | None:
    ids = {slug_: _make_id(slug_) for slug_ in group.pages}
    if len(set(ids.values())) < len(ids) or not all(ids.values()):
        return None
    patterns = {slug_: _build_pattern(page.path, slug_, ids[slug_]) for slug_, page in group.pages.items()}
    shared = _find_step_part(list(patterns.values()))
    name = _make_id(step or _normalize_step_name(shared or "", patterns.values()))
    name = name or _find_topic(group, root, ids.values())
    copies = {}
    for slug_, page in group.pages.items():
        pattern = _insert_step(patterns[slug_], shared, name) if shared else DEFAULT_PATH
        copies[ids[slug_]] = Copy(ids[slug_], posixpath.splitext(page.path)[0] + ".md", page.source, pattern)
    names = {ids[slug_]: name_ for slug_, name_ in (group.names or _find_names_in_pages(group.pages)).items()}
    made = CopySet("", name, copies, names)
    place = read_number(next(iter(copies.values())), name), name
    return replace(made, tutorial=_find_tutorial(made, root), place=place)


def _make_id(text: str) -> str:
    """Convert a text to an ID for `platforms.yaml`; "" if nothing of it can be used."""
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]+", "-", bare.replace("/", "-")).strip("-_")


def _build_pattern(path: str, slug_: str, id_: str) -> str:
    """Build a path pattern with a placeholder for the platform's ID; unchanged if there is none."""
    stem = posixpath.splitext(path)[0]
    return re.sub(rf"(?<![^\W_]){re.escape(slug_)}(?![^\W_])", "{platform}", stem) if slug_ == id_ else stem


def _find_step_part(patterns: Sequence[str]) -> str | None:
    """Return the part of the paths that names the step, without the platform: the last common one."""
    levels = [
        {part.replace("{platform}", "").strip("-_. ") for part in parts}
        for parts in zip(*(reversed(pattern.split("/")) for pattern in patterns), strict=False)
    ]
    for level, bare in enumerate(levels):
        step_part = next(iter(bare)) if len(bare) == 1 else ""
        of_platform = level + 1 == len(levels) or levels[level + 1] == {""}
        if step_part and (step_part.lower() not in INDEXES or of_platform):
            return step_part
    return None


def _normalize_step_name(shared: str, patterns: Iterable[str]) -> str:
    """Return a step's name without the gap that a platform in its middle leaves."""
    return shared if any(shared in pattern for pattern in patterns) else re.sub(r"([-_. ])[-_. ]+", r"\1", shared)


def _insert_step(pattern: str, shared: str, name: str) -> str:
    if shared != name:
        return pattern
    before, text, after = pattern.rpartition(shared)
    return f"{before}{{step}}{after}" if text else pattern


def _find_topic(group: _Group, root: Path, ids: Collection[str]) -> str:
    """Return the ID of a step that no path names, from titles, headings, or the folder.

    The words of most pages count, without the platforms' names.
    """
    pages = list(group.pages.values())
    titles = [_strip_number(page.stated_title) for page in pages]
    headings = [next((_strip_number(str(heading.text)) for heading in page.document.headings), "") for page in pages]
    names = [f"{slug_} {group.names.get(slug_, '')}" for slug_ in group.pages]
    folder = "" if root.name in DOCS else build_slug(root.name)
    result = (build_slug(_find_common_words(titles, names)), build_slug(_find_common_words(headings, names)), folder)
    return next((id_ for id_ in result if id_ and id_ not in ids), "step")


def _find_common_words(texts: Sequence[str], names: Sequence[str]) -> str:
    """Return the words in more than half of the texts, without names and outer joining words."""
    called = [set(_WORD.findall(name.lower())) for name in names]
    pairs = zip(texts, called, strict=True)
    words = [[word for word in _WORD.findall(text) if word.lower() not in own] for text, own in pairs]
    counts = Counter(word.lower() for own in words for word in dict.fromkeys(own))
    usual = max(words, key=lambda own: sum(2 * counts[word.lower()] > len(texts) for word in own), default=[])
    values = [word for word in usual if 2 * counts[word.lower()] > len(texts)]
    telling = [at for at, word in enumerate(values) if word.lower() not in STOP_WORDS]
    return " ".join(values[telling[0] : telling[-1] + 1]) if telling else ""


def _strip_number(title: str) -> str:
    return re.sub(r"^\W*(?:[^\W\d_]+ )?\d+(?:\.\d+)*[.:)]?\s+", "", title)


def _is_step(folder: Path, pages: Sequence[Page]) -> bool:
    """Return whether a folder has the copies of one step: all directly in it, its name in their title."""
    if not pages or any("/" in page.path for page in pages) or folder.name in DOCS:
        return False
    title = next((bare for page in pages if (bare := _strip_number(page.stated_title))), "")
    words = re.findall(r"[^\W\d_]{3,}", folder.name.lower())
    return bool(words) and set(words) <= set(re.findall(r"[^\W\d_]{3,}", title.lower()))


def _find_tutorial(copy_set: CopySet, root: Path) -> str:
    """Return the ID of a tutorial: the last folder that its pages share."""
    named = next(filter(None, map(build_slug, reversed(_get_shared_folders(copy_set)))), "")
    return named or build_slug(root.name) or "tutorial"


def _get_shared_folders(copy_set: CopySet) -> list[str]:
    """Return the folders that all pages of a step share."""
    typed = [copy.pattern.split("/") for copy in copy_set.copies.values()]
    shared = [part for part in copy_set.pattern.split("/") if all(part in parts for parts in typed)]
    return [part for part in shared if "{" not in part and part.lower() not in INDEXES]


def _make_unique(sets: Sequence[CopySet]) -> Iterator[CopySet]:
    """Yield the sets with one tutorial for each pattern, under unique names.

    Two sets with the same tutorial and step are different pages on different platforms: the second gets another
    tutorial. So does a set whose platform has another pattern, or that shares no platform. The most frequent pattern is
    named first.
    """
    tutorials: dict[str, dict[str, str]] = {}
    steps: set[tuple[str, str]] = set()
    often = Counter(copy_set.pattern for copy_set in sets)
    named: dict[CopySet, str] = {}
    for item in sorted(sets, key=lambda copy_set: -often[copy_set.pattern]):
        own = {"": item.pattern, **{copy.platform: copy.pattern for copy in item.copies.values()}}
        whole = build_slug("-".join(_get_shared_folders(item))) or item.tutorial
        folder = next(filter(None, map(build_slug, reversed(_FOLDER.findall(item.pattern)))), whole)
        page = "-".join(dict.fromkeys(f"{item.tutorial}-{item.step}".split("-")))
        names = (item.tutorial, whole, folder, page, *(f"{item.tutorial}-{n}" for n in range(2, len(sets) + 3)))
        name = next(
            name
            for name in names
            if (name, item.step) not in steps
            and not tutorials.get(name, own).keys().isdisjoint(item.platforms)
            and all(tutorials.get(name, {}).get(platform, path) == path for platform, path in own.items())
        )
        tutorials.setdefault(name, {}).update(own)
        steps.add((name, item.step))
        named[item] = name
    yield from (replace(copy_set, tutorial=named[copy_set]) for copy_set in sets)
