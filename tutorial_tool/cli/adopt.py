"""`tutorial-tool adopt`: converts copies into one template and its data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tutorial_tool.cli.shell import FILE, fail, write_file
from tutorial_tool.core.diagnostics import MAX_LISTED, InvalidInput, format_count
from tutorial_tool.core.errors import FilesExist
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source

if TYPE_CHECKING:
    from tutorial_tool.adopt import Adoption, AdoptOptions
    from tutorial_tool.adopt.base import BaseProject
    from tutorial_tool.adopt.check import LintVerdict
    from tutorial_tool.adopt.check.lost import MissingFinding
    from tutorial_tool.adopt.names.renaming import Renames
    from tutorial_tool.adopt.plan import AdoptionPlan
    from tutorial_tool.adopt.resolve import Choice
    from tutorial_tool.adopt.sets import FoundSets


@click.command("adopt")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--into", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="The project to write.")
@click.option("--step", "steps", metavar="STEP", multiple=True, help="Adopt only this step. May be given again.")
@click.option("--resolve", is_flag=True, help="Resolve differences automatically, and list each decision.")
@click.option("--interactive", is_flag=True, help="With --resolve: ask before each decision.")
@click.option("--yes", is_flag=True, help="With --resolve: write the plan without asking.")
@click.option(
    "--normalize/--no-normalize", default=None, help="Remove navigation, numbers, and lists that are generated now."
)
@click.option("--exact-whitespace", is_flag=True, help="Keep whitespace, list markers, quotes, and fields' order.")
@click.option("--report", metavar="FILE", type=FILE, help="Write the choices to a Markdown file.")
@click.option(
    "--names",
    metavar="FILE",
    type=FILE,
    help="Write the names to FILE, least descriptive first; if it exists, use the names in it.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be written, without writing.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--remove-copies", is_flag=True, help="Delete adopted copies that would override the template.")
def command(
    paths: tuple[Path, ...],
    into: Path | None,
    steps: tuple[str, ...],
    resolve: bool,
    interactive: bool,
    yes: bool,
    normalize: bool | None,
    exact_whitespace: bool,
    report: Path | None,
    names: Path | None,
    dry_run: bool,
    force: bool,
    remove_copies: bool,
) -> None:
    """Convert copies into a template and data that render the same text, except for whitespace.

    PATHS are copies, or folders to search for them. Without --into, the sets of copies are listed, the most worthwhile
    first, and nothing is written except --report. `shared` is the share of a copy's text that all others have, too.
    An open choice is a place where copies differ, and nothing shows that a platform needs the difference.

    --resolve corrects spelling, and mistakes that the linter finds. Names, numbers, links, code, settings, front
    matter, and words that only one copy has stay. The plan is printed, and written if you confirm or set --yes.

    \b
    Examples:
      tutorial-tool adopt docs
      tutorial-tool adopt docs --resolve --report choices.md
      tutorial-tool adopt docs --resolve --into . --yes
      tutorial-tool adopt docs --step create-input --into .
      tutorial-tool adopt ios/start.md web/start.md --into tutorial --dry-run
    """
    from tutorial_tool.adopt import AdoptOptions, base

    if interactive and not resolve:
        raise click.UsageError("--interactive asks about the choices of --resolve: give both, --resolve --interactive")
    written = {"--normalize": bool(normalize), "--names": bool(names), "--force": force}
    _reject_unused_options(into, {**written, "--remove-copies": remove_copies})
    writing = _WriteOptions(
        report=report,
        names=names,
        dry_run=dry_run,
        force=force,
        remove_copies=remove_copies,
        checks_what_is_typed=normalize is None and not dry_run,
        confirms=resolve and not (yes or interactive or dry_run),
    )
    try:
        project = base.load(into.absolute()) if into else None
        if not dry_run and _finish_interrupted(project):
            return
        _reject_other_site(into)
        _reject_existing_file(None if force else report)
        result = _find_copies(paths, project, steps)
        ask = _ask_choice if interactive else None
        wishes = AdoptOptions(resolve, bool(normalize), result.root, ask, exact_whitespace, _read_renames(names))
        if project is None:
            _preview_adoption(result, steps, wishes, report)
        else:
            _adopt_into(project, result, steps, wishes, writing)
    except FilesExist as problem:
        fail(*(f"{path} exists: use --force to overwrite it" for path in problem.paths))


def _finish_interrupted(project: BaseProject | None) -> bool:
    from tutorial_tool.scaffold import transaction

    finished = transaction.finish_write(project.layout) if project else []
    if finished:
        click.echo(f"Finished a change that was interrupted, in {', '.join(finished)}")
    return bool(finished)


class _WriteOptions(NamedTuple):
    """How a project is written.

    `checks_what_is_typed`: before copies are deleted, check for text in them that would break the build; `confirms`:
    ask before writing the changes of `--resolve`.
    """

    report: Path | None
    names: Path | None
    dry_run: bool
    force: bool
    remove_copies: bool
    checks_what_is_typed: bool
    confirms: bool


def _adopt_into(
    project: BaseProject, result: FoundSets, steps: tuple[str, ...], wishes: AdoptOptions, writing: _WriteOptions
) -> None:
    """Adopt copies into a project, write it, and print a summary."""
    from tutorial_tool.adopt import check, plan, report

    adoption = _adopt_copies(result, project, steps, wishes)
    assert adoption.project is not None
    wishes.renames.check(adoption.project.files)
    planned = plan.plan(project, adoption, result.root, force=writing.force, remove=writing.remove_copies)
    copies_stay = bool(planned.shadowing)
    decided = check.lint_project(planned.files, adoption.adopted, project, result.root, hidden=copies_stay)
    if writing.checks_what_is_typed and planned.delete:
        _reject_computed_text(decided, planned)
    if writing.report is not None:
        _write_report(result, adoption, decided.missing, writing.report)
    if writing.names is not None and not writing.names.exists():
        _write_names(adoption, writing.names)
    show = partial(_print_adoption, result, adoption, decided, wishes, hidden=copies_stay, dry_run=writing.dry_run)
    is_changed = bool(adoption.notes) or any(choice.winner is not None for choice in adoption.choices)
    if writing.confirms and is_changed:
        show()
        _confirm_write()
        _write_project(planned, project)
    else:
        if not writing.dry_run:
            _write_project(planned, project)  # first: a pipe that closes early loses no work
        show()
    _print_files(result, planned, writing.dry_run)
    written = not writing.dry_run
    failing = decided.failing if written else report.filter_unreported(decided.failing, adoption, decided.missing)
    missing = report.describe_missing_findings(adoption, decided.missing, written=written)
    _print_lines(_relocate_lines(result, missing, planned))
    problems = report.describe_failing(failing, planned, written=written, modern=wishes.normalize)
    _print_lines(_relocate_lines(result, problems, planned))


def _write_project(planned: AdoptionPlan, project: BaseProject) -> None:
    """Write the project; if copies are deleted, the next run can complete a killed one."""
    from tutorial_tool.scaffold import transaction

    if planned.delete:
        transaction.write_all({**planned.files, **dict.fromkeys(planned.delete)}, project.layout)
    else:
        planned.write()


def _confirm_write() -> None:
    """Ask whether to write the planned changes. Without an answer, nothing is written."""
    try:
        answer = click.confirm("Write the project with these changes")
    except click.Abort:
        answer = False
    if not answer:
        fail("nothing was written: --yes writes the plan, --interactive asks about each choice")


def _reject_computed_text(decided: LintVerdict, planned: AdoptionPlan) -> None:
    """Fail if copies to delete contain text that breaks the build: once deleted, it can't be removed."""
    from tutorial_tool.adopt import report

    if count := report.count_computed(decided.failing):
        _print_lines(report.describe_typed_lines(decided.failing), err=True)
        fail(f"nothing was written: {report.explain_normalize(count, planned.build)}")


