"""`adopt` in a project that stands: one step at a time, in data that others wrote."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.repository import Repository
from tests.test_adopt import CASES, rendered, run, shown, written
from tests.test_guide import GUIDE, blocks
from tests.test_guide import run as shell
from tests.test_guide import written as pages_of
from tests.test_plugin import build
from tutorial_tool import data
from tutorial_tool.adopt.merge import MergeConflict, merge_additions
from tutorial_tool.adopt.sets import find
from tutorial_tool.cli import main
from tutorial_tool.core.source import Source
from tutorial_tool.site import Layout
from tutorial_tool.site.loading import load

NAMES = {"ios": "iOS", "android": "Android", "web": "Web"}
SCENE = """\
---
title: Build a scene
order: 4
---

A scene on {} turns lamps on together, as often as you like.

1. Open the app and select **Scenes**.

2. Click **Add scene**, and give the scene a name.

Go back to [Pair a lamp](pair-a-lamp.md).
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A MkDocs project with two steps, as copies."""
    files = {f"docs/guides/{id_}/build-a-scene.md": SCENE.format(name) for id_, name in NAMES.items()}
    lamp = CASES / "lamp/copies"
    files |= {f"docs/{path.relative_to(lamp).as_posix()}": path.read_text() for path in lamp.rglob("*.md")}
    return written(
        tmp_path, {**files, "mkdocs.yml": "site_name: Lamps\nplugins: [search]\n", "docs/index.md": "# Lamps\n"}
    )


def pages(folder: Path) -> dict[str, bytes]:
    """All pages of a project as files, rendered or not, by their path."""
    return {page.path: page.encode_file() for page in load(Layout.find(folder)).pages}


def test_a_step_moves_and_the_others_stay_copies(project: Path) -> None:
    before = pages(project)
    done = run(project / "docs", "--step", "pair-a-lamp", "--into", project, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert "Deleted docs/guides/ios/pair-a-lamp.md\n" in done.output
    assert "Changed mkdocs.yml\n" in done.output
    assert (project / "mkdocs.yml").read_text() == "site_name: Lamps\nplugins: [search, tutorial]\n"
    assert (sorted(rendered(project)), pages(project)) == (
        [f"guides/{p}/pair-a-lamp.md" for p in sorted(NAMES)],
        before,
    )
    steps = load(Layout.find(project)).model.tutorials["guides"].steps
    assert list(steps) == ["pair-a-lamp", "build-a-scene"]


def test_a_copy_in_mdx_is_no_step_until_it_is_adopted(project: Path) -> None:
    for page in project.glob("docs/guides/*/build-a-scene.md"):
        page.rename(page.with_suffix(".mdx"))
    done = run(project / "docs", "--step", "pair-a-lamp", "--into", project, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert list(load(Layout.find(project)).model.tutorials["guides"].steps) == ["pair-a-lamp"]


def test_the_next_step_joins_it_and_comments_stay(project: Path) -> None:
    before = pages(project)
    run(project / "docs", "--step", "pair-a-lamp", "--into", project, "--remove-copies")
    path = project / "platforms.yaml"
    path.write_text("# Ours.\n" + path.read_text().replace("  ios: {", "  # as Apple writes it\n  ios: {"))
    written(project, {"docs/guides/ios/build-a-scene.md": SCENE.format("iOS").replace("Scenes", "Rooms")})
    before["guides/ios/build-a-scene.md"] = SCENE.format("iOS").replace("Scenes", "Rooms").encode()
    done = run(project / "docs", "--step", "build-a-scene", "--into", project, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert (len(rendered(project)), pages(project)) == (6, before)
    text = path.read_text()
    assert text.startswith("# Ours.\nplatforms:\n")
    assert "  # as Apple writes it\n  ios: {" in text
    assert "labels: {settings: Devices, label: Scenes}" in text


def test_what_is_better_left_stays_copies_in_the_same_tutorial(project: Path) -> None:
    own = {
        "ios": "Open the menu, and choose what you like.",
        "web": "Nobody knows.",
        "android": "Swipe, then wait a day.",
    }
    front = "---\ntitle: Reset a lamp\norder: 5\n---\n\nThe lamp forgets what it knows.\n\n"
    written(project, {f"docs/guides/{id_}/reset.md": front + f"{text}\n\n" * 4 for id_, text in own.items()})
    before = pages(project)
    done = run(project / "docs", "--into", project, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert (
        "guides/reset: left as copies: they share 40% of their text; --step reset adopts them all the same\n"
        in done.output
    )
    assert pages(project) == before
    tutorial = load(Layout.find(project)).model.tutorials["guides"]
    assert (list(tutorial.steps), len(rendered(project))) == (["pair-a-lamp", "build-a-scene", "reset"], 6)


def test_what_was_adopted_builds_strictly(project: Path) -> None:
    scene = project / "docs/guides"
    for path in scene.rglob("pair-a-lamp.md"):
        path.unlink()
    for path in scene.rglob("build-a-scene.md"):
        path.write_text(path.read_text().replace("[Pair a lamp](pair-a-lamp.md)", "the start"))
    assert run(scene, "--into", project / "new").exit_code == 0
    done = build(project / "new", "--strict")
    assert done.returncode == 0, done.stderr
    page = (project / "new/site/guides/android/build-a-scene/index.html").read_text()
    assert "A scene on Android turns lamps on together" in page


def test_a_copy_that_stays_hides_the_template_and_that_is_said(project: Path) -> None:
    done = run(project / "docs", "--step", "pair-a-lamp", "--into", project)
    assert "3 copies are left in the docs folder and win over the templates" in done.output
    assert (project / "docs/guides/ios/pair-a-lamp.md").exists()
    assert rendered(project) == {}


def test_a_project_with_errors_is_not_added_to(project: Path) -> None:
    written(project, {"platforms.yaml": "platforms: {ios: {nmae: iOS}}\n"})
    before = shown(project)
    done = run(project / "docs", "--step", "pair-a-lamp", "--into", project)
    assert (done.exit_code, "unknown key `nmae` in `ios`; did you mean `name`?" in done.output) == (2, True)
    assert shown(project) == before


def test_a_step_that_is_not_there_is_said(project: Path) -> None:
    done = run(project / "docs", "--step", "pair", "--into", project)
    assert (done.exit_code, done.output) == (2, "tutorial-tool: step `pair` has no copies here\n")
    done = run(project / "docs", "--step", "pair-lamp", "--into", project)
    assert done.output == "tutorial-tool: step `pair-lamp` has no copies here; did you mean `pair-a-lamp`?\n"


def test_without_a_project_the_sets_are_listed(project: Path) -> None:
    assert run(project / "docs").output.startswith(
        "guides/build-a-scene  3 copies   98% shared   0 choices open\n"
        "guides/pair-a-lamp    3 copies   81% shared   3 choices open\n"
    )


def test_adopting_again_changes_nothing(project: Path) -> None:
    arguments = (project / "docs", "--step", "pair-a-lamp", "--into", project / "new")
    run(*arguments)
    before = shown(project / "new")
    assert run(*arguments).exit_code == 0
    assert shown(project / "new") == before
    written(project / "new", {"site_templates/steps/pair-a-lamp.md.j2": "---\ntitle: Mine\n---\n"})
    assert run(*arguments).exit_code == 2
    assert run(*arguments, "--force").exit_code == 0
    assert shown(project / "new") == before


def test_the_copies_can_be_removed_afterwards(project: Path) -> None:
    before = pages(project)
    arguments = (project / "docs", "--step", "pair-a-lamp", "--into", project)
    assert "or run this with --remove-copies" in run(*arguments).output
    assert run(*arguments, "--remove-copies").exit_code == 0
    assert (len(rendered(project)), pages(project)) == (3, before)


def test_pictures_that_the_project_shows_stay(tmp_path: Path) -> None:
    figure = "---\ntitle: Look\n---\n\n{{ figure('lamp', alt='A lamp') }}\n"
    written(
        tmp_path,
        {
            "platforms.yaml": "platforms: {ios: {name: iOS}, web: {name: Web}}\n"
            "tutorials: {guide: {title: Guide, path: '{platform}/{step}', images: 'img/{figure}.png', steps: [look]}}\n",
            "site_templates/steps/look.md.j2": figure,
            "docs_src/img/lamp.png": "picture",
            "mkdocs.yml": "site_name: Guide\ndocs_dir: docs_src\nplugins: [tutorial]\n",
            "docs_src/ios/pair.md": "# Pair\n\nThe iOS app.\n",
            "docs_src/web/pair.md": "# Pair\n\nThe Web app.\n",
        },
    )
    done = run(tmp_path / "docs_src", "--step", "pair", "--into", tmp_path, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert "![A lamp](../img/lamp.png)" in pages(tmp_path)["ios/look.md"].decode()
    assert (
        "      - look\n      - {id: pair, numbering: {steps: false, sections: false}}\n"
        in (tmp_path / "platforms.yaml").read_text()
    )


def test_a_platform_that_extends_another_can_lack_what_that_one_has(tmp_path: Path) -> None:
    page = "# Start\n\nThe lamp and the app find each other.\n\n{}Then the lamp blinks, and you are done.\n"
    written(
        tmp_path,
        {
            "platforms.yaml": "platforms:\n  ios: {name: iOS}\n  android: {name: Android, extends: ios}\n"
            "tutorials: {guide: {title: Guide, path: '{platform}/{step}', steps: [start]}}\n",
            "docs_src/ios/start.md": page.format("Allow local networks.\n\n"),
            "docs_src/android/start.md": page.format(""),
            "mkdocs.yml": "site_name: Guide\ndocs_dir: docs_src\nplugins: [tutorial]\n",
        },
    )
    before = pages(tmp_path)
    done = run(tmp_path / "docs_src", "--into", tmp_path, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert pages(tmp_path) == before
    assert "{% if not platform.can('other-allow-local') %}" in shown(tmp_path)


# The site that the project is part of


NAV = """\
site_name: Lamps  # ours
nav:
  - Home: index.md
  # the phones
  - Phones:
      - {Scenes on iOS: guides/ios/build-a-scene.md}
      - Scenes on Android: guides/android/build-a-scene.md
  - guides/web/build-a-scene.md
