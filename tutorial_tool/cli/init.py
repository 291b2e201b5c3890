"""`tutorial-tool init`: creates a project, or adds a tutorial to an existing site."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from tutorial_tool.cli.shell import fail
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_LISTED
from tutorial_tool.core.errors import FilesExist

if TYPE_CHECKING:
    from tutorial_tool.adopt.existing_site import SiteConfiguration
    from tutorial_tool.scaffold.plan import Plan

_ID = lazy_re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
TITLE, PLATFORMS, STEP = "Quickstart", "iOS, Android", "Install the package"

_bad_platform = partial(click.BadParameter, param_hint="`--platform`")


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
@click.option(
    "--step",
    metavar="TEXT",
    multiple=True,
    help=f"The title of the first step. Default: {STEP}. `new-step` adds others.",
)
@click.option("--ci", type=click.Choice(["github", "gitlab", "none"]), help="The CI system that checks changes.")
@click.option(
    "--generator",
    type=click.Choice(["mkdocs", "zensical", "docusaurus", "hugo"]),
    default="mkdocs",
    help="The generator that publishes the site. Default: mkdocs.",
)
@click.option("--keep", is_flag=True, help="Keep an existing README and existing settings in DIR.")
@click.option("--force", is_flag=True, help="Overwrite existing files in DIR.")
@click.option("--yes", "-y", is_flag=True, help="Use the defaults without asking.")
def command(
    folder: Path,
    title: str | None,
    platforms: tuple[str, ...],
    step: tuple[str, ...],
    ci: str | None,
    generator: str,
    keep: bool,
    force: bool,
    yes: bool,
) -> None:
    """Write a project into DIR that builds and has no findings, or add a tutorial to the site in DIR.

    In a terminal, it asks for missing options. A mkdocs.yml in DIR gets the plugin, and keeps its comments. In a site
    of another generator, only the tutorial is added. Nothing else is changed.

    \b
    Examples:
      tutorial-tool init lamp
      tutorial-tool init lamp --title "Pair a lamp" --platform iOS --platform net=.NET --ci gitlab
      tutorial-tool init lamp --generator zensical
    """
    from tutorial_tool import scaffold
    from tutorial_tool.fs import files
    from tutorial_tool.scaffold import plan

    if len(step) > 1:
        raise click.BadParameter("only one first step; `tutorial-tool new-step` adds others", param_hint="`--step`")
    site = _find_site(folder, generator)
    ask = partial(_ask_option, not yes)
    try:
        title = ask("--title", "Title of the tutorial", title, TITLE)
        platforms = platforms or tuple(ask("--platform", "Platforms (comma-separated)", None, PLATFORMS).split(","))
        first = ask("--step", "Title of the first step", next(iter(step), None), STEP)
        ci = ci or ask("--ci", "CI system", None, "none" if site else "github", tuple(scaffold.CI))
        answers = scaffold.Answers(title, _map_ids(platforms), first, ci, generator)
        planned = plan.plan_files(folder, answers, site, keep=keep, force=force)
        planned.write_files()
    except FilesExist as taken:
        _reject_existing(folder, taken.paths, site)
    except OSError as problem:
        fail(f"nothing was written: {files.describe_os_error(problem)}")
    _print_summary(planned, site, scaffold.GENERATORS[generator].serve)


def _find_site(folder: Path, generator: str) -> SiteConfiguration | None:
    """Return the MkDocs site that exists in the folder, if the tutorial can become part of it."""
    from tutorial_tool.adopt import existing_site

    site = existing_site.find_configuration(folder)
    if site and generator != "mkdocs":
        raise click.UsageError(f"--generator is for a new site, and {site.name} is there: leave it out")
    if site and site.problem:
        fail(f"{site.problem}. Nothing was written; name another folder for a project of its own")
    return site


def _ask_option(
    asks: bool, option: str, question: str, given: str | None, default: str, choices: Sequence[str] = ()
) -> str:
    """Return an option's value, or the answer to its question in a terminal, or the default."""
    from tutorial_tool.scaffold import normalize_name

    if given is None and asks and sys.stdin.isatty() and sys.stdout.isatty():
        given = click.prompt(question, default, type=click.Choice(choices) if choices else str)
    text = normalize_name(default if given is None else given)
    if not text:
        raise click.BadParameter("must not be blank", param_hint=f"`{option}`")
    return text


