"""Find the variants of each step: its platforms in a project, and copies of a step in any tree."""

from __future__ import annotations

import posixpath
import re
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Scalar
from tutorial_tool.site import Page, Site, output_manifest, page_facts
from tutorial_tool.variants import known_names, linkage, numbered, paths, reference_pages, splits
from tutorial_tool.variants.names import (
    Variant,
    count_spellings,
    count_uses,
    distinguish_variants,
    extract_prose,
    has_letters_of,
    learn_variants,
    select_form,
    select_majority_name,
)
from tutorial_tool.variants.persistence import StoredResult, digest_inputs
from tutorial_tool.variants.shapes import WILD, Shape, get_axis
from tutorial_tool.variants.similarity import PageSummary, hash_units, normalize_text
from tutorial_tool.variants.tutorials import group_tutorials

if TYPE_CHECKING:
    from tutorial_tool.data.model import Model
    from tutorial_tool.data.model.parts import Platform

_MIN_USES_FOR_FORM = 6  # Minimum uses of a variant's name in a tree for its form to count
_MAX_RELATED_STEPS = 40  # Maximum other steps of a tutorial that are examined
PLACEHOLDER = "{platform}"
T = TypeVar("T")
Question = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of a step, and its further arguments: names and numbers, which another process can pass on."""
_PathsByPath = Mapping[str, str]  # The paths of pages without their sort numbers, by path


@dataclass
class Dependencies:
    """What a result depends on besides the parts of a step, which may differ in the next run."""

    uses_site: bool = False
    answers: dict[Question, object] = field(default_factory=dict)  # Answers from the rest of the site, by question
    verified_site: weakref.ref[Site] | None = None  # The site that is known to give the same answers

    def add(self, other: Dependencies) -> None:
        self.uses_site = self.uses_site or other.uses_site
        self.answers |= other.answers

    def are_current(self, step: Step) -> bool:
        """Return whether no dependency has changed, as far as can be determined; False if the site was used."""
        if self.uses_site:
            return False
        if self.answers and (self.verified_site is None or self.verified_site() is not step.whole_site):
            fresh_step = copy_unobserved(step)
            if any(question(fresh_step, *args) != answer for (question, args), answer in self.answers.items()):
                return False
            self.verified_site = weakref.ref(step.whole_site)
        return True


@dataclass(frozen=True, eq=False)
class Step:
    """One step, or set of copies, on several platforms: its pages and variants, by the ID of the variant.

    `pattern` is the path that its pages share, with `{platform}` where they differ. If the variants are parts of one
    page, `page_tabsets` are the tabsets of that page, including this one; None for a step of whole pages.
    """

    id: str
    pattern: str
    pages: Mapping[str, Page]
    variants: Mapping[str, Variant]
    whole_site: Site = field(repr=False)
    sibling_variants: Mapping[str, Variant] = field(default_factory=dict)
    """Variants that this step lacks, but other steps of the same tutorial have."""
    dependencies: Dependencies = field(default_factory=Dependencies)
    page_tabsets: tuple[Step, ...] | None = field(default=None, repr=False)
    find_peers: Callable[[Site], tuple[Step, ...]] | None = None  # Finds all tabsets of a site, if it is one
    has_known_names: bool = True  # Whether most names are known platforms, or those of the configuration

    @property
    def all_variants(self) -> Mapping[str, Variant]:
        """Its variants, and those of its siblings that it lacks."""
        return {**self.sibling_variants, **self.variants}

    @property
    def is_tabset(self) -> bool:
        """Whether its variants are parts of one page."""
        return self.page_tabsets is not None

    @property
    def site(self) -> Site:
        """The site with all its pages. Results that depend on it are not cached for the next run."""
        self.dependencies.uses_site = True
        return self.whole_site

    @property
    def model(self) -> Model:
        """The data of the project."""
        return self.whole_site.model

    @property
    def first_page(self) -> Page:
        """One of its pages: what is computed for the step is cached with it."""
        return next(iter(self.pages.values()))

    @cached_property
    def inputs(self) -> tuple[object, ...]:
        """Everything that makes up a step, to compare it with that of another run."""
        named = (*self.pages.items(), *self.variants.items(), *self.sibling_variants.items())
        # Not the root: it differs in CI.
        return self.pattern, self.has_known_names, self.model, self.whole_site.layout.docs, *named


def get_cached(step: Step, make: Callable[..., T], *args: object) -> T:
    """Return `make(step, *args)`, cached until a part of the step or a dependency changes."""
    cache, inputs = step.first_page.cache, (*step.inputs, *args)
    if isinstance(stored := cache.get(make), StoredResult):
        cache[make] = restore_result(stored, inputs)
    if make not in cache or cache[make][0] != inputs or not cache[make][1].are_current(step):
        unobserved = copy_unobserved(step)
        cache[make] = inputs, unobserved.dependencies, make(unobserved, *args)
        unobserved.dependencies.verified_site = weakref.ref(step.whole_site)
    _, dependencies, result = cache[make]
    step.dependencies.add(dependencies)
    return cast("T", result)


def restore_result(stored: StoredResult, inputs: tuple[object, ...]) -> tuple[object, Dependencies, Any]:
    """Return what an earlier run stored as it is cached: inputs, None if they differ now, dependencies, and result."""
    is_valid = stored.inputs_digest == digest_inputs(inputs)
    return inputs if is_valid else None, Dependencies(answers=dict(stored.answers)), stored.result


def query_site(step: Step, question: Callable[..., T], *args: object) -> T:
    """Return `question(step, *args)`, which reads the whole site.

    Results computed from the answer are valid as long as the answer is the same.
    """
    answer = question(copy_unobserved(step), *args)
    record_answer(step, question, answer, *args)
    return answer


def record_answer(step: Step, question: Callable[..., T], answer: T, *args: object) -> None:
    """Record the answer to a query as a dependency of the results computed from a step."""
    step.dependencies.answers[question, args] = answer


def copy_unobserved(step: Step) -> Step:
    """Return a copy of a step whose queries are not recorded."""
    return replace(step, dependencies=Dependencies())


def find_steps(site: Site, patterns: Sequence[str] = ()) -> tuple[Step, ...]:
    """Return the steps of a site that are on two or more platforms.

    Patterns such as `docs/{platform}/{step}.md` define the steps outside of projects: then none are discovered.
    """
    return site.get_cached(_find_all_steps, tuple(patterns))


def _find_all_steps(site: Site, patterns: tuple[str, ...]) -> tuple[Step, ...]:
    pages = [page for page in _find_unassigned_pages(site) if not reference_pages.lists_releases(page.path)]
    with limit_time("looking for copies", sum(len(page.text) for page in pages)):
        steps = _find_configured_steps(site, pages, patterns) if patterns else _discover_steps(site, pages)
        others = map(_distinguish_variants, _add_missing_variants(tuple(steps)))
        return (*_find_project_steps(site), *others)


def find_related_steps(step: Step) -> Iterator[Step]:
    """Return the other steps, or tabsets, of the site that share two or more variants, up to a limit.

    Tabsets of the same page come first, then those that share most variants.
    """
    key = frozenset(step.pages)
    related = step.site.get_cached(_find_sharing_steps, key, step.find_peers or find_steps)
    page, path = step.first_page, None if step.page_tabsets is None else step.first_page.path
    on_page = [other for other in step.page_tabsets or () if len(other.pages.keys() & key) > 1]
    elsewhere = (other for other in related if other.first_page.path != path)
    return islice((other for other in chain(on_page, elsewhere) if other.first_page is not page), _MAX_RELATED_STEPS)


def _find_sharing_steps(
    site: Site, ids: frozenset[str], find_peers: Callable[[Site], tuple[Step, ...]]
) -> tuple[Step, ...]:
    sharing = (other for other in find_peers(site) if len(other.pages.keys() & ids) > 1)
    return tuple(sorted(sharing, key=lambda other: -len(other.pages.keys() & ids)))


def _find_project_steps(site: Site) -> Iterable[Step]:
    platforms = {id_: _build_platform_variant(platform) for id_, platform in site.model.platforms.items()}
    variants_by_ids: dict[tuple[str, ...], Mapping[str, Variant]] = {}
    for (tutorial, step), pages in site.steps.items():
        if (ids := tuple(pages)) not in variants_by_ids:
            variants_by_ids[ids] = distinguish_variants({id_: platforms[id_] for id_ in ids})
        if len(pages) > 1:
            yield Step(step, f"{tutorial}/{step}", pages, dict(variants_by_ids[ids]), site)


def _build_platform_variant(platform: Platform) -> Variant:
    """Return a platform of a project as a variant: its name, ID, screen labels and texts in `values`."""
    name = strip_origins(platform.name)
    values = [node.plain for node in platform.values.values() if isinstance(node, Scalar)]
    labels = [strip_origins(label) for label in platform.labels.values()]
    words = {name, platform.id, *labels, *(value for value in values if len(value) > 2 and not value.isdigit())}
    texts = words - {name, platform.id}
    longest_first = tuple(sorted(words, key=lambda word: (-len(word), word)))
    return Variant(platform.id, name, longest_first, texts=tuple(sorted(texts)))


def _discover_steps(site: Site, pages: Sequence[Page]) -> Iterable[Step]:
    summaries = build_summaries(pages)
    sets = linkage.find_sets(summaries, site.results)
    groups = [[pages[member.page] for member in page_set.members] for page_set in sets]
    slugs = [{pages[member.page].path: member.name for member in page_set.members} for page_set in sets]
    folders = [get_axis(page_set.shape) for page_set in sets]
    bare_paths = {page.path: summary.path for page, summary in zip(pages, summaries, strict=True)}
    spellings = _find_usual_spellings(site, groups, slugs, folders)
    for group, slug_by_path, folder in zip(groups, slugs, folders, strict=True):
        pattern = _build_pattern(group, slug_by_path, bare_paths)
        step = _build_step(site, group, slug_by_path, pattern, spellings[folder])
        yield replace(step, has_known_names=2 * sum(map(_is_known, step.variants.values())) >= len(step.variants))


def _is_known(variant: Variant) -> bool:
    return any(map(known_names.is_known_name, (variant.id, variant.name)))


def describe_undecided(site: Site) -> Iterator[str]:
    """Explain why pages whose paths name platforms are not variants.

    One line for each shape of paths, with its closest pages.
    """
    pages = [page for page in _find_unassigned_pages(site) if not reference_pages.lists_releases(page.path)]
    compared = {page for step in find_steps(site) for page in step.pages.values()}
    closest: dict[Shape, linkage.Pair] = {}
    for pair in linkage.compare_pages(build_summaries(pages)):
        is_undecided = compared.isdisjoint((pages[pair.left.page], pages[pair.right.page]))
        if is_undecided and all(map(known_names.is_known_name, (pair.left.name, pair.right.name))):
            closest[pair.shape] = max(closest.get(pair.shape, pair), pair, key=lambda item: item.bits)
    for shape, pair in sorted(closest.items()):
        pattern = "/".join(shape).replace(WILD, PLACEHOLDER)
        yield (
            f"not compared: `{pattern}`: {pair.left.name} and {pair.right.name} share"
            f" {pair.share:.0%} of their text (evidence {pair.bits:+.1f} bits, variants need more than 0)"
        )


def build_summaries(pages: Sequence[Page]) -> list[PageSummary]:
    """Return the pages as discovery sees them, without the numbers that sort them."""
    by_path = {page.path: page for page in pages}
    bare_paths = numbered.strip_path_numbers(by_path)
    return [page.get_cached(_build_summary, bare_paths[page.path]) for page in pages]


def _find_unassigned_pages(site: Site) -> list[Page]:
    """Return the pages that are not identified by any data or build."""
    is_rendered = output_manifest.build_filter(site.layout.root)
    return [page for page in site.pages if not (page.place or page.is_link_only or is_rendered(page.path))]


def _build_summary(page: Page, path: str) -> PageSummary:
    detected = page.detected_language
    language = (detected.code or "") if detected.is_clear else ""
    return PageSummary(path, page.plain, page.get_cached(_hash_units), language, page.digest)


@page_facts.register
def _hash_units(page: Page) -> frozenset[int]:
    return hash_units(normalize_text(page.plain))


def _compute_for_prose(site: Site, page: Page, read: Callable[[str, str], T], slug: str) -> T:
    """Return `read(slug, prose)` for the prose of a page, computed once."""
    return site.results.get(lambda: read(slug, extract_prose(page.plain)), read.__name__, page.digest, slug)


def _build_pattern(group: Sequence[Page], slugs: Mapping[str, str], bare_paths: _PathsByPath) -> str:
    """Return the path of a group with a placeholder for what differs: the one that most of its pages have.

    If that has no placeholder, return the first page's path. Numbers that sort pages are left out where they differ.
    """
    parts_of_paths = [paths.get_parts(page.path) for page in group]
    bare_parts = [paths.get_parts(bare_paths[page.path]) for page in group]
    is_shared = [len(set(parts)) == 1 for parts in zip(*parts_of_paths, strict=True)]
    mixed_paths = [
        "/".join(part if is_same else name for is_same, part, name in zip(is_shared, *item, strict=True))
        for item in zip(parts_of_paths, bare_parts, strict=True)
    ]
    patterns = [_insert_placeholder(path, slugs[page.path]) for path, page in zip(mixed_paths, group, strict=True)]
    common = max(set(patterns), key=lambda text: (patterns.count(text), text))
    return common if PLACEHOLDER in common else mixed_paths[0]


def _insert_placeholder(path: str, slug: str) -> str:
    """Return a path with a placeholder for a variant's slug, if it occurs there as a whole word."""
    return re.sub(rf"(?<![^\W_]){re.escape(slug)}(?![^\W_])", PLACEHOLDER, path)


