"""One run of `lint`: the request and its outcome. Nothing is printed here."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.config.settings import OWN_FILE, Config, is_tool_name
from tutorial_tool.core.diagnostics import Finding, Severity, format_count
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.linter import baseline, engine, targets
from tutorial_tool.linter.baseline import BaselinePlace
from tutorial_tool.linter.fix_guard import LintedSite
from tutorial_tool.linter.targets import Settings, Target
from tutorial_tool.markdown.samples import can_parse
from tutorial_tool.rules import OUTSIDE, describe_broken_modules, get_rules
from tutorial_tool.site import Memory
from tutorial_tool.spelling import known_misspellings

if TYPE_CHECKING:
    from tutorial_tool.linter import fixer


MANY = 20  # Minimum findings of a run after which the next commands are suggested
_STOP = frozenset(("invalid-data", "invalid-template", "undefined-name"))
"""Rules whose errors prevent a project from being rendered, so that it has no pages."""


class LintError(TutorialToolError):
    """The run could not be completed: a message for the user."""


@dataclass(frozen=True)
class Request:
    """What a run should do. `stdin` is the file that standard input replaces, with its bytes."""

    settings: Settings
    paths: tuple[Path, ...] = ()
    stdin: tuple[Path, bytes] | None = None
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    external: bool = False
    all: bool = False  # Report baselined findings, too
    baseline: Path | None = None  # Write the findings to this file instead of reporting them
    since: str | None = None  # Report only findings related to the changes since this revision
    memories: dict[tuple[Path, bool], Memory] = field(default_factory=dict, compare=False)
    """The memory of each target, for the next run of the same request."""
    min_severity: Severity = Severity.HINT  # Report only findings of at least this severity
    processes: int = 1  # Maximum number of parallel processes

    def find_targets(self) -> list[Target]:
        """Return the targets to lint. Raises targets.NothingToLint and config.ConfigError."""
        return targets.find([self.stdin[0]] if self.stdin else self.paths, self.settings)

    def lint(self, target: Target, overlay: Mapping[str, str] | None = None) -> LintedSite:
        """Return all findings of a target of this request."""
        memory = self.memories.setdefault((target.root, target.layout is None), Memory())
        return target.lint(overlay, memory, self.processes)


class Outcome(NamedTuple):
    """The outcome of a run: findings with paths relative to its start, notes for the user, and texts.

    `known` counts baselined findings. `text` is the fixed text of standard input, `diff` the changes that fixes would
    make, `remarks` are printed after the findings.
    """

    config: Config
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    text: bytes | None = None
    diff: str = ""
    remarks: tuple[str, ...] = ()
    known: int = 0
    old: int = 0  # Number of findings older than the change in `since`
    touched: frozenset[Finding] | None = None
    """Findings that are not new, but on changed lines; None if nothing was compared."""
    checked: tuple[str, ...] = ()  # The linted files, if the findings are those of the whole run
    failures: tuple[str, ...] = ()
    """What was requested but failed: the findings are incomplete."""

    @property
    def has_failed(self) -> bool:
        """Whether a finding is severe enough to fail the run."""
        return any(finding.severity.is_at_least(self.config.fail_on) for finding in self.findings)


def run(request: Request) -> Outcome:
    """Lint, and fix where that is requested.

    A rule module that cannot be loaded is a failure of the outcome: the other rules run.

    Raises:
        LintError: A baseline, a revision or another linter keeps the run from its end.
        targets.NothingToLint: No file matches.
        config.ConfigError: The configuration is invalid.
    """
    outcome = _run_request(request)
    return outcome._replace(failures=(*outcome.failures, *describe_broken_modules()))


def _run_request(request: Request) -> Outcome:
    try:
        matches = request.find_targets()
    except targets.NothingLeft as nothing:
        unchanged = request.stdin[1] if request.stdin and request.fix and not request.diff else None
        return Outcome(request.settings.load_config(request.settings.start), (), (str(nothing),), unchanged)
    if request.since is None:
        return _lint_with_tools(request, matches)
    from tutorial_tool.fs import worktrees
    from tutorial_tool.linter import changed_since

    try:
        with changed_since.limit_to_changes(request.since, matches, request.paths, request.settings) as (
            narrowed,
            notes,
        ):
            outcome = _lint_with_tools(request, narrowed)
    except worktrees.UnknownRevision as unknown:
        raise LintError(f"--changed-since: {unknown}") from unknown
    if outcome.old:
        older = f"{outcome.old:,} older finding{'' if outcome.old == 1 else 's'} suppressed (since {request.since})."
        outcome = outcome._replace(remarks=(*outcome.remarks, older))
    return outcome._replace(notes=(*notes, *outcome.notes))


def _lint_with_tools(request: Request, matches: list[Target]) -> Outcome:
    if not any(target.config.with_ for target in matches):
        return _lint_targets(request, matches)
    from tutorial_tool import external_linters
    from tutorial_tool.fs import limited_process

    if limited_process.is_limited():
        outcome = _lint_targets(request, matches)
        note = "`with` was ignored: other tools may run code from files, and these are not trusted."
        return outcome._replace(notes=(*outcome.notes, note))
    requested = dict(request.settings.given).get("with_")
    named = requested if isinstance(requested, tuple) else ()
    others = external_linters.ExternalLinters(
        named=named, needed=any(target.config.with_missing == "error" for target in matches)
    )
    outcome = _lint_targets(request, [replace(target, others=others) for target in matches])
    return outcome._replace(
        notes=(*outcome.notes, *others.iter_notes()), failures=(*outcome.failures, *others.list_failures())
    )


def _lint_targets(request: Request, matches: list[Target]) -> Outcome:
    if not request.all and request.baseline is None:
        matches = [replace(target, known=baseline.get_configured(target.config)) for target in matches]
    if not request.external:
        return _apply_baseline(request, matches, _lint_or_fix(request, matches))
    from tutorial_tool.links import external

    links = external.Links()
    matches = [replace(target, external=links) for target in matches]
    outcome = _apply_baseline(request, matches, _lint_or_fix(request, matches))
    return outcome._replace(remarks=(*outcome.remarks, *links.describe_unchecked()))


def _apply_baseline(request: Request, matches: list[Target], outcome: Outcome) -> Outcome:
    """Write the baseline if requested; else add a note on suppressed findings, or suggest commands."""
    if request.baseline is not None:
        return _write_baseline(request, request.baseline, matches, outcome)
    if outcome.known:
        suppressed = f"{outcome.known:,} baselined finding{'' if outcome.known == 1 else 's'} suppressed"
        names = sorted(
            {files.format_path(target.known.file, request.settings.start) for target in matches if target.known}
        )
        return outcome._replace(remarks=(*outcome.remarks, f"{suppressed} ({', '.join(names)})."))
    is_whole = request.stdin is None and request.since is None and not any(map(_is_blocking, outcome.findings))
    if outcome.has_failed and len(outcome.findings) >= MANY and is_whole:
        return outcome._replace(remarks=(*outcome.remarks, *_suggest_commands(request, outcome.findings)))
    return outcome


def _suggest_commands(request: Request, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield commands that help with many findings."""
    commands = {("--report", "html=findings.html"): f"browse all {len(findings):,} findings, with filters"}
    if safe := sum(finding.fix is not None and finding.fix.safe for finding in findings):
        commands["--fix", "--diff"] = f"show what {safe:,} safe fix{'es' * (safe != 1)} would change"
    commands["--write-baseline", baseline.NAME] = "report only new findings from now on"
    start = ["tutorial-tool", "lint", *map(str, request.paths)]
    lines = {shlex.join([*start, *options]): purpose for options, purpose in commands.items()}
    width = max(map(len, lines))
    yield "Next:"
    yield from (f"  {command:<{width}}  # {purpose}" for command, purpose in lines.items())


