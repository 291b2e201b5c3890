"""Plan the edits of siblings: what each file would get, and what is skipped or in conflict."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import site as sites
from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Edit, Source
from tutorial_tool.core.time_budget import TimeBudgetExceeded, limit_time
from tutorial_tool.fs import files
from tutorial_tool.site import Layout, Page, Site
from tutorial_tool.sync import sources
from tutorial_tool.sync.carry import CarriedEdit, Carrier, RejectedEdit
from tutorial_tool.sync.sources import FolderChange
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation.model.exchange import Exchange, learn_exchange

if TYPE_CHECKING:
    from tutorial_tool.linter.targets import Target


_NAMELESS = "\0"  # A word that no text has


def _group_files(layout: Layout, known: Mapping[str, Variant]) -> dict[str, dict[str, Path]]:
    """Return the parts and code files of each set, by the variant that they are for."""
    folder = layout.root / layout.templates / "steps"
    sets: dict[str, dict[str, Path]] = {}
    below = [path for item in files.iter_folders(folder) for path in item.iterdir()] if folder.is_dir() else []
    for path in sorted(path for path in below if path.is_file()):
        pattern, id_, suffix = _split_path(files.format_path(path, layout.root), known)
        sets.setdefault(f"{pattern}.{suffix}" if id_ in sets.get(pattern, ()) else pattern, {})[id_] = path
    return sets


def find_steps(site: Site, layout: Layout, overlay: Mapping[str, str]) -> Iterator[Step]:
    """Yield the sets of corresponding parts and code files, each as a separate step.

    `add.ios.md` and `add.android.md`, and also `add.mobile.md` for a group, or `add.md` for all others, which have no
    name. Code in another language corresponds, too; several languages of one platform are separate sets.
    """
    known = {id_: Variant(id_, "", (_NAMELESS,)) for id_ in ("", *site.model.groups)}
    known |= {id_: variant for step in variants.find_steps(site) for id_, variant in step.variants.items()}
    for pattern, paths in _group_files(layout, known).items():
        if len(paths) > 1:
            yield _build_step(pattern, paths, known, layout.root, overlay)


def _split_path(path: str, known: Mapping[str, Variant]) -> tuple[str, str, str]:
    """Split a path into its pattern, with a placeholder for the platform, the platform or group, and the suffix."""
    folder, name = posixpath.split(path)
    stem = name.removesuffix(".j2").rpartition(".")[0]
    suffix = name.removeprefix(f"{stem}.")
    base, _, id_ = stem.rpartition(".")
    base, id_ = (base, id_) if base and id_ in known else (stem, "")
    pattern = f"{folder}/{base}.{variants.PLACEHOLDER}"
    return f"{pattern}.{suffix}" if suffix in ("md", "md.j2") else pattern, id_, suffix


def _build_step(
    pattern: str, paths: Mapping[str, Path], known: Mapping[str, Variant], root: Path, overlay: Mapping[str, str]
) -> Step:
    read = sites.load_plain(paths.values(), root, overlay)
    by_path = {page.path: page for page in read.pages}
    pages = {id_: by_path[name] for id_, path in paths.items() if (name := files.format_path(path, root)) in by_path}
    return Step(pattern, pattern, pages, {id_: known[id_] for id_ in pages}, read)


_LINK = lazy_re.compile(r"\]\(([^)\s#?:/<][^)\s#?:]*\.[A-Za-z]+)(?=[)\s#?])")  # A relative link to a file
_CONFLICT = "the other copy has uncommitted changes there"
_CONTESTED = "another page edits the same place differently"


class SkippedEdit(NamedTuple):
    """An edit that a sibling does not get. `path` and `line` (1-based) are those of the edited page."""

    path: Path
    line: int
    sibling: Path
    reason: str

    @property
    def is_conflict(self) -> bool:
        """Whether the lines are being edited elsewhere."""
        return self.reason in (_CONFLICT, _CONTESTED)


@dataclass
class FilePlan:
    """The changes of one file below `root`, each with the page and line that it comes from."""

    root: Path
    path: Path
    source: Source
    carried: list[tuple[CarriedEdit, Path]] = field(default_factory=list)

    @cached_property
    def uncommitted(self) -> frozenset[int]:
        """The lines (0-based) that differ from the last commit."""
        return sources.find_uncommitted_lines(self.root, self.path, self.source.text)

    @property
    def edits(self) -> list[Edit]:
        """The edits of the file, in order."""
        return [build_edit(self.source, change) for change, _ in self.carried]

    def add(self, change: CarriedEdit, origin: Path) -> list[tuple[CarriedEdit, Path]]:
        """Add a change unless it collides with others, which are removed and returned."""
        start, end = change[:2]
        spans = ((item[0][:2], item) for item in self.carried)
        others = [item for (a, b), item in spans if (a, b) == (start, end) or (start < b and a < end)]
        if any(other.lines == change.lines and other[:2] == change[:2] for other, _ in others):
            return []
        self.carried = [item for item in self.carried if item not in others]
        if not others:
            self.carried.append((change, origin))
            self.carried.sort(key=lambda item: item[0][:2])
        return others


@dataclass
class SyncPlan:
    """The result of a run: `files` by path, `skipped` edits, and the edited `pages` that have siblings.

    `only` are the requested variants, `known` the IDs and names of all variants of the pages.
    """

    files: dict[Path, FilePlan] = field(default_factory=dict)
    skipped: list[SkippedEdit] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)
    only: Sequence[str] = ()
    known: set[str] = field(default_factory=set)

    def get_file(self, root: Path, path: Path) -> FilePlan | None:
        """Return the plan of a file below a folder, reading it on first use; None if it cannot be read."""
        if path not in self.files:
            source = files.read(path, root=root)
            if not isinstance(source, Source):
                return None
            self.files[path] = FilePlan(root, path, source)
        return self.files[path]

    def add_page(self, path: Path, step: Step) -> None:
        """Record an edited page that has siblings."""
        self.pages.append(path)
        self.known |= {word for variant in step.variants.values() for word in (variant.id, variant.name)}

    @property
    def unknown_variant(self) -> str:
        """The first requested variant that no page has; empty if there is none."""
        known = {word.lower() for word in self.known}
        return next((word for word in self.only if word.lower() not in known), "")

    @property
    def has_edits(self) -> bool:
        """Whether there are edits to apply."""
        return any(file.carried for file in self.files.values())

    @property
    def conflicts(self) -> list[SkippedEdit]:
        """The skipped edits that keep the plan from being written."""
        return [item for item in self.skipped if item.is_conflict]


def plan_edits(targets: Iterable[Target], change: FolderChange, named: Sequence[Path], only: Sequence[str]) -> SyncPlan:
    """Plan the edits of siblings for a change; only for pages in `named` files or folders, if any.

    `only` are the IDs or names of the variants to edit; all if it is empty.
    """
    plan = SyncPlan(only=only)
    changed = {path: text for path in change.paths if (text := change.read_before(path)) is not None}
    for target in targets:
        below = [path for path in changed if path.is_relative_to(target.root)]
        overlay = {path.relative_to(target.root).as_posix(): changed[path] for path in below}
        for step in find_sets(target, overlay) if overlay else ():
            for name, page in step.pages.items():
                path = target.root / page.source.path
                is_named = path in changed and (not named or any(map(path.is_relative_to, named)))
                if is_named and (edited := change.read_after(path)) is not None:
                    plan.add_page(path, step)
                    _plan_page(plan, target, step, name, edited)
    return plan


def find_sets(target: Target, overlay: Mapping[str, str]) -> Iterator[Step]:
    """Yield the sets of corresponding files: hand-written pages, and parts and code of templates."""
    site = target.load(overlay)
    for step in variants.find_steps(site, target.config.variants):
        if not any(page.generated for page in step.pages.values()):
            yield step
    if target.layout is not None:
        yield from find_steps(site, target.layout, overlay)


def find_siblings(step: Step, name: str, only: Sequence[str] = ()) -> list[str]:
    """Return the other variants of a step, limited to those requested."""
    expected = {word.lower() for word in only}
    return [
        id_
        for id_, variant in step.variants.items()
        if id_ != name and id_ in step.pages and (not expected or {id_.lower(), variant.name.lower()} & expected)
    ]


def carry_edit(
    step: Step, name: str, edited: str, sibling: str, text: str | None = None
) -> tuple[CarriedEdit | RejectedEdit, ...]:
    """Return the results of an edit for a sibling of a variant; `step` has the pages before the edit.

    `text` is the sibling's current text, if it is different.
    """
    old, new = step.pages[name].source.text.split("\n"), edited.split("\n")
    exchange = learn_exchange(step, name, sibling)
    others = [variant for id_, variant in step.variants.items() if id_ != name or not exchange.target.name]
    other = (step.pages[sibling].source.text if text is None else text).split("\n")
    languages = _get_code_language(step.pages[name]), _get_code_language(step.pages[sibling])
    return tuple(Carrier(old, new, other, exchange, others, languages).carry())


def _get_code_language(page: Page) -> str:
    """Return the language of a code file by its suffix; empty for a page or part."""
    suffix = page.path.rpartition(".")[2].lower()
    return "" if suffix in ("md", "mdx", "markdown", "j2") else suffix


def _plan_page(plan: SyncPlan, target: Target, step: Step, name: str, edited: str) -> None:
    root = target.root
    path = root / step.pages[name].source.path
    links = {link for link in _LINK.findall(edited) if (path.parent / link).exists()}
    for sibling in find_siblings(step, name, plan.only):
        file = plan.get_file(root, root / step.pages[sibling].source.path)
        if file is None:
            continue
        results: Iterable[CarriedEdit | RejectedEdit]
        try:
            with limit_time("comparing"):
                carried = _carry_over(step, name, edited, sibling, file.source.text)
                exchange = learn_exchange(step, name, sibling)
                other_name, pages = exchange.target.name, step.whole_site.pages
                name_known = target.layout or any(other_name in page.source.text for page in pages)  # not made up
                results = _reject_invented(carried, links, file, exchange, "" if name_known else exchange.target.name)
        except TimeBudgetExceeded as error:
            results = (RejectedEdit(0, str(error)),)
        add_results(plan, file, path, results)


def _reject_invented(
    results: Iterable[CarriedEdit | RejectedEdit], links: Iterable[str], file: FilePlan, exchange: Exchange, name: str
) -> Iterator[CarriedEdit | RejectedEdit]:
    """Reject new links to what the edited page's `links` lead to, but the sibling's do not, and an invented `name`."""
    targets = sorted(map(exchange.translate, links))
    missing = [f"]({link}" for link in targets if not (file.path.parent / link).exists()]
    for result in results:
        lines = "\n".join(result.lines) if isinstance(result, CarriedEdit) else ""
        link = next((link for link in missing if link in lines and link not in file.source.text), None)
        if link:
            yield RejectedEdit(result.line, f"`{link[2:]}` does not exist")
        elif name and name in lines:
            yield RejectedEdit(result.line, f"no page names `{name}`")
        else:
            yield result


def _carry_over(step: Step, name: str, edited: str, sibling: str, text: str) -> tuple[CarriedEdit | RejectedEdit, ...]:
    """Return the results of an edit for a sibling's current text, without edits that it got since its last commit.

    An edit that only fits the committed text is in conflict.
    """
    results = carry_edit(step, name, edited, sibling, text)
    committed = step.pages[sibling].source.text
    if text == committed:
        return results
    before = {item.line: item for item in carry_edit(step, name, edited, sibling) if isinstance(item, CarriedEdit)}
    done = {line for line, change in before.items() if _is_done(change, committed, text)}
    return tuple(
        RejectedEdit(item.line, _CONFLICT) if isinstance(item, RejectedEdit) and item.line in before else item
        for item in results
        if item.line not in done
    )


def _is_done(change: CarriedEdit, committed: str, text: str) -> bool:
    """Return whether a text has the lines of a change to its committed state, or lacks those that it removes."""
    added = "\n".join(change.lines).strip()
    removed = "\n".join(committed.split("\n")[change.start : change.end]).strip()
    return text.count(added) > committed.count(added) if added else text.count(removed) < committed.count(removed)


def add_results(plan: SyncPlan, file: FilePlan, origin: Path, results: Iterable[CarriedEdit | RejectedEdit]) -> None:
    """Add the results of a page's edits to a file, skipping lines with uncommitted changes."""
    for result in results:
        if isinstance(result, RejectedEdit):
            reason = result.reason
        elif not file.uncommitted.isdisjoint(range(result.start, max(result.end, result.start + 1))):
            reason = _CONFLICT
        else:
            others = file.add(result, origin)
            plan.skipped += [SkippedEdit(other, change.line + 1, file.path, _CONTESTED) for change, other in others]
            reason = _CONTESTED if others else ""
        if reason:
            plan.skipped.append(SkippedEdit(origin, result.line + 1, file.path, reason))


def build_edit(source: Source, change: CarriedEdit) -> Edit:
    """Build an edit of the file from a change of lines."""
    text = "\n".join(change.lines)
    if change.start >= source.line_count:
        return Edit(source.span(len(source.text)), f"\n{text}")
    start = source.get_line_start(change.start + 1)
    if change.start == change.end:
        return Edit(source.span(start), f"{text}\n")
    if change.lines:
        return Edit(source.span(start, source.get_line_end(change.end)), text)
    end = source.get_line_start(change.end + 1) if change.end < source.line_count else len(source.text)
    return Edit(source.span(start, end), "")