def _map_ids(platforms: Iterable[str]) -> dict[str, str]:
    """Map ids to names: those of `ID=NAME` unchanged, others built from the name."""
    from tutorial_tool.scaffold import build_ids

    stated: dict[str, str] = {}
    named: list[tuple[str | None, str]] = []
    folded = set[str]()
    for text in platforms:
        id_, name = _read_platform(text)
        if id_ in stated:
            raise _bad_platform(f"two platforms have the id `{id_}`")
        if name.casefold() in folded:
            raise _bad_platform(f"two platforms have the name `{name}`")
        folded.add(name.casefold())
        stated |= {id_: name} if id_ else {}
        named.append((id_, name))
    made = iter(build_ids((name for id_, name in named if id_ is None), "platform", taken=stated))
    return {id_ or next(made): name for id_, name in named}


def _read_platform(text: str) -> tuple[str | None, str]:
    """Return the id, if stated, and the name of a platform."""
    from tutorial_tool.scaffold import normalize_name

    match = _ID.fullmatch(text.strip())
    name = normalize_name(match[2] if match else text)
    if not name:
        raise _bad_platform("the name of a platform must not be blank")
    if match is None and "=" in name:
        id_ = text.partition("=")[0].strip()
        raise _bad_platform(f"`{id_}` is not an id: use letters, digits, - and _, or write ID=NAME")
    return match[1] if match else None, name


def _reject_existing(folder: Path, paths: Iterable[str], site: SiteConfiguration | None) -> NoReturn:
    existing = [f"{folder / path} exists" for path in paths]
    keep = "" if site else "--keep leaves a README and settings as they are, "
    fail(*existing, f"nothing was written: name another folder; {keep}--force overwrites all of these")


def _print_summary(planned: Plan, site: SiteConfiguration | None, serve: str) -> None:
    """Print the written files, what is left to do, and the next commands."""
    from tutorial_tool.reporters.safe_text import make_visible

    folder = planned.folder
    if not planned.files:
        click.echo(f"Nothing to write: {make_visible(str(folder))} has all of these files already.")
        return
    for path in sorted(planned.files):
        changed = site is not None and path == site.name
        click.echo(f"{'Changed' if changed else 'Wrote'} {make_visible(str(folder / path))}")
    if site is None:
        _lint_project(folder)
    click.echo("\n" + "\n".join(_list_next_steps(planned, site, serve)))


def _lint_project(folder: Path) -> None:
    """Print the linter's findings about the names that were entered."""
    from tutorial_tool.linter import session
    from tutorial_tool.linter.config_lookup import LookupOptions
    from tutorial_tool.reporters import concise

    findings = session.run(session.Request(LookupOptions(Path.cwd()), (folder,))).findings
    if findings:
        click.echo("\nFindings in the new project:\n")
        lines = concise.render(findings).splitlines()
        click.echo("\n".join([*lines[:-1][:MAX_LISTED], *(["…"] * (len(findings) > MAX_LISTED)), lines[-1]]))


def _list_next_steps(planned: Plan, site: SiteConfiguration | None, serve: str) -> Iterator[str]:
    import shlex

    from tutorial_tool import scaffold
    from tutorial_tool.reporters.safe_text import make_visible

    is_elsewhere = planned.folder.resolve() != Path.cwd()
    commands = [f"cd {shlex.quote(str(planned.folder))}"] if is_elsewhere else []
    if site is None:
        commands.append("pip install -r requirements.txt")
        if scaffold.is_installed_from_folder():
            yield "requirements.txt points to a local folder, which CI does not have."
            yield f"For CI, replace it with, for example: {scaffold.EXAMPLE}"
    else:
        yield from site.to_do
        needed = "tutorial-tool" if scaffold.is_installed_from_folder() else scaffold.build_requirement()
        yield f"Install `{needed}` where your site is built, and link to {planned.start_page}."
        serve = "properdocs serve" if site.name == "properdocs.yml" else serve
        serve = serve if site.has_plugins else "tutorial-tool render build/markdown"
    yield "Next:"
    commands += ["tutorial-tool lint", serve]
    yield from (f"  {make_visible(command)}" for command in commands)
