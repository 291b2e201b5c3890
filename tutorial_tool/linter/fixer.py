"""Fixes: safe edits of sources that do not overlap, applied in memory, linted again, and written when they do no harm.

A fix is whole or not at all. After each round everything is read again; what reads worse is taken back, by halving
the round until the guilty fix stands alone. Rules that undo each other lose their fixes in the file of their quarrel.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.fs import files, git
from tutorial_tool.linter import fix_guard
from tutorial_tool.linter.fix_guard import Linted

ROUNDS = 10  # How often the result of fixes is linted and fixed again, at most
TRIES = 64  # How often a round is linted, at most, in search of the fixes that do harm

Load = Callable[[Mapping[str, str]], Linted]
"""Loads and lints everything, with texts that replace those of files, by the path that findings name."""


class TakenBack(NamedTuple):
    """A fix that was not kept, and why."""

    finding: Finding
    reason: str

    def __str__(self) -> str:
        return f"{self.finding.span}: {self.finding.rule}: the fix was reverted: {self.reason}"


class Change(NamedTuple):
    """A file before and after its fixes."""

    before: Source
    after: Source


@dataclass(frozen=True)
class Fixed:
    """What fixing came to: `linted` is the state after it, whose findings remain; `counts` are fixes by rule.

    `together` are files that one fix changed at once: they are written all, or none.
    """

    linted: Linted
    changes: Mapping[str, Change]
    counts: Mapping[str, int]
    taken_back: tuple[TakenBack, ...] = ()
    together: tuple[frozenset[str], ...] = ()

    @property
    def diff(self) -> str:
        """What changes, as `patch` reads it."""
        return "".join(
            git.write_patch(path, path, *(source.raw for source in self.changes[path])) for path in sorted(self.changes)
        )


# The pure core


def plan(findings: Iterable[Finding], *, unsafe: bool = False) -> list[Finding]:
    """The findings whose fixes can be made at once, in the order of their places.

    A fix that overlaps an earlier one waits for the next round, whole; one that equals what is taken is made with it.
    """
    taken: dict[Source, list[Edit]] = {}
    chosen = []
    for finding in sorted(findings, key=_order):
        edits = finding.fix.edits if finding.fix and (finding.fix.safe or unsafe) else ()
        if any(edit.span.text != edit.text for edit in edits) and _take(edits, taken):
            chosen.append(finding)
    return chosen


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    return finding.span.path, finding.span.start, finding.span.end, finding.rule, finding.message


def _take(edits: Sequence[Edit], taken: dict[Source, list[Edit]]) -> bool:
    """Adds edits to what is taken, if none overlaps it; all of them may already stand there."""
    known = [edit in _near(edit, taken) for edit in edits]
    if any(known):
        return all(known)
    added: dict[Source, list[Edit]] = {}
    for edit in edits:
        if any(edit.span.overlaps(other.span) for other in (*_near(edit, taken), *_near(edit, added))):
            return False
        insort(added.setdefault(edit.span.source, []), edit, key=_start)
    for source, new in added.items():
        for edit in new:
            insort(taken.setdefault(source, []), edit, key=_start)
    return True


def _start(edit: Edit) -> tuple[int, int]:
    return edit.span.start, edit.span.end


def _near(edit: Edit, taken: Mapping[Source, list[Edit]]) -> list[Edit]:
    """The edits beside one, of a list in the order of places where none overlaps another."""
    others = taken.get(edit.span.source, [])
    index = bisect_left(others, _start(edit), key=_start)
    return others[max(index - 1, 0) : index + 2]


def edits_of(findings: Iterable[Finding]) -> dict[str, list[Edit]]:
    """The edits of all fixes, each once, by the path of their source, in the order of their places."""
    matches = dict.fromkeys(edit for finding in findings if finding.fix for edit in finding.fix.edits)
    out: dict[str, list[Edit]] = {}
    for edit in sorted(matches, key=lambda edit: (edit.span.path, *_start(edit))):
        out.setdefault(edit.span.path, []).append(edit)
    return out


def fixed(source: Source, edits: Iterable[Edit]) -> Source:
    """The source after edits; every byte outside of them stands as it stood.

    The edits may be those of another source of the same text: one that was linted shows a single kind of line ends.
    """
    own = [Edit(Span(source, edit.span.start, edit.span.end), edit.text) for edit in edits]
    return Source(source.path, source.edited(own))


# Rounds


def rounds(load: Load, *, unsafe: bool = False, originals: Mapping[str, Source] | None = None) -> Fixed:
    """Lint, fix, lint again, until nothing changes. Nothing is written.

    `originals` are files with the bytes that they should keep, by path, where `load` shows them in another way: a text
    that an editor holds has one kind of line ends, and no byte order mark.
    """
    before = load({})
    banned: dict[tuple[str, str], str] = {}
    while True:
        run = _Run(load, before, unsafe, banned, originals or {})
        quarrel = run.until_stable()
        if not quarrel:
            return run.result()
        banned |= quarrel


@dataclass
class _Run:
    """Rounds from the files as they are, without the fixes of `banned`: (rule, path) and the reason."""

    load: Load
    linted: Linted
    unsafe: bool
    banned: Mapping[tuple[str, str], str]
    originals: Mapping[str, Source]
    before: dict[str, Source] = field(default_factory=dict)
    now: dict[str, Source] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    taken_back: dict[tuple[str, str, str, tuple[str, ...]], TakenBack] = field(default_factory=dict)
    together: set[frozenset[str]] = field(default_factory=set)
    seen: dict[str, list[str]] = field(default_factory=dict)
    touched: dict[str, list[set[str]]] = field(default_factory=dict)

    def until_stable(self) -> dict[tuple[str, str], str]:
        """Goes round until nothing changes; returns the rules that quarrel and where, if they never stop."""
        for _ in range(ROUNDS):
            refused = len(self.taken_back)
            if not self._round() and len(self.taken_back) == refused:
                return {}
            if quarrel := self._quarrel():
                return quarrel
        return self._unstable(edits_of(self._candidates()))

    def _candidates(self) -> list[Finding]:
        return plan((finding for finding in self.linted.findings if self._may(finding)), unsafe=self.unsafe)

    def _may(self, finding: Finding) -> bool:
        if finding.fix is None or not (finding.fix.safe or self.unsafe) or _identity(finding) in self.taken_back:
            return False
        for path in edits_of([finding]):
            if reason := self.banned.get((finding.rule, path)):
                self.take_back(finding, reason)
                return False
        return True

    def take_back(self, finding: Finding, reason: str) -> None:
        self.taken_back.setdefault(_identity(finding), TakenBack(finding, reason))

    def _round(self) -> list[Finding]:
        """One round: all fixes that can be made at once and do no harm."""
        base = self.linted
        tries = _Tries(self, base)
        accepted = tries.settle([], self._candidates())
        self.linted = tries.linted
        edits = edits_of(accepted)
        for path, source in self._applied(edits).items():
            before = self.before.setdefault(path, self._current(path, edits[path]))
            self.seen.setdefault(path, [before.text]).append(source.text)
            self.now[path] = source
        self._note(accepted)
        return accepted

    def _note(self, accepted: list[Finding]) -> None:
        rules: dict[str, set[str]] = {}
        for finding in accepted:
            self.counts[finding.rule] += 1
            paths = edits_of([finding])
            if len(paths) > 1:
                self.together.add(frozenset(paths))
            for path in paths:
                rules.setdefault(path, set()).add(finding.rule)
        for path, names in rules.items():
            self.touched.setdefault(path, []).append(names)

    def _current(self, path: str, edits: Sequence[Edit]) -> Source:
        """The file as it stands after the rounds so far, with its own line ends."""
        return self.now.get(path) or self.originals.get(path) or edits[0].span.source

    def _applied(self, edits: Mapping[str, Sequence[Edit]]) -> dict[str, Source]:
        return {path: fixed(self._current(path, of_path), of_path) for path, of_path in edits.items()}

    def overlay(self, edits: Mapping[str, Sequence[Edit]]) -> dict[str, str]:
        return {path: source.text for path, source in {**self.now, **self._applied(edits)}.items()}

    def _quarrel(self) -> dict[tuple[str, str], str]:
        """The rules that brought a file back to what it was in an earlier round."""
        quarrels: dict[tuple[str, str], str] = {}
        for path, texts in self.seen.items():
            if len(texts) > len(set(texts)):
                first = texts.index(texts[-1])
                quarrels |= self._blamed(path, set().union(*self.touched[path][first:]))
        return quarrels

    def _unstable(self, edits: Mapping[str, Sequence[Edit]]) -> dict[tuple[str, str], str]:
        """The rules that would still change a file after the last round, with those of the round before."""
        quarrels: dict[tuple[str, str], str] = {}
        for path in edits:
            wanted = {finding.rule for finding in self._candidates() if path in edits_of([finding])}
            quarrels |= self._blamed(path, wanted.union(*self.touched.get(path, [])[-1:]))
        return quarrels

    def _blamed(self, path: str, rules: set[str]) -> dict[tuple[str, str], str]:
        names = " and ".join(f"'{rule}'" for rule in sorted(rules))
        undo = "undo each other" if len(rules) > 1 else "never stops changing"
        return {(rule, path): f"{names} {undo} in {path}" for rule in rules}

    def result(self) -> Fixed:
        changes = {
            path: Change(self.before[path], now) for path, now in self.now.items() if now.raw != self.before[path].raw
        }
        taken_back = tuple(sorted(self.taken_back.values(), key=lambda taken: _order(taken.finding)))
        together = tuple(sorted(self.together, key=sorted))
        linted = self.linted._replace(findings=[self._without_fix(finding) for finding in self.linted.findings])
        return Fixed(linted, changes, dict(sorted(self.counts.items())), taken_back, together)

    def _without_fix(self, finding: Finding) -> Finding:
        """A finding; one whose fix was taken back promises none."""
        is_refused = finding.fix is not None and _identity(finding) in self.taken_back
        return replace(finding, fix=None) if is_refused else finding


def _identity(finding: Finding) -> tuple[str, str, str, tuple[str, ...]]:
    """What tells a fix that was taken back from others, when its place has moved."""
    assert finding.fix is not None
    texts = tuple(f"{edit.span.text}\0{edit.text}" for edit in finding.fix.edits)
    return finding.rule, finding.span.path, finding.message, texts


class _Tries:
    """The search for the fixes of one round that do no harm."""

    def __init__(self, run: _Run, base: Linted) -> None:
        self.run, self.base, self.linted = run, base, base
        self.left = TRIES

    def settle(self, taken: list[Finding], candidates: list[Finding]) -> list[Finding]:
        """The candidates that can be made beside `taken`; the others are taken back, with the reason."""
        if not candidates:
            return []
        reason = self._harm([*taken, *candidates])
        if reason is None:
            return candidates
        if len(candidates) == 1 or self.left <= 0:
            others = f"one of {len(candidates)} fixes does harm: " if len(candidates) > 1 else ""
            for finding in candidates:
                self.run.take_back(finding, others + reason)
            return []
        middle = len(candidates) // 2
        first = self.settle(taken, candidates[:middle])
        return first + self.settle(taken + first, candidates[middle:])

    def _harm(self, findings: list[Finding]) -> str | None:
        """What reads worse after the fixes. When nothing does, their state is kept."""
        edits = edits_of(findings)
        overlay = self.run.overlay(edits)
        if reason := fix_guard.in_files(edits, overlay):
            return reason
        self.left -= 1
        linted = self.run.load(overlay)
        reason = fix_guard.in_site(self.base, linted, edits)
        if reason is None:
            self.linted = linted
        return reason


# Writing


def write(result: Fixed, root: Path, *, seconds: float = 10.0) -> list[str]:
    """Writes all changed files, and returns why some were not written: each a line that begins with the path.

    Paths are relative to `root`. A file that is no longer what was read is left alone, and so are those that a fix
    changed together with it. Raises files.Locked when another run writes there for longer than `seconds`, and OSError.
    """
    files.remove_temporary_files({(root / path).parent for path in result.linted.site.sources})
    if not result.changes:
        return []
    with files.lock(root, seconds=seconds):
        stale = {path for path, change in result.changes.items() if not _stands(root / path, change.before)}
        kept_out = _closure(stale, result.together)
        ready = {path: change for path, change in result.changes.items() if path not in kept_out}
        inner, outer = _by_root(root, ready)
        files.write_all(inner, root=root)
        for path, data in outer.items():
            files.write(path, data, root=path.parent)
    why = dict.fromkeys(sorted(stale), "was changed by another program meanwhile")
    why |= dict.fromkeys(sorted(kept_out - stale), "shares a fix with a file that could not be written")
    return [f"{path}: not fixed: it {reason}" for path, reason in why.items()]


def _by_root(root: Path, changes: Mapping[str, Change]) -> tuple[dict[Path, bytes], dict[Path, bytes]]:
    """The files below the root, and those that were named elsewhere; a file of several names is written once."""
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


def _stands(path: Path, source: Source) -> bool:
    try:
        return path.read_bytes() == source.raw.encode()
    except OSError:
        return False


def _closure(paths: set[str], together: Iterable[frozenset[str]]) -> set[str]:
    """The paths, and all that are bound to them."""
    out = set(paths)
    groups = list(together)
    while grown := [group for group in groups if group & out and not group <= out]:
        out |= frozenset().union(*grown)
    return out