def _is_blocking(finding: Finding) -> bool:
    """Return whether a finding keeps a project from being built: adding it to a baseline does not help."""
    return finding.severity is Severity.ERROR and finding.rule in _STOP


def _write_baseline(request: Request, file: Path, matches: list[Target], outcome: Outcome) -> Outcome:
    start, others = request.settings.start, matches[0].others
    if others and (failures := others.list_failures()):
        raise LintError(f"the baseline was not written: {failures[0]}")
    try:
        gone = baseline.write(file, outcome.findings, start, kept=_build_keep_test(request, file.parent, matches))
    except OSError as problem:
        raise LintError(f"the baseline was not written: {files.describe_os_error(problem)}") from problem
    count = len(outcome.findings)
    note = f"Wrote {count} finding{'s' * (count != 1)} to {files.format_path(file, start)}"
    note += f"; {gone} {'is' if gone == 1 else 'are'} fixed." if gone else "."
    unnamed = _suggest_baseline_setting(file, matches[0].config, start) if count else ()
    return outcome._replace(findings=(), notes=(*outcome.notes, note, *unnamed))


def _suggest_baseline_setting(file: Path, config: Config, start: Path) -> Iterator[str]:
    """Yield the setting that suppresses the findings, if no configuration names the baseline."""
    if config.baseline is not None and (config.folder / config.baseline).absolute() == file.absolute():
        return
    line = f'baseline = "{files.format_path(file, config.folder)}"'
    place = files.format_path(config.file, start) if config.file else OWN_FILE
    yield f"To suppress them, add `{line}` to {place}."


