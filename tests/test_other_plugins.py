"""Plugins that people have on their sites, in both orders, on the project that `init` writes, under `--strict`."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.repository import Repository
from tests.test_companions import shown
from tests.test_plugin import ENVIRONMENT, build, required
from tutorial_tool.cli import main

pytestmark = pytest.mark.slow

STEP = "lamp/ios/install-the-package"
STRICT = "--strict"


def lamp(folder: Path, plugins: str, files: dict[str, str] | None = None) -> Path:
    """A committed project of `init` with these plugins in place of its own."""
    root = folder / "lamp"
    arguments = ["init", str(root), "--platform", "iOS", "--platform", "Android", "--title", "Lamp", "--ci", "none"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    config = (root / "mkdocs.yml").read_text().replace("  - search\n  - tutorial\n", f"  {plugins}\n")
    (root / "mkdocs.yml").write_text(f"site_url: https://example.com/x/\n{config}")
    for name, text in (files or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    Repository(root).commit()
    return root


def both(*plugins: str) -> pytest.MarkDecorator:
    """The plugins before ours, and behind it."""
    theirs = ", ".join(plugins)
    return pytest.mark.parametrize("plugins", [f"[search, {theirs}, tutorial]", f"[search, tutorial, {theirs}]"])


def page(root: Path, path: str = STEP) -> str:
    return (root / "site" / path / "index.html").read_text()


@both("rss", "git-authors", "git-revision-date-localized")
def test_plugins_that_ask_git_find_the_template_of_a_step(plugins: str, tmp_path: Path) -> None:
    for name in ("mkdocs_rss_plugin", "mkdocs_git_authors_plugin", "mkdocs_git_revision_date_localized_plugin"):
        required(name)
    root = lamp(tmp_path, plugins)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    feed = (root / "site/feed_rss_created.xml").read_text()
    assert f"<link>https://example.com/x/{STEP}/</link>" in feed
    assert feed.count("<item>") == 5


OTHERS = {
    "glightbox": "mkdocs_glightbox",
    "minify: {minify_html: true}": "mkdocs_minify_plugin",
    "redirects: {redirect_maps: {old.md: index.md}}": "mkdocs_redirects",
    "macros": "mkdocs_macros",
    "git-authors": "mkdocs_git_authors_plugin",
    "git-revision-date-localized": "mkdocs_git_revision_date_localized_plugin",
    "include-markdown": "mkdocs_include_markdown_plugin",
    "section-index": "mkdocs_section_index",
    "tags": "material",
}


@pytest.mark.soak
@both(*OTHERS)
def test_many_plugins_go_together(plugins: str, tmp_path: Path) -> None:
    for name in OTHERS.values():  # some have no wheel, so they are in no lock
        pytest.importorskip(name)
    root = lamp(tmp_path, plugins)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert "tt-switch" in page(root)
    assert page(root).count("<h1") == 1
    assert (root / "site/old/index.html").exists()


POPULAR = (
    "awesome-pages",
    "awesome-nav",
    "blog",
    "gen-files: {scripts: [make.py]}",
    "git-revision-date-localized",
    "include-markdown",
    "literate-nav",
    "macros",
    "meta",
    "mike",
    "monorepo",
    "redirects: {redirect_maps: {old.md: index.md}}",
    "rss",
    "section-index",
    "table-reader",
    "tags",
)
"""Plugins that add something to a site, and nothing to the text of a step."""
FILES = {
    "make.py": "import mkdocs_gen_files\nwith mkdocs_gen_files.open('made.md', 'w') as file: file.write('# Made')\n",
    "docs_src/blog/index.md": "# Blog\n",
}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A step on a site without another plugin."""
    root = lamp(tmp_path_factory.mktemp("alone"), "[search, tutorial]", FILES)
    assert build(root, STRICT).returncode == 0
    return article(root)


def article(root: Path) -> str:
    text = page(root)
    return " ".join(text[text.index("<article") : text.index("</article>")].split())


@pytest.mark.soak
@pytest.mark.parametrize("order", ["[search, {}, tutorial]", "[search, tutorial, {}]"])
@pytest.mark.parametrize("plugin", POPULAR)
def test_a_popular_plugin_leaves_a_step_as_it_is(plugin: str, order: str, alone: str, tmp_path: Path) -> None:
    known = {entry.name.removeprefix("material/") for entry in entry_points(group="mkdocs.plugins")}
    if (name := plugin.partition(":")[0]) not in known:
        pytest.skip(f"{name} is not installed")
    root = lamp(tmp_path, order.format(plugin), FILES)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert article(root) == alone


