"""`tutorial-tool lint`: finds problems, and fixes them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from tutorial_tool import cache
from tutorial_tool.cli import names, shell
from tutorial_tool.cli.shell import CONFIG, UNTRUSTED, print_error, reject_combinations, uses_color, write_file
from tutorial_tool.config import settings as config
from tutorial_tool.core.diagnostics import Severity, format_suggestion
from tutorial_tool.core.errors import TutorialToolError

if TYPE_CHECKING:
    from tutorial_tool.linter.config_lookup import LookupOptions
    from tutorial_tool.linter.session import Outcome, Request
    from tutorial_tool.variants import Step

Callback = TypeVar("Callback", bound=Callable[..., Any])


def _split_names(_ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the names in `--select a,b --select c`; None without the option."""
    return tuple(name.strip() for part in value for name in part.split(",") if name.strip()) or None


def _parse_per_file_ignores(
    _ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """Parse `--per-file-ignores 'old/**:rule,rule'`."""
    pairs = [part.rpartition(":") for part in value]
    if any(not glob or not names for glob, _, names in pairs):
        raise click.BadParameter("write GLOB:NAME,NAME")
    return tuple((glob, tuple(filter(None, map(str.strip, names.split(","))))) for glob, _, names in pairs) or None


def _parse_reports(
    _ctx: click.Context, _parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[tuple[str, Path], ...]:
    """Parse `--report sarif=findings.sarif`."""
    pairs = [part.partition("=") for part in value]
    for format_, _, file in pairs:
        if not file:
            raise click.BadParameter("write FORMAT=FILE")
        if format_ not in config.FORMATS:
            raise click.BadParameter(f"unknown format `{format_}`; write one of {', '.join(config.FORMATS)}")
    return tuple((format_, Path(file)) for format_, _, file in pairs)


class _PathOrPlace(click.Path):
    """A path, or FILE:LINE, of which the line is kept in the context."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name, line = shell.parse_place(os.fspath(value))
        if line and ctx:
            ctx.meta.setdefault(_LINES, []).append((Path(os.path.relpath(name)).as_posix(), line))
        return super().convert(name, param, ctx)


_LINES = "tutorial_tool.lines"  # The context key of the named lines


def _build_config_option(key: str, *names: str, **how: Any) -> Callable[[Callback], Callback]:
    """Return a command-line option that is also in the configuration, with its help."""
    option = config.OPTIONS[key]
    return click.option(*(names or (f"--{key}",)), option.field, help=option.doc, **how)


@click.command("lint")
@click.argument("paths", nargs=-1, type=_PathOrPlace(exists=True, path_type=Path))
@click.option("--fix", is_flag=True, help="Apply safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="Apply unsafe fixes, too.")
@click.option("--diff", is_flag=True, help="Print the fixes as a patch (with -o, to a file), without applying them.")
@_build_config_option("select", metavar="NAMES", multiple=True, callback=_split_names, shell_complete=names.RULES)
@_build_config_option("ignore", metavar="NAMES", multiple=True, callback=_split_names, shell_complete=names.RULES)
@_build_config_option(
    "extend-select", metavar="NAMES", multiple=True, callback=_split_names, shell_complete=names.RULES
)
@_build_config_option("per-file-ignores", metavar="GLOB:NAMES", multiple=True, callback=_parse_per_file_ignores)
@_build_config_option("exclude", metavar="GLOBS", multiple=True, callback=_split_names)
@_build_config_option("extend-exclude", metavar="GLOBS", multiple=True, callback=_split_names)
@_build_config_option("force-exclude", is_flag=True, default=None)
@click.option("--whole-project", is_flag=True, help="Analyze the whole folder; report what concerns the named files.")
@click.option("--drafts", is_flag=True, help="Lint drafts, too, and report what they are missing.")
@_build_config_option("output-format", type=click.Choice(config.FORMATS))
@_build_config_option("output-file", "-o", "--output-file", metavar="FILE")
@click.option(
    "--report",
    "reports",
    metavar="FORMAT=FILE",
    multiple=True,
    callback=_parse_reports,
    help="Also write the findings to this file. May be given again.",
)
@click.option(
    "--min-severity",
    type=click.Choice(config.THRESHOLDS),
    default="hint",
    help="Report and fix only findings of at least this severity. `--fail-on` applies to those.",
)
@click.option("--show-all", is_flag=True, help="Print all findings, even if they fill many screens.")
@_build_config_option("fail-on", type=click.Choice(config.THRESHOLDS))
@_build_config_option("with", metavar="TOOLS", multiple=True, callback=_split_names, shell_complete=names.TOOLS)
@_build_config_option("with-missing", type=click.Choice(("error", "note")))
@_build_config_option("dialect", type=click.Choice(config.DIALECTS))
@click.option("--external-links", is_flag=True, help="Check external links.")
@_build_config_option("external-allow", metavar="HOSTS", multiple=True, callback=_split_names)
@_build_config_option("baseline", type=click.Path(resolve_path=True), metavar="FILE")
@click.option("--no-baseline", is_flag=True, help="Report baselined findings, too.")
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path, resolve_path=True),
    help="Write a baseline. Later runs suppress its findings.",
)
@click.option(
    "--changed-since",
    metavar="REV",
    help="Report only findings on lines changed since this git revision, or caused by the change.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with code 0 whatever is found.")
@click.option("--statistics", is_flag=True, help="Print the number of findings by rule, and by owner in CODEOWNERS.")
@click.option("--why", is_flag=True, help="Print the evidence below each finding; `why` in JSON.")
@click.option("--show-files", is_flag=True, help="Print the files that would be linted.")
@click.option("--show-variants", is_flag=True, help="Print which copies and tabs are compared, and their platforms.")
@click.option("--watch", is_flag=True, help="Lint again each time a file is saved, until Ctrl+C.")
@UNTRUSTED
@click.option("--quiet", "-q", is_flag=True, help="Print all findings, and nothing else.")
@click.option("--no-cache", is_flag=True, expose_value=False, help="Ignore results of earlier runs.")
@click.option(
    "--daemon/--no-daemon",
    expose_value=False,
    default=None,
    help="Use a background process, and start it if needed. Not on Windows.",
)
@click.option("--isolated", is_flag=True, help="Ignore all configuration and projects.")
@CONFIG
@click.option(
    "--stdin-filename",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Lint standard input as the content of this file.",
)
def command(
    paths: tuple[Path, ...],
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    external_links: bool,
    no_baseline: bool,
    write_baseline: Path | None,
    changed_since: str | None,
    min_severity: str,
    whole_project: bool,
    drafts: bool,
    show_files: bool,
    show_variants: bool,
    watch: bool,
    isolated: bool,
    config_file: Path | None,
    stdin_filename: Path | None,
    **given: Any,
) -> None:
    """Lint the project in this folder, or the given files and folders: any Markdown, without configuration.

    Exits with 0 if it finds only hints or nothing, with 1 for warnings and errors (see --fail-on), and with 2 if it
    could not run. FILE:LINE lints the whole folder, and reports what concerns that line.

    \b
    Examples:
      tutorial-tool lint
      tutorial-tool lint docs --select tables,misspelling
      tutorial-tool lint docs/ios/install.md:9 --why
      tutorial-tool lint --fix
      tutorial-tool lint --with rumdl,typos
      tutorial-tool lint --changed-since main
      tutorial-tool lint --report html=findings.html
      tutorial-tool lint --report sarif=findings.sarif --report junit=findings.xml
    """
    from tutorial_tool.cache import workers
    from tutorial_tool.fs import limited_process
    from tutorial_tool.linter import session

    lines = click.get_current_context().meta.get(_LINES, ())
    limited, shown = limited_process.is_limited(), show_files or show_variants
    all_findings = Severity(min_severity) is Severity.HINT
    reject_combinations(
        ("--untrusted", limited, "--watch or --external-links", watch or external_links),
        ("--untrusted", limited, "--with: other tools run code from the files", given["with_"]),
        ("--stdin-filename", stdin_filename, "paths, --watch, or --show-*", paths or watch or shown),
        ("FILE:LINE", lines, "other paths", len(lines) < len(paths)),
        ("FILE:LINE", lines, "--fix, --diff, or --write-baseline", any((fix, unsafe_fixes, diff, write_baseline))),
        ("--write-baseline", write_baseline, "--stdin-filename, --diff, or --watch", stdin_filename or diff or watch),
        ("--write-baseline", write_baseline, "--min-severity: it would drop the other findings", not all_findings),
        ("--changed-since", changed_since, "--stdin-filename or --write-baseline", stdin_filename or write_baseline),
        ("--diff", diff, "--output-format: it prints a patch", given["output_format"] not in (None, "full")),
        ("--diff", diff, "--statistics: it prints a patch", given["statistics"]),
    )
    printed = _PrintOptions(**{name: given.pop(name) for name in _PrintOptions._fields})
    lookup = build_lookup_options(isolated, config_file, given)
    lookup = replace(lookup, whole_project=whole_project | bool(lines), drafts=drafts)
    stdin = (stdin_filename, sys.stdin.buffer.read()) if stdin_filename else None
    fixing = fix or unsafe_fixes
    request = session.Request(
        lookup, paths, stdin, fixing, unsafe_fixes, diff, external_links, no_baseline, write_baseline, changed_since,
        min_severity=Severity(min_severity), processes=workers.count_available(), lines=tuple(lines),
    )  # fmt: skip
    if show_files:
        _show_lines(request, _list_files)
    elif show_variants:
        _show_lines(request, _describe_variants)
    elif watch:
        _watch_files(request, printed)
    else:
        _print_search_note(request, printed)
        if not fixing:
            gc.disable()  # a short run leaves little cyclic garbage; collecting it takes a tenth of the time
        sys.exit(_run_once(request, printed))


def build_lookup_options(isolated: bool, config_file: Path | None, given: dict[str, Any]) -> LookupOptions:
    """Return the settings for finding targets, with those of the command line.

    Raises: click.UsageError if an option is invalid.
    """
    from tutorial_tool.linter.config_lookup import LookupOptions
    from tutorial_tool.rules import get_rules

    reject_combinations(("--isolated", isolated, "--config", config_file))
    options = {name: value for name, value in given.items() if value is not None}
    _check_names(options, {rule.name: rule.group for rule in get_rules().values()})
    if "output_file" in options:
        options["output_file"] = str(Path.cwd() / options["output_file"])
    if "fail_on" in options:
        options["fail_on"] = Severity(options["fail_on"])
    return LookupOptions(Path.cwd(), isolated, config_file, tuple(options.items()))


def _check_names(options: Mapping[str, Any], rules: Mapping[str, str]) -> None:
    """Check the names in options.

    Raises: click.UsageError if a rule, a glob or a linter does not exist.
    """
    by_file = dict(options.get("per_file_ignores", ()))
    names = (options.get(option, ()) for option in ("select", "ignore", "extend_select"))
    globs = [*options.get("exclude", ()), *options.get("extend_exclude", ()), *by_file]
    try:
        for name in chain(*names, *by_file.values()):
            config.check_name(name, rules)
        for glob in globs:
            config.check_glob(glob, rules)
    except config.InvalidValue as wrong:
        raise click.UsageError(str(wrong)) from wrong
    for name in options.get("with_", ()):
        if name not in config.TOOLS:
            hint = format_suggestion(name, config.TOOLS) or f"; known are {', '.join(config.TOOLS)}"
            raise click.UsageError(f"`{name}` is not a supported linter{hint}")


class _PrintOptions(NamedTuple):
    """How to print the findings of a run."""

    quiet: bool
    statistics: bool
    exit_zero: bool
    reports: tuple[tuple[str, Path], ...]
    why: bool
    show_all: bool


def _run_once(request: Request, printing: _PrintOptions) -> int:
    """Run and print; return the exit code."""
    from tutorial_tool.linter import session

    outcome = session.run(request)
    _print_outcome(request, outcome, printing)
    for failure in outcome.failures:
        print_error(failure)
    if outcome.failures:
        return 2
    failed = bool(outcome.diff) if request.diff else outcome.has_failed
    code = 1 if failed and not printing.exit_zero else 0
    if outcome.config.output_file is None and not printing.reports:
        _store_result(request, code)
    return code


def _print_search_note(request: Request, printing: _PrintOptions) -> None:
    """Print a note if all of a disk or of a home folder is searched, which few mean."""
    for folder in {path.resolve() for path in request.paths or (Path(),)}:
        if folder in (Path(folder.anchor), Path("~").expanduser()) and not (printing.quiet or request.stdin):
            click.echo(f"Searching all of `{folder}`, which may take minutes; name a folder to lint less.", err=True)


def _store_result(request: Request, code: int) -> None:
    """Store the output for the next run, if everything that it depends on can be known."""
    now, asks = cache.get_recording(), request.external or request.since is not None or bool(request.write_baseline_to)
    if now is None or request.fix or request.diff or request.stdin or asks:
        return
    flag = request.lookup.whole_project or not request.paths
    named = [request.lookup.start] if flag else [path for path in request.paths if path.is_dir()]
    now.save(code, [*named, *(root for root, is_tree in request.memories if not is_tree)])


def _render_findings(outcome: Outcome, printing: _PrintOptions, *, color: bool) -> str:
    """Render the findings in the requested form: counted, limited or in full."""
    from tutorial_tool.reporters import full, overview

    format_, complete = outcome.config.output_format, not outcome.failures
    if printing.statistics:
        return _format_counts(format_, outcome)
    if format_ == "full" and outcome.config.output_file is None and not (printing.show_all or printing.quiet):
        return overview.render_limited(outcome.findings, color=color, why=printing.why, complete=complete)
    text = _render_outcome(format_, outcome, color=color, why=printing.why)
    return text.removesuffix(full.format_summary(outcome.findings, complete) + "\n") if printing.quiet else text


def _print_outcome(request: Request, outcome: Outcome, printing: _PrintOptions) -> None:
    """Print findings to the output file or standard output; to standard error if that has a text or diff."""
    value = outcome.config
    for note in () if printing.quiet else outcome.notes:
        _print_text(note, err=True)
    if request.write_baseline_to is not None:
        return
    for format_, file in printing.reports:
        write_file(file, _render_outcome(format_, outcome, why=printing.why))
    only_diff = request.diff and "output_file" not in dict(request.lookup.overrides)
    output_file = None if only_diff else value.output_file
    color = output_file is None and uses_color(sys.stdout)
    text = outcome.diff if request.diff else _render_findings(outcome, printing, color=color)
    if output_file is not None:
        write_file(value.folder / output_file, text)
    else:
        _print_text(text, nl=False, err=outcome.text is not None, color=color)
    for note in () if printing.quiet or request.diff else outcome.remarks:
        _print_text(note, err=True)
    if outcome.text is not None:
        sys.stdout.buffer.write(outcome.text)


def _format_counts(format_: str, outcome: Outcome) -> str:
    """Return the number of findings by rule, and by owner."""
    from tutorial_tool.fs.codeowners import read_owners
    from tutorial_tool.linter import session
    from tutorial_tool.reporters import as_json

    owners = read_owners(Path.cwd())
    if format_ != "json":
        return session.format_statistics(outcome.findings, owners)
    rows = []
    for row in session.count_by_rule(outcome.findings):
        of_rule = [finding for finding in outcome.findings if finding.rule == row.rule]
        rows.append(row._asdict() | ({"owners": dict(session.count_by_owner(of_rule, owners))} if owners else {}))
    return as_json.format_json(rows)


def _print_text(text: str, *, nl: bool = True, err: bool, color: bool | None = None) -> None:
    """Print a text, and record it for the cache."""
    click.echo(text, nl=nl, err=err, color=color)
    if (now := cache.get_recording()) is not None:
        now.output.append(cache.PrintedText(text + "\n" * nl, to_error=err))


def _render_outcome(format_: str, outcome: Outcome, *, color: bool = False, why: bool) -> str:
    from tutorial_tool import reporters
    from tutorial_tool.fs.codeowners import read_owners

    is_page = format_ == "html"
    return reporters.render(
        format_,
        outcome.findings,
        color=color,
        old=outcome.touched,
        files_at=_build_files_url(os.environ)
        or (f"vscode://file/{Path.cwd().as_posix().lstrip('/')}" if is_page else ""),
        fail_on=outcome.config.fail_on,
        why=why,
        complete=not outcome.failures,
        checked=outcome.checked,
        owners=read_owners(Path.cwd()) if is_page else None,
        notes=outcome.remarks if outcome.baselined or outcome.older else (),
    )


def _build_files_url(environment: Mapping[str, str]) -> str:
    """Return the web URL of this commit's files, from the variables of GitHub Actions or GitLab CI."""
    get = environment.get
    if get("GITHUB_ACTIONS") and get("GITHUB_REPOSITORY"):
        top = f"{get('GITHUB_SERVER_URL')}/{get('GITHUB_REPOSITORY')}/blob/{get('GITHUB_SHA')}"
        folder = get("GITHUB_WORKSPACE")
    elif get("GITLAB_CI") and get("CI_PROJECT_URL"):
        top = f"{get('CI_PROJECT_URL')}/-/blob/{get('CI_COMMIT_SHA')}"
        folder = get("CI_PROJECT_DIR")
    else:
        return ""
    cwd, checkout = Path.cwd(), Path(folder or ".").resolve()
    return f"{top}/{cwd.relative_to(checkout)}".removesuffix("/.") if cwd.is_relative_to(checkout) else top


def _show_lines(request: Request, lines: Callable[[Request], Iterable[str]]) -> None:
    from tutorial_tool.linter.targets import NothingLeft

    with suppress(NothingLeft):
        for line in lines(request):
            click.echo(line)


def _list_files(request: Request) -> list[str]:
    return sorted({path for target in request.find_targets() for path in target.list_files(request.lookup.start)})


def _describe_variants(request: Request) -> Iterator[str]:
    """Yield the compared pages and tabs: a step's name and path, then a line for each variant."""
    from tutorial_tool import variants
    from tutorial_tool.variants import tab_steps

    is_empty = True
    for target in request.find_targets():
        site = target.load()
        for step in (*variants.find_steps(site, target.config.variants), *tab_steps.find_tab_steps(site)):
            is_empty = False
            yield from _describe_step(step, target.root, request.lookup.start)
        if not target.config.variants:
            yield from variants.describe_undecided(site)
    if is_empty:
        yield "No copies found. To name them, set `variants` in the configuration."


def _describe_step(step: Step, root: Path, start: Path) -> Iterator[str]:
    from tutorial_tool.fs import files

    paths = {name: files.format_path(root / page.source.path, start) for name, page in step.pages.items()}
    title = f"{step.id} ({step.pattern})"
    if step.is_tabset:
        title = f"tabs on {next(iter(paths.values()))}"
        tabs = ((name, step.pages[name].plain) for name in paths)  # text outside the tab is blank
        paths = {name: f"{paths[name]}:{tab[: len(tab) - len(tab.lstrip())].count(chr(10)) + 1}" for name, tab in tabs}
    yield f"{title}: {len(step.pages)} variants"
    width = max(map(len, paths.values()))
    yield from (f"  {path:{width}}  {step.variants[name].name}" for name, path in paths.items())


def _watch_files(request: Request, printing: _PrintOptions) -> None:
    from tutorial_tool.fs import watch

    folders = [path if path.is_dir() else path.parent for path in request.paths] or [Path()]
    with watch.watch_folders(map(Path.resolve, folders)) as changes:
        while True:
            click.clear()
            try:
                _run_once(request, printing)
            except BrokenPipeError:
                raise
            except (TutorialToolError, OSError) as problem:
                print_error(problem)
            try:
                click.echo("Waiting for changes. Press Ctrl+C to stop.", err=True)
                changes.wait()
            except KeyboardInterrupt:
                return