theme: {name: mkdocs}
"""


def scenes(folder: Path, configuration: str, suffix: str = "md") -> Path:
    """A site of copies of one step."""
    text = SCENE.replace("(pair-a-lamp.md)", "(../../index.md)")
    files = {f"docs/guides/{id_}/build-a-scene.{suffix}": text.format(name) for id_, name in NAMES.items()}
    return written(folder, {**files, "docs/index.md": "# Lamps\n", "mkdocs.yml": configuration})


def test_the_configuration_gets_the_plugin_and_readers_see_the_same_navigation(tmp_path: Path) -> None:
    folder = scenes(tmp_path, NAV)
    assert build(folder, "--strict", "--site-dir", "before").returncode == 0
    done = run(folder / "docs", "--into", folder, "--remove-copies")
    assert (folder / "mkdocs.yml").read_text() == f"{NAV}plugins:\n  - search\n  - tutorial\n"
    assert "`nav` of mkdocs.yml names the pages, as before; `tutorial:guides` instead would list them" in done.output
    after = build(folder, "--strict", "--site-dir", "after")
    assert after.returncode == 0, after.stderr
    links = [re.findall(r'class="dropdown-item">|href="[^"]*scene/"', home) for home in homes(folder)]
    assert links[0] == links[1]
    assert len(links[0]) > 3


def homes(folder: Path) -> list[str]:
    return [(folder / name / "index.html").read_text() for name in ("before", "after")]


STEPS = {
    "first": "Every lamp has a name, and glows in the colour that you like best. Give it one that you recognise.",
    "second": "A network needs a key. Ask whoever looks after yours, and write it down for later, in a safe place.",
    "third": "A timer turns lamps on in the evening, and off when you are asleep. It knows when the sun goes down.",
}
TRAIL = "# The {0} page\n\n{2}\n\n1. Open the {1} app, and select **Settings**.\n2. Select the lamp, and wait.\n"


def trail(folder: Path, nav: str) -> Path:
    """A site of copies of three steps on two platforms, and what its `nav` says."""
    files = {
        f"docs/{id_}/{step}.md": TRAIL.format(step, name, about)
        for id_, name in (("ios", "iOS"), ("web", "Web"))
        for step, about in STEPS.items()
    }
    configuration = f"site_name: Our lamps\ntheme: {{name: mkdocs}}\nnav:\n  - Home: index.md\n{nav}"
    return written(folder, {**files, "docs/index.md": "# Lamps\n", "mkdocs.yml": configuration})


def test_steps_and_platforms_stand_in_the_order_of_the_nav_and_what_it_lacks_is_told(tmp_path: Path) -> None:
    nav = "".join(f"  - {id_}/{step}.md\n" for id_ in ("web", "ios") for step in ("third", "first"))
    folder = trail(tmp_path, nav)
    done = run(folder / "docs", "--into", folder, "--remove-copies")
    model = load(Layout.find(folder)).model
    assert (list(model.platforms), list(model.tutorials["docs"].steps)) == (
        ["web", "ios"],
        ["third", "first", "second"],
    )
    assert (
        "The `nav` of mkdocs.yml names 4 of 6 pages: the others follow the steps before them, or the whole `nav`."
        in done.output
    )


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (("lamp-10", "lamp-2", "lamp-1"), ["lamp-1", "lamp-2", "lamp-10"]),
        (("oauth2", "begin", "timers"), ["begin", "timers", "oauth2"]),
    ],
)
def test_a_number_orders_steps_where_all_have_one(names: tuple[str, ...], order: list[str], tmp_path: Path) -> None:
    folder = trail(tmp_path, "".join(f"  - ios/{step}.md\n" for step in order))
    for step, name in zip(STEPS, names, strict=True):
        for id_ in ("ios", "web"):
            (folder / f"docs/{id_}/{step}.md").rename(folder / f"docs/{id_}/{name}.md")
    assert run(folder / "docs", "--into", folder, "--remove-copies").exit_code == 0
    assert list(load(Layout.find(folder)).model.tutorials["docs"].steps) == order


def test_a_number_that_only_some_steps_state_orders_none(tmp_path: Path) -> None:
    steps = {"begin": (4, ""), "go-on": (5, "order: 6\n"), "an-end": (6, "")}
    docs = tmp_path / "docs"
    for step, (number, order) in steps.items():
        text = f"---\ntitle: Step {number}. {step.title()}\n{order}---\n\nTake the {step} key of the {{}} box, and turn it.\n"
        written(docs, {f"{id_}/{step}.md": text.format(id_) for id_ in ("ios", "web")})
    assert run(docs, "--into", tmp_path / "out").exit_code == 0
    assert "steps: [begin, go-on, an-end]" in (tmp_path / "out/platforms.yaml").read_text()


def test_a_tutorial_in_the_docs_folder_is_called_as_the_site(tmp_path: Path) -> None:
    folder = trail(tmp_path, "")
    done = run(folder / "docs", "--into", folder, "--remove-copies")
    assert load(Layout.find(folder)).model.tutorials["docs"].title == "Our lamps"
    assert "The `nav` of mkdocs.yml names none of the pages: they are in a section of their own" in done.output


def test_what_was_adopted_is_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = trail(tmp_path, "")
    repository = Repository(folder)
    repository.commit("Copies", {})
    run(folder / "docs", "--into", folder, "--remove-copies")
    monkeypatch.chdir(folder)
    assert "Nothing changed for readers." in CliRunner().invoke(main, ["diff", "HEAD"]).output


def test_a_nav_that_names_other_files_than_the_pages_names_the_pages(tmp_path: Path) -> None:
    folder = scenes(tmp_path, NAV.replace("scene.md", "scene.markdown"), "markdown")
    assert run(folder / "docs", "--into", folder, "--remove-copies").exit_code == 0
    assert (folder / "mkdocs.yml").read_text() == f"{NAV}plugins:\n  - search\n  - tutorial\n"
    assert build(folder, "--strict").returncode == 0


def test_a_configuration_that_cannot_be_edited_is_left_and_what_to_add_is_told(tmp_path: Path) -> None:
    text = "INHERIT: base.yml\nsite_name: Lamps\n"
    folder = scenes(tmp_path, text)
    out = run(folder / "docs", "--into", folder, "--remove-copies").output
    assert "mkdocs.yml inherits its plugins. Add the plugin to mkdocs.yml, beside those that are there:" in out
    assert "plugins:\n  - search\n  - tutorial\n" in out
    assert (folder / "mkdocs.yml").read_text() == text


def test_links_of_other_pages_to_mdx_copies_are_told_first(tmp_path: Path) -> None:
    other = "# Other\n\nIt keeps teh lamp on.\n\n[Pair](guides/{}/pair.mdx) it.\n".format
    files = {f"docs/guides/{id_}/pair.mdx": SCENE.format(name) for id_, name in NAMES.items()}
    files |= {"docusaurus.config.js": "module.exports = {};\n", "docs/other.mdx": other(next(iter(NAMES)))}
    folder = written(tmp_path, files)
    told = run(folder / "docs", "--into", folder, "--remove-copies").output.partition(" fails on these:\n")[2]
    assert "\nerror: docs/other.mdx:5:8: broken-link: " in told


def test_what_a_strict_build_fails_on_in_other_pages_is_told_too(tmp_path: Path) -> None:
    other = "# Other\n\nIt keeps teh lamp on.\n"
    folder = written(scenes(tmp_path, "site_name: Lamps\n"), {"docs/other.md": other, "docs/third.md": other})
    assert build(folder, "--strict").returncode == 0
    done = run(folder / "docs", "--into", folder, "--remove-copies")
    told = done.output.partition("`mkdocs build --strict` fails on these:\n")[2].splitlines()
    assert told == [
        "warning: docs/other.md:3:10: misspelling: `teh` should read `the`",
        "1 more in pages that were not adopted: `tutorial-tool lint` lists them.",
    ]
    failed = build(folder, "--strict")
    assert (failed.returncode != 0, told[0].partition(": ")[2] in failed.stderr) == (True, True)


@pytest.mark.parametrize("options", [(), ("--remove-copies",)])
def test_each_failure_of_a_strict_build_was_told_before(options: tuple[str, ...], project: Path) -> None:
    told = run(project / "docs", "--into", project, *options).output
    failed = build(project, "--strict")
    found = re.findall(r"^WARNING -  (\S+:\d+:\d+: .*)$", failed.stderr, re.MULTILINE)
    assert found
    for line in found:
        assert line in told or (": unused-template: " in line and "as no page uses the templates" in told), line


def test_the_settings_of_the_project_decide_what_a_strict_build_fails_on(tmp_path: Path) -> None:
    folder = written(scenes(tmp_path, "site_name: Lamps\n"), {"docs/other.md": "# Other\n\nIt keeps teh lamp on.\n"})
    written(folder, {"tutorial-tool.toml": 'ignore = ["misspelling"]\n'})
    out = run(folder / "docs", "--into", folder, "--remove-copies").output
    assert "--strict" not in out
    done = build(folder, "--strict")
    assert done.returncode == 0, done.stderr


TYPED = "---\ntitle: Pair\n---\n\nPair your lamp with {}, as step 1.2 tells.\n\n## 2.1 Wait\n\nThe lamp blinks twice.\n"


def typed(folder: Path, name: str) -> Path:
    """A site whose copies have numbers that are typed."""
    pages = {f"docs/guides/{id_}/pair.md": TYPED.format(display) for id_, display in NAMES.items()}
    return written(folder, {**pages, name: "site_name: Lamps\n" if name.endswith(".yml") else ""})


def test_no_copy_is_deleted_before_somebody_says_what_becomes_of_typed_numbers(tmp_path: Path) -> None:
    folder = typed(tmp_path, "mkdocs.yml")
    before = shown(folder)
    done = run(folder / "docs", "--into", folder, "--remove-copies")
    assert done.exit_code == 2
    assert (
        "nothing was written: 1 number or link is typed but can be generated, and `mkdocs build --strict`"
        in done.output
    )
    assert "typed: Pair your lamp with {{ platform.name }}, as step 1.2 tells.\n" in done.output
    assert shown(folder) == before
    assert "would fail on these" in run(folder / "docs", "--into", folder, "--remove-copies", "--dry-run").output
    assert run(folder / "docs", "--into", folder, "--remove-copies", "--no-normalize").exit_code == 0


def test_copies_that_stay_can_be_adopted_again(tmp_path: Path) -> None:
    folder = typed(tmp_path, "mkdocs.yml")
    assert run(folder / "docs", "--into", folder).exit_code == 0


@pytest.mark.parametrize(
    ("name", "build_"),
    [
        ("mkdocs.yml", "mkdocs build --strict"),
        ("properdocs.yml", "properdocs build --strict"),
        ("docusaurus.config.ts", "tutorial-tool lint"),
        (".vitepress", "tutorial-tool lint"),
    ],
)
def test_what_fails_is_the_build_of_the_site(tmp_path: Path, name: str, build_: str) -> None:
    folder = typed(tmp_path, name)
    out = run(folder / "docs", "--into", folder, "--remove-copies", "--dry-run").output
    assert f"`{build_}` would fail on these:\n" in out
    assert ("cannot use the MkDocs plugin" in out) == (build_ == "tutorial-tool lint")


def test_settings_that_cannot_be_read_are_told_and_nothing_is_written(tmp_path: Path) -> None:
    folder = written(scenes(tmp_path, "site_name: Lamps\n"), {"tutorial-tool.toml": 'ignroe = ["misspelling"]\n'})
    before = shown(folder)
    done = run(folder / "docs", "--into", folder)
    assert (done.exit_code, "ignroe" in done.output) == (2, True)
    assert shown(folder) == before


# Adding to YAML


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("platforms:\n  ios: {name: iOS}\n", "platforms:\n  ios: {name: iOS, values: {a: x}}\n"),
        ("platforms:\n  ios: {name: iOS,}\n", "platforms:\n  ios: {name: iOS, values: {a: x}}\n"),
        ("platforms:\n  ios:\n    name: iOS  # b\n# c\n", "platforms:\n  ios:\n    name: iOS  # b\n    values: {a: x}\n# c\n"),
        ("platforms:\n  ios:\n    name: iOS\n    values:\n      b: y\n", "platforms:\n  ios:\n    name: iOS\n    values:\n      b: y\n      a: x\n"),
        ("platforms:\n  ios:\n    values: {b: y}\n    name: iOS", "platforms:\n  ios:\n    values: {b: y, a: x}\n    name: iOS"),
        ("platforms: {ios: {name: iOS}}\n", "platforms: {ios: {name: iOS, values: {a: x}}}\n"),
    ],
)  # fmt: skip
def test_what_is_new_is_spliced_in(text: str, wanted: str) -> None:
    source = Source("platforms.yaml", text)
    grown = merge_additions([source], {"platforms": {"ios": {"values": {"a": "x"}}}})
    assert grown == {"platforms.yaml": wanted}


def test_lists_grow_and_a_step_becomes_a_mapping() -> None:
    source = Source("platforms.yaml", "tutorials:\n  t:\n    steps:\n      - one\n      - {id: two}\n")
    grown = merge_additions([source], {"tutorials": {"t": {"steps": [{"id": "one", "only": ["ios"]}, "two", "three"]}}})
    assert grown["platforms.yaml"] == (
        "tutorials:\n  t:\n    steps:\n      - {id: one, only: [ios]}\n      - {id: two}\n      - three\n"
    )


def test_a_line_that_grows_too_long_becomes_a_block() -> None:
    start = (
        "platforms:\n  ios: {name: iOS, values: {kit: lamp-kit}}  # the first\n  web: {name: Web, values: {kit: web}}\n"
    )
    source = Source("platforms.yaml", start)
    long = {"path": "/a/rather/long/path/that/leads/to/a/file", "command": "do the thing with this and that " * 2}
    grown = merge_additions([source], {"platforms": {"ios": {"values": long}, "web": {"values": long}}})[
        "platforms.yaml"
    ]
    assert "  # the first\n  web:\n    name: Web\n    values:\n      kit: web\n      path: /a/rather" in grown
    inner = Source("platforms.yaml", "platforms: {\n  ios: {name: iOS, values: {kit: lamp-kit}}\n}\n")
    grown = merge_additions([inner], {"platforms": {"ios": {"values": long}}})["platforms.yaml"]
    assert "  ios: {name: iOS, values: {kit: lamp-kit, path: " in grown


def test_a_key_is_added_where_its_section_stands() -> None:
    root = Source("platforms.yaml", "include: [a.yaml]\n")
    included = Source("a.yaml", "platforms:\n  ios: {name: iOS}\n")
    grown = merge_additions(
        [root, included], {"platforms": {"web": {"name": "Web"}}, "tables": {"t": {"columns": {"a": "A"}}}}
    )
    assert grown["a.yaml"] == "platforms:\n  ios: {name: iOS}\n  web: {name: Web}\n"
    assert data.convert_to_plain(data.load_yaml(Source("", grown["platforms.yaml"])).node) == {
        "include": ["a.yaml"],
        "tables": {"t": {"columns": {"a": "A"}}},
    }


def test_what_stands_is_not_changed() -> None:
    source = Source("platforms.yaml", "platforms: {ios: {name: iOS}}\n")
    with pytest.raises(MergeConflict, match="`name` in `platforms: ios` says something else"):
        merge_additions([source], {"platforms": {"ios": {"name": "Apple"}}})


# The guide


def test_the_adopt_page_shows_the_template_and_the_data(tmp_path: Path) -> None:
    page = GUIDE / "how-to/adopt.md"
    pages_of(page, tmp_path)
    assert shell("tutorial-tool adopt docs --into tutorial", tmp_path).returncode == 0
    folder = tmp_path / "tutorial"
    expected = {
        "jinja": (folder / "site_templates/steps/pair.md.j2").read_text(encoding="utf-8"),
        "yaml": (folder / "platforms.yaml").read_text(encoding="utf-8"),
    }
    shown = {language: text for language, _, text in blocks(page) if language in expected}
    if "UPDATE" in os.environ:
        text = page.read_text(encoding="utf-8")
        for language, before in shown.items():
            text = text.replace(f"```{language}\n{before}```", f"```{language}\n{expected[language]}```")
        page.write_text(text, encoding="utf-8")
    else:
        assert shown == expected


# Sets of other platforms

BRIDGE = """\
---
title: Install the bridge
---