def _build_keep_test(request: Request, folder: Path, matches: list[Target]) -> Callable[[BaselinePlace], bool]:
    """Return a function that tells whether a baselined span stays because its file or rule was skipped."""
    rules = get_rules()
    start = request.settings.start
    paths = request.paths or {target.root if target.layout else start for target in matches}
    tops = [Path(os.path.normpath(start / path)) for path in paths]
    chosen = {"select", "ignore", "extend_select"}.intersection(dict(request.settings.given))
    ran = matches[0].others.ran if matches[0].others else ()

    @cache
    def can_run(name: str) -> bool:
        rule = rules[name]
        if (name in OUTSIDE and not request.external) or (is_tool_name(name) and rule.group not in ran):
            return False
        defaults = [(target.config, rule.severity if target.layout is None else rule.in_project) for target in matches]
        return not chosen or any(config.get_severity(rule, default) for config, default in defaults)

    def is_kept(place: BaselinePlace) -> bool:
        path = Path(os.path.normpath(folder / place.path))
        looked = any(path.is_relative_to(top) for top in tops)
        is_rule = place.rule in rules or is_tool_name(place.rule)
        return is_rule and path.exists() and not (looked and can_run(place.rule))

    return is_kept


def _lint_or_fix(request: Request, matches: list[Target]) -> Outcome:
    text: Source | None = None
    if request.stdin is not None:
        read = files.decode(files.format_path(request.stdin[0], request.settings.start), request.stdin[1])
        if isinstance(read, Finding):
            unchanged = request.stdin[1] if request.fix and not request.diff else None
            return Outcome(matches[0].config, (read,), text=unchanged)
        text = read
        matches = targets.replace_text(matches, request.stdin[0], text.text)
    if request.fix or request.diff:
        return _fix_targets(request, matches, text)
    linted = [(target, request.lint(target)) for target in matches]
    value = _build_report([(target, item.findings) for target, item in linted], request)
    start = request.settings.start
    notes = (*_describe_unchecked(matches), *_explain_nothing_left(linted), *_describe_old_versions(matches, start))
    return Outcome(
        matches[0].config, value.findings, notes, known=value.known, old=value.old, touched=value.touched,
        checked=tuple(sorted(set(_iter_checked_files(linted, start)))), remarks=tuple(_describe_unrendered(linted)),
    )  # fmt: skip


def _iter_checked_files(linted: Iterable[tuple[Target, LintedSite]], start: Path) -> Iterator[str]:
    """Yield the files that were checked, relative to where the run started."""
    for target, result in linted:
        for name in result.site.sources:
            if not target.config.excludes(name) and (path := target.root / name) not in target.old:
                yield files.format_path(path, start)


def _describe_old_versions(matches: Iterable[Target], start: Path) -> Iterator[str]:
    """Yield a note that older versions are skipped, with the command that lints most of them."""
    counts: Counter[Path] = Counter()
    for target in matches:
        kept = {folder for path in target.paths for folder in path.parents}
        for path in target.old:
            counts[[folder for folder in path.parents if folder not in kept][-1]] += 1
    if counts:
        command = shlex.join(("tutorial-tool", "lint", files.format_path(max(counts, key=counts.__getitem__), start)))
        pages = format_count(counts.total(), "page")
        yield f"{pages} of older versions {'is' if counts.total() == 1 else 'are'} left out (`{command}` lints them)."


def _describe_unrendered(linted: Iterable[tuple[Target, LintedSite]]) -> Iterator[str]:
    """Yield notes on pages that could not be rendered, which hides other problems of them and their data."""
    for _, item in linted:
        late = len(item.site.places.keys() - item.site.by_address.keys())
        if late and item.site.errors:
            pages = format_count(len(item.site.places), "page")
            yield f"{late:,} of {pages} could not be rendered: the links, tables, and data on them were not checked."


def _explain_nothing_left(linted: Iterable[tuple[Target, LintedSite]]) -> tuple[str, ...]:
    """Return a note that there are no pages, or that all are excluded: it would look like a clean run."""
    linted = list(linted)
    if any(target.layout is None for target, _ in linted):  # in a tree, excluded pages are not checked
        return ()
    sites = [(target.layout, item.site) for target, item in linted]
    folders = [layout.docs for layout, read in sites if layout and not (read.pages or read.errors)]
    if len(folders) == len(linted):
        return (f"there is no page in `{'`, `'.join(folders)}`: only the data was checked.",)
    if any(not target.config.excludes(name) for target, item in linted for name in item.site.sources):
        return ()
    return ("`exclude` excludes all of the files: nothing is reported.",)


