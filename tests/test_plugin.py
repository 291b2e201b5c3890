"""The site under MkDocs, ProperDocs and Zensical: the same pages, and errors that are seen and go away."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import project, started
from tests.project import DATA

CONFIG = """\
site_name: Example
site_url: https://example.com/docs/
docs_dir: docs_src
repo_url: https://example.com/repo
edit_uri: edit/main/docs_src/
theme: {name: material, font: false, features: [content.action.edit, navigation.footer]}
plugins: [search, tutorial]
"""
ENVIRONMENT = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
ROOT = Path(__file__).parent.parent


def made(root: Path, config: str = CONFIG) -> Path:
    """The small test project with a configuration, and complete on all its platforms."""
    project.write(root)
    (root / "mkdocs.yml").write_text(config)
    return root


def build(root: Path, *options: str, engine: str = "mkdocs") -> subprocess.CompletedProcess[str]:
    return started.run(engine, "build", "-f", "mkdocs.yml", *options, cwd=root, env=ENVIRONMENT)


def required(name: str) -> None:
    """An engine that is missing skips the test at a user's, and fails it in CI."""
    if find_spec(name) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")


def pages(site: Path) -> dict[str, tuple[str, str]]:
    """Title and first heading of every page of a built site, by its address."""
    out = {}
    for path in sorted(site.rglob("*.html")):
        html = path.read_text()
        title = re.search(r"<title>(.*?)( [-–] Example)?</title>", html, re.DOTALL)
        heading = re.search(r"<h1[^>]*>(.*?)(?:<a |</h1>)", html, re.DOTALL)
        if path.name == "index.html":
            out[path.parent.relative_to(site).as_posix()] = (
                title[1].strip() if title else "",
                heading[1].strip() if heading else "",
            )
    return out


def links(site: Path) -> Iterator[tuple[Path, str, Path]]:
    """Every relative link and picture of a built site, with the file that it leads to."""
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for href in re.findall(r'(?:href|src)="?([^">\s]+)', page.read_text()):
            if not re.match(r"[a-z]+:|//|/|#", href):
                path = (page.parent / href.split("#")[0].split("?")[0]).resolve()
                yield page, href, path / "index.html" if path.is_dir() else path


def test_mkdocs_builds_every_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]  # as a user starts it
    done = subprocess.run(command, cwd=made(tmp_path), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built = pages(tmp_path / "site")
    assert built["guide/swan/prepare"] == ("Step 1. Prepare Swan", "Step 1. Prepare Swan")
    assert set(built) == {".", *(f"guide/{p}/{s}" for p in ("swan", "otter") for s in ("welcome", "prepare", "finish"))}
    assert not [(str(page), href) for page, href, path in links(tmp_path / "site") if not path.exists()]


def test_previous_and_next_stay_on_the_platform(tmp_path: Path) -> None:
    build(made(tmp_path))

    def neighbours(page: str) -> list[str]:
        html = (tmp_path / f"site/guide/{page}/index.html").read_text()
        return re.findall(r'<a href="([^"]+)" class="md-footer__link md-footer__link--(?:prev|next)"', html)

    assert neighbours("swan/welcome") == ["../prepare/"]
    assert neighbours("swan/prepare") == ["../welcome/", "../finish/"]
    assert neighbours("swan/finish") == ["../prepare/"]
    assert neighbours("otter/welcome") == ["../prepare/"]


def test_the_edit_link_opens_the_template(tmp_path: Path) -> None:
    build(made(tmp_path))
    html = (tmp_path / "site/guide/swan/prepare/index.html").read_text()
    assert 'href="https://example.com/repo/edit/main/site_templates/steps/prepare.md.j2"' in html


def test_an_ordered_list_stays_one_list_through_pictures_and_tables(tmp_path: Path) -> None:
    build(made(tmp_path))
    html = (tmp_path / "site/guide/swan/prepare/index.html").read_text()
    content = html[html.index("</h1>") : html.index("</article")]  # the list of steps stands above it
    assert content.count("<ol>") == 1
    assert len(re.findall(r"<li>", content[content.index("<ol>") : content.index("</ol>")])) == 3
    assert "<table" in content[content.index("<ol>") : content.index("</ol>")]


def test_the_navigation_places_tutorials_where_they_are_named(tmp_path: Path) -> None:
    nav = "nav:\n  - Home: index.md\n  - First: tutorial:guide\n  - more.md\n"
    root = made(tmp_path, CONFIG + nav)
    (root / "docs_src/more.md").write_text("# More\n")
    assert build(root, "--strict").returncode == 0
    html = (tmp_path / "site/index.html").read_text()
    shown = re.findall(r'<span class="md-ellipsis">\s*(.*?)\s*</span>', html, re.DOTALL)
    order = [shown.index(title) for title in ("Home", "First", "Swan", "Otter", "More")]
    assert order == sorted(order)


def test_a_tutorial_that_the_navigation_misnames_is_told_once(tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG + "nav:\n  - index.md\n  - tutorial: guid\n")
    done = build(root, "--strict")
    said = (done.stdout + done.stderr).replace("\n", " ")
    assert done.returncode == 1
    assert said.count("broken-link") == 1
    assert "names tutorial `guid`" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("project: nowhere", "mkdocs.yml:7:32: the option `project`: there is no platforms.yaml in `nowhere`; there is one in `.`"),
        ("templates: tmplates", "mkdocs.yml:7:34: the option `templates`: there is no folder `tmplates` in the project"),
    ],
)  # fmt: skip
def test_an_option_that_names_no_folder_is_told_at_its_place(option: str, told: str, tmp_path: Path) -> None:
    done = build(made(tmp_path, CONFIG.replace("[search, tutorial]", f"[{{tutorial: {{{option}}}}}]")))
    assert done.returncode == 1
    assert told in done.stdout.strip().splitlines() + done.stderr.strip().splitlines()


