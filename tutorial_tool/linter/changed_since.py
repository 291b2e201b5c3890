"""`--changed-since`: what a change brings, told apart from what stood there before.

The revision is linted, too, in a copy out of git. A finding counts where it has no equal there, by the marks of the
baseline: so it may lie on a line that nobody touched. And it counts where it lies on a line that was changed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool.config.settings import ConfigError
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import blame, files, git, worktrees
from tutorial_tool.linter import baseline, targets
from tutorial_tool.linter.baseline import Baseline, BaselineComparison
from tutorial_tool.linter.fingerprint import compute_mark
from tutorial_tool.linter.targets import NothingToLint, Settings, Target
from tutorial_tool.rules import OUTSIDE

if TYPE_CHECKING:
    from tutorial_tool.external_linters import ExternalLinters

_TEXTS = (*targets.NAMED_SUFFIXES, ".j2", ".yaml", ".yml")  # Files between which lines may move


@dataclass(frozen=True)
class RevisionCopy:
    """The folder where a run started, and what it was at the revision; None where it did not exist yet."""

    start: Path
    copied_start: Path | None

    @cached_property
    def tops(self) -> tuple[Path, Path] | None:
        """The repository and its copy."""
        if self.copied_start is None:
            return None
        then = git.find_repository(self.copied_start)
        assert then is not None
        depth = len(self.copied_start.relative_to(then).parts)
        return (self.start, *self.start.parents)[depth], then

    def locate(self, path: Path) -> Path | None:
        """Where a path stands in the copy. Raises revisions.Unknown for one that is in another repository or none."""
        full = Path(os.path.normpath(self.start / path))
        if self.tops is None:
            return None
        top, then = self.tops
        full = full if full.is_relative_to(top) else full.resolve()
        if not full.is_relative_to(top):
            raise worktrees.UnknownRevision(f"'{path}' is not in the repository of this folder; run it there")
        return then / full.relative_to(top)


class EarlierRun:
    """What was linted at the revision. A folder may have been another target then: no project, or without settings."""

    def __init__(self, matches: Sequence[Target]) -> None:
        self.targets = matches
        self._found: list[tuple[Target, list[Finding]]] | None = None

    def get_findings(self, folder: Path, others: ExternalLinters | None) -> list[Finding]:
        """All findings, with paths relative to a folder: by the same tools as now; other hosts are not asked."""
        if self._found is None:
            self._found = [(was, replace(was, others=others).lint().findings) for was in self.targets]
        return [finding for was, findings in self._found for finding in was.select_findings(findings, folder)]


@dataclass
class EarlierTarget:
    """A target as it was: what was found then, and the folder of its files in the copy."""

    root: Path
    folder: Path | None
    before: EarlierRun
    _known: Baseline | None = None
    _lines: dict[Source, frozenset[int]] = field(default_factory=dict)

    def filter_new(
        self, compared: BaselineComparison, findings: Iterable[Finding], target: Target
    ) -> BaselineComparison:
        """What is new beside a baseline, as far as the change has to do with it; `findings` are all of the target."""
        if not compared.new:
            return compared
        result = self._get_baseline(target).compare((f for f in findings if f.rule not in OUTSIDE), self.root)
        news = dict(zip(result.new, result.new, strict=True))
        for finding in _find_moved(result):
            news.pop(finding, None)
        old = [finding for finding in compared.new if finding not in news]
        touched = [finding for finding in old if self.is_touched(finding)]
        reported = {**news, **dict(zip(touched, touched, strict=True))}
        return compared._replace(
            new=[reported[finding] for finding in compared.new if finding in reported],
            old=[finding for finding in old if finding not in reported],
            touched=touched,
        )

    def _get_baseline(self, target: Target) -> Baseline:
        if self._known is None:
            findings = self.before.get_findings(self.folder, target.others) if self.folder else []
            self._known = baseline.build_from_findings(findings, self.root)
        return self._known

    def is_touched(self, finding: Finding) -> bool:
        """Whether its place, or one that it names, is on a line that was changed."""
        spans = [finding.span, *(related.span for related in finding.related)]
        return any(not self._find_changed_lines(span.source).isdisjoint(_get_lines(span)) for span in spans)

    def _find_changed_lines(self, source: Source) -> frozenset[int]:
        if source not in self._lines:
            then = self._read_text(self.folder, source.path)
            matches = frozenset() if then == source.text else find_changed_lines(then, source.text, self._removed_lines)
            self._lines[source] = matches
        return self._lines[source]

    @cached_property
    def _removed_lines(self) -> Counter[str]:
        """The lines that left a file since: where they stand now, they have moved."""
        lines: Counter[str] = Counter()
        for path in files.find(self.folder, _TEXTS) if self.folder else ():
            name = files.format_path(path, self.folder or self.root)
            then, now = self._read_text(self.folder, name), self._read_text(self.root, name)
            if then != now:
                lines += Counter(_strip_lines(then)) - Counter(_strip_lines(now))
        return lines

    @staticmethod
    def _read_text(folder: Path | None, name: str) -> str:
        if folder is None or not os.path.lexists(folder / name):
            return ""
        read = files.read(folder / name, root=folder)
        return "" if isinstance(read, Finding) else read.text


def _find_moved(result: BaselineComparison) -> Iterator[Finding]:
    """The new findings whose equals are gone from another file: their lines have moved."""
    gone = Counter((place.rule, place.mark.text, place.mark.line) for place in result.gone if not place.further)
    for finding in result.new:
        its = compute_mark(finding.span)
        key = finding.rule, its.text, its.line
        if gone[key]:
            gone[key] -= 1
            yield finding


def _get_lines(span: Span) -> range:
    """The lines of a span, from 1: a line end belongs to the line that it ends."""
    return range(span.position.line, span.source.get_position(max(span.end - 1, span.start)).line + 1)


def find_changed_lines(then: str, now: str, moved: Counter[str]) -> frozenset[int]:
    """The lines of a text, from 1, that another does not have: neither blank, nor moved within it, nor `moved` into it.

    White space at the ends of a line does not count. What both begin and end with is left aside, so that of equal
    lines the one is new that was added.
    """
    old, new = _strip_lines(then), _strip_lines(now)
    first = _count_common_lines(old, new)
    last = _count_common_lines(old[first:][::-1], new[first:][::-1])
    left = Counter(old[first : len(old) - last])
    result = set()
    for number, line in enumerate(new[first : len(new) - last], first + 1):
        if left[line]:
            left[line] -= 1
        elif line and not moved[line]:
            result.add(number)
    return frozenset(result)


def _strip_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n")]


def _count_common_lines(item: Sequence[str], other: Sequence[str]) -> int:
    """How many lines two texts begin with alike."""
    pairs = zip(item, other, strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(item), len(other)))


@contextmanager
def limit_to_changes(
    revision: str, matches: Sequence[Target], paths: Iterable[Path], settings: Settings
) -> Iterator[tuple[list[Target], list[str]]]:
    """The targets, which tell only what the change since a revision has to do with, and notes for people.

    The change is what happened since the work parted from the revision, saved files that are not committed included.
    Raises revisions.Unknown.
    """
    base = "" if _is_first_commit(settings.start, revision) else worktrees.find_merge_base(settings.start, revision).id
    with ExitStack() as stack:
        copy = RevisionCopy(settings.start, None)
        with suppress(worktrees.NoFolder):
            copy = RevisionCopy(
                settings.start, stack.enter_context(worktrees.export(settings.start, base)) if base else None
            )
        if copy.tops is not None:
            stack.enter_context(blame.register_copy(copy.tops[1], copy.tops[0], base))
        notes: list[str] = []
        try:
            before = EarlierRun(_find_targets(copy, paths, settings))
        except ConfigError as wrong:
            before = EarlierRun(())
            notes.append(f"{revision} cannot be linted, so all findings are reported: {wrong.problems[0]}")
        yield [replace(target, since=_build_earlier_target(target, copy, before)) for target in matches], notes


def _is_first_commit(folder: Path, revision: str) -> bool:
    """Whether the first commit is about to be made, as a hook sees it: before it, there was nothing."""
    if revision != "HEAD":
        return False
    with suppress(git.GitNotFound):
        inside = git.ask(folder, "rev-parse", "--is-inside-work-tree")
        return inside.lines == ["true"] and bool(git.ask(folder, "rev-parse", "--verify", "--quiet", "HEAD").code)
    return False


def _find_targets(copy: RevisionCopy, paths: Iterable[Path], settings: Settings) -> list[Target]:
    """The targets of the revision: with its own settings, for what they bring is part of the change."""
    named = [copy.locate(path) for path in paths]
    there = [path for path in named if path is not None and path.exists()]
    if copy.copied_start is None or (named and not there):
        return []
    try:
        return targets.find(there, replace(settings, start=copy.copied_start))
    except NothingToLint:
        return []


def _build_earlier_target(target: Target, copy: RevisionCopy, before: EarlierRun) -> EarlierTarget:
    folder = copy.locate(target.root)
    return EarlierTarget(target.root, folder if folder is not None and folder.is_dir() else None, before)
