"""Other plugins of a site: those that go together with ours do so, and one that cannot is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repository import Repository
from tests.test_plugin import CONFIG, build, change, log_of, made, required, served, shows

pytestmark = pytest.mark.slow

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


def written(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def with_plugin(root: Path, name: str) -> Path:
    return made(root, CONFIG.replace("[search, tutorial]", f"[search, tutorial, {name}]"))


def test_i18n_publishes_files_of_the_docs_folder_only(tmp_path: Path) -> None:
    required("mkdocs_static_i18n")
    done = build(made(tmp_path, CONFIG.replace(PLUGINS, I18N)))
    assert done.returncode == 1
    assert (
        "mkdocs.yml: the plugin `i18n` publishes files of the docs folder only, and loses the pages that are rendered "
        "from platforms.yaml: give each language a mkdocs.yml with the option `lang` of the plugin `tutorial`, or run "
        "`tutorial-tool render`, and build what it writes"
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


PAGES = {
    "docs_src/.pages": "nav:\n  - index.md\n  - guide\n  - ...\n",
    "docs_src/guide/.pages": "title: Learn\nnav:\n  - index.md\n  - otter\n  - Birds: swan\n",
    "docs_src/guide/swan/.pages": "nav:\n  - finish.md\n  - ...\n",
    "docs_src/guide/index.md": "# Choose\n",
    "docs_src/about/us.md": "# Us\n",
}
"""Files of `awesome-pages` that name folders and pages of a tutorial."""


@pytest.mark.parametrize("plugins", ["[search, tutorial, awesome-pages]", "[search, awesome-pages, tutorial]"])
def test_awesome_pages_finds_the_folders_of_a_tutorial(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_awesome_pages_plugin")
    root = made(tmp_path, CONFIG.replace("[search, tutorial]", plugins))
    written(root, PAGES)
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    titles = shown(root)
    order = ["Home", "Learn", "Otter", "Welcome", "Birds", "About", "Us"]
    assert [title for title in dict.fromkeys(titles) if title in order] == order
    assert titles[titles.index("Birds") :].index("Step 2. Finish") < titles[titles.index("Birds") :].index("Welcome")
    html = (root / "site/guide/otter/finish/index.html").read_text()
    assert re.findall(r'href="([^"]+)" class="md-footer__link', html) == ["../prepare/"], "it stays on its platform"


def test_awesome_pages_sorts_pages_that_are_made_by_their_titles(tmp_path: Path) -> None:
    required("mkdocs_awesome_pages_plugin")
    root = with_plugin(tmp_path, "{awesome-pages: {order_by: title, order: desc}}")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    order = ["Swan", "Welcome", "Step 2. Finish", "Otter"]
    assert [title for title in dict.fromkeys(shown(root)) if title in order] == order


def test_awesome_pages_finds_tutorials_beside_its_own_mark(tmp_path: Path) -> None:
    required("mkdocs_awesome_pages_plugin")
    nav = "nav: [index.md, ..., {Learn: 'tutorial:guide'}]\n"
    root = made(tmp_path, CONFIG.replace("[search, tutorial]", "[search, tutorial, awesome-pages]") + nav)
    written(root, {"docs_src/about/us.md": "# Us\n"})
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    order = ["Home", "About", "Us", "Learn", "Swan", "Welcome", "Step 2. Finish", "Otter"]
    assert [title for title in dict.fromkeys(shown(root)) if title in order] == order


def test_literate_nav_may_name_folders(tmp_path: Path) -> None:
    required("mkdocs_literate_nav")
    root = with_plugin(tmp_path, "literate-nav")
    written(root, {
        "docs_src/SUMMARY.md": "* [Home](index.md)\n* Learn\n    * [Birds](guide/swan/)\n    * [Otter](guide/otter/)\n* [About](about/)\n",
        "docs_src/about/us.md": "# Us\n",
    })  # fmt: skip
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("plugins", ["tutorial, git-revision-date-localized", "git-revision-date-localized, tutorial"])
def test_a_page_that_is_made_does_not_show_when_it_was_built(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_git_revision_date_localized_plugin")
    root = made(tmp_path, CONFIG.replace("search, tutorial", f"search, {plugins}"))
    Repository(root).commit()
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    mark = "git-revision-date-localized-plugin"
    dated = [path.parent.name for path in (root / "site").rglob("index.html") if mark in path.read_text()]
    assert dated == ["site"], "the home page, which somebody writes, and no step"
    assert f"&lt;span class=&quot;{mark}" not in (root / "site/index.html").read_text()


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
        "mkdocs.yml:9:3: broken-link: `/guide/otter/` excludes 2 pages of tutorials that the navigation "
        "and other platforms link to; to leave them out, use `only` or `platforms` in the data"
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


def test_what_is_wrong_with_a_template_is_shown_beside_macros(tmp_path: Path) -> None:
    required("mkdocs_macros")
    root = with_plugin(tmp_path, "macros")
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "Step 2. Finish"), log_of(root).read_text()
        change(root / "site_templates/steps/finish.md.j2", "Done.", "{{ platform.values.pakage }} {% 1")
        assert shows(page, "steps/finish.md.j2:9:")
        assert shows(page, "platform.values.pakage")
        assert "Macro" not in log_of(root).read_text()


def test_manuals_of_rules_are_shown_beside_macros(tmp_path: Path) -> None:
    required("mkdocs_macros")
    root = made(tmp_path, CONFIG.replace("search, tutorial", "search, {tutorial: {rules: rules}}, macros"))
    assert "Macro" not in build(root).stderr
    html = (root / "site/rules/undefined-name/index.html").read_text()
    assert "{{" in re.sub("<.*?>", "", html)


ADDED = """\
from mkdocs.structure.files import File


def on_files(files, config):
    files.append(File.generated(config, "made.md", content="# Made"))
"""


@pytest.mark.parametrize("plugins", ["[search, tutorial, blog]", "[search, blog, tutorial]"])
def test_what_other_plugins_add_is_shown_and_what_they_hide_is_not(plugins: str, tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG.replace("[search, tutorial]", plugins) + "hooks: [hook.py]\n")
    post = "---\ndate: 2026-01-02\n---\n\n# A heron\n\nIt flew.\n"
    written(root, {"docs_src/blog/index.md": "# News\n", "docs_src/blog/posts/heron.md": post, "hook.py": ADDED})
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    assert {"News", "Made", "Otter", "Step 2. Finish"} <= set(shown(root))
    assert not {"A heron", "Posts"} & set(shown(root)), "a post stands in the list of posts"
