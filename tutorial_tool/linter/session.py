"""One run of `lint`: the request and its outcome. Nothing is printed here."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.config.settings import OWN_FILE, Config, is_tool_name
from tutorial_tool.core.diagnostics import MAX_LISTED, Finding, Severity, format_count, join_names, select_places
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter import baseline, engine, targets
from tutorial_tool.linter.baseline import BaselinePlace
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.linter.targets import Target
from tutorial_tool.markdown.samples import can_parse
from tutorial_tool.rules import OUTSIDE, describe_broken_modules, get_rules
from tutorial_tool.site import Memory
from tutorial_tool.spelling import known_misspellings
from tutorial_tool.variants import tab_steps

_BLOCKING_RULES = frozenset(("invalid-data", "invalid-template", "undefined-name"))
"""Rules whose errors prevent a project from being rendered: adding these to a baseline does not help."""


class LintError(TutorialToolError):
    """The run could not be completed: a message for the user."""


Memories = dict[tuple[Path, bool], Memory]  # By root, and whether the target is a tree
kept_memories: list[Memories] = []  # Those that a resident process keeps for its next run


@dataclass(frozen=True)
class Request:
    """What a run should do. `stdin` is the file that standard input replaces, with its bytes."""

    lookup: LookupOptions
    paths: tuple[Path, ...] = ()
    stdin: tuple[Path, bytes] | None = None
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    external: bool = False
    all: bool = False  # Report baselined findings, too
    write_baseline_to: Path | None = None  # Write the findings to this file instead of reporting them
    since: str | None = None  # Report only findings related to the changes since this revision
    memories: Memories = field(default_factory=lambda: kept_memories[0] if kept_memories else {}, compare=False)
    """The memory of each target, for the next run of the same request."""
    min_severity: Severity = Severity.HINT  # Report only findings of at least this severity
    processes: int = 1  # Maximum number of parallel processes
    lines: tuple[tuple[str, int], ...] = ()  # Report only what concerns these lines of files

    def find_targets(self) -> list[Target]:
        """Return the targets to lint. Raises targets.NothingToLint and config.ConfigError."""
        return targets.find([self.stdin[0]] if self.stdin else self.paths, self.lookup)

    def get_output_config(self, selected: Sequence[Target]) -> Config:
        """Return the configuration that says how to report: the only one, or that of the folder of all named paths."""
        if len({target.config.file for target in selected}) == 1:
            return selected[0].config
        named = [Path(os.path.normpath(self.lookup.start / path)) for path in self.paths]
        return self.lookup.load_config(targets.find_shared_folder(named) or self.lookup.start)

    def lint(self, target: Target, overlay: Mapping[str, str] | None = None) -> LintedSite:
        """Return all findings of a target of this request."""
        memory = self.memories.setdefault((target.root, target.layout is None), Memory())
        return target.lint(overlay, memory, self.processes)


class Outcome(NamedTuple):
    """The outcome of a run: findings with paths relative to its start, notes for the user, and texts.

    `baselined` counts suppressed findings. `text` is the fixed text of standard input, `diff` the changes that fixes
    would make, `remarks` are printed after the findings.
    """

    config: Config
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    text: bytes | None = None
    diff: str = ""
    remarks: tuple[str, ...] = ()
    baselined: int = 0
    older: int = 0  # Number of findings older than the change in `since`
    touched: frozenset[Finding] | None = None
    """Findings that are not new, but on changed lines; None if nothing was compared."""
    checked: tuple[str, ...] = ()  # The linted files, if the findings are those of the whole run
    failures: tuple[str, ...] = ()  # What was requested but failed: the findings are incomplete
    has_failed: bool = False  # Whether a finding is severe enough to fail the run, by the configuration of its file


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
        selected = request.find_targets()
    except targets.NothingLeft as error:
        unchanged = request.stdin[1] if request.stdin and request.fix and not request.diff else None
        return Outcome(request.lookup.load_config(request.lookup.start), (), (str(error),), unchanged)
    if request.since is None:
        return _lint_with_tools(request, selected)
    from tutorial_tool.fs import worktrees
    from tutorial_tool.linter import changed_since

    try:
        with changed_since.limit_to_changes(request.since, selected, request.paths, request.lookup) as limited:
            narrowed, notes = limited
            outcome = _lint_with_tools(request, narrowed)
    except worktrees.UnknownRevision as error:
        raise LintError(f"--changed-since: {error}") from error
    if outcome.older:
        remark = f"{format_count(outcome.older, 'older finding')} suppressed (since {request.since})."
        outcome = outcome._replace(remarks=(*outcome.remarks, remark))
    return outcome._replace(notes=(*notes, *outcome.notes))


def _lint_with_tools(request: Request, selected: list[Target]) -> Outcome:
    if not any(target.config.with_ for target in selected):
        return _lint_targets(request, selected)
    from tutorial_tool import external_linters
    from tutorial_tool.fs import limited_process

    if limited_process.is_limited():
        outcome = _lint_targets(request, selected)
        note = "`with` was ignored: other tools may run code from files, and these are not trusted."
        return outcome._replace(notes=(*outcome.notes, note))
    requested = dict(request.lookup.overrides).get("with_")
    named_tools = requested if isinstance(requested, tuple) else ()
    tools = external_linters.ExternalLinters(
        named=named_tools, needed=any(target.config.with_missing == "error" for target in selected)
    )
    outcome = _lint_targets(request, [replace(target, tools=tools) for target in selected])
    notes, failures = (*outcome.notes, *tools.iter_notes()), (*outcome.failures, *tools.list_failures())
    return outcome._replace(notes=notes, failures=failures)


def _lint_targets(request: Request, selected: list[Target]) -> Outcome:
    if not request.all and request.write_baseline_to is None:
        selected = [replace(target, baseline=baseline.get_configured(target.config)) for target in selected]
    if not request.external:
        return _apply_baseline(request, selected, _lint_or_fix(request, selected))
    from tutorial_tool.links import external

    links = external.Links()
    selected = [replace(target, external=links) for target in selected]
    outcome = _apply_baseline(request, selected, _lint_or_fix(request, selected))
    return outcome._replace(remarks=(*outcome.remarks, *links.describe_unchecked()))


def _apply_baseline(request: Request, selected: list[Target], outcome: Outcome) -> Outcome:
    """Write the baseline if requested; else add a note on suppressed findings, or suggest commands."""
    if request.write_baseline_to is not None:
        return _write_baseline(request, request.write_baseline_to, selected, outcome)
    if outcome.baselined:
        suppressed = f"{outcome.baselined:,} baselined finding{'' if outcome.baselined == 1 else 's'} suppressed"
        used = {target.baseline.file for target in selected if target.baseline}
        names = sorted(files.format_path(file, request.lookup.start) for file in used)
        return outcome._replace(remarks=(*outcome.remarks, f"{suppressed} ({', '.join(names)})."))
    errors = {finding.rule for finding in outcome.findings if finding.severity is Severity.ERROR}
    is_whole = request.stdin is None and request.since is None and not _BLOCKING_RULES.intersection(errors)
    if outcome.has_failed and len(outcome.findings) > MAX_LISTED and is_whole:
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


def _write_baseline(request: Request, file: Path, selected: list[Target], outcome: Outcome) -> Outcome:
    start, tools = request.lookup.start, selected[0].tools
    if tools and (failures := tools.list_failures()):
        raise LintError(f"the baseline was not written: {failures[0]}")
    try:
        gone = baseline.write(file, outcome.findings, start, is_kept=_build_keep_test(request, file.parent, selected))
    except OSError as problem:
        raise LintError(f"the baseline was not written: {files.describe_os_error(problem)}") from problem
    count = len(outcome.findings)
    note = f"Wrote {count} finding{'s' * (count != 1)} to {files.format_path(file, start)}"
    note += f"; {gone} {'is' if gone == 1 else 'are'} fixed." if gone else "."
    settings = (_suggest_baseline_setting(file, target.config, start) for target in selected if count)
    notes = (*outcome.notes, note, *dict.fromkeys(filter(None, settings)))
    return outcome._replace(findings=(), has_failed=False, notes=notes)


def _suggest_baseline_setting(file: Path, config: Config, start: Path) -> str:
    """Return the setting that suppresses the findings, or "" if the configuration names the baseline."""
    if config.baseline is not None and (config.folder / config.baseline).absolute() == file.absolute():
        return ""
    folder = config.folder if config.file else config.root
    config_file = files.format_path(config.file or folder / OWN_FILE, start)
    return f'To suppress them, add `baseline = "{files.format_path(file, folder)}"` to {config_file}.'


def _build_keep_test(request: Request, folder: Path, selected: list[Target]) -> Callable[[BaselinePlace], bool]:
    """Return a function that tells whether a baselined span stays because its file or rule was skipped."""
    rules = get_rules()
    start = request.lookup.start
    paths = request.paths or {target.root if target.layout else start for target in selected}
    checked_paths = [Path(os.path.normpath(start / path)) for path in paths]
    rule_options = {"select", "ignore", "extend_select"}.intersection(dict(request.lookup.overrides))
    tools_run = selected[0].tools.ran if selected[0].tools else ()

    @cache
    def can_run(name: str) -> bool:
        rule = rules[name]
        if (name in OUTSIDE and not request.external) or (is_tool_name(name) and rule.group not in tools_run):
            return False
        defaults = [(target.config, rule.get_default(in_project=target.layout is not None)) for target in selected]
        return not rule_options or any(config.get_severity(rule, default) for config, default in defaults)

    def is_kept(place: BaselinePlace) -> bool:
        path = Path(os.path.normpath(folder / place.path))
        is_checked = any(path.is_relative_to(checked) for checked in checked_paths)
        is_rule = place.rule in rules or is_tool_name(place.rule)
        return is_rule and path.exists() and not (is_checked and can_run(place.rule))

    return is_kept


def _lint_or_fix(request: Request, selected: list[Target]) -> Outcome:
    text: Source | None = None
    if request.stdin is not None:
        read = files.decode(files.format_path(request.stdin[0], request.lookup.start), request.stdin[1])
        if isinstance(read, Finding):
            if request.diff:
                raise LintError(str(read))
            return Outcome(selected[0].config, (read,), text=request.stdin[1] if request.fix else None, has_failed=True)
        text = read
        selected = targets.replace_text(selected, request.stdin[0], text.text)
    if request.fix or request.diff:
        return _fix_targets(request, selected, text)
    linted = [(target, request.lint(target)) for target in selected]
    outcome = _build_outcome([(target, result.findings) for target, result in linted], request)
    start = request.lookup.start
    notes = (*_describe_unchecked(selected), *_explain_nothing_left(linted), *_describe_old_versions(selected, start))
    compared = _describe_compared(linted, request) if outcome.config.output_format == "full" else ()
    checked = tuple(sorted(set(_iter_checked_files(linted, start))))
    remarks = (*outcome.remarks, *_describe_unrendered(linted))
    return outcome._replace(notes=(*notes, *compared), checked=checked, remarks=remarks)


def _describe_compared(linted: Sequence[tuple[Target, LintedSite]], request: Request) -> Iterator[str]:
    """Yield which copies of a tree were compared, with the command that lists them; a project has named its own."""
    patterns, tabs = list[str](), 0
    for target, result in linted:
        if target.layout is None and _has_rule(target, "Step"):
            patterns += (f"`{step.pattern}`" for step in variants.find_steps(result.site, target.config.variants))
            tabs += len(tab_steps.find_tab_steps(result.site))
    named = f" of copies ({join_names(patterns, ' and ', limit=3)})"
    counts = ((len(patterns), named), (tabs, " of tabs"))
    if compared := " and ".join(format_count(count, "set") + what for count, what in counts if count):
        command = shlex.join(("tutorial-tool", "lint", *map(str, request.paths), "--show-variants"))
        yield f"Compared {compared}. `{command}` lists them."


def _iter_checked_files(linted: Iterable[tuple[Target, LintedSite]], start: Path) -> Iterator[str]:
    """Yield the files that were checked, relative to where the run started."""
    for target, result in linted:
        for name in result.site.sources:
            if not target.config.excludes(name) and (path := target.root / name) not in target.old_version_paths:
                yield files.format_path(path, start)


def _describe_old_versions(selected: Iterable[Target], start: Path) -> Iterator[str]:
    """Yield a note that older versions are skipped, with the command that lints most of them."""
    counts: Counter[Path] = Counter()
    for target in selected:
        linted = {folder for path in target.paths for folder in path.parents}
        for path in target.old_version_paths:
            counts[next((folder for folder in reversed(path.parents) if folder not in linted), path.parent)] += 1
    if counts:
        command = shlex.join(("tutorial-tool", "lint", files.format_path(max(counts, key=counts.__getitem__), start)))
        pages = format_count(counts.total(), "page")
        yield f"{pages} of older versions {'is' if counts.total() == 1 else 'are'} left out (`{command}` lints them)."


def _describe_unrendered(linted: Iterable[tuple[Target, LintedSite]]) -> Iterator[str]:
    """Yield notes on pages that could not be rendered, which hides other problems of them and their data."""
    for _, result in linted:
        missing = len(result.site.places.keys() - result.site.by_address.keys())
        if missing and result.site.errors:
            pages = format_count(len(result.site.places), "page")
            yield f"{missing:,} of {pages} could not be rendered: the links, tables, and data on them were not checked."


def _explain_nothing_left(linted: Sequence[tuple[Target, LintedSite]]) -> tuple[str, ...]:
    """Return a note that there are no pages, or that all are excluded: it would look like a clean run."""
    if any(target.layout is None for target, _ in linted):  # in a tree, excluded pages are not checked
        return ()
    sites = [(target.layout, result.site) for target, result in linted]
    folders = [layout.docs for layout, site in sites if layout and not (site.pages or site.errors)]
    if len(folders) == len(linted):
        return (f"there is no page in `{'`, `'.join(folders)}`: only the data was checked.",)
    if any(not target.config.excludes(name) for target, result in linted for name in result.site.sources):
        return ()
    return ("`exclude` excludes all of the files: nothing is reported.",)


def _describe_unchecked(selected: Sequence[Target]) -> tuple[str, ...]:
    """Return notes on what could not be checked on this machine."""
    notes = {}
    if not known_misspellings.find_program():
        notes["misspelling"] = "`typos` is not installed: its list of known misspellings was not used."
    if not can_parse():
        notes["broken-sample"] = "`ast-grep-py` is not installed: samples of code were not parsed."
    return tuple(note for name, note in notes.items() if any(_has_rule(target, name) for target in selected))


def _has_rule(target: Target, kind: str) -> bool:
    """Return whether a rule of a name or level is on."""
    rules = (rule for rule in get_rules().values() if kind in (rule.name, rule.level))
    return any(target.config.get_severity(rule, rule.severity) is not None for rule in rules)


def _build_outcome(findings_by_target: Sequence[tuple[Target, list[Finding]]], request: Request) -> Outcome:
    """Return the outcome with the new findings of targets, in a stable order, and with what is suppressed."""
    start = request.lookup.start
    new: list[Finding] = []
    touched: set[Finding] = set()
    baselined = older = 0
    is_compared = has_failed = False
    for target, findings in findings_by_target:
        compared = target.compare_with_baseline(findings)
        requested = target.select_findings(compared.new.values(), start)
        requested = list(_limit_to_lines(requested, request.lines))
        severe = [finding for finding in requested if finding.severity.is_at_least(request.min_severity)]
        has_failed |= any(finding.severity.is_at_least(target.config.fail_on) for finding in severe)
        new += severe
        baselined += sum(map(target.is_requested, compared.baselined))
        older += sum(map(target.is_requested, compared.older))
        touched.update(target.select_findings(compared.touched, start))
        is_compared = is_compared or target.baseline is not None or target.since is not None
    new.sort(key=engine.get_sort_key)
    named = join_names((f"{path}:{line}" for path, line in request.lines), " or ")
    remarks = (f"No finding concerns {named}.",) if named and not new else ()
    return Outcome(
        request.get_output_config([target for target, _ in findings_by_target]), tuple(new), baselined=baselined,
        remarks=remarks, older=older, touched=frozenset(touched) if is_compared else None, has_failed=has_failed,
    )  # fmt: skip


def _limit_to_lines(findings: Iterable[Finding], lines: Collection[tuple[str, int]]) -> Iterator[Finding]:
    """Yield the findings that are on one of the lines, if any, moved there, or that have a related span there."""

    def is_there(span: Span) -> bool:
        return not lines or any(path == span.path and line in span.lines for path, line in lines)

    for finding in findings:
        if moved := select_places(finding, is_there):
            yield moved
        elif any(is_there(related.span) for related in finding.related):
            yield finding


def _fix_targets(request: Request, selected: Iterable[Target], text: Source | None) -> Outcome:
    from tutorial_tool.linter import fixer

    remaining: list[tuple[Target, list[Finding]]] = []
    notes: list[str] = []
    diffs: list[str] = []
    counts: Counter[str] = Counter()
    for target in selected:
        name = files.format_path(request.stdin[0], target.root) if request.stdin else ""
        result = fixer.run_rounds(partial(request.lint, target), unsafe=request.unsafe, at_least=request.min_severity)
        remaining.append((target, result.linted.findings))
        counts.update(result.counts)
        notes += map(str, result.reverted_fixes)
        diffs.append(result.diff)
        if text is not None:
            text = text.replace_text(result.changes[name].after.text) if name in result.changes else text
        elif not request.diff:
            try:
                notes += fixer.write(result, target.root)
            except OSError as problem:
                raise LintError(f"nothing was fixed: {files.describe_os_error(problem)}") from problem
    if counts:
        counts_by_rule = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
        notes.append(f"{'Would fix' if request.diff else 'Fixed'} {counts.total()}: {counts_by_rule}")
    fixed = text.raw.encode() if text is not None and not request.diff else None
    return _build_outcome(remaining, request)._replace(notes=tuple(notes), text=fixed, diff="".join(diffs))


class RuleStatistics(NamedTuple):
    """How many findings a rule has, and its summary."""

    rule: str
    findings: int
    summary: str


def count_by_rule(findings: Iterable[Finding]) -> list[RuleStatistics]:
    """Return the number of findings of each rule, highest first."""
    by_rule = Counter(finding.rule for finding in findings)
    rules = get_rules()
    rows = sorted(by_rule.items(), key=lambda row: (-row[1], row[0]))
    return [RuleStatistics(rule, n, rules[rule].summary) for rule, n in rows]


def count_by_owner(findings: Iterable[Finding], owners: Callable[[str], Sequence[str]]) -> list[tuple[str, int]]:
    """Return the number of findings of each owner of files, highest first; a file may have several."""
    by_owner = Counter(owner for finding in findings for owner in owners(finding.span.path) or ("no owner",))
    return sorted(by_owner.items(), key=lambda row: (-row[1], row[0]))


def format_statistics(findings: Sequence[Finding], owners: Callable[[str], Sequence[str]] | None) -> str:
    """Format the number of findings by rule and by owner as tables."""
    rows = count_by_rule(findings)
    width = max((len(row.rule) for row in rows), default=0)
    lines = [f"{row.findings:>6}  {row.rule:<{width}}  {row.summary}" for row in rows]
    if owners and rows:
        lines += ["", "By owner:", *(f"{count:>6}  {owner}" for owner, count in count_by_owner(findings, owners))]
    return "".join(f"{line}\n" for line in lines)