def _reject_unused_options(into: Path | None, options: dict[str, bool]) -> None:
    """Reject options that control writing if no project is written."""
    given = [name for name, value in options.items() if value]
    if given and into is None:
        change = "changes" if len(given) == 1 else "change"
        raise click.UsageError(
            f"{' and '.join(given)} {change} what is written, and no project is named: add --into DIR "
            "(with --dry-run, it prints what would be written, and writes nothing)"
        )


def _reject_other_site(into: Path | None) -> None:
    """Fail if the project's folder has a site that would lose the pages."""
    from tutorial_tool.adopt import existing_site

    site = existing_site.find_configuration(into.absolute()) if into else None
    if site and site.problem:
        fail(f"{site.problem}. Nothing was written; to make a new project, name another folder with --into")


def _reject_existing_file(report: Path | None) -> None:
    if report is not None and report.exists():
        raise FilesExist([str(report)])


_HELP = """\
A number: all copies get that text, each with the name of its own platform.
0: each copy keeps its text, as a value in the data.
Enter: the choice in brackets, which the evidence supports.
Ctrl+C: stop without writing anything."""


def _ask_choice(choice: Choice) -> int | None:
    """Ask which of several texts to use."""
    from tutorial_tool.adopt import report

    click.echo(f"\n{choice.copy_set}: {choice.context}{choice.times}")
    winners: dict[str, int | None] = {"0": None}
    for index, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True)):
        click.echo(f"  {index + 1}  {report.format_variant(variant, place)}")
        winners[str(index + 1)] = index
    default, advice = ("0", "") if choice.winner is None else (str(choice.winner + 1), f" ({choice.reason})")
    while True:
        answer = click.prompt(f"Use which text, 0 to keep all{advice}, ? for help", default).strip()
        if answer in winners:
            return winners[answer]
        if answer != "?":
            click.echo(f"`{answer}` is not one of {', '.join(winners)}")
        click.echo(_HELP)


