"""One run of `lint`: what was asked for, and what comes of it. Nothing is printed here."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool import baseline, files, targets
from tutorial_tool.baseline import Place
from tutorial_tool.config import Config
from tutorial_tool.finding import Finding
from tutorial_tool.rules import OUTSIDE, all_rules
from tutorial_tool.source import Source
from tutorial_tool.targets import Settings, Target
from tutorial_tool.words import curated

if TYPE_CHECKING:
    from tutorial_tool import fix


MANY = 20
"""So many findings, and a run says that there are baselines."""


class Trouble(Exception):
    """What keeps a run from its end: a message for people."""


@dataclass(frozen=True)
class Request:
    """What a run should do. `stdin` is the file that standard input stands for, with its bytes."""

    settings: Settings
    paths: tuple[Path, ...] = ()
    stdin: tuple[Path, bytes] | None = None
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    external: bool = False
    all: bool = False
    """Tell the findings that are known, too."""
    baseline: Path | None = None
    """Write what is found to this file instead of telling it."""

    def targets(self) -> list[Target]:
        """What is linted. Raises targets.NothingToLint and config.ConfigError."""
        return targets.find([self.stdin[0]] if self.stdin else self.paths, self.settings)


@dataclass(frozen=True)
class Outcome:
    """What came of a run: findings with paths relative to where it started, notes for people, and texts.

    `known` are those that the baseline silences. `text` is the fixed text of standard input, `diff` what fixes would
    change, `remarks` what to say after the findings.
    """

    config: Config
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    text: bytes | None = None
    diff: str = ""
    remarks: tuple[str, ...] = ()
    known: int = 0

    @property
    def failed(self) -> bool:
        """Whether a finding is grave enough to fail a run."""
        return any(finding.severity.reaches(self.config.fail_on) for finding in self.findings)


def run(request: Request) -> Outcome:
    """Lints, and fixes where that is asked for. Raises Trouble, targets.NothingToLint and config.ConfigError."""
    found = request.targets()
    if not request.all and request.baseline is None:
        found = [replace(target, known=baseline.of(target.config)) for target in found]
    if not request.external:
        return _with_baseline(request, found, _run(request, found))
    from tutorial_tool import external

    links = external.Links()
    found = [replace(target, external=links) for target in found]
    outcome = _with_baseline(request, found, _run(request, found))
    return replace(outcome, remarks=(*outcome.remarks, *links.notes()))


def _with_baseline(request: Request, found: list[Target], outcome: Outcome) -> Outcome:
    """Writes the baseline where that is asked for; else says what it silences, or that there is such a thing."""
    if request.baseline is not None:
        return _write_baseline(request, request.baseline, found, outcome)
    if outcome.known:
        silent = "1 known finding is" if outcome.known == 1 else f"{outcome.known} known findings are"
        names = sorted({files.shown(target.known.file, request.settings.start) for target in found if target.known})
        return replace(outcome, remarks=(f"{silent} silent ({', '.join(names)}).",))
    if outcome.failed and len(outcome.findings) >= MANY and request.stdin is None:
        command = shlex.join(["tutorial-tool", "lint", *map(str, request.paths), "--write-baseline", baseline.NAME])
        return replace(outcome, remarks=(f"`{command}` writes down what is known; then only new findings are told.",))
    return outcome


def _write_baseline(request: Request, file: Path, found: list[Target], outcome: Outcome) -> Outcome:
    start = request.settings.start
    try:
        gone = baseline.write(file, outcome.findings, start, kept=_is_kept(request, file.parent, found))
    except OSError as problem:
        raise Trouble(f"the baseline was not written: {problem}") from problem
    count = len(outcome.findings)
    note = f"Wrote {count} finding{'s' * (count != 1)} to {files.shown(file, start)}"
    note += f"; {gone} {'is' if gone == 1 else 'are'} mended." if gone else "."
    return replace(outcome, findings=(), notes=(*outcome.notes, note))


def _is_kept(request: Request, folder: Path, found: list[Target]) -> Callable[[Place], bool]:
    """Whether a known place stays in the baseline because nobody looked for it: its file or rule was left aside."""
    rules = all_rules()
    names = [files.shown(request.settings.start / path, folder) for path in request.paths]
    chosen = {"select", "ignore", "extend_select"}.intersection(dict(request.settings.given))

    @cache
    def runs(name: str) -> bool:
        rule = rules[name]
        if name in OUTSIDE and not request.external:
            return False
        defaults = [(target.config, rule.severity if target.layout is None else rule.in_project) for target in found]
        return not chosen or any(config.severity(rule, default) for config, default in defaults)

    def kept(place: Place) -> bool:
        looked = not names or any(targets.is_below(place.path, name) for name in names)
        return place.rule in rules and (folder / place.path).exists() and not (looked and runs(place.rule))

    return kept


def _run(request: Request, found: list[Target]) -> Outcome:
    text: Source | None = None
    if request.stdin is not None:
        read = files.decode(files.shown(request.stdin[0], request.settings.start), request.stdin[1])
        if isinstance(read, Finding):
            unchanged = request.stdin[1] if request.fix and not request.diff else None
            return Outcome(found[0].config, (read,), text=unchanged)
        text = read
        found = targets.with_text(found, request.stdin[0], text.text)
    if request.fix or request.diff:
        return _fixed(request, found, text)
    findings, known = _told([(target, target.lint().findings) for target in found], request.settings.start)
    return Outcome(found[0].config, findings, _unchecked(found), known=known)


def _unchecked(found: Iterable[Target]) -> tuple[str, ...]:
    """What could not be looked for on this machine, for people to know."""
    rule = all_rules()["misspelling"]
    asked = any(target.config.severity(rule, rule.severity) is not None for target in found)
    if not asked or curated.program() is not None:
        return ()
    return ("`typos` is not installed: known misspellings were not looked for, only words close to frequent ones.",)


def _told(found: Iterable[tuple[Target, list[Finding]]], start: Path) -> tuple[tuple[Finding, ...], int]:
    """The new findings of targets, in a stable order, and how many are known."""
    new: list[Finding] = []
    known = 0
    for target, findings in found:
        compared = target.compared(findings)
        new += target.shown(compared.new, start)
        known += sum(map(target.wants, compared.known))
    return tuple(sorted(new, key=_order)), known


def _order(finding: Finding) -> tuple[str, int, int, int, str, str]:
    span = finding.span
    return span.path, span.start, span.end, finding.severity.rank, finding.rule, finding.message


def _fixed(request: Request, found: Iterable[Target], text: Source | None) -> Outcome:
    from tutorial_tool import fix

    start = request.settings.start
    remaining: list[tuple[Target, list[Finding]]] = []
    notes: list[str] = []
    diffs: list[str] = []
    counts: Counter[str] = Counter()
    configs = []
    for target in found:
        name = files.shown(request.stdin[0], target.root) if request.stdin else ""
        result = fix.rounds(target.lint, unsafe=request.unsafe)
        configs.append(target.config)
        remaining.append((target, result.linted.findings))
        counts.update(result.counts)
        notes += map(str, result.taken_back)
        diffs.append(result.diff)
        if text is not None:
            text = text.with_text(result.changes[name].after.text) if name in result.changes else text
        elif not request.diff:
            notes += _written(result, target.root)
    if counts:
        each = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
        notes.append(f"{'Would fix' if request.diff else 'Fixed'} {counts.total()}: {each}")
    fixed = text.raw.encode() if text is not None and not request.diff else None
    findings, known = _told(remaining, start)
    return Outcome(configs[0], findings, tuple(notes), fixed, "".join(diffs), known=known)


def _written(result: fix.Fixed, root: Path) -> list[str]:
    from tutorial_tool import fix

    try:
        return fix.write(result, root)
    except (OSError, files.Locked) as problem:
        raise Trouble(f"nothing was fixed: {problem}") from problem


def statistics(findings: Iterable[Finding]) -> str:
    """How many findings each rule has, the most first."""
    counts = Counter(finding.rule for finding in findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(rule) for rule, _ in rows), default=0)
    rules = all_rules()
    return "".join(f"{count:>6}  {rule:<{width}}  {rules[rule].summary}\n" for rule, count in rows)