@pytest.mark.parametrize("options", [(), ("--strict",), ("-q",), ("-q", "--strict")])
@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (
            "platforms.yaml",
            "name: Swan",
            "nmae: Swan",
            "platforms.yaml:2:10: invalid-data: unknown key `nmae` in `swan`",
        ),
        (
            "site_templates/steps/finish.md.j2",
            "Done.",
            "{{ done }}",
            "site_templates/steps/finish.md.j2:9:4: undefined-name: `done` is not defined [swan, otter]",
        ),
    ],
)
def test_a_mistake_fails_the_build(
    tmp_path: Path, options: tuple[str, ...], path: str, old: str, new: str, message: str
) -> None:
    root = made(tmp_path)
    file = root / path
    file.write_text(file.read_text().replace(old, new))
    done = build(root, *options)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (root / "site").exists()


def test_what_is_missing_fails_a_strict_build_only(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "site_templates/steps/prepare/install.animals.md").unlink()
    assert build(root).returncode == 0
    done = build(root, "--strict")
    assert done.returncode == 1
    assert "missing-part" in done.stderr
    assert build(root, "--strict", "-q").returncode == 1


def test_findings_are_warnings_of_the_build_and_can_be_turned_off(tmp_path: Path) -> None:
    root = made(tmp_path)
    change(root / "site_templates/steps/finish.md.j2", "Done.", "Itâ€™s done. <!-- tutorial-tool: ignore[grammar] -->")
    done = build(root, "--strict")
    assert done.returncode == 1
    assert "site_templates/steps/finish.md.j2:9:3: mojibake" in done.stderr
    change(root / "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, {tutorial: {lint: false}}]")
    assert build(root, "--strict").returncode == 0
    assert "ignore[" not in (root / "site/guide/swan/finish/index.html").read_text(), "comments are not published"


@pytest.mark.parametrize(
    ("fail_on", "text", "code"),
    [
        ("error", "Done, the the end.", 0),
        ("warning", "Done, the the end.", 1),
        ("warning", "Done, an page.", 0),
        ("hint", "Done, an page.", 1),
    ],
)
@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_a_strict_build_fails_on_what_the_linter_fails_on(
    tmp_path: Path, fail_on: str, text: str, code: int, quiet: tuple[str, ...]
) -> None:
    root = made(tmp_path)
    change(root / "site_templates/steps/finish.md.j2", "Done.", text)
    (root / "tutorial-tool.toml").write_text(f'fail-on = "{fail_on}"\n')
    for _ in range(2):  # the second time, as it was built before
        assert build(root, "--strict", *quiet).returncode == code
    assert started.run("tutorial_tool", "lint", cwd=root).returncode == code


@pytest.mark.parametrize("folder", [".", ".."])
def test_what_the_configuration_excludes_fails_no_strict_build(tmp_path: Path, folder: str) -> None:
    root = made(tmp_path / "site")
    (root / "docs_src/old").mkdir()
    (root / "docs_src/old/page.md").write_text("# Old\n\nOpen the the menu.\n")
    glob = "docs_src/old" if folder == "." else "site/docs_src/old"  # relative to the file, above the project, too
    (root / folder / "tutorial-tool.toml").write_text(f'exclude = ["{glob}"]\n')
    lint = [sys.executable, "-m", "tutorial_tool", "lint"]
    assert subprocess.run(lint, cwd=root, check=False).returncode == 0
    assert subprocess.run([*lint, "docs_src/old"], cwd=root, check=False).returncode == 1, "a folder that is named"
    assert build(root, "--strict").returncode == 0
    (root / folder / "tutorial-tool.toml").unlink()
    assert build(root, "--strict").returncode == 1


def test_what_is_missing_can_be_ignored_without_the_linter(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "site_templates/steps/prepare/install.animals.md").unlink()
    change(root / "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, {tutorial: {lint: false}}]")
    assert build(root, "--strict").returncode == 1
    (root / "tutorial-tool.toml").write_text('ignore = ["missing-part"]\n')
    assert build(root, "--strict").returncode == 0


@pytest.mark.slow
def test_the_rules_can_be_pages_of_the_site(tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG + 'nav:\n  - index.md\n  - Rules: "rules:"\n')
    change(root / "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, {tutorial: {rules: help/rules}}]")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    assert "Python-Markdown" in (root / "site/help/rules/broken-list-numbering/index.html").read_text()
    assert 'href="broken-list-numbering/"' in (root / "site/help/rules/index.html").read_text()