def _print_adoption(
    result: FoundSets, adoption: Adoption, decided: LintVerdict, wishes: AdoptOptions, *, hidden: bool, dry_run: bool
) -> None:
    from tutorial_tool.adopt import report

    if wishes.resolve or wishes.normalize:
        _print_lines(_relocate_lines(result, report.describe_choices(adoption)))
        click.echo()
    _print_lines(report.format_summary(adoption))
    given = {copy.source.path: copy.source.raw for copy_set in result.sets for copy in copy_set.copies.values()}
    now = (copy.source for copy_set in adoption.adopted for copy in copy_set.copies.values())
    changed = any(given.get(source.path) != source.raw for source in now)
    click.echo(report.describe_proof(adoption, changed=changed, spaces_only=not (wishes.resolve or wishes.normalize)))
    if not (wishes.resolve or wishes.normalize):
        _print_lines(adoption.notes)
    if dry_run:
        _print_lines(_relocate_lines(result, report.describe_mistakes(adoption, decided.missing)))
    if not wishes.resolve:
        _print_lines(_relocate_lines(result, report.describe_open_choices(adoption, complete=hidden and not dry_run)))


def _preview_adoption(result: FoundSets, steps: tuple[str, ...], wishes: AdoptOptions, file: Path | None) -> None:
    """Print the sets of copies, or the choices if requested; no project is written."""
    from tutorial_tool.adopt import base, check, eligibility, report

    if not wishes.resolve and file is None:
        _print_lines(eligibility.describe_sets(result.sets, result.root))
        click.echo("\nTo adopt one: tutorial-tool adopt PATHS --step STEP --into DIR")
        return
    adoption = _adopt_copies(result, base.build_empty(), steps, wishes)
    if wishes.resolve:
        _print_lines(_relocate_lines(result, report.describe_choices(adoption)))
        click.echo()
    _print_lines(report.format_summary(adoption))
    if file is not None:
        assert adoption.project is not None
        texts = {path: text.encode() for path, text in adoption.project.files.items()}
        decided = check.lint_project(texts, adoption.adopted, base.build_empty(), result.root)
        _write_report(result, adoption, decided.missing, file)
        click.echo(f"Wrote {file}")
    click.echo("To write the project, say where: --into DIR")


def _write_report(result: FoundSets, adoption: Adoption, lost: Sequence[MissingFinding], file: Path) -> None:
    from tutorial_tool.adopt import report

    write_file(file, "\n".join(_relocate_lines(result, report.render_markdown(adoption, lost).split("\n"))))


def _read_renames(file: Path | None) -> Renames:
    """Return the renames in a file; none if it has yet to be written."""
    from tutorial_tool.adopt.names.renaming import Renames, read_renames
    from tutorial_tool.fs import files

    if file is None or not file.exists():
        return Renames()
    source = files.read(file, root=file.absolute().parent)
    if isinstance(source, Source):
        return read_renames(source)
    raise InvalidInput([source])


def _write_names(adoption: Adoption, file: Path) -> None:
    from tutorial_tool.adopt.names import renaming

    assert adoption.project is not None
    write_file(file, renaming.format_names(adoption.project.files))
    click.echo(f"Wrote {file}: write better names there, and run this again")