def _find_usual_spellings(
    site: Site, groups: Sequence[Sequence[Page]], slugs: Sequence[Mapping[str, str]], folders: Sequence[Shape]
) -> dict[Shape, dict[str, str]]:
    """Return how the pages of a folder spell each slug, for pages that do not spell their own."""
    forms: dict[Shape, dict[str, Counter[str]]] = {}
    for group, slug_by_path, folder in zip(groups, slugs, folders, strict=True):
        for page in group:
            slug = slug_by_path[page.path].lower()
            spellings = _compute_for_prose(site, page, count_spellings, slug)
            forms.setdefault(folder, {}).setdefault(slug, Counter()).update(spellings)
    return {
        folder: {slug: select_form(counts) for slug, counts in form.items() if counts.total() >= _MIN_USES_FOR_FORM}
        for folder, form in forms.items()
    }


def _build_step(
    site: Site,
    pages: Sequence[Page],
    slugs: Mapping[str, str],
    pattern: str,
    spellings: Mapping[str, str] = MappingProxyType({}),
    bare_slugs: Mapping[str, str] = MappingProxyType({}),
) -> Step:
    """Build a step of pages with these IDs. `bare_slugs` are IDs without the numbers that sort them, if any."""
    known = {slug.lower(): spellings[slug.lower()] for slug in slugs.values() if slug.lower() in spellings}
    bare_by_path = {path: bare_slugs.get(slug, slug) for path, slug in slugs.items()}
    inputs = [(page.path, page.digest) for page in pages], bare_by_path, known
    texts = {page.path: page.plain for page in pages}
    variants = site.results.get(lambda: learn_variants(texts, bare_by_path, known), "learned", *inputs)
    by_id = {slugs[page.path]: page for page in pages}
    variants_by_slug = {
        slug: replace(variants[path], id=slug) if slug in bare_slugs else variants[path] for path, slug in slugs.items()
    }
    return Step(_get_id(pattern), pattern, by_id, variants_by_slug, site)


