"""Other plugins of a site: those that go together with ours do so, and one that cannot is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repository import Repository
from tests.test_plugin import CONFIG, build, change, made, required

I18N = """\
plugins:
  - tutorial
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, default: true, name: English, build: true}
        - {locale: de, name: Deutsch, build: true}
"""
PLUGINS = "plugins: [search, tutorial]\n"


def shown(root: Path) -> list[str]:
    """The texts of the navigation on the home page, as readers see them."""
    html = (root / "site/index.html").read_text()
    return re.findall(r'<span class="md-ellipsis">\s*(.*?)\s*</span>', html, re.DOTALL)


def with_plugin(root: Path, name: str) -> Path:
    return made(root, CONFIG.replace("[search, tutorial]", f"[search, tutorial, {name}]"))


def test_i18n_publishes_files_of_the_docs_folder_only(tmp_path: Path) -> None:
    required("mkdocs_static_i18n")
    done = build(made(tmp_path, CONFIG.replace(PLUGINS, I18N)))
    assert done.returncode == 1
    assert (
        "mkdocs.yml:9:5: the plugin 'i18n' publishes files of the docs folder only, and loses the pages that are made "
        "of platforms.yaml: give each language a mkdocs.yml and a project of its own"
    ) in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_awesome_nav_shows_tutorials_under_their_names_and_in_their_order(tmp_path: Path) -> None:
    required("mkdocs_awesome_nav")
    root = with_plugin(tmp_path, "awesome-nav")
    change(root / "platforms.yaml", "name: Swan,", "name: Swan <i>,")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    names = ["Home", "Guide", "Swan &lt;i&gt;", "Welcome", "Step 1. Prepare Swan", "Step 2. Finish", "Otter"]
    told = [next(title for title in shown(root) if title.startswith(name)) for name in names]
    assert sorted(told, key=shown(root).index) == told
    assert not list((root / "site").rglob(".nav.yml"))


def test_a_folder_that_says_its_own_order_keeps_it(tmp_path: Path) -> None:
    required("mkdocs_awesome_nav")
    root = with_plugin(tmp_path, "awesome-nav")
    folder = root / "docs_src/guide/swan"
    folder.mkdir(parents=True)
    (folder / ".nav.yml").write_text("title: Swans\nnav: [finish.md]\nappend_unmatched: true\n")
    assert build(root, "--strict").returncode == 0
    assert shown(root).index("Swans") < shown(root).index("Step 2. Finish") < shown(root).index("Welcome")


def test_a_page_that_is_made_does_not_show_when_it_was_built(tmp_path: Path) -> None:
    required("mkdocs_git_revision_date_localized_plugin")
    root = with_plugin(tmp_path, "git-revision-date-localized")
    Repository(root).commit()
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    mark = "git-revision-date-localized-plugin"
    dated = [path.parent.name for path in (root / "site").rglob("index.html") if mark in path.read_text()]
    assert dated == ["site"], "the home page, which somebody writes, and no step"


def test_code_that_looks_like_a_macro_stays_as_it_is(tmp_path: Path) -> None:
    required("mkdocs_macros")
    root = with_plugin(tmp_path, "macros")
    (root / "site_templates/steps/prepare/start.swan.py").write_text("'${{ secrets.KEY }}'\n")
    (root / "docs_src/index.md").write_text("# Home of {{ config.site_name }}\n")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    assert "${{ secrets.KEY }}" in re.sub("<.*?>", "", (root / "site/guide/swan/prepare/index.html").read_text())
    assert "Home of Example" in (root / "site/index.html").read_text()


@pytest.mark.parametrize("key", ["exclude_docs", "draft_docs"])
def test_steps_that_are_not_published_are_told_once_where_that_is_said(key: str, tmp_path: Path) -> None:
    root = made(tmp_path, f"{CONFIG}{key}: |\n  /guide/otter/\n  !/guide/otter/welcome.md\n")
    done = build(root, "--strict", "-q")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "mkdocs.yml:9:3: broken-link: `/guide/otter/` keeps 2 pages of tutorials from being published that the navigation "
        "and other platforms lead to: name who has them in the data instead, with `only` or `platforms`"
    ]
    assert "The tutorial has 1 finding" in done.stdout


def test_a_tutorial_in_the_navigation_may_have_a_blank_behind_its_colon(tmp_path: Path) -> None:
    nav = "nav:\n  - Home: index.md\n  - tutorial: guide\n  - Learn:\n    - more.md\n"
    root = made(tmp_path, CONFIG + nav)
    (root / "docs_src/more.md").write_text("# More\n")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    order = [shown(root).index(title) for title in ("Home", "Guide", "Swan", "Otter", "Learn", "More")]
    assert order == sorted(order)
    assert "tutorial" not in shown(root)
