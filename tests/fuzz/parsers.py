"""What reads texts that strangers write: each takes some, and must neither raise nor take long."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click

from tests import project
from tests.fuzz import messages, session, shapes
from tutorial_tool import adopt, data, reporters, site
from tutorial_tool.adopt import base, plan, sets
from tutorial_tool.config import settings
from tutorial_tool.config.settings import Config, ConfigError
from tutorial_tool.core.diagnostics import Finding, InvalidInput
from tutorial_tool.core.errors import FilesExist
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.linter import baseline, engine, fixer
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.markdown import html_tags
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.publishing import inventory
from tutorial_tool.rules import get_rules
from tutorial_tool.site import loading
from tutorial_tool.templating.environment import Namespace, TemplateEnvironment, TemplateFailure

EVERYTHING = ("ALL",)


@cache
def folder(name: str) -> Path:
    """A folder that lasts as long as the tests."""
    made = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@cache
def _project(name: str) -> Path:
    return project.write(folder(name))


def _named(texts: Sequence[str], prefix: str = "") -> dict[str, str]:
    return {f"{prefix}p{number}.md": text for number, text in enumerate(texts)}


def _told(findings: Sequence[Finding]) -> None:
    """Every finding can be printed, in every format."""
    for form in settings.FORMATS:
        reporters.render(form, findings).encode()


def _linted(root: Path, texts: dict[str, str], dialect: Dialect | None = None) -> LintedSite:
    read = site.load_plain([root / name for name in texts], root, texts, dialect=dialect)
    return LintedSite(read, engine.run(read, Config(root, select=EVERYTHING)))


def markdown(texts: Sequence[str]) -> None:
    root = folder("markdown")
    dialects = [None, *Dialect]
    dialect = dialects[sum(map(len, texts)) % len(dialects)]
    _told(_linted(root, _named(texts), dialect).findings)


def fixes(texts: Sequence[str]) -> None:
    root, named = folder("fixes"), _named(texts)
    result = fixer.run_rounds(lambda changed: _linted(root, {**named, **changed}), unsafe=True)
    for change in result.changes.values():
        change.after.raw.encode()  # what is written is text that a file can hold
    assert result.diff or not result.changes


def front_matter(texts: Sequence[str]) -> None:
    for text in texts:
        data.parse_metadata(text)
        data.load_front_matter(Source("p.md", text))
    markdown(texts)


def _loaded(root: Path, overlay: dict[str, str]) -> None:
    read = loading.load(site.Layout.find(root), overlay)
    _told(engine.run(read, Config(root, select=EVERYTHING)))


def yaml(texts: Sequence[str]) -> None:
    for text in texts:
        _loaded(_project("yaml"), {"platforms.yaml": text})


SMALL = """\
platforms: {swan: {name: Swan, labels: {menu: Menu}, values: {package: kit}, can: [fly]}}
tutorials: {guide: {title: Guide, steps: [welcome, finish]}}
tables: {settings: {columns: {setting: Setting, value: Value}, rows: {sound: {setting: Sound, value: On}}}}
"""


def steps(texts: Sequence[str]) -> None:
    names = ("steps/welcome.md.j2", "steps/finish.md.j2")
    root = project.write(folder("steps"), SMALL, dict.fromkeys(names, project.TEMPLATES[names[1]]))
    for text in texts:
        _loaded(root, {"site_templates/steps/welcome.md.j2": text})


VALUES: dict[str, object] = {
    "platform": Namespace("platform", {"name": "Swan", "values": Namespace("values", {"package": "kit"})}),
    **dict.fromkeys(("table", "part", "code", "rows", "link", "figure"), lambda *_, **__: "word " * 9),
}


def template(texts: Sequence[str]) -> None:
    for text in texts:
        sources = {
            "page": Source("page", text),
            "steps/finish.md.j2": Source("finish", "The end of {{ platform.name }}.\n"),
        }
        environment = TemplateEnvironment(sources.get, lambda: ["page"])
        if environment.check_syntax("page") is None:
            with contextlib.suppress(TemplateFailure):
                environment.render_traced("page", VALUES)


def configuration(texts: Sequence[str]) -> None:
    rules = {rule.name: rule.group for rule in get_rules().values()}
    root = folder("configuration")
    (root / "page.md").write_text("# Title\n\nTeh text of `teh` page.\n", encoding="utf-8")
    for text in texts:
        for name, before in (("tutorial-tool.toml", ""), ("pyproject.toml", "[tool.tutorial-tool]\n")):
            file = root / name
            file.write_bytes((before + text).encode("utf-8", "surrogatepass"))
            try:
                told = settings.load(file, rules)
                told.excludes("a/b.md")
                engine.run(site.load_plain([root / "page.md"], root), told)
                baseline.get_configured(told)
            except ConfigError as problem:
                assert problem.problems  # noqa: PT017 - most inputs raise nothing
            file.unlink()


def known(texts: Sequence[str]) -> None:
    file = folder("known") / "tutorial-baseline.json"
    for text in texts:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            baseline.load(file)
        except ConfigError as problem:
            assert problem.problems  # noqa: PT017 - most inputs raise nothing
        read = files.read(file, root=file.parent)
        try:
            inventory.parse_entries(read) if isinstance(read, Source) else None
        except inventory.UnreadableInventory as problem:
            assert str(problem)  # noqa: PT017 - most inputs raise nothing


SITE_FILES = (
    "mkdocs.yml",
    "_redirects",
    "redirects.json",
    "docusaurus.config.js",
    "netlify.toml",
    "redirects.yaml",
    ".htaccess",
)


def redirects(texts: Sequence[str]) -> None:
    root = folder("redirects")
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs/index.md").write_text("# Home\n\n[a](a.md#b) [b](/b/) [c](../../c.md)\n", encoding="utf-8")
    for text in texts:
        for name in SITE_FILES:
            (root / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        read = site.load_plain([root / "docs/index.md"], root)
        _told(engine.run(read, Config(root, select=EVERYTHING)))


def html(texts: Sequence[str]) -> None:
    from tutorial_tool.publishing import html_escaping

    for text in texts:
        list(html_tags.iter_attributes(text))
        html_escaping.restore_html(text)


COPY = "# Pair {name}\n\nOpen the app on {name}.\n\n| Setting | Value |\n| --- | --- |\n| Sound | On |\n\n{text}\n\nThen wait.\n"


def adopted(texts: Sequence[str]) -> None:
    """Copies of one step, of which each has one text twice: once as it is, once spoilt."""
    root, into = folder("copies"), folder("into")
    for number in range(0, len(texts) - 1, 2):
        for name, text in zip(("swan", "otter"), texts[number : number + 2], strict=True):
            (root / f"{name}.md").write_bytes(COPY.format(name=name.title(), text=text).encode())
        try:
            standing = base.load(into)
            found = sets.find([root / "swan.md", root / "otter.md"])
            made = adopt.adopt(found.sets, standing)
            if made.project is not None:
                plan.plan(standing, made, found.root, force=True, remove=False)
        except (InvalidInput, FilesExist, click.UsageError):
            continue


def bytes_(texts: Sequence[str]) -> None:
    """A text in an encoding that it should not have."""
    for text in texts:
        for encoding in ("utf-16", "utf-8-sig", "latin-1", "utf-32-le", "cp1252", "utf-8"):
            found = files.decode("p.md", text.encode(encoding, "replace"))
            assert isinstance(found, Finding | Source)


@cache
def _open() -> Path:
    return session.written(folder("messages"))


def spoken(texts: Sequence[str]) -> None:
    session.run(_open(), texts)


class Parser(NamedTuple):
    """What reads, what it is given, and how many inputs of the 100,000 it gets, so many at once."""

    read: Callable[[Sequence[str]], None]
    shape: Callable[..., str]
    share: int
    at_once: int = 1


PARSERS = {
    "markdown": Parser(markdown, shapes.markdown, 30_000, 20),
    "comments": Parser(markdown, shapes.comments, 10_000, 20),
    "front-matter": Parser(front_matter, shapes.front_matter, 10_000, 20),
    "fixes": Parser(fixes, shapes.markdown, 3_000, 10),
    "yaml": Parser(yaml, shapes.yaml, 9_000),
    "template": Parser(template, shapes.template, 8_000),
    "steps": Parser(steps, shapes.template, 2_000),
    "configuration": Parser(configuration, shapes.toml, 5_000),
    "baseline": Parser(known, shapes.baseline, 10_000),
    "redirects": Parser(redirects, shapes.redirects, 3_000),
    "html": Parser(html, shapes.html, 10_000),
    "adopt": Parser(adopted, shapes.markdown, 2_000, 2),
    "bytes": Parser(bytes_, shapes.markdown, 5_000),
    "messages": Parser(spoken, messages.messages, 3_000, 10),
}