def test_markup_in_titles_is_text(tmp_path: Path) -> None:
    root = made(tmp_path)
    template = root / "site_templates/steps/finish.md.j2"
    template.write_text(template.read_text().replace("title: Finish", "title: </title><script>alert(1)</script>"))
    build(root)
    for page in (tmp_path / "site").rglob("*.html"):
        assert "<script>alert(1)" not in page.read_text(), page


@pytest.mark.slow
def test_properdocs_builds_the_same_pages(tmp_path: Path) -> None:
    required("properdocs")
    root = made(tmp_path)
    assert build(root, "-d", "a").returncode == 0
    done = build(root, "--strict", "-d", "b", engine="properdocs")
    assert done.returncode == 0, done.stderr
    assert pages(root / "a") == pages(root / "b")
    assert not [href for _, href, path in links(root / "b") if not path.exists()]


def test_zensical_builds_the_same_pages_from_plain_markdown(tmp_path: Path) -> None:
    required("zensical")
    root = made(tmp_path)
    build(root)
    assert started.run("tutorial_tool", "render", "plain", cwd=root).returncode == 0
    zensical = shutil.which("zensical") or str(Path(sys.executable).parent / "zensical")
    done = subprocess.run(
        [zensical, "build"], cwd=root / "plain", capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ours, theirs = pages(root / "site"), pages(root / "plain/site")
    assert {path: heading for path, (_, heading) in ours.items()} == {
        path: heading for path, (_, heading) in theirs.items()
    }
    assert not [href for _, href, path in links(root / "plain/site") if not path.exists()]


def log_of(root: Path) -> Path:
    """Where the server prints: beside the project, whose files it watches."""
    return root.with_name(root.name + ".log")


@contextmanager
def served(root: Path, *options: str) -> Iterator[str]:
    """`mkdocs serve` on a free port; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = log_of(root)
    log.write_text("")
    given = ("mkdocs", "serve", "-a", f"127.0.0.1:{port}", *options)
    process = started.start(*given, cwd=root, env=ENVIRONMENT, stdout=log, stderr=log)
    try:
        yield f"http://127.0.0.1:{port}/docs/"
        assert process.is_alive(), log.read_text()
    finally:
        process.kill()
        process.join()


def shows(url: str, text: str) -> bool:
    """Whether a page comes to show a text within half a minute."""
    for _ in range(150):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                if text in answer.read().decode():
                    return True
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.2)
    return False


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_mistake_while_serving_shows_as_a_page_and_goes_away(tmp_path: Path) -> None:
    root = made(tmp_path)
    data, template = root / "platforms.yaml", root / "site_templates/steps/finish.md.j2"
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "Step 2. Finish"), log_of(root).read_text()
        change(data, "name: Swan", "nmae: Swan")
        assert shows(page, "platforms.yaml:2:10")
        assert shows(url, "platforms.yaml:2:10"), "every page of the last good build says it"
        change(data, "nmae: Swan", "name: Swan")
        assert shows(page, "Step 2. Finish")
        change(template, "Done.", "{{ done }}")
        assert shows(page, "steps/finish.md.j2:9:4")
        change(template, "{{ done }}", "All done.")
        assert shows(page, "All done.")


def test_while_serving_a_page_shows_its_findings_and_a_build_does_not(tmp_path: Path) -> None:
    root = made(tmp_path)
    change(root / "site_templates/steps/finish.md.j2", "Done.", "Go to <b>the the</b> end.")
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "repeated word <code>the</code>"), log_of(root).read_text()
        with urllib.request.urlopen(page, timeout=5) as answer:
            text = answer.read().decode()
        place = f"{root.as_posix().removeprefix('/')}/site_templates/steps/finish.md.j2:9:10"
        assert f'href="vscode://file/{place}"' in text
        assert 'data-text="the the"' in text
        with urllib.request.urlopen(url + "_tutorial/", timeout=20) as answer:
            overview = answer.read().decode()
        assert "repeated-word: repeated word <code>the</code>" in overview
        assert "All text in the templates is on a page." in overview
        assert '<th scope="col">Swan</th>' in overview
    assert build(root).returncode == 0
    assert not [path for path in (root / "site").rglob("*.html") if "tt-writing" in path.read_text()]
    assert not list((root / "site").rglob("_tutorial*"))


def test_the_server_starts_with_a_mistake_in_place(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "site_templates/macros").mkdir()
    part = root / "site_templates/macros/note.md.j2"
    part.write_text("{% if %}")
    change(root / "site_templates/steps/finish.md.j2", "Done.", "{% include 'macros/note.md.j2' %}")
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "macros/note.md.j2:1:7"), log_of(root).read_text()
        part.write_text("All is noted.")
        assert shows(page, "All is noted.")


def test_a_missing_data_file_is_waited_for(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "platforms.yaml").unlink()
    with served(root) as url:
        assert shows(url, "platforms.yaml"), log_of(root).read_text()
        (root / "platforms.yaml").write_text(DATA)
        assert shows(url + "guide/swan/finish/", "Step 2. Finish")
