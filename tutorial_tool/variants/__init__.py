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
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tutorial_tool.core.source import Source
from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Scalar
from tutorial_tool.fs import blame
from tutorial_tool.site import Page, Site, output_manifest, page_facts
from tutorial_tool.variants import known_names, linkage, numbered, paths, reference, splits
from tutorial_tool.variants.names import (
    Variant,
    count_in_sentences,
    count_spellings,
    count_uses,
    distinguish_variants,
    extract_prose,
    learn_variants,
    select_form,
    select_majority_name,
)
from tutorial_tool.variants.persistence import StoredResult
from tutorial_tool.variants.shapes import WILD, Shape, get_axis
from tutorial_tool.variants.similarity import PageSummary, hash_units, normalize_text
from tutorial_tool.variants.tutorials import group_tutorials

if TYPE_CHECKING:
    from tutorial_tool.data.model import Model
    from tutorial_tool.data.model.parts import Platform

_KNOWN = 6  # Minimum uses of a variant's name in a tree for its form to count
_LOOKED_AT = 40  # Maximum other steps of a tutorial that are examined
PLACEHOLDER = "{platform}"
Made = TypeVar("Made")
Question = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of a step, and its further arguments: names and numbers, which another process can pass on."""
_Paths = Mapping[str, str]  # The paths of pages without their sort numbers, by path


@dataclass
class Dependencies:
    """What a result depends on besides the parts of a step, which may differ in the next run."""

    uses_site: bool = False
    file_times: dict[Path, int] = field(default_factory=dict)
    """Files whose history was requested, with the time when each was saved."""
    answers: dict[Question, object] = field(default_factory=dict)  # Answers from the rest of the site, by question
    verified_site: weakref.ref[Site] | None = None  # The site that is known to give the same answers

    @classmethod
    def restore_from(cls, lent: StoredResult) -> Dependencies:
        """Restore the dependencies that an earlier run recorded."""
        return cls(
            file_times={file: blame.get_save_time(file) for file in map(Path, lent.files)}, answers=dict(lent.answers)
        )

    def add(self, other: Dependencies) -> None:
        self.uses_site = self.uses_site or other.uses_site
        self.file_times |= other.file_times
        self.answers |= other.answers

    def are_current(self, step: Step) -> bool:
        """Return whether no dependency has changed, as far as can be determined; False if the site was used."""
        if self.uses_site or any(blame.get_save_time(path) != time for path, time in self.file_times.items()):
            return False
        if self.answers and (self.verified_site is None or self.verified_site() is not step.whole_site):
            other = copy_unobserved(step)
            if any(question(other, *by) != answer for (question, by), answer in self.answers.items()):
                return False
            self.verified_site = weakref.ref(step.whole_site)
        return True


@dataclass(frozen=True, eq=False)
class Step:
    """One step on several platforms: its pages and variants, by the ID of the variant.

    `pattern` is the path that its pages share, with `{platform}` where they differ. If the variants are parts of one
    page, `beside` are the tabsets of that page, including this one; None for a step of whole pages.
    """

    id: str
    pattern: str
    pages: Mapping[str, Page]
    variants: Mapping[str, Variant]
    whole_site: Site = field(repr=False)
    kin: Mapping[str, Variant] = field(default_factory=dict)
    """Variants that this step lacks, but other steps of the same tutorial have."""
    asked: Dependencies = field(default_factory=Dependencies)
    beside: tuple[Step, ...] | None = field(default=None, repr=False)

    @property
    def all_variants(self) -> Mapping[str, Variant]:
        """Its variants, and those of its siblings that it lacks."""
        return {**self.kin, **self.variants}

    @property
    def is_tabset(self) -> bool:
        """Whether its variants are parts of one page."""
        return self.beside is not None

    @property
    def site(self) -> Site:
        """The site with all its pages. Results that depend on it are not cached for the next run."""
        self.asked.uses_site = True
        return self.whole_site

    @property
    def model(self) -> Model:
        """The data of the project."""
        return self.whole_site.model

    @property
    def first_page(self) -> Page:
        """One of its pages: what is computed for the step is cached with it."""
        return next(iter(self.pages.values()))

    def get_file(self, source: Source) -> Path:
        """Return the file on disk of a page's source, for queries about when its lines were changed."""
        path = self.whole_site.layout.root / source.path
        self.asked.file_times[path] = blame.get_save_time(path)
        return path

    @cached_property
    def parts(self) -> tuple[object, ...]:
        """Everything that makes up a step, to compare it with that of another run."""
        named = (*self.pages.items(), *self.variants.items(), *self.kin.items())
        return self.pattern, self.model, self.whole_site.layout.docs, *named  # not the root: it differs in CI


