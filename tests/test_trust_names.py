"""Names are data: of platforms in each command, of files in the navigation and in titles."""

from __future__ import annotations

import html
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import project, started
from tests.work import calls
from tutorial_tool import site, variants
from tutorial_tool.compare.rows import compare_variants
from tutorial_tool.compare.terminal import DrawOptions, render
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity, join_names
from tutorial_tool.core.source import Source
from tutorial_tool.linter import engine
from tutorial_tool.mkdocs_plugin import pages
from tutorial_tool.publishing.navigation import folders
from tutorial_tool.reporters import full
from tutorial_tool.scaffold import todo
from tutorial_tool.site import Site, symbols

NAMES = [
    "(Beta) iOS", "[Beta] iOS", "{Beta} iOS", "iOS (Beta)", "`iOS`", "*iOS*", "_iOS_", "a", "A", "iOS", "iOS 17", "iOS 17 Pro", "C", "C++", "C#", ".NET", "$", "\\", "|", "a|b",
    '"quoted"', "it's", "<b>", "&amp;", "{{ x }}", "{% x %}", "%s", "{0}", "[x](y)", "# 1", "- a", "1.", "  spaced  ", "ÄÖ", "日本", "🦢", "\u202eabc", "null", "true", "a" * 200,
]  # fmt: skip
"""With brackets, quotes, one letter, or within each other."""
STEP = "---\ntitle: Open {{ platform.name }}\n---\n\nOpen the {{ platform.name }} app and {% if platform.id == 'c' %}go{% else %}wait{% endif %}.\n\n- {{ platform.name }}\n"
COMMANDS = (
    ("lint", "--no-cache"),
    ("compare", "s"),
    ("compare", "s", "--html", "out.html"),
    ("where", "a"),
    ("inventory",),
    ("render", "out"),
)


def write(root: Path, names: tuple[str, ...]) -> None:
    ids = ("a", "b", "c", *map("p{}".format, range(3, len(names))))
    platforms = {id_: {"name": name} for id_, name in zip(ids, names, strict=True)}
    data = {"platforms": platforms, "tutorials": {"t": {"title": "T", "steps": ["s"]}}}
    root.mkdir(parents=True)
    (root / "platforms.yaml").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    (root / "site_templates/steps").mkdir(parents=True)
    (root / "site_templates/steps/s.md.j2").write_text(STEP, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(NAMES)))
def test_each_command_takes_any_name_of_a_platform(tmp_path: Path, at: int) -> None:
    names = tuple(itertools.islice(itertools.cycle(NAMES), at, at + 3))
    root = tmp_path / "project"
    write(root, names)
    for command in COMMANDS:
        done = started.run("tutorial_tool", *command, cwd=root)
        assert "internal error" not in done.stderr, (names, command, done.stderr)
        assert done.returncode in (0, 1), (names, command, done.stderr)


def linted(read: Site, root: Path) -> None:
    engine.run(read, Config(root, select=("ALL",)))


def side_by_side(read: Site, root: Path) -> None:
    (step,) = variants.find_steps(read, Config(root).variants)
    assert "Text shared with the others" in render(compare_variants(step), DrawOptions())


def looked_up(read: Site, _: Path) -> None:
    uses = symbols.build_index(read)
    assert len([page for name in uses.names for page in uses.find_pages(name)]) > len(read.pages)
    assert (
        len([page for places in uses.uses.values() for place in places for page in uses.find_place_pages(place)]) > 100
    )


def listed(read: Site, _: Path) -> None:
    assert len(todo.build_status(read, read.model.platforms.values(), lambda _path: ())) == len(read.model.platforms)


@pytest.mark.parametrize("work", [linted, side_by_side, looked_up, listed])
def test_many_platforms_are_read_in_proportion(tmp_path: Path, work: Callable[[Site, Path], None]) -> None:
    """2,000 once took 72 s and 2.9 GB, `compare` and `where` more: each looked for all in each, or kept all for each."""
    counts = []
    for wide in (60, 240):
        root = tmp_path / f"{wide}"
        write(root, tuple(f"Phone {number}" for number in range(wide)))
        counts.append(calls(lambda root=root: work(project.load(root), root)))  # type: ignore[misc]
    assert counts[1] <= 4.2 * counts[0], counts  # less where the first run loads what both need


@pytest.mark.parametrize(
    ("count", "said"), [(20, ", ".join(f"p{n}" for n in range(20))), (2000, "p0, p1, p2 and 1,997 more")]
)
def test_many_platforms_are_named_in_few_words(count: int, said: str) -> None:
    names = tuple(f"p{number}" for number in range(count))
    found = Finding("a-rule", Severity.HINT, "this is so", Source("a.md", "text").span(0), names)
    assert f"  = on {said}" in list(full.render_finding(found, color=False))
    assert str(found) == f"a.md:1:1: a-rule: this is so [{said}]"
    assert join_names(names, " and ") == (said if count > 20 else said.replace(", p19", " and p19"))


PAGE = "<img src=x onerror=alert(1)>"


def test_a_folder_is_text_in_the_navigation(tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path))
    nav = folders.build_nav(read, ["index.md", f"{PAGE}/a.md", "q&a/b.md"], html.escape)
    titles = {title for entry in nav if isinstance(entry, dict) for title in entry}
    assert titles == {html.escape(PAGE), "Q&amp;a", "Guide"}


class Titled(SimpleNamespace):
    """A page of MkDocs, which has its title from its file, unless somebody gives it one."""

    title: Any = PAGE


@pytest.mark.parametrize(
    ("page", "title"),
    [
        (Titled(toc=[], meta={}, _title_from_render=None), "&lt;img src=x onerror=alert(1)&gt;"),
        (Titled(toc=[], meta={}, _title_from_render=PAGE), PAGE),
        (Titled(toc=[], meta={"title": PAGE}, _title_from_render=None), PAGE),
        (Titled(toc=[], meta={}, _title_from_render=None, title="<b>typed</b>"), "<b>typed</b>"),
    ],
)
def test_a_title_that_is_the_name_of_a_file_is_text(page: Any, title: str) -> None:
    pages.escape_titles(page)
    assert page.title == title


@pytest.mark.parametrize("name", [f"{PAGE}.md", 'a"b.md', "<b>/c.md"])
def test_a_name_that_may_be_markup_is_a_warning(tmp_path: Path, name: str) -> None:
    read = site.load_plain([tmp_path / name], tmp_path, {name: "# A\n"})
    assert [(finding.rule, str(finding.severity)) for finding in read.own_findings] == [("unsafe-path", "warning")]


@pytest.mark.parametrize("name", ["What's new.md", "Q&A.md", "a (b).md", "[slug].md", "{x}.md", "ä.md"])
def test_an_ordinary_name_is_fine(tmp_path: Path, name: str) -> None:
    assert site.load_plain([tmp_path / name], tmp_path, {name: "# A\n"}).findings == []


def test_a_page_of_a_project_has_the_same_warning(tmp_path: Path) -> None:
    root = project.write(tmp_path)
    (root / "docs_src").mkdir(exist_ok=True)
    (root / f"docs_src/{PAGE}.md").write_text("Text.\n")
    found = [finding for finding in project.load(root).findings if finding.rule == "unsafe-path"]
    assert [finding.span.path for finding in found] == [f"docs_src/{PAGE}.md"]
