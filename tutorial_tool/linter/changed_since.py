"""`--changed-since`: report what a change introduces, not what was there before.

The revision is linted as well, in a copy exported from git. A finding is reported if it has no equal there, by the
baseline's fingerprints, so it may be on an unchanged line. It is also reported if it is on a changed line.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool.config.settings import ConfigError
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, count_common_start
from tutorial_tool.fs import files, git, worktrees
from tutorial_tool.linter import baseline, targets
from tutorial_tool.linter.baseline import Baseline, BaselineComparison
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.fingerprint import compute_mark
from tutorial_tool.linter.targets import NothingToLint, Target
from tutorial_tool.rules import OUTSIDE

if TYPE_CHECKING:
    from tutorial_tool.external_linters import ExternalLinters

_TEXTS = (*targets.NAMED_SUFFIXES, ".j2", ".yaml", ".yml")  # Files between which lines may move


@dataclass(frozen=True)
class RevisionCopy:
    """The folder where a run started, and its copy at the revision; None if it did not exist then."""

    start: Path
    copied_start: Path | None

    @cached_property
    def repositories(self) -> tuple[Path, Path] | None:
        """The repository and its copy; None if there is no copy."""
        if self.copied_start is None:
            return None
        then = git.find_repository(self.copied_start)
        assert then is not None
        depth = len(self.copied_start.relative_to(then).parts)
        return (self.start, *self.start.parents)[depth], then

    def locate(self, path: Path) -> Path | None:
        """Return the path in the copy; None if there is no copy.

        Raises worktrees.UnknownRevision if the path is not in this repository.
        """
        full = Path(os.path.normpath(self.start / path))
        if self.repositories is None:
            return None
        repository, copied_repository = self.repositories
        full = full if full.is_relative_to(repository) else full.resolve()
        if not full.is_relative_to(repository):
            raise worktrees.UnknownRevision(f"`{path}` is not in the repository of this folder; run it there")
        return copied_repository / full.relative_to(repository)


class EarlierRun:
    """The targets at the revision.

    A folder may have been another target then: no project, or not configured.
    """

    def __init__(self, targets: Sequence[Target]) -> None:
        self.targets = targets
        self._findings: list[tuple[Target, list[Finding]]] | None = None

    def get_findings(self, folder: Path, tools: ExternalLinters | None) -> list[Finding]:
        """Return all findings, with paths relative to a folder: by the same tools, without external links."""
        if self._findings is None:
            self._findings = [
                (target, replace(target, tools=tools, is_cached=False).lint().findings) for target in self.targets
            ]
        return [finding for target, findings in self._findings for finding in target.select_findings(findings, folder)]


@dataclass
class EarlierTarget:
    """A target at the revision: its findings, and the folder of its files in the copy."""

    root: Path
    folder: Path | None
    earlier_run: EarlierRun

    def filter_new(
        self, compared: BaselineComparison, findings: Iterable[Finding], target: Target
    ) -> BaselineComparison:
        """Return the comparison limited to what the change affects; `findings` are all of the target."""
        if not compared.new:
            return compared
        result = self._get_baseline(target.tools).compare((f for f in findings if f.rule not in OUTSIDE), self.root)
        items, skipped = compared.new.items(), {None, *_find_moved(result)}
        old = {own: new for own, new in items if result.new.get(own) in skipped}
        touched = {own: new for own, new in old.items() if self.is_touched(new)}
        introduced = {own: result.new[own] if new is own else new for own, new in items if own not in old}
        older = [new for own, new in old.items() if own not in touched]
        return compared._replace(new=introduced | touched, older=older, touched=list(touched.values()))

    @cache_method
    def _get_baseline(self, tools: ExternalLinters | None) -> Baseline:
        findings = self.earlier_run.get_findings(self.folder, tools) if self.folder else []
        return baseline.build_from_findings(findings, self.root)

    def is_touched(self, finding: Finding) -> bool:
        """Return whether the finding, or a span related to it, is on a changed line."""
        spans = [finding.span, *(related.span for related in finding.related)]
        return any(not self._find_changed_lines(span.source).isdisjoint(span.lines) for span in spans)

    @cache_method
    def _find_changed_lines(self, source: Source) -> frozenset[int]:
        earlier, text = self._read_text(self.folder, source.path), source.text
        return frozenset() if earlier == text else find_changed_lines(earlier, text, self._removed_lines)

    @cached_property
    def _removed_lines(self) -> Counter[str]:
        """The lines removed from each file since the revision: found elsewhere now, they were moved."""
        lines: Counter[str] = Counter()
        for path in files.find(self.folder, _TEXTS) if self.folder else ():
            name = files.format_path(path, self.folder or self.root)
            earlier_text, text = self._read_text(self.folder, name), self._read_text(self.root, name)
            if earlier_text != text:
                lines += Counter(_strip_lines(earlier_text)) - Counter(_strip_lines(text))
        return lines

    @staticmethod
    def _read_text(folder: Path | None, name: str) -> str:
        if folder is None or not os.path.lexists(folder / name):
            return ""
        read = files.read(folder / name, root=folder)
        return "" if isinstance(read, Finding) else read.text


def _find_moved(result: BaselineComparison) -> Iterator[Finding]:
    """Yield new findings whose equals are gone from another file: their lines were moved."""
    gone_counts = Counter((place.rule, place.mark.text, place.mark.line) for place in result.gone if not place.further)
    for finding in result.new.values():
        mark = compute_mark(finding.span)
        key = finding.rule, mark.text, mark.line
        if gone_counts[key]:
            gone_counts[key] -= 1
            yield finding


def find_changed_lines(earlier_text: str, text: str, moved: Counter[str]) -> frozenset[int]:
    """Return the lines (1-based) that are not in the earlier text, neither blank nor moved.

    Lines are moved within the text, or into it from `moved`. Leading and trailing white space of a line is ignored. The
    common start and end of both texts are skipped, so that of equal lines the added one is new.
    """
    old, new = _strip_lines(earlier_text), _strip_lines(text)
    common_start = count_common_start(old, new)
    common_end = count_common_start(old[common_start:][::-1], new[common_start:][::-1])
    removed = Counter(old[common_start : len(old) - common_end])
    changed = set()
    for number, line in enumerate(new[common_start : len(new) - common_end], common_start + 1):
        if removed[line]:
            removed[line] -= 1
        elif line and not moved[line]:
            changed.add(number)
    return frozenset(changed)


def _strip_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n")]


@contextmanager
def limit_to_changes(
    revision: str, current_targets: Sequence[Target], paths: Iterable[Path], lookup: LookupOptions
) -> Iterator[tuple[list[Target], list[str]]]:
    """Yield the targets limited to findings that the change since a revision affects, and notes.

    The change begins at the merge base with the revision, and includes uncommitted files.

    Raises: worktrees.UnknownRevision.
    """
    base = "" if _is_first_commit(lookup.start, revision) else worktrees.find_merge_base(lookup.start, revision).id
    with ExitStack() as stack:
        copy = RevisionCopy(lookup.start, None)
        with suppress(worktrees.NoFolder):
            copy = RevisionCopy(
                lookup.start, stack.enter_context(worktrees.export(lookup.start, base)) if base else None
            )
        notes: list[str] = []
        try:
            earlier = EarlierRun(_find_targets(copy, paths, lookup))
        except ConfigError as error:
            earlier = EarlierRun(())
            notes.append(f"{revision} cannot be linted, so all findings are reported: {error.problems[0]}")
        yield [replace(target, since=_build_earlier_target(target, copy, earlier)) for target in current_targets], notes


def _is_first_commit(folder: Path, revision: str) -> bool:
    """Return whether the first commit is about to be made, as in a hook: there is no revision before it."""
    if revision != "HEAD":
        return False
    with suppress(git.GitNotFound):
        inside = git.ask(folder, "rev-parse", "--is-inside-work-tree")
        return inside.lines == ["true"] and bool(git.ask(folder, "rev-parse", "--verify", "--quiet", "HEAD").code)
    return False


def _find_targets(copy: RevisionCopy, paths: Iterable[Path], lookup: LookupOptions) -> list[Target]:
    """Return the targets at the revision, with the configuration of that time; [] if there were none.

    Changes to the configuration are thus part of the change.
    """
    copied_paths = [copy.locate(path) for path in paths]
    existing = [path for path in copied_paths if path is not None and path.exists()]
    if copy.copied_start is None or (copied_paths and not existing):
        return []
    try:
        return targets.find(existing, replace(lookup, start=copy.copied_start))
    except NothingToLint:
        return []


def _build_earlier_target(target: Target, copy: RevisionCopy, earlier_run: EarlierRun) -> EarlierTarget:
    folder = copy.locate(target.root)
    return EarlierTarget(target.root, folder if folder is not None and folder.is_dir() else None, earlier_run)