def _get_id(pattern: str) -> str:
    """Return a step's name: the last part of its path that all variants share."""
    for part in reversed(pattern.split("/")):
        if name := part.replace(PLACEHOLDER, "").strip("-_. "):
            return name
    return pattern


def _add_missing_variants(steps: Sequence[Step]) -> Iterable[Step]:
    for group in map(_unify_names, group_tutorials(steps)):
        variants = {id_: variant for step in group for id_, variant in step.variants.items()}
        for step in group:
            yield replace(step, sibling_variants={id_: variants[id_] for id_ in variants if id_ not in step.variants})


def _distinguish_variants(step: Step) -> Step:
    """Return a step whose variants know which names of others, even of missing ones, contain their own."""
    distinguished = distinguish_variants(step.all_variants)
    if all(distinguished[id_] is variant for id_, variant in step.all_variants.items()):
        return step
    variants = {id_: distinguished[id_] for id_ in step.variants}
    return replace(step, variants=variants, sibling_variants={id_: distinguished[id_] for id_ in step.sibling_variants})


def _count_uses(steps: Sequence[Step], id_: str, names: Iterable[str]) -> dict[str, int]:
    """Count how often the pages of a variant use each of some names."""
    pages, site = [step.pages[id_] for step in steps if id_ in step.pages], steps[0].whole_site
    return {name: sum(_compute_for_prose(site, page, count_uses, name) for page in pages) for name in names}