def _describe_unchecked(matches: Sequence[Target]) -> tuple[str, ...]:
    """Return notes on what could not be checked on this machine."""
    lacking = {
        "misspelling": ""
        if known_misspellings.find_program()
        else "`typos` is not installed: its list of known misspellings was not used.",
        "broken-sample": "" if can_parse() else "`ast-grep-py` is not installed: samples of code were not parsed.",
    }
    rules = {name: get_rules()[name] for name in lacking if name in get_rules()}
    return tuple(
        lacking[name]
        for name, rule in rules.items()
        if lacking[name] and any(target.config.get_severity(rule, rule.severity) is not None for target in matches)
    )


class _Report(NamedTuple):
    """The new findings of targets, in a stable order, and how many are baselined or older than the change."""

    findings: tuple[Finding, ...]
    known: int
    old: int
    touched: frozenset[Finding] | None


def _build_report(matches: Iterable[tuple[Target, list[Finding]]], request: Request) -> _Report:
    start = request.settings.start
    new: list[Finding] = []
    touched: set[Finding] = set()
    known = old = 0
    beside = False
    for target, findings in matches:
        compared = target.compare_with_baseline(findings)
        shown = target.select_findings(compared.new, start)
        new += (finding for finding in shown if finding.severity.is_at_least(request.min_severity))
        known += sum(map(target.is_requested, compared.known))
        old += sum(map(target.is_requested, compared.old))
        touched.update(target.select_findings(compared.touched, start))
        beside = beside or target.known is not None or target.since is not None
    return _Report(tuple(sorted(new, key=engine.get_sort_key)), known, old, frozenset(touched) if beside else None)


def _fix_targets(request: Request, matches: Iterable[Target], text: Source | None) -> Outcome:
    from tutorial_tool.linter import fixer

    remaining: list[tuple[Target, list[Finding]]] = []
    notes: list[str] = []
    diffs: list[str] = []
    counts: Counter[str] = Counter()
    configs = []
    for target in matches:
        name = files.format_path(request.stdin[0], target.root) if request.stdin else ""
        result = fixer.run_rounds(partial(request.lint, target), unsafe=request.unsafe)
        configs.append(target.config)
        remaining.append((target, result.linted.findings))
        counts.update(result.counts)
        notes += map(str, result.reverted_fixes)
        diffs.append(result.diff)
        if text is not None:
            text = text.replace_text(result.changes[name].after.text) if name in result.changes else text
        elif not request.diff:
            notes += _write_fixes(result, target.root)
    if counts:
        item = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
        notes.append(f"{'Would fix' if request.diff else 'Fixed'} {counts.total()}: {item}")
    fixed = text.raw.encode() if text is not None and not request.diff else None
    value = _build_report(remaining, request)
    diff = "".join(diffs)
    return Outcome(
        configs[0], value.findings, tuple(notes), fixed, diff, known=value.known, old=value.old, touched=value.touched
    )


def _write_fixes(result: fixer.FixResult, root: Path) -> list[str]:
    from tutorial_tool.linter import fixer

    try:
        return fixer.write(result, root)
    except OSError as problem:
        raise LintError(f"nothing was fixed: {files.describe_os_error(problem)}") from problem


class RuleStatistics(NamedTuple):
    """How many findings a rule has, and its summary."""

    rule: str
    findings: int
    summary: str


def count_by_rule(findings: Iterable[Finding]) -> list[RuleStatistics]:
    """Return the number of findings of each rule, highest first."""
    by_rule = Counter(finding.rule for finding in findings)
    rules = get_rules()
    return [
        RuleStatistics(rule, n, rules[rule].summary)
        for rule, n in sorted(by_rule.items(), key=lambda row: (-row[1], row[0]))
    ]


def count_by_owner(findings: Iterable[Finding], owners: Callable[[str], Sequence[str]]) -> list[tuple[str, int]]:
    """Return the number of findings of each owner of files, highest first; a file may have several."""
    by_owner = Counter(owner for finding in findings for owner in owners(finding.span.path) or ("no owner",))
    return sorted(by_owner.items(), key=lambda row: (-row[1], row[0]))


def format_statistics(findings: Sequence[Finding], owners: Callable[[str], Sequence[str]] | None = None) -> str:
    """Format the number of findings by rule and by owner as tables."""
    rows = count_by_rule(findings)
    width = max((len(row.rule) for row in rows), default=0)
    lines = [f"{row.findings:>6}  {row.rule:<{width}}  {row.summary}" for row in rows]
    if owners and rows:
        lines += ["", "By owner:", *(f"{count:>6}  {owner}" for owner, count in count_by_owner(findings, owners))]
    return "".join(f"{line}\n" for line in lines)
