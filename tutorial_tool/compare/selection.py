"""Select steps by name, by the paths of copies, or by folder."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.core.diagnostics import format_suggestion, join_names
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.fs import files
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import Target
from tutorial_tool.site import Site
from tutorial_tool.variants import Step, numbered
from tutorial_tool.variants.names import learn_variants


class AmbiguousStep(TutorialToolError):
    """The step cannot be determined; the message is shown to the user."""


class FoundStep(NamedTuple):
    """A step, and the project or tree that it is in."""

    target: Target
    step: Step

    @property
    def name(self) -> str:
        """The name to show: the ID, the folder of copies whose path is the platform alone, or the path."""
        if self.step.pattern == variants.PLACEHOLDER:
            return self.target.root.name or self.step.pattern
        return self.step.pattern if variants.PLACEHOLDER in self.step.id else self.step.id


def select_steps(names: Sequence[str], lookup: LookupOptions) -> tuple[list[FoundStep], bool]:
    """Return the steps that command-line arguments select, and whether they name one step.

    Arguments are paths of files or folders, and at most one name of a step.

    Raises: `AmbiguousStep`; `InvalidInput` for input that cannot be read; `targets.NothingToLint`;
    `config.ConfigError`.
    """
    paths = [Path(name) for name in names if Path(lookup.start / name).exists()]
    requested = [name for name in names if not Path(lookup.start / name).exists()]
    if len(requested) > 1:
        raise AmbiguousStep(f"there is no file or folder `{requested[1]}`; name one step")
    if requested:
        return [_find_named(requested[0], _find_all(paths, lookup))], True
    if len(paths) == 1 and (same_name := _find_called(names[0], _find_all([], lookup, required=False))):
        return [_require_one(names[0], same_name)], True
    if paths and all(path.is_file() for path in (lookup.start / path for path in paths)):
        return [_find_by_files(paths, lookup)], True
    result = _find_all(paths, lookup)
    if not result:
        raise AmbiguousStep("no step has copies for two platforms or more here; name the files to compare")
    return result, False


def filter_by_variants(matches: Iterable[FoundStep], names: Sequence[str]) -> list[FoundStep]:
    """Return the steps with only the variants of these IDs or names; those with fewer than two are left out.

    Raises: `AmbiguousStep` if a name is unknown, or if no step is left.
    """
    matches = list(matches)
    expected = {name.lower() for name in names}
    available = [variant for match in matches for variant in match.step.variants.values()]
    spellings = {word.lower(): word for variant in available for word in (variant.id, variant.name)}
    if unknown := next((name for name in names if name.lower() not in spellings), None):
        hint = format_suggestion(unknown, spellings.values()) or f"; use one of {join_names(spellings.values())}"
        raise AmbiguousStep(f"unknown variant `{unknown}`{hint}")
    out = []
    for entry in matches:
        selected = {id_: v for id_, v in entry.step.variants.items() if {id_.lower(), v.name.lower()} & expected}
        pages = {id_: page for id_, page in entry.step.pages.items() if id_ in selected}
        if len(pages) > 1:
            out.append(entry._replace(step=replace(entry.step, pages=pages, variants=selected)))
    if not out:
        raise AmbiguousStep("no step is on two or more of these variants")
    return out


def _find_all(paths: Sequence[Path], lookup: LookupOptions, *, required: bool = True) -> list[FoundStep]:
    try:
        index = targets.find(paths, lookup)
    except targets.NothingToLint:
        if required:
            raise
        return []
    return [
        FoundStep(target, step)
        for target, site in ((target, _load_site(target)) for target in index)
        for step in variants.find_steps(site, target.config.variants)
    ]


def _load_site(target: Target) -> Site:
    """Load a target: a project must render as a whole; in a tree, unreadable files are skipped."""
    site = target.load()
    return site.require_valid() if target.layout is not None else site


# By name


def _find_named(name: str, matches: Sequence[FoundStep]) -> FoundStep:
    if same_name := _find_called(name, matches):
        return _require_one(name, same_name)
    suggestion = format_suggestion(name, {item.name for item in matches})
    raise AmbiguousStep(f"unknown step `{name}`{suggestion or '; `tutorial-tool compare` lists the steps'}")


def _require_one(name: str, matches: Sequence[FoundStep]) -> FoundStep:
    if len(matches) > 1:
        raise AmbiguousStep(f"{len(matches)} steps are called `{name}`: name one of {join_names(get_names(matches))}")
    return matches[0]


def _find_called(name: str, matches: Sequence[FoundStep]) -> list[FoundStep]:
    """Return the steps of a name: by pattern, else by the end of a path, such as `quickstart/install`."""
    exact = [item for item in matches if name == item.step.pattern]
    named = [item for item in matches if name in (item.step.id, item.name) or _ends_with_name(item.step.pattern, name)]
    return exact or named


def get_names(matches: Sequence[FoundStep]) -> list[str]:
    """Return display names of steps: the name; if ambiguous, with the folder before it, else the path."""
    long_names = ["/".join(_get_shared_parts(item.step.pattern)[-2:]) for item in matches]
    short_counts, long_counts = Counter(item.name for item in matches), Counter(long_names)
    return [
        item.name if short_counts[item.name] < 2 else name if long_counts[name] < 2 else item.step.pattern
        for item, name in zip(matches, long_names, strict=True)
    ]


def _get_shared_parts(pattern: str) -> list[str]:
    """Return the parts of a path, without the platform's name."""
    return [shared for part in pattern.split("/") if (shared := part.replace(variants.PLACEHOLDER, "").strip("-_. "))]


