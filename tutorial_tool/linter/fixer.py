"""Apply safe fixes that do not overlap, lint again, and write those that cause no regression.

A fix is applied completely or not at all, in memory first. After each round everything is read again; a round that
causes a regression is bisected until the failing fix is isolated, which is reverted. Rules that undo each other lose
their fixes in the file in question.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.fs import files, git
from tutorial_tool.linter import fix_guard
from tutorial_tool.linter.linted_site import LintedSite

MAX_ROUNDS = 10  # Maximum times that fixes are applied and the result is linted again
MAX_TRIES = 64  # Maximum times that a round is linted to find the harmful fixes

Load = Callable[[Mapping[str, str]], LintedSite]
"""Loads and lints everything, with texts that replace those of files, by the path in findings."""


class RevertedFix(NamedTuple):
    """A fix that was reverted, and why."""

    finding: Finding
    reason: str

    def __str__(self) -> str:
        return f"{self.finding.span}: {self.finding.rule}: the fix was reverted: {self.reason}"


class FileChange(NamedTuple):
    """A file before and after its fixes."""

    before: Source
    after: Source


@dataclass(frozen=True)
class FixResult:
    """The result of fixing: `linted` is the state after it, `counts` are the fixes by rule.

    The findings of `linted` are those that remain. `linked_files` are files that one fix changed: either all of them
    are written, or none.
    """

    linted: LintedSite
    changes: Mapping[str, FileChange]
    counts: Mapping[str, int]
    reverted_fixes: tuple[RevertedFix, ...] = ()
    linked_files: tuple[frozenset[str], ...] = ()

    @property
    def diff(self) -> str:
        """The changes in the format of `patch`."""
        return "".join(
            git.write_patch(path, path, *(source.raw for source in self.changes[path])) for path in sorted(self.changes)
        )


# Applying fixes in memory


def plan_fixes(findings: Iterable[Finding], *, unsafe: bool = False) -> list[Finding]:
    """Return the findings whose fixes can be applied together, in the order of their spans.

    A fix that overlaps an earlier one waits for the next round as a whole; one that equals an accepted one is applied
    with it.
    """
    accepted: dict[Source, list[Edit]] = {}
    chosen = []
    for finding in sorted(findings, key=_get_sort_key):
        edits = finding.fix.edits if finding.fix and (finding.fix.safe or unsafe) else ()
        if any(edit.span.text != edit.text for edit in edits) and _add_edits(edits, accepted):
            chosen.append(finding)
    return chosen


def _get_sort_key(finding: Finding) -> tuple[str, int, int, str, str]:
    return finding.span.path, finding.span.start, finding.span.end, finding.rule, finding.message


def _add_edits(edits: Sequence[Edit], accepted: dict[Source, list[Edit]]) -> bool:
    """Add edits unless one overlaps an accepted edit; return whether they are accepted, or already were."""
    is_accepted = [edit in _find_near_edits(edit, accepted) for edit in edits]
    if any(is_accepted):
        return all(is_accepted)
    added: dict[Source, list[Edit]] = {}
    for edit in edits:
        neighbors = (*_find_near_edits(edit, accepted), *_find_near_edits(edit, added))
        if any(edit.span.overlaps(neighbor.span) for neighbor in neighbors):
            return False
        insort(added.setdefault(edit.span.source, []), edit, key=_get_start)
    for source, added_edits in added.items():
        for edit in added_edits:
            insort(accepted.setdefault(source, []), edit, key=_get_start)
    return True


def _get_start(edit: Edit) -> tuple[int, int]:
    return edit.span.start, edit.span.end


def _find_near_edits(edit: Edit, ordered_edits: Mapping[Source, list[Edit]]) -> list[Edit]:
    """Return the edits next to one, from an ordered list without overlaps."""
    edits = ordered_edits.get(edit.span.source, [])
    index = bisect_left(edits, _get_start(edit), key=_get_start)
    return edits[max(index - 1, 0) : index + 2]


def collect_edits(findings: Iterable[Finding]) -> dict[str, list[Edit]]:
    """Return the edits of all fixes, without duplicates, by path, in the order of their spans."""
    edits = dict.fromkeys(edit for finding in findings if finding.fix for edit in finding.fix.edits)
    return group_by(sorted(edits, key=lambda edit: (edit.span.path, *_get_start(edit))), lambda edit: edit.span.path)


def apply_edits(source: Source, edits: Iterable[Edit]) -> Source:
    """Return the source with edits applied; all other bytes stay unchanged.

    The edits may come from another source of the same text: a linted one has normalized line ends.
    """
    moved = [Edit(Span(source, edit.span.start, edit.span.end), edit.text) for edit in edits]
    return Source(source.path, source.apply(moved))


# Rounds


def run_rounds(load: Load, *, unsafe: bool = False, at_least: Severity = Severity.HINT) -> FixResult:
    """Lint and fix findings of at least a severity until nothing changes. Nothing is written."""
    initial = load({})
    banned: dict[tuple[str, str], str] = {}
    while True:
        run = _FixRun(load, initial, unsafe, at_least, banned)
        conflicts = run.run_until_stable()
        if not conflicts:
            return run.build_result()
        banned |= conflicts


@dataclass
class _FixRun:
    """Rounds from the initial files, without the fixes in `banned`: (rule, path) and the reason."""

    load: Load
    linted: LintedSite
    unsafe: bool
    at_least: Severity
    banned: Mapping[tuple[str, str], str]
    original_by_path: dict[str, Source] = field(default_factory=dict)
    current_by_path: dict[str, Source] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    reverted_fixes: dict[tuple[str, str, str, tuple[str, ...]], RevertedFix] = field(default_factory=dict)
    linked_files: set[frozenset[str]] = field(default_factory=set)
    texts_by_path: dict[str, list[str]] = field(default_factory=dict)
    rules_by_round: dict[str, list[set[str]]] = field(default_factory=dict)

    def run_until_stable(self) -> dict[tuple[str, str], str]:
        """Run rounds until nothing changes; return the conflicting rules and files if that never happens."""
        for _ in range(MAX_ROUNDS):
            reverted_count = len(self.reverted_fixes)
            if not self._run_round() and len(self.reverted_fixes) == reverted_count:
                return {}
            if conflicts := self._find_conflicts():
                return conflicts
        return self._find_unstable(collect_edits(self._plan_fixes()))

    def _plan_fixes(self) -> list[Finding]:
        return plan_fixes((finding for finding in self.linted.findings if self._can_fix(finding)), unsafe=self.unsafe)

    def _can_fix(self, finding: Finding) -> bool:
        fix = finding.fix
        if fix is None or not (fix.safe or self.unsafe) or not finding.severity.is_at_least(self.at_least):
            return False
        if _get_identity(finding) in self.reverted_fixes:
            return False
        for path in collect_edits([finding]):
            if reason := self.banned.get((finding.rule, path)):
                self.revert(finding, reason)
                return False
        return True

    def revert(self, finding: Finding, reason: str) -> None:
        self.reverted_fixes.setdefault(_get_identity(finding), RevertedFix(finding, reason))

    def _run_round(self) -> list[Finding]:
        """Run one round; return its fixes: all that can be applied together without a regression."""
        base = self.linted
        search = _FixSearch(self, base)
        accepted = search.find_harmless([], self._plan_fixes())
        self.linted = search.linted
        edits = collect_edits(accepted)
        for path, source in self._apply_edits(edits).items():
            original = self.original_by_path.setdefault(path, self._get_current(path, edits[path]))
            self.texts_by_path.setdefault(path, [original.text]).append(source.text)
            self.current_by_path[path] = source
        self._record_fixes(accepted)
        return accepted

    def _record_fixes(self, accepted: list[Finding]) -> None:
        rules: dict[str, set[str]] = {}
        for finding in accepted:
            self.counts[finding.rule] += 1
            paths = collect_edits([finding])
            if len(paths) > 1:
                self.linked_files.add(frozenset(paths))
            for path in paths:
                rules.setdefault(path, set()).add(finding.rule)
        for path, names in rules.items():
            self.rules_by_round.setdefault(path, []).append(names)

    def _get_current(self, path: str, edits: Sequence[Edit]) -> Source:
        """Return the file after the rounds so far, with its original line ends."""
        return self.current_by_path.get(path) or edits[0].span.source

    def _apply_edits(self, edits: Mapping[str, Sequence[Edit]]) -> dict[str, Source]:
        return {path: apply_edits(self._get_current(path, of_file), of_file) for path, of_file in edits.items()}

    def build_overlay(self, edits: Mapping[str, Sequence[Edit]]) -> dict[str, str]:
        return {path: source.text for path, source in {**self.current_by_path, **self._apply_edits(edits)}.items()}

    def _find_conflicts(self) -> dict[tuple[str, str], str]:
        """Return the rules that restored a file to its state of an earlier round."""
        conflicts: dict[tuple[str, str], str] = {}
        for path, texts in self.texts_by_path.items():
            if len(texts) > len(set(texts)):
                round_ = texts.index(texts[-1])
                conflicts |= self._explain_conflict(path, set().union(*self.rules_by_round[path][round_:]))
        return conflicts

    def _find_unstable(self, edits: Mapping[str, Sequence[Edit]]) -> dict[tuple[str, str], str]:
        """Return the rules that would still change a file after the last round, and those of that round."""
        conflicts: dict[tuple[str, str], str] = {}
        for path in edits:
            rules = {finding.rule for finding in self._plan_fixes() if path in collect_edits([finding])}
            conflicts |= self._explain_conflict(path, rules.union(*self.rules_by_round.get(path, [])[-1:]))
        return conflicts

    def _explain_conflict(self, path: str, rules: set[str]) -> dict[tuple[str, str], str]:
        names = " and ".join(f"`{rule}`" for rule in sorted(rules))
        problem = "undo each other" if len(rules) > 1 else "never stops changing"
        return {(rule, path): f"{names} {problem} in {path}" for rule in rules}

    def build_result(self) -> FixResult:
        changes = {
            path: FileChange(self.original_by_path[path], source)
            for path, source in self.current_by_path.items()
            if source.raw != self.original_by_path[path].raw
        }
        reverted_fixes = tuple(sorted(self.reverted_fixes.values(), key=lambda fix: _get_sort_key(fix.finding)))
        linked_files = tuple(sorted(self.linked_files, key=sorted))
        linted = self.linted._replace(findings=[self._strip_fix(finding) for finding in self.linted.findings])
        return FixResult(linted, changes, dict(sorted(self.counts.items())), reverted_fixes, linked_files)

    def _strip_fix(self, finding: Finding) -> Finding:
        is_reverted = finding.fix is not None and _get_identity(finding) in self.reverted_fixes
        return replace(finding, fix=None) if is_reverted else finding


def _get_identity(finding: Finding) -> tuple[str, str, str, tuple[str, ...]]:
    """Return the identity of a reverted fix, which is independent of its location."""
    assert finding.fix is not None
    texts = tuple(f"{edit.span.text}\0{edit.text}" for edit in finding.fix.edits)
    return finding.rule, finding.span.path, finding.message, texts


class _FixSearch:
    """The search for the fixes of one round that cause no regression."""

    def __init__(self, run: _FixRun, base: LintedSite) -> None:
        self.run, self.base, self.linted = run, base, base
        self.tries_left = MAX_TRIES

    def find_harmless(self, applied: list[Finding], candidates: list[Finding]) -> list[Finding]:
        """Return the candidates that can be applied with `applied`; revert the others, with the reason."""
        if not candidates:
            return []
        reason = self._find_regression([*applied, *candidates])
        if reason is None:
            return candidates
        if len(candidates) == 1 or self.tries_left <= 0:
            prefix = f"one of {len(candidates)} fixes does harm: " if len(candidates) > 1 else ""
            for finding in candidates:
                self.run.revert(finding, prefix + reason)
            return []
        named = [any(path in reason for path in collect_edits([finding])) for finding in candidates]
        if len(set(named)) < 2:  # otherwise, the fixes in the file that the reason names are tried last
            named = [number >= len(candidates) // 2 for number in range(len(candidates))]
        pairs = list(zip(candidates, named, strict=True))
        first = self.find_harmless(applied, [finding for finding, is_last in pairs if not is_last])
        return first + self.find_harmless(applied + first, [finding for finding, is_last in pairs if is_last])

    def _find_regression(self, findings: list[Finding]) -> str | None:
        """Return the regression that the fixes cause, or None, in which case their result is kept."""
        edits = collect_edits(findings)
        overlay = self.run.build_overlay(edits)
        if reason := fix_guard.check_files(edits, overlay):
            return reason
        self.tries_left -= 1
        linted = self.run.load(overlay)
        reason = fix_guard.check_site(self.base, linted, edits)
        if reason is None:
            self.linted = linted
        return reason


# Writing


def write(result: FixResult, root: Path, *, seconds: float = 10.0) -> list[str]:
    """Write all changed files; return why some were not written, as lines that start with the path.

    Paths are relative to `root`. A file that has changed since it was read is skipped, and so are those that a fix
    changed together with it.

    Raises: files.FolderLocked when another run writes there for longer than `seconds`, and OSError.
    """
    files.remove_temporary_files({(root / path).parent for path in result.linted.site.sources})
    if not result.changes:
        return []
    with files.lock(root, seconds=seconds):
        stale = {path for path, change in result.changes.items() if not _is_unchanged(root / path, change.before)}
        skipped = _expand_linked(stale, result.linked_files)
        writable = {path: change for path, change in result.changes.items() if path not in skipped}
        inner, outer = _split_by_root(root, writable)
        files.write_all(inner, root=root)
        for path, data in outer.items():
            files.write(path, data, root=path.parent)
    reasons = dict.fromkeys(sorted(stale), "was changed by another program meanwhile")
    reasons |= dict.fromkeys(sorted(skipped - stale), "shares a fix with a file that could not be written")
    return [f"{path}: not fixed: it {reason}" for path, reason in reasons.items()]


def _split_by_root(root: Path, changes: Mapping[str, FileChange]) -> tuple[dict[Path, bytes], dict[Path, bytes]]:
    """Return the files below the root and those outside; a file with several names is written once."""
    inner: dict[Path, bytes] = {}
    outer: dict[Path, bytes] = {}
    written = set[Path]()
    for path, change in changes.items():
        if (file := (root / path).resolve()) in written:
            continue
        written.add(file)
        elsewhere = path.startswith("../") or Path(path).is_absolute()
        (outer if elsewhere else inner)[root / path] = change.after.raw.encode()
    return inner, outer


def _is_unchanged(path: Path, source: Source) -> bool:
    try:
        return path.read_bytes() == source.raw.encode()
    except OSError:
        return False


def _expand_linked(paths: set[str], groups_of_files: Iterable[frozenset[str]]) -> set[str]:
    """Return the paths, and all that share a fix with them."""
    out = set(paths)
    groups = list(groups_of_files)
    while growing := [group for group in groups if group & out and not group <= out]:
        out |= frozenset().union(*growing)
    return out