def get_cached(step: Step, make: Callable[..., Made], *by: object) -> Made:
    """Return `make(step, *by)`, cached until a part of the step or a dependency changes."""
    known, state = step.first_page.cache, (*step.parts, *by)
    if isinstance(lent := known.get(make), StoredResult):
        known[make] = state if lent.matches_inputs(state) else None, Dependencies.restore_from(lent), lent.made
    if make not in known or known[make][0] != state or not known[make][1].are_current(step):
        alone = copy_unobserved(step)
        known[make] = state, alone.asked, make(alone, *by)
        alone.asked.verified_site = weakref.ref(step.whole_site)
    _, asked, made = known[make]
    step.asked.add(asked)
    return cast("Made", made)


def query_site(step: Step, question: Callable[..., Made], *by: object) -> Made:
    """Return `question(step, *by)`, which reads the whole site.

    Results computed from the answer are valid as long as the answer is the same.
    """
    answer = question(copy_unobserved(step), *by)
    record_answer(step, question, answer, *by)
    return answer


def record_answer(step: Step, question: Callable[..., Made], answer: Made, *by: object) -> None:
    """Record the answer to a query as a dependency of the results computed from a step."""
    step.asked.answers[question, by] = answer


def copy_unobserved(step: Step) -> Step:
    """Return a copy of a step whose queries are not recorded."""
    return replace(step, asked=Dependencies())


def find_steps(site: Site, patterns: Sequence[str] = ()) -> tuple[Step, ...]:
    """Return the steps of a site that are on two or more platforms.

    `patterns` are paths with `{platform}` and other names in braces. If given, they define the steps outside of
    projects, and none are discovered.
    """
    # not a weak dictionary: steps refer to their site, so neither would be freed
    known: dict[tuple[str, ...], tuple[Step, ...]] = vars(site).setdefault("steps_by_patterns", {})
    key = tuple(patterns)
    if key not in known:
        loose = [page for page in _find_loose_pages(site) if not reference.lists_releases(page.path)]
        with limit_time("looking for copies", sum(len(page.text) for page in loose)):
            steps = _find_stated_steps(site, loose, patterns) if patterns else _discover_steps(site, loose)
            known[key] = (*_find_project_steps(site), *map(_distinguish_variants, _add_missing_variants(tuple(steps))))
    return known[key]


def find_related_steps(step: Step) -> Iterator[Step]:
    """Return the other steps, or tabsets, of the site that share two or more variants, up to a limit.

    Tabsets of the same page come first, then those that share most variants.
    """
    kind = "steps_by_variants" if step.beside is None else "tabsets_by_variants"
    known: dict[frozenset[str], tuple[Step, ...]] = vars(step.site).setdefault(kind, {})
    key = frozenset(step.pages)
    if key not in known:
        whole = find_steps(step.site) if step.beside is None else vars(step.site)["steps_of_regions"]
        alike = (item for item in whole if len(item.pages.keys() & key) > 1)
        known[key] = tuple(sorted(alike, key=lambda item: -len(item.pages.keys() & key)))
    near = [item for item in step.beside or () if len(item.pages.keys() & key) > 1]
    far = (item for item in known[key] if step.beside is None or item.first_page.path != step.first_page.path)
    return islice((item for item in chain(near, far) if item.first_page is not step.first_page), _LOOKED_AT)


def _find_project_steps(site: Site) -> Iterable[Step]:
    platforms = {id_: _build_platform_variant(platform) for id_, platform in site.model.platforms.items()}
    reported: dict[tuple[str, ...], Mapping[str, Variant]] = {}
    for (tutorial, step), pages in site.steps.items():
        if (ids := tuple(pages)) not in reported:
            reported[ids] = distinguish_variants({id_: platforms[id_] for id_ in ids})
        if len(pages) > 1:
            yield Step(step, f"{tutorial}/{step}", pages, dict(reported[ids]), site)


def _build_platform_variant(platform: Platform) -> Variant:
    """Return a platform of a project as a variant: its name, ID, screen labels and texts in `values`."""
    name = strip_origins(platform.name)
    values = [strip_origins(node.text) for node in platform.values.values() if isinstance(node, Scalar)]
    labels = [strip_origins(label) for label in platform.labels.values()]
    words = {name, platform.id, *labels, *(value for value in values if len(value) > 2 and not value.isdigit())}
    texts = words - {name, platform.id}
    return Variant(
        platform.id, name, tuple(sorted(words, key=lambda word: (-len(word), word))), texts=tuple(sorted(texts))
    )