The bridge on {} connects all lamps of a house, also those that stand in the garden.

1. Take the package from the page of downloads, and unpack it.

2. Start the bridge, and write down the number that it prints.

Keep the number in a safe place.
"""
SYSTEMS = {"linux": "Linux", "macos": "macOS", "windows": "Windows"}


@pytest.fixture
def two_sets(tmp_path: Path) -> Path:
    """A project whose folder has two sets of copies without a platform that both have."""
    files = {f"docs/guides/{id_}/build-a-scene.md": SCENE.format(name) for id_, name in NAMES.items()}
    files |= {f"docs/guides/{id_}/install.md": BRIDGE.format(name) for id_, name in SYSTEMS.items()}
    return written(tmp_path, {**files, "mkdocs.yml": "site_name: Lamps\n", "docs/index.md": "# Lamps\n"})


def test_a_set_without_a_platform_of_the_adopted_step_is_no_step_of_its_tutorial(two_sets: Path) -> None:
    done = run(two_sets / "docs", "--step", "install", "--into", two_sets, "--remove-copies")
    assert done.exit_code == 0, done.output
    read = load(Layout.find(two_sets))
    assert sorted(read.model.platforms) == sorted(SYSTEMS)
    assert [list(tutorial.steps) for tutorial in read.model.tutorials.values()] == [["install"]]


def test_a_set_of_other_platforms_becomes_a_tutorial_of_its_own(two_sets: Path) -> None:
    before = pages(two_sets)
    for step in ("install", "build-a-scene"):
        done = run(two_sets / "docs", "--step", step, "--into", two_sets, "--remove-copies")
        assert done.exit_code == 0, done.output
    assert pages(two_sets) == before
    tutorials = load(Layout.find(two_sets)).model.tutorials
    assert [sorted(tutorial.platforms or ()) for tutorial in tutorials.values()] == [sorted(SYSTEMS), sorted(NAMES)]


def test_a_step_is_named_as_the_list_of_sets_names_it(two_sets: Path) -> None:
    listed = [line.split()[0] for line in run(two_sets / "docs").output.splitlines() if "  3 copies" in line]
    assert sorted(listed) == ["guides-install/install", "guides/build-a-scene"]
    for name in listed:
        done = run(two_sets / "docs", "--step", name, "--into", two_sets, "--dry-run")
        assert done.exit_code == 0, done.output
        assert f"{name.partition('/')[2]}: " in done.output


@pytest.mark.parametrize(
    ("plugins", "place"),
    [
        ("plugins:\n  - search\n  - i18n:\n      docs_structure: folder\n", "mkdocs.yml:4:5"),
        ("plugins: [search, i18n]\n", "mkdocs.yml:2:19"),
        ("plugins:\n  i18n: {docs_structure: folder}\n", "mkdocs.yml:3:3"),
    ],
)
def test_nothing_is_written_into_a_site_that_would_lose_the_pages(project: Path, plugins: str, place: str) -> None:
    (project / "mkdocs.yml").write_text(f"site_name: Lamps\n{plugins}")
    before = shown(project)
    done = run(project / "docs", "--into", project, "--remove-copies", "--no-normalize")
    assert done.exit_code == 2
    assert f"{place}: the plugin `i18n` publishes files of the docs folder only" in done.output
    assert shown(project) == before
    assert run(project / "docs", "--into", project.parent / "other").exit_code == 0


@pytest.mark.parametrize(
    ("heading", "front", "step"),
    [
        ("# {} Quickstart", "---\ntitle: {}\n---\n\n", "quickstart"),
        ("# Get started with {}", "", "get-started"),
        ("# {}", "", "kits"),
    ],
)
def test_a_step_is_never_called_by_a_platform(heading: str, front: str, step: str, tmp_path: Path) -> None:
    text = (
        "\n\nThis page helps you to pair a lamp with {}. It takes ten minutes, and a lamp that is on.\n\n"
        "Open the terminal, and add the kit of {} to your folder. Then start it, and wait for the lamp to blink.\n"
    )
    folder = written(
        tmp_path / "kits",
        {f"{name.lower()}.md": (front + heading + text).replace("{}", name) for name in ("Svelte", "Expo", "Angular")},
    )
    found = find([folder]).sets
    assert [(one.step, set(one.platforms)) for one in found] == [(step, {"svelte", "expo", "angular"})]