def _reject_unknown_steps(index: FoundSets, steps: tuple[str, ...]) -> None:
    from tutorial_tool.adopt import eligibility
    from tutorial_tool.core.diagnostics import format_suggestion

    known = [copy_set.step for copy_set in index.sets]
    unknown = [step for step in steps if not any(eligibility.is_selected(copy_set, [step]) for copy_set in index.sets)]
    hints = [format_suggestion(step.rpartition("/")[2], known) for step in unknown]
    if unknown:
        fail(*(f"step `{step}` has no copies here{hint}" for step, hint in zip(unknown, hints, strict=True)))


def _find_copies(paths: tuple[Path, ...], project: BaseProject | None, steps: tuple[str, ...]) -> FoundSets:
    from tutorial_tool.adopt import sets
    from tutorial_tool.linter.config_lookup import LookupOptions

    docs = project.layout.root / project.layout.docs if project else None
    patterns = project.patterns if project else []
    config = LookupOptions(Path.cwd()).load_config(Path.cwd())
    alone = steps[0].rpartition("/")[2] if len(steps) == 1 else None
    index = sets.find(paths, step=alone, docs=docs, patterns=patterns, config=config)
    _print_lines(index.unreadable.values(), err=True)
    _print_lines(_relocate_lines(index, sets.describe_left_out(index)), err=True)
    if project is not None and (lacking := [path for path in index.unreadable if sets.is_copy(path, index.sets)]):
        fail(f"nothing was written: {', '.join(lacking)} cannot be read, and would be left out")
    _reject_unknown_steps(index, steps)
    if not index.sets:
        fail(sets.NONE)
    return index


def _adopt_copies(result: FoundSets, project: BaseProject, steps: tuple[str, ...], wishes: AdoptOptions) -> Adoption:
    from tutorial_tool import adopt
    from tutorial_tool.adopt import eligibility

    chosen = eligibility.choose_sets(result, project, steps)
    _print_lines((f"{copy_set}: left as copies: {reason}" for copy_set, reason in chosen.ineligible.items()), err=True)
    adoption = adopt.adopt(chosen.sets, project, display=chosen.display, others=chosen.others, options=wishes)
    _print_lines((f"{copy_set}: left alone: {reason}" for copy_set, reason in adoption.skipped.items()), err=True)
    if adoption.project is None:
        fail("nothing was adopted or written")
    return adoption


def _format_paths(paths: Iterable[str]) -> list[str]:
    """Return the sorted paths; many in one folder are replaced by their number."""
    folders = group_by(sorted(paths), lambda path: path.rpartition("/")[0])
    many = {folder: f"{folder}/ ({len(own)} files)" for folder, own in folders.items() if len(own) > MAX_LISTED}
    return sorted(path for folder, own in folders.items() for path in ([many[folder]] if folder in many else own))


def _print_files(result: FoundSets, planned: AdoptionPlan, dry_run: bool) -> None:
    here = _build_prefix(planned.folder)
    if not here and planned.folder != Path.cwd():
        click.echo(f"In {planned.folder}:")
    done = ("Wrote", "Changed", "Copied", "Deleted")
    wrote, changed, copied, deleted = ("Would write", "Would change", "Would copy", "Would delete") if dry_run else done
    for path in _format_paths(planned.files.keys() - planned.copied):
        click.echo(f"{changed if path in planned.extended else wrote} {here}{path}")
    if planned.copied:
        what = f"{format_count(len(planned.copied), 'file')} that the pages show or link"
        click.echo(f"{copied} {what}, the first: {here}{min(planned.copied)}")
    _print_lines(f"{deleted} {here}{path}" for path in planned.delete)
    _print_lines(_relocate_lines(result, (*planned.notes, *planned.to_do), planned))


def _build_prefix(folder: Path) -> str:
    """Return the path from the working folder to one below it, as a prefix."""
    here = Path.cwd()
    return f"{folder.relative_to(here).as_posix()}/" if here in folder.parents else ""


def _relocate_lines(result: FoundSets, lines: Iterable[str], planned: AdoptionPlan | None = None) -> Iterator[str]:
    """Yield lines with locations relative to the working folder, for copies and project files."""
    copies = [copy.source.path for copy_set in result.sets for copy in copy_set.copies.values()]
    below = {result.root: [*copies, *result.unmatched]}
    if planned:
        below[planned.folder] = [*below.get(planned.folder, ()), *planned.files]
    for root, paths in below.items():
        if prefix := _build_prefix(root):
            places = re.compile(rf"(?<![\w./-])(?=(?:{'|'.join(map(re.escape, paths))}):[\d ])")
            lines = [places.sub(prefix, line) for line in lines]
    yield from lines


def _print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)