def _unify_names(steps: list[Step]) -> list[Step]:
    """Give each platform one name in the steps of a tutorial: the data's, or the one pages use most often."""
    forms: dict[str, Counter[str]] = {}
    for step in steps:
        for id_, variant in step.variants.items():
            forms.setdefault(id_, Counter())[variant.name] += 1
    names = {}
    for id_, counts in forms.items():
        if len(counts) > 1:  # what a few titles name may be a feature, not the platform
            usual = [name for name in counts if has_letters_of(name, id_) or 4 * counts[name] >= counts.total()]
            names[id_] = select_majority_name(_count_uses(steps, id_, usual or counts))
    names |= {id_: strip_origins(platform.name) for id_, platform in steps[0].model.platforms.items() if id_ in forms}
    return [_rename_variants(step, names) for step in steps] if names else steps


def _rename_variants(step: Step, names: Mapping[str, str]) -> Step:
    """Rename a step's variants to the names used elsewhere, unless another variant of it has that name."""
    variants = dict(step.variants)
    for id_, variant in step.variants.items():
        name = names.get(id_, variant.name)
        if name not in (other.name for other in variants.values()):
            words = {*variant.words, name}
            variants[id_] = replace(variant, name=name, words=tuple(sorted(words, key=lambda w: (-len(w), w))))
    return replace(step, variants=variants)


