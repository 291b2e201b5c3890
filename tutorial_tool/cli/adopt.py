"""`tutorial-tool adopt`: copies become one template and its data."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from tutorial_tool.cli.shell import complain, stop
from tutorial_tool.config.settings import ConfigError
from tutorial_tool.core.diagnostics import InvalidInput
from tutorial_tool.core.source import Source

if TYPE_CHECKING:
    from tutorial_tool.adopt import Adoption, Wishes
    from tutorial_tool.adopt.base import Base
    from tutorial_tool.adopt.check import Judged
    from tutorial_tool.adopt.check.lost import Lost
    from tutorial_tool.adopt.names.renaming import Renames
    from tutorial_tool.adopt.plan import Plan
    from tutorial_tool.adopt.resolve import Choice
    from tutorial_tool.adopt.sets import Found


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
@click.option("--exact-whitespace", is_flag=True, help="Keep differences that are only whitespace, as conditions.")
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the choices to a Markdown file.",
)
@click.option(
    "--names",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the names to FILE, worst first; if it exists, use the names in it.",
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
    """Convert copies into a template and data, without losing a byte but white space.

    PATHS are copies, or folders in which they are found. Without --into, nothing is written but --report: the sets of
    copies are listed, those that are worth it first. `shared` is how much of a copy's text all others have as well;
    an open choice is a place where they differ, and nothing shows that a platform needs it.

    --resolve changes spellings, and mistakes that the linter finds. Names, numbers, links, code, settings, front matter
    and words that one copy alone has stay as they are. The plan is printed, and written after a question or with --yes.

    \b
    Examples:
      tutorial-tool adopt docs
      tutorial-tool adopt docs --resolve --report choices.md
      tutorial-tool adopt docs --resolve --into . --yes
      tutorial-tool adopt docs --step create-input --into .
      tutorial-tool adopt ios/start.md web/start.md --into tutorial --dry-run
    """
    from tutorial_tool.adopt import Wishes, base, check, merge, plan
    from tutorial_tool.adopt.names import renaming

    _refuse_interactive(interactive=interactive, resolve=resolve)
    written = {"--normalize": bool(normalize), "--names": bool(names), "--force": force}
    _refuse_without(into, {**written, "--remove-copies": remove_copies})
    try:
        standing = base.of(into.absolute()) if into else None
        _refuse_lost(into)
        result = _found(paths, standing, steps)
        ask = _ask if interactive else None
        wishes = Wishes(resolve, bool(normalize), result.root, ask, exact_whitespace, _renames(names))
        if standing is None:
            _look(result, steps, wishes, report)
            return
        adoption = _adopted(result, standing, steps, wishes)
        assert adoption.project is not None
        wishes.renames.check(adoption.project.files)
        planned = plan.plan(standing, adoption, result.root, force=force, remove=remove_copies)
        stay = bool(planned.hiding)
        judged = check.judged(planned.files, adoption.adopted, standing, result.root, hidden=stay)
        _refuse_existing(report, force)
        if normalize is None and planned.delete and not dry_run:
            _refuse_typed(judged, planned)
        if report is not None:
            _write_report(result, adoption, judged.lost, report)
        if names is not None and not names.exists():
            _write_names(adoption, names)
        show = partial(_print, result, adoption, judged, wishes, hidden=stay, dry_run=dry_run)
        if resolve and not any((yes, interactive, dry_run)) and _is_changed(adoption):
            show()
            _confirm()
            planned.write()
        else:
            _write(planned, dry_run=dry_run)  # first: a pipe that is closed early loses no work
            show()
    except plan.FilesExist as problem:
        _end(*(f"{path} exists: use --force to overwrite it" for path in problem.paths))
    except InvalidInput as error:
        stop(error)
    except ConfigError as wrong:
        _end(*wrong.problems)
    except BrokenPipeError:  # whoever reads what is printed has read enough
        raise
    except (OSError, merge.Conflict, renaming.NamesError) as problem:
        _end(str(problem))
    _tell(result, planned, dry_run)
    _say(_from_here(result, _problems(adoption, judged, wishes, planned, written=not dry_run)))


def _is_changed(adoption: Adoption) -> bool:
    """Whether pages of the project say something else than the copies."""
    return bool(adoption.notes) or any(choice.winner is not None for choice in adoption.choices)


def _write(planned: Plan, *, dry_run: bool) -> None:
    if not dry_run:
        planned.write()


def _confirm() -> None:
    """Ask whether to write what the plan says. Without an answer, nothing is written."""
    try:
        answer = click.confirm("Write the project with these changes")
    except click.Abort:
        answer = False
    if not answer:
        _end("nothing was written: --yes writes the plan, --interactive asks about each choice")


def _refuse_typed(judged: Judged, planned: Plan) -> None:
    """Where copies would be deleted, and what is typed in them keeps the project from being built, end: once they are
    gone, nothing takes that out."""
    from tutorial_tool.adopt import report

    if count := report.computed(judged.failing):
        _say(report.typed(judged.failing), err=True)
        _end(f"nothing was written: {report.asked(count, planned.build)}")


def _refuse_interactive(*, interactive: bool, resolve: bool) -> None:
    if interactive and not resolve:
        raise click.UsageError("--interactive asks about the choices of --resolve: give both, --resolve --interactive")


def _refuse_existing(report: Path | None, force: bool) -> None:
    from tutorial_tool.adopt import plan

    if report is not None and report.exists() and not force:
        raise plan.FilesExist([str(report)])


def _refuse_without(into: Path | None, options: dict[str, bool]) -> None:
    """Options that say how a project is written make no sense where none is."""
    given = [name for name, value in options.items() if value]
    if given and into is None:
        change = "changes" if len(given) == 1 else "change"
        raise click.UsageError(
            f"{' and '.join(given)} {change} what is written, and no project is named: add --into DIR "
            "(with --dry-run, it prints what would be written, and writes nothing)"
        )


def _refuse_lost(into: Path | None) -> None:
    """Write nothing into a site that would lose the pages."""
    from tutorial_tool.adopt import standing

    site = standing.find(into.absolute()) if into else None
    if site and site.problem:
        _end(f"{site.problem}. Nothing was written; --into another folder makes a project there")


_HELP = """\
A number: all copies get that text, each with its platform's own name in it.
0: each copy keeps its text; it becomes a value in the data.
Enter: what is in brackets, which the evidence speaks for; 0 where nothing does.
Ctrl+C: stop; nothing is written."""


def _ask(choice: Choice) -> int | None:
    """Ask which of several texts to take."""
    from tutorial_tool.adopt import report

    click.echo(f"\n{choice.copies}: {choice.around}" + (f" ({choice.times} times)" if choice.times > 1 else ""))
    for number, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True), 1):
        click.echo(f"  {number}  {report.quoted_choice(variant, place)}")
    default = 0 if choice.winner is None else choice.winner + 1
    advice = f" ({choice.reason})" if choice.winner is not None else ""
    known = [str(number) for number in range(len(choice.variants) + 1)]
    while True:
        answer = click.prompt(f"Take which, 0 for all{advice}, ? for help", str(default)).strip()
        if answer in known:
            return int(answer) - 1 if answer != "0" else None
        if answer != "?":
            click.echo(f"'{answer}' is none of {', '.join(known)}")
        click.echo(_HELP)


def _print(result: Found, adoption: Adoption, judged: Judged, wishes: Wishes, *, hidden: bool, dry_run: bool) -> None:
    from tutorial_tool.adopt import report

    if wishes.resolve or wishes.normalize:
        _say(_from_here(result, report.choices(adoption)))
        click.echo()
    _say(report.summary(adoption))
    given = {copy.source.path: copy.source.raw for copy_set in result.sets for copy in copy_set.copies.values()}
    now = (copy.source for copy_set in adoption.adopted for copy in copy_set.copies.values())
    changed = any(given.get(source.path) != source.raw for source in now)
    click.echo(report.proof(adoption, changed=changed, leveled=not (wishes.resolve or wishes.normalize)))
    if not (wishes.resolve or wishes.normalize):
        _say(adoption.notes)
    if dry_run:
        _say(_from_here(result, report.mistakes(adoption, judged.lost)))
    if not wishes.resolve:
        _say(_from_here(result, report.open_choices(adoption, even_wrong=hidden and not dry_run)))


def _problems(adoption: Adoption, judged: Judged, wishes: Wishes, planned: Plan, *, written: bool) -> Iterable[str]:
    """What the linter finds in the copies only, and what a strict build fails on."""
    from tutorial_tool.adopt import report

    yield from report.laundered(adoption, judged.lost, written=written)
    failing = judged.failing if written else report.untold(judged.failing, adoption, judged.lost)
    yield from report.failing(failing, planned.build, written=written, modern=wishes.normalize)


def _look(result: Found, steps: tuple[str, ...], wishes: Wishes, file: Path | None) -> None:
    """Without a project to write: the list of sets, or, where somebody wants to see them, the choices."""
    from tutorial_tool.adopt import base, check, plan, report

    if not wishes.resolve and file is None:
        _list(result)
        return
    if file is not None and file.exists():
        raise plan.FilesExist([str(file)])
    adoption = _adopted(result, base.nothing(), steps, wishes)
    if wishes.resolve:
        _say(_from_here(result, report.choices(adoption)))
        click.echo()
    _say(report.summary(adoption))
    if file is not None:
        assert adoption.project is not None
        texts = {path: text.encode() for path, text in adoption.project.files.items()}
        judged = check.judged(texts, adoption.adopted, base.nothing(), result.root)
        _write_report(result, adoption, judged.lost, file)
        click.echo(f"Wrote {file}")
    click.echo("To write the project, say where: --into DIR")


def _write_report(result: Found, adoption: Adoption, lost: Sequence[Lost], file: Path) -> None:
    from tutorial_tool.adopt import report
    from tutorial_tool.fs import files

    text = "\n".join(_from_here(result, report.markdown(adoption, lost).split("\n")))
    files.write(file, text.encode(), root=file.absolute().parent)


def _renames(file: Path | None) -> Renames:
    """The names that a file wants; none where it is still to be written."""
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
    from tutorial_tool.fs import files

    assert adoption.project is not None
    files.write(file, renaming.write_names(adoption.project.files).encode(), root=file.absolute().parent)
    click.echo(f"Wrote {file}: write better names there, and run this again")


def _end(*messages: str) -> NoReturn:
    """Nothing was written: say why."""
    for message in messages:
        complain(ValueError(message))
    sys.exit(2)


def _found(paths: tuple[Path, ...], standing: Base | None, steps: tuple[str, ...]) -> Found:
    from tutorial_tool.adopt import sets, worth
    from tutorial_tool.core.diagnostics import did_you_mean
    from tutorial_tool.linter.config_lookup import Settings

    docs = standing.layout.root / standing.layout.docs if standing else None
    patterns = standing.patterns if standing else []
    config = Settings(Path.cwd()).config(Path.cwd())
    alone = steps[0].rpartition("/")[2] if len(steps) == 1 else None
    index = sets.find(paths, step=alone, docs=docs, patterns=patterns, config=config)
    _say(index.unreadable.values(), err=True)
    _say(sets.left_apart(index), err=True)
    if standing is not None and (lacking := [path for path in index.unreadable if sets.is_copy(path, index.sets)]):
        _end(f"nothing was written: {', '.join(lacking)} cannot be read, and would be left out")
    if missing := [step for step in steps if not any(worth.is_named(copy_set, [step]) for copy_set in index.sets)]:
        known = [copy_set.step for copy_set in index.sets]
        _end(*(f"step '{step}' has no copies here{did_you_mean(step.rpartition('/')[2], known)}" for step in missing))
    if not index.sets:
        _end(sets.NONE)
    return index


def _adopted(result: Found, standing: Base, steps: tuple[str, ...], wishes: Wishes) -> Adoption:
    from tutorial_tool import adopt
    from tutorial_tool.adopt import report, worth

    chosen = worth.chosen(result, standing, steps)
    _say((f"{copy_set}: left as copies: {reason}" for copy_set, reason in chosen.poor.items()), err=True)
    adoption = adopt.adopt(chosen.sets, standing, display=chosen.display, others=chosen.others, wishes=wishes)
    _say(report.left(adoption), err=True)
    if adoption.project is None:
        _end("nothing was adopted or written")
    return adoption


def _list(result: Found) -> None:
    from tutorial_tool.adopt import worth

    _say(worth.listed(result.sets))
    click.echo("\nTo adopt one: tutorial-tool adopt PATHS --step STEP --into DIR")


MOST_IN_FOLDER = 9  # Files of one folder that are listed one by one


def _listed(paths: Iterable[str]) -> list[str]:
    """Paths, in order; where a folder holds many of them, their number."""
    folders: dict[str, list[str]] = {}
    for path in sorted(paths):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    many = {folder: f"{folder}/ ({len(own)} files)" for folder, own in folders.items() if len(own) > MOST_IN_FOLDER}
    return sorted(path for folder, own in folders.items() for path in ([many[folder]] if folder in many else own))


def _tell(result: Found, planned: Plan, dry_run: bool) -> None:
    for path in _listed(planned.files.keys() - planned.copied):
        done = ("Would change", "Changed") if path in planned.grown else ("Would write", "Wrote")
        click.echo(f"{done[not dry_run]} {path}")
    if planned.copied:
        what = f"{len(planned.copied)} file{'s' if len(planned.copied) > 1 else ''} that the pages show or link"
        click.echo(f"{'Would copy' if dry_run else 'Copied'} {what}, the first: {min(planned.copied)}")
    _say(f"{'Would delete' if dry_run else 'Deleted'} {path}" for path in planned.delete)
    _say(_from_here(result, (*planned.notes, *planned.to_do)))


def _from_here(result: Found, lines: Iterable[str]) -> Iterator[str]:
    """Lines whose places in copies are told from the working folder on, where the copies stand below it."""
    here = Path.cwd()
    if not result.root.is_relative_to(here) or result.root == here:
        yield from lines
        return
    paths = "|".join(re.escape(copy.source.path) for copy_set in result.sets for copy in copy_set.copies.values())
    places = re.compile(rf"(?<![\w./-])(?=(?:{paths}):\d)")
    prefix = f"{result.root.relative_to(here).as_posix()}/"
    yield from (places.sub(prefix, line) for line in lines)


def _say(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)