@both("include-markdown")
def test_a_step_includes_a_file_from_beside_its_template(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_include_markdown_plugin")
    step = "---\ntitle: Check\n---\n\n{% raw %}{% include-markdown '../../notes/paper.md' %}{% endraw %}\n"
    files = {"notes/paper.md": "Lamps of **paper** burn.\n", "site_templates/steps/check.md.j2": step}
    root = lamp(tmp_path, plugins, files)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert "Lamps of <strong>paper</strong> burn." in page(root, "lamp/android/check")


@both("print-site")
def test_the_printed_site_has_the_title_of_each_step(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_print_site_plugin")
    root = lamp(tmp_path, plugins)
    is_last = plugins.endswith("print-site]")
    done = build(root, *[STRICT] * is_last)
    assert done.returncode == 0, done.stderr
    warnings = re.findall(r"^WARNING.*", done.stderr, re.MULTILINE)
    assert len(warnings) == (not is_last), "it warns where it is not the last plugin, which --strict forbids"
    assert all("print-site" in line for line in warnings)
    printed = page(root, "print_page")
    assert len(re.findall(r"<h1[^>]*>\s*Step 1\. Install the package", printed)) == 2
    assert len(re.findall("<h1", page(root))) == 1


@both("section-index")
def test_the_first_step_keeps_its_title_in_a_section(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_section_index")
    root = lamp(tmp_path, plugins)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert re.search(r"<h1>\s*Step 1\. Install the package</h1>", page(root))
    assert {"iOS", "Step 1. Install the package", "Android"} <= set(shown(root))


@both("literate-nav")
def test_a_summary_that_names_the_tutorial_has_its_platforms_names(plugins: str, tmp_path: Path) -> None:
    required("mkdocs_literate_nav")
    root = lamp(tmp_path, plugins, {"docs_src/SUMMARY.md": "* [Home](index.md)\n* [Learn](lamp/)\n"})
    config = (root / "mkdocs.yml").read_text()
    (root / "mkdocs.yml").write_text(config.replace("unrecognized_links: warn", "unrecognized_links: info"))
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    titles = [title for title in shown(root) if title in ("Learn", "iOS", "Android", "Ios")]
    assert titles == ["Learn", "iOS", "Android"]
    assert not [*(root / "site/lamp").rglob("SUMMARY*")]


@both("tags", "blog")
def test_steps_may_have_tags_beside_a_blog(plugins: str, tmp_path: Path) -> None:
    post = "---\ndate: 2026-01-02\n---\n\n# News\n\nA new lamp.\n"
    step = "---\ntitle: Check\ntags: [paper]\n---\n\nLook.\n"
    files = {
        "docs_src/blog/index.md": "# Blog\n",
        "docs_src/blog/posts/news.md": post,
        "docs_src/tags.md": "# Tags\n\n<!-- material/tags -->\n",
        "site_templates/steps/check.md.j2": step,
    }
    root = lamp(tmp_path, plugins, files)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert 'href="../lamp/android/check/' in page(root, "tags")


@both("mike")
def test_pages_know_the_version_that_mike_builds(plugins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    required("mike")
    root = lamp(tmp_path, plugins, {"docs_src/more.md": "---\nredirect_from: /old/\n---\n\n# More\n\nText.\n"})
    monkeypatch.setitem(ENVIRONMENT, "MIKE_DOCS_VERSION", "2.0")
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert '<link rel="canonical" href="https://example.com/x/2.0/lamp/ios/install-the-package/">' in page(root)
    assert 'data-root="../../../.."' in page(root), "a reader's platform is the same in all versions"
    shown = json.loads((root / "site/inventory.json").read_text())
    assert {entry["url"][:7] for entry in shown["pages"]} == {"/x/2.0/"}
    assert shown["redirects"] == [{"url": "/x/2.0/old/", "to": "/x/2.0/more/"}]
    (root / "tutorial-tool.toml").write_text('inventory = "site/inventory.json"\n')
    assert CliRunner().invoke(main, ["lint", str(root), "--no-cache"]).output.endswith("Nothing found.\n")
    (root / "docs_src/more.md").unlink()
    output = CliRunner().invoke(main, ["lint", str(root), "--no-cache"]).output
    assert "error[removed-url]: `/x/more/`" in output


@both("social")
def test_social_draws_a_card_for_each_step(plugins: str, tmp_path: Path) -> None:
    pytest.importorskip("cairosvg")  # needs libraries of the system, so it is in no lock
    font = pytest.importorskip("PIL.ImageFont").load_default(10)
    root = lamp(tmp_path, plugins)
    folder = root / ".cache/plugin/social/fonts/Roboto"  # where the plugin looks before it asks the web
    folder.mkdir(parents=True)
    (folder / "Regular.ttf").write_bytes(font.font_bytes)
    done = build(root, STRICT)
    assert done.returncode == 0, done.stderr
    assert (root / f"site/assets/images/social/{STEP}.png").read_bytes().startswith(b"\x89PNG")
    assert page(root).count('property="og:image"') == 1
    assert f"https://example.com/x/assets/images/social/{STEP}.png" in page(root)