def _discover_steps(site: Site, pages: Sequence[Page]) -> Iterable[Step]:
    looks = build_summaries(site, pages)
    index = linkage.find_sets(looks, site.results)
    groups = [[pages[member.page] for member in item.members] for item in index]
    slugs = [{pages[member.page].path: member.value for member in item.members} for item in index]
    folders = [get_axis(item.shape) for item in index]
    at = {page.path: look.path for page, look in zip(pages, looks, strict=True)}
    usual = _find_usual_spellings(site, groups, slugs, folders)
    for group, named, folder in zip(groups, slugs, folders, strict=True):
        yield _build_step(site, group, named, _build_pattern(group, named, at), usual[folder])


def describe_undecided(site: Site) -> Iterator[str]:
    """Explain why pages whose paths name platforms are not variants.

    One line for each shape of paths, with its closest pages.
    """
    pages = [page for page in _find_loose_pages(site) if not reference.lists_releases(page.path)]
    home = {page: step.id for step in find_steps(site) for page in step.pages.values()}
    closest: dict[Shape, linkage.Pair] = {}
    for pair in linkage.compare_pages(build_summaries(site, pages)):
        is_apart = pages[pair.left.page] not in home and pages[pair.right.page] not in home
        if is_apart and all(known_names.is_known_name(member.value) for member in (pair.left, pair.right)):
            closest[pair.shape] = max(closest.get(pair.shape, pair), pair, key=lambda item: item.bits)
    for shape, pair in sorted(closest.items()):
        pattern = "/".join(shape).replace(WILD, PLACEHOLDER)
        yield (
            f"not compared: `{pattern}`: {pair.left.value} and {pair.right.value} share"
            f" {pair.share:.0%} of their text (evidence {pair.bits:+.1f} bits, variants need more than 0)"
        )


def build_summaries(site: Site, pages: Sequence[Page]) -> list[PageSummary]:
    """Return the pages as discovery sees them, without the numbers that sort them."""
    by_path = {page.path: page for page in pages}
    at = numbered.strip_path_numbers(by_path, lambda path, text: _has_in_sentence(site, by_path[path], text))
    return [page.get_cached(_build_summary, at[page.path]) for page in pages]


def _find_loose_pages(site: Site) -> list[Page]:
    """Return the pages that are not identified by any data or build."""
    is_rendered = output_manifest.build_filter(site.layout.root)
    return [page for page in site.pages if not (page.place or page.is_link_only or is_rendered(page.path))]


def _build_summary(page: Page, path: str) -> PageSummary:
    seen = page.detected_language
    return PageSummary(
        path, page.plain, page.get_cached(_hash_units), (seen.code or "") if seen.is_clear else "", page.digest
    )


def _has_in_sentence(site: Site, page: Page, text: str) -> bool:
    """Return whether a page has a number and a word within a sentence."""
    number_or_word, *_ = paths.get_tokens(text)
    return number_or_word in page.plain.lower() and any(_compute_for_prose(site, page, count_in_sentences, text))


@page_facts.register
def _hash_units(page: Page) -> frozenset[int]:
    return hash_units(normalize_text(page.plain))


def _compute_for_prose(site: Site, page: Page, read: Callable[[str, str], Made], slug: str) -> Made:
    """Return `read(slug, prose)` for the prose of a page, computed once."""
    return site.results.get(lambda: read(slug, extract_prose(page.plain)), read.__name__, page.digest, slug)


def _build_pattern(group: Sequence[Page], slugs: Mapping[str, str], at: _Paths) -> str:
    """Return the path of a group with a placeholder for what differs: the one that most of its pages have.

    If that has no placeholder, return the first page's path. Numbers that sort pages are left out where they differ.
    """
    typed = [paths.get_parts(page.path) for page in group]
    called = [paths.get_parts(at[page.path]) for page in group]
    same = [len(set(parts)) == 1 for parts in zip(*typed, strict=True)]
    own = [
        "/".join(part if is_same else name for is_same, part, name in zip(same, *item, strict=True))
        for item in zip(typed, called, strict=True)
    ]
    shared = [_insert_placeholder(path, slugs[page.path]) for path, page in zip(own, group, strict=True)]
    common = max(set(shared), key=lambda text: (shared.count(text), text))
    return common if PLACEHOLDER in common else own[0]


