"""`tutorial-tool adopt`: copies become one template and its data."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from tutorial_tool.cli.shell import complain, stop
from tutorial_tool.finding import Error

if TYPE_CHECKING:
    from tutorial_tool.adopt import Adoption, Wishes
    from tutorial_tool.adopt.base import Base
    from tutorial_tool.adopt.copies import CopySet
    from tutorial_tool.adopt.plan import Plan
    from tutorial_tool.adopt.sets import Found
    from tutorial_tool.adopt.unify import Choice


@click.command("adopt")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--into", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="The project to write.")
@click.option("--step", "steps", metavar="STEP", multiple=True, help="Adopt this step only; may be given again.")
@click.option("--unify", is_flag=True, help="Settle drift by evidence, and tell each choice.")
@click.option("--interactive", is_flag=True, help="With --unify: ask before each choice.")
@click.option("--modernise", is_flag=True, help="Take out what the tool computes: navigation, numbers, lists by hand.")
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the choices to a Markdown file.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--force", is_flag=True, help="Overwrite files that stand there.")
@click.option("--remove-copies", is_flag=True, help="Delete the adopted copies that stand where their pages would.")
def command(
    paths: tuple[Path, ...],
    into: Path | None,
    steps: tuple[str, ...],
    unify: bool,
    interactive: bool,
    modernise: bool,
    report: Path | None,
    dry_run: bool,
    force: bool,
    remove_copies: bool,
) -> None:
    """Turn copies of steps into one template each, and data, that give back the same bytes.

    PATHS are copies, or folders in which they are found. Without --into, nothing is written but --report: the sets of
    copies are listed, those that are worth it first.

    \b
    Examples:
      tutorial-tool adopt docs
      tutorial-tool adopt docs --unify --report choices.md
      tutorial-tool adopt docs --step create-input --into .
      tutorial-tool adopt ios/start.md web/start.md --into tutorial --dry-run
    """
    from tutorial_tool.adopt import Wishes, base, merge, plan

    if interactive and not unify:
        raise click.UsageError("--interactive asks about the choices of --unify: give both, --unify --interactive")
    _refuse_without(into, {"--modernise": modernise, "--force": force, "--remove-copies": remove_copies})
    try:
        standing = base.of(into.absolute()) if into else None
        found = _found(paths, standing, steps)
        wishes = Wishes(unify, modernise, found.root, _ask if interactive else None)
        if standing is None:
            _look(found, steps, wishes, report)
            return
        adoption = _adopted(found, standing, steps, wishes)
        planned = plan.plan(standing, adoption, found.root, force=force, remove=remove_copies)
        problems = list(_failing(planned, adoption, standing, wishes, dry_run=dry_run))
        if report is not None and report.exists() and not force:
            raise plan.Exists([str(report)])
        _print(adoption, wishes, dry_run=dry_run)
        if not dry_run:
            planned.write()
        if report is not None:
            _write_report(adoption, report)
    except plan.Exists as problem:
        _end(*(f"{path} exists: use --force to overwrite it" for path in problem.paths))
    except Error as error:
        stop(error)
    except (OSError, merge.Conflict) as problem:
        _end(str(problem))
    _tell(planned, dry_run)
    _say(problems)


def _refuse_without(into: Path | None, options: dict[str, bool]) -> None:
    """Options that say how a project is written make no sense where none is."""
    given = [name for name, value in options.items() if value]
    if given and into is None:
        raise click.UsageError(f"{', '.join(given)}: say with --into DIR which project is to be written")


_HELP = """\
A number: all copies get that text, each with its platform's own name in it.
0: each copy keeps its text; it becomes a value in the data.
Enter: what stands in brackets, which the evidence speaks for; 0 where nothing does.
Ctrl+C: stop; nothing is written."""


def _ask(choice: Choice) -> int | None:
    """Ask which of several texts to take."""
    from tutorial_tool.adopt import report

    click.echo(f"\n{choice.copies}: {choice.around}" + (f" ({choice.times} times)" if choice.times > 1 else ""))
    for number, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True), 1):
        click.echo(f"  {number}  {report.told(variant, place)}")
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


def _print(adoption: Adoption, wishes: Wishes, *, dry_run: bool) -> None:
    from tutorial_tool.adopt import report

    if wishes.unify or wishes.modernise:
        _say(report.choices(adoption))
        click.echo()
    _say(report.summary(adoption))
    click.echo(report.proof(adoption, changed=wishes.unify or wishes.modernise))
    if not wishes.unify:
        _say(report.mistakes(adoption) if dry_run else ())
        _say(report.open_choices(adoption))


def _failing(planned: Plan, adoption: Adoption, standing: Base, wishes: Wishes, *, dry_run: bool) -> Iterable[str]:
    """What a strict build fails on, unless copies that still stand there hide the templates."""
    from tutorial_tool.adopt import check, report

    if planned.hiding:
        return ()
    found = check.failing(planned.files, adoption.adopted, standing)
    return report.failing(found, written=not dry_run, modern=wishes.modernise)


def _look(found: Found, steps: tuple[str, ...], wishes: Wishes, file: Path | None) -> None:
    """Without a project to write: the list of sets, or, where somebody wants to see them, the choices."""
    from tutorial_tool.adopt import base, plan, report

    if not wishes.unify and file is None:
        _list(found)
        return
    if file is not None and file.exists():
        raise plan.Exists([str(file)])
    adoption = _adopted(found, base.nothing(), steps, wishes)
    if wishes.unify:
        _say(report.choices(adoption))
        click.echo()
    _say(report.summary(adoption))
    if file is not None:
        _write_report(adoption, file)
        click.echo(f"Wrote {file}")
    click.echo("To write the project, say where: --into DIR")


def _write_report(adoption: Adoption, file: Path) -> None:
    from tutorial_tool import files
    from tutorial_tool.adopt import report

    files.write(file, report.markdown(adoption).encode(), root=file.absolute().parent)


def _end(*messages: str) -> NoReturn:
    """Nothing was written: say why."""
    for message in messages:
        complain(ValueError(message))
    sys.exit(2)


def _found(paths: tuple[Path, ...], standing: Base | None, steps: tuple[str, ...]) -> Found:
    from tutorial_tool.adopt import sets

    docs = standing.layout.root / standing.layout.docs if standing else None
    patterns = standing.patterns if standing else []
    found = sets.find(paths, step=steps[0] if len(steps) == 1 else None, docs=docs, patterns=patterns)
    _say(found.unreadable, err=True)
    if missing := [step for step in steps if all(one.step != step for one in found.sets)]:
        _end(*(f"step '{step}' has no copies here" for step in missing))
    if not found.sets:
        _end(sets.NONE)
    return found


def _adopted(found: Found, standing: Base, steps: tuple[str, ...], wishes: Wishes) -> Adoption:
    from tutorial_tool import adopt
    from tutorial_tool.adopt import report

    sets = [replace(one, tutorial=standing.tutorial_of(one) or one.tutorial) for one in found.sets]
    wanted = [one for one in sets if one.step in steps] if steps else list(sets)
    if found.discovered and not steps:
        poor = report.poor(wanted)
        wanted = [one for one in wanted if one not in poor]
        _say((f"{one}: left as copies: {reason}" for one, reason in poor.items()), err=True)
    names = {platform: name for one in sets for platform, name in one.names.items()}
    others = _others(sets, wanted, found, standing)
    adoption = adopt.adopt(wanted, standing, display=names, others=others, wishes=wishes)
    _say(report.left(adoption), err=True)
    if adoption.project is None:
        _end("nothing was adopted, and nothing written")
    return adoption


def _others(sets: Sequence[CopySet], wanted: Sequence[CopySet], found: Found, standing: Base) -> list[CopySet]:
    """The other steps of these tutorials: they stay copies, if they stand in the project's docs folder."""
    tutorials = {one.tutorial for one in wanted} - standing.model.tutorials.keys()
    if found.root != standing.layout.root / standing.layout.docs:
        return []
    return [one for one in sets if one not in wanted and one.tutorial in tutorials]


def _list(found: Found) -> None:
    from tutorial_tool.adopt import report

    _say(report.worth(found.sets))
    click.echo("\nTo adopt one: tutorial-tool adopt PATHS --step STEP --into DIR")


def _tell(planned: Plan, dry_run: bool) -> None:
    _say(f"{'Would write' if dry_run else 'Wrote'} {path}" for path in sorted(planned.files.keys() - planned.copied))
    if planned.copied:
        what = f"{len(planned.copied)} file{'s' if len(planned.copied) > 1 else ''} that the pages show or link"
        click.echo(f"{'Would copy' if dry_run else 'Copied'} {what}, the first: {min(planned.copied)}")
    _say(f"{'Would delete' if dry_run else 'Deleted'} {path}" for path in planned.delete)
    _say(planned.notes)


def _say(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)
