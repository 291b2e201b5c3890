"""One run of `lint`: what was asked for, and what comes of it. Nothing is printed here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool import files, targets
from tutorial_tool.config import Config
from tutorial_tool.finding import Finding
from tutorial_tool.rules import all_rules
from tutorial_tool.source import Source
from tutorial_tool.targets import Settings, Target

if TYPE_CHECKING:
    from tutorial_tool import fix


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

    def targets(self) -> list[Target]:
        """What is linted. Raises targets.NothingToLint and config.ConfigError."""
        return targets.find([self.stdin[0]] if self.stdin else self.paths, self.settings)


@dataclass(frozen=True)
class Outcome:
    """What came of a run: findings with paths relative to where it started, notes for people, and texts.

    `text` is the fixed text of standard input, `diff` what fixes would change.
    """

    config: Config
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    text: bytes | None = None
    diff: str = ""

    @property
    def failed(self) -> bool:
        """Whether a finding is grave enough to fail a run."""
        return any(finding.severity.reaches(self.config.fail_on) for finding in self.findings)


def run(request: Request) -> Outcome:
    """Lints, and fixes where that is asked for. Raises Trouble, targets.NothingToLint and config.ConfigError."""
    found = request.targets()
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
    findings = [f for target in found for f in target.shown(target.lint().findings, request.settings.start)]
    return Outcome(found[0].config, tuple(sorted(findings, key=_order)))


def _order(finding: Finding) -> tuple[str, int, int, int, str, str]:
    span = finding.span
    return span.path, span.start, span.end, finding.severity.rank, finding.rule, finding.message


def _fixed(request: Request, found: Iterable[Target], text: Source | None) -> Outcome:
    from tutorial_tool import fix

    start = request.settings.start
    findings: list[Finding] = []
    notes: list[str] = []
    diffs: list[str] = []
    counts: Counter[str] = Counter()
    configs = []
    for target in found:
        name = files.shown(request.stdin[0], target.root) if request.stdin else ""
        result = fix.rounds(target.lint, unsafe=request.unsafe)
        configs.append(target.config)
        findings += target.shown(result.linted.findings, start)
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
    return Outcome(configs[0], tuple(sorted(findings, key=_order)), tuple(notes), fixed, "".join(diffs))


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