def _ends_with_name(pattern: str, name: str) -> bool:
    shared, parts = _get_shared_parts(pattern), name.strip("/").split("/")
    return len(parts) <= len(shared) and shared[-len(parts) :] == parts


# By files


def _find_by_files(paths: Sequence[Path], lookup: LookupOptions) -> FoundStep:
    """Find the step that some copies make up; for one copy, the step that it belongs to.

    Raises: `AmbiguousStep` if a single file has no copy, or if all files are one page.
    """
    named_files = [(lookup.start / path).absolute() for path in paths]
    candidates = _find_all([], lookup, required=False) if len(named_files) == 1 else _find_all(paths, lookup)
    for item in candidates:
        root, pages = item.target.root.absolute(), item.step.pages.items()
        named_pages = {id_: page for id_, page in pages if Path(os.path.normpath(root / page.path)) in named_files}
        if len(named_files) == 1 and named_pages:
            return item
        if len(named_pages) == len(named_files):
            variants_ = {id_: item.step.variants[id_] for id_ in named_pages}
            return item._replace(step=replace(item.step, pages=named_pages, variants=variants_))
    if len(named_files) == 1:
        raise AmbiguousStep(f"`{paths[0]}` has no copy for another platform; name that, too")
    return _build_forced_step(paths, lookup)


def _build_forced_step(paths: Sequence[Path], lookup: LookupOptions) -> FoundStep:
    """Build a step from files that are not recognized as copies.

    Raises: `InvalidInput` for files that cannot be read, and `AmbiguousStep` for fewer than two pages.
    """
    target = next(target for target in targets.find(paths, replace(lookup, isolated=True)) if target.layout is None)
    site = target.load().require_valid()
    pages = {page.path: page for page in site.pages}
    if len(pages) < 2:
        shown = ", ".join(f"`{files.format_path(lookup.start / path, lookup.start)}`" for path in paths)
        raise AmbiguousStep(f"there is one page only in {shown}")
    slugs = _find_slugs(list(pages))
    names = learn_variants({path: page.plain for path, page in pages.items()}, slugs, {})
    by_slug = {slugs[path]: page for path, page in pages.items()}
    return FoundStep(target, Step(", ".join(pages), ", ".join(pages), by_slug, {v.id: v for v in names.values()}, site))


def _find_slugs(paths: Sequence[str]) -> dict[str, str]:
    """Return what distinguishes paths: their names, else their folders, else the paths.

    Numbers that sort them are ignored.
    """
    stems = [posixpath.splitext(posixpath.basename(path))[0] for path in paths]
    folders = [posixpath.basename(posixpath.dirname(path)) for path in paths]
    for names in (stems, folders):
        if len(set(names)) == len(paths) and all(names):
            without_numbers = numbered.strip_numbers(names)
            return {path: without_numbers.get(name, name) for path, name in zip(paths, names, strict=True)}
    return {path: path for path in paths}