def _insert_placeholder(path: str, slug: str) -> str:
    """Return a path with a placeholder for a variant's slug, if it occurs there as a whole word."""
    return re.sub(rf"(?<![^\W_]){re.escape(slug)}(?![^\W_])", PLACEHOLDER, path)


def _find_usual_spellings(
    site: Site, groups: Sequence[Sequence[Page]], slugs: Sequence[Mapping[str, str]], folders: Sequence[Shape]
) -> dict[Shape, dict[str, str]]:
    """Return how the pages of a folder spell each slug, for pages that do not spell their own."""
    forms: dict[Shape, dict[str, Counter[str]]] = {}
    for group, named, folder in zip(groups, slugs, folders, strict=True):
        for page in group:
            slug = named[page.path].lower()
            forms.setdefault(folder, {}).setdefault(slug, Counter()).update(
                _compute_for_prose(site, page, count_spellings, slug)
            )
    return {
        folder: {slug: select_form(counts) for slug, counts in form.items() if counts.total() >= _KNOWN}
        for folder, form in forms.items()
    }


def _build_step(
    site: Site,
    pages: Sequence[Page],
    slugs: Mapping[str, str],
    pattern: str,
    usual: Mapping[str, str] = MappingProxyType({}),
    called: Mapping[str, str] = MappingProxyType({}),
) -> Step:
    """Build a step of pages with these IDs. `called` are IDs without the numbers that sort them, if any."""
    reported = {slug.lower(): usual[slug.lower()] for slug in slugs.values() if slug.lower() in usual}
    bare = {path: called.get(slug, slug) for path, slug in slugs.items()}
    inputs = [(page.path, page.digest) for page in pages], bare, reported
    variants = site.results.get(
        lambda: learn_variants({page.path: page.plain for page in pages}, bare, reported), "learned", *inputs
    )
    by_id = {slugs[page.path]: page for page in pages}
    named = {
        slug: replace(variants[path], id=slug) if slug in called else variants[path] for path, slug in slugs.items()
    }
    return Step(_get_id(pattern), pattern, by_id, named, site)


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
            yield replace(step, kin={id_: variants[id_] for id_ in variants if id_ not in step.variants})


def _distinguish_variants(step: Step) -> Step:
    """Return a step whose variants know which names of others, even of missing ones, contain their own."""
    reported = distinguish_variants(step.all_variants)
    if all(reported[id_] is variant for id_, variant in step.all_variants.items()):
        return step
    variants, kin = ({id_: reported[id_] for id_ in part} for part in (step.variants, step.kin))
    return replace(step, variants=variants, kin=kin)


def _unify_names(steps: list[Step]) -> list[Step]:
    """Give each platform one name in the steps of a tutorial: the data's, or the one pages use most often."""
    forms: dict[str, dict[str, Variant]] = {}
    for step in steps:
        for id_, variant in step.variants.items():
            forms.setdefault(id_, {}).setdefault(variant.name, variant)
    names = {}
    for id_, known in forms.items():
        if len(known) > 1:
            pages = [step.pages[id_] for step in steps if id_ in step.pages]
            names[id_] = select_majority_name(
                {
                    name: sum(_compute_for_prose(steps[0].whole_site, page, count_uses, name) for page in pages)
                    for name in known
                }
            )
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


def _find_stated_steps(site: Site, pages: Iterable[Page], patterns: Sequence[str]) -> Iterable[Step]:
    groups: dict[tuple[str, str], dict[str, Page]] = {}
    by_pattern: dict[str, dict[str, Page]] = {}
    for page in pages:
        if pattern := next((text for text in patterns if splits.matches_pattern(text, page.path)), ""):
            by_pattern.setdefault(pattern, {})[page.path] = page
    called: dict[str, dict[str, str]] = {}
    for pattern, by_path in by_pattern.items():
        places = splits.find_platform_spans(pattern, list(by_path))
        called[pattern] = numbered.strip_numbers({path[slice(*place)] for path, place in places.items()})
        for path, (start, end) in places.items():
            again = _insert_placeholder(path[end:], path[start:end]) if pattern.count(PLACEHOLDER) > 1 else path[end:]
            rest = path[:start] + PLACEHOLDER + again
            groups.setdefault((pattern, rest), {})[path[start:end]] = by_path[path]
    for (pattern, shared), group in groups.items():
        if len(group) > 1:
            slugs = {page.path: slug for slug, page in group.items()}
            stem = posixpath.splitext(shared)[0]
            yield _build_step(site, list(group.values()), slugs, stem.removesuffix("/index"), called=called[pattern])


__all__ = ["Step", "Variant", "find_related_steps", "find_steps", "group_tutorials"]
