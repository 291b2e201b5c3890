"""`tutorial-tool init`: a new project, or a tutorial in a site that stands already."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from tutorial_tool.cli.shell import complain, stop
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import InvalidInput

if TYPE_CHECKING:
    from tutorial_tool.adopt.standing import Standing
    from tutorial_tool.scaffold.copies import Adopted
    from tutorial_tool.scaffold.plan import Plan

_ID = lazy_re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
TITLE, PLATFORMS, STEP = "Quickstart", "iOS, Android", "Install the package"

FEW = 10  # So many findings are shown of a project that starts with some


@click.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--title", metavar="TEXT", help=f"The title of the tutorial. Default: {TITLE}.")
@click.option(
    "--platform",
    "platforms",
    metavar="NAME",
    multiple=True,
    help=f"A platform: its name, or ID=NAME. May be given again. Default: {PLATFORMS}.",
)
@click.option("--step", metavar="TEXT", help=f"The title of the first step. Default: {STEP}.")
@click.option("--ci", type=click.Choice(["github", "gitlab", "none"]), help="The CI system that checks changes.")
@click.option(
    "--generator",
    type=click.Choice(["mkdocs", "zensical", "docusaurus", "hugo"]),
    default="mkdocs",
    help="The generator that publishes the site. Default: mkdocs.",
)
@click.option(
    "--from",
    "copies",
    metavar="PATH",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Start from copies: a file, or a folder that contains them. May be given again.",
)
@click.option("--keep", is_flag=True, help="Keep an existing README and existing settings in DIR.")
@click.option("--force", is_flag=True, help="Overwrite existing files in DIR.")
@click.option("--yes", "-y", is_flag=True, help="Use the defaults without asking.")
def command(
    folder: Path,
    title: str | None,
    platforms: tuple[str, ...],
    step: str | None,
    ci: str | None,
    generator: str,
    copies: tuple[Path, ...],
    keep: bool,
    force: bool,
    yes: bool,
) -> None:
    """Write a project into DIR that builds and has no findings, or add a tutorial to the MkDocs site in DIR.

    In a terminal, it asks for missing options. A mkdocs.yml in DIR gets the plugin, and keeps its
    comments. Nothing else is changed.

    \b
    Examples:
      tutorial-tool init lamp
      tutorial-tool init lamp --title "Pair a lamp" --platform iOS --platform net=.NET --ci gitlab
      tutorial-tool init lamp --generator zensical
      tutorial-tool init . --from docs/ios --from docs/android
    """
    from tutorial_tool import scaffold
    from tutorial_tool.adopt import standing
    from tutorial_tool.scaffold import plan

    if copies and (platforms or step is not None):
        raise click.UsageError("--from takes platforms and steps from the copies: leave --platform and --step out")
    site = standing.find(folder)
    if site and generator != "mkdocs":
        raise click.UsageError(f"--generator is for a new site, and {site.name} is there: leave it out")
    if site and site.problem:
        _end(f"{site.problem}. Nothing was written; name another folder for a project of its own")
    ask = _Asking(sys.stdin.isatty() and sys.stdout.isatty() and not yes)
    try:
        adopted = _adopted(copies, folder, title) if copies else None
        title = ask("--title", "Title of the tutorial", title, _words(adopted.tutorial) if adopted else TITLE)
        if adopted is None and not platforms:
            platforms = tuple(ask("--platform", "Platforms (comma-separated)", None, PLATFORMS).split(","))
        if adopted is None:
            step = ask("--step", "Title of the first step", step, STEP)
        wanted = ci or ask("--ci", "CI of", None, "none" if site else "github", scaffold.CI)
        answers = scaffold.Answers(title, _ids(platforms or PLATFORMS.split(",")), step or STEP, wanted, generator)
        planned = plan.plan(folder, answers, site, adopted, keep=keep, force=force)
        planned.write()
    except plan.FilesExist as taken:
        _refuse(folder, taken.paths, site)
    except InvalidInput as error:
        stop(error)
    except OSError as problem:
        _end(f"nothing was written: {problem}")
    _tell(planned, site, adopted, scaffold.GENERATORS[generator].serve)


class _Asking:
    """Asks for what no option says, or takes the default."""

    def __init__(self, asks: bool) -> None:
        self.asks = asks

    def __call__(
        self, option: str, question: str, given: str | None, default: str, choices: Iterable[str] | None = None
    ) -> str:
        from tutorial_tool.scaffold import tidy

        if given is None and self.asks:
            given = click.prompt(question, default, type=click.Choice(list(choices)) if choices else str)
        text = tidy(default if given is None else given)
        if not text:
            raise click.BadParameter("needs a text that can be seen", param_hint=f"'{option}'")
        return text


def _ids(platforms: Iterable[str]) -> dict[str, str]:
    """Names by ids: those of `ID=NAME` as they are, others made of the name."""
    from tutorial_tool.scaffold import ids_of, tidy

    stated: dict[str, str] = {}
    reported: list[tuple[str | None, str]] = []
    for text in platforms:
        match = _ID.fullmatch(text.strip())
        name = tidy(match[2] if match else text)
        if not name:
            raise click.BadParameter("a platform needs a name that can be seen", param_hint="'--platform'")
        if match is None and "=" in name:
            id_ = text.partition("=")[0].strip()
            wrong = f"'{id_}' is no id of a platform: it has letters, digits, `-` and `_`; a name with `=` is ID=NAME"
            raise click.BadParameter(wrong, param_hint="'--platform'")
        if match and match[1] in stated:
            raise click.BadParameter(f"two platforms have the id '{match[1]}'", param_hint="'--platform'")
        if same := next((other for _, other in reported if name.casefold() == other.casefold()), None):
            alike = "" if same == name else f", as '{same}' but for capitals"
            raise click.BadParameter(f"two platforms have the name '{name}'{alike}", param_hint="'--platform'")
        stated |= {match[1]: name} if match else {}
        reported.append((match[1] if match else None, name))
    made = iter(ids_of((name for id_, name in reported if id_ is None), "platform", taken=stated))
    return {id_ or next(made): name for id_, name in reported}


def _words(id_: str) -> str:
    """An id as a title."""
    text = id_.replace("-", " ").replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def _adopted(paths: tuple[Path, ...], folder: Path, title: str | None) -> Adopted:
    from tutorial_tool import scaffold
    from tutorial_tool.adopt.merge import Conflict
    from tutorial_tool.scaffold import copies
    from tutorial_tool.site import DATA

    if (folder / DATA).exists():
        _end(f"{folder / DATA} exists already: `tutorial-tool adopt PATHS --into {folder}` adds copies to a project")
    try:
        adopted = copies.adopted(paths, folder.absolute())
        return copies.titled(adopted, words) if (words := scaffold.tidy(title or "")) else adopted
    except (copies.NothingAdopted, Conflict) as problem:
        _end(f"{problem}\nSee what can be adopted: tutorial-tool adopt {' '.join(map(str, paths))}")


def _refuse(folder: Path, paths: Iterable[str], site: Standing | None) -> NoReturn:
    reported = [f"{folder / path} exists" for path in paths]
    keep = "" if site else "--keep leaves a README and settings as they are, "
    _end(*reported, f"nothing was written: name another folder; {keep}--force overwrites all of these")


def _end(*messages: str) -> NoReturn:
    for message in messages:
        complain(ValueError(message))
    sys.exit(2)


def _tell(planned: Plan, site: Standing | None, adopted: Adopted | None, serve: str) -> None:
    """What was written, what is left to do, and the next commands."""
    from tutorial_tool.reporters.visible import visible

    folder = planned.folder
    for path in sorted(planned.files):
        changed = site is not None and path == site.name
        click.echo(f"{'Changed' if changed else 'Wrote'} {visible(str(folder / path))}")
    for note in adopted.notes if adopted else ():
        click.echo(note)
    if site is None:
        _look(folder)
    click.echo("\n" + "\n".join(_next(planned, site, serve)))


def _look(folder: Path) -> None:
    """What the linter says of the names that somebody typed, or of the copies; else it says nothing."""
    from tutorial_tool.linter import session
    from tutorial_tool.linter.targets import Settings
    from tutorial_tool.reporters import concise

    findings = session.run(session.Request(Settings(Path.cwd()), (folder,))).findings
    if findings:
        click.echo("\nThe linter finds, in what this project starts from:\n")
        lines = concise.render(findings).splitlines()
        for line in [*lines[: min(FEW, len(lines) - 1)], *(["…"] if len(findings) > FEW else []), lines[-1]]:
            click.echo(line)


def _next(planned: Plan, site: Standing | None, serve: str) -> Iterator[str]:
    from tutorial_tool import scaffold
    from tutorial_tool.reporters.visible import visible

    at = planned.folder.resolve() != Path.cwd()
    commands = [f"cd {_quoted(planned.folder)}"] if at else []
    if site is not None:
        yield from site.to_do
        needed = "tutorial-tool" if scaffold.is_from_a_folder() else scaffold.requirement()
        yield f"Install `{needed}` where your site is built, and link to {planned.start}."
    if site is None:
        commands.append("pip install -r requirements.txt")
        if scaffold.is_from_a_folder():
            yield "requirements.txt points to a local folder, which CI does not have."
            yield f"For CI, replace it with, for example: {scaffold.EXAMPLE}"
    serves = site is None or site.has_plugins
    yield "Next:"
    serve = "properdocs serve" if site and site.name == "properdocs.yml" else serve
    commands += ["tutorial-tool lint", serve if serves else "tutorial-tool render build/markdown"]
    yield from (f"  {visible(command)}" for command in commands)


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