# Steps from the configuration


def _group_by_pattern(pages: Iterable[Page], patterns: Sequence[str]) -> dict[str, dict[str, Page]]:
    """Return the pages by path of each pattern: that of a page is the first that matches its path."""
    by_pattern: dict[str, dict[str, Page]] = {}
    for page in pages:
        if pattern := next((text for text in patterns if splits.compile_pattern(text).fullmatch(page.path)), ""):
            by_pattern.setdefault(pattern, {})[page.path] = page
    return by_pattern


def _find_configured_steps(site: Site, pages: Iterable[Page], patterns: Sequence[str]) -> Iterable[Step]:
    groups: dict[tuple[str, str], dict[str, Page]] = {}
    bare_slugs: dict[str, dict[str, str]] = {}
    for pattern, by_path in _group_by_pattern(pages, patterns).items():
        spans = splits.find_platform_spans(pattern, list(by_path))
        bare_slugs[pattern] = numbered.strip_numbers({path[slice(*span)] for path, span in spans.items()})
        for path, (start, end) in spans.items():
            tail = _insert_placeholder(path[end:], path[start:end]) if pattern.count(PLACEHOLDER) > 1 else path[end:]
            shared = path[:start] + PLACEHOLDER + tail
            groups.setdefault((pattern, shared), {})[path[start:end]] = by_path[path]
    for (pattern, shared), group in groups.items():
        if len(group) > 1:
            slugs = {page.path: slug for slug, page in group.items()}
            shared_path = posixpath.splitext(shared)[0].removesuffix("/index")
            yield _build_step(site, list(group.values()), slugs, shared_path, bare_slugs=bare_slugs[pattern])


__all__ = ["Step", "Variant", "find_related_steps", "find_steps", "group_tutorials"]
