"""While serving, a mistake costs its own pages only: the others stay, and each says what is wrong."""

from __future__ import annotations

import html
import re
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_plugin import change, log_of, made, served, shows

pytestmark = pytest.mark.slow

FINISH = "guide/swan/finish/"
PREPARE = "guide/swan/prepare/"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A project that is served, and the address of its site."""
    root = made(tmp_path_factory.mktemp("serving"))
    with served(root) as url:
        assert comes(url + FINISH, "Step 2. Finish"), log_of(root).read_text()
        yield root, url


def text_of(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return html.unescape(answer.read().decode())


def comes(url: str, text: str) -> bool:
    """Whether a page comes to show a text, as readers see it."""
    written = html.escape(text).replace("&#x27;", "&#39;")
    return shows(url, re.sub(r"`([^`]+)`", r"<code>\1</code>", written))


def test_a_wrong_step_in_the_data_costs_the_pages_of_that_step(serving: tuple[Path, str]) -> None:
    root, url = serving
    change(root / "platforms.yaml", "      - finish", "      - {id: finish, template: stpes/finish.md.j2}")
    assert comes(url + FINISH, "Build error."), log_of(root).read_text()
    page = text_of(url + FINISH)
    assert "platforms.yaml:16:22" in page
    assert "- {id: finish, <mark>template</mark>: stpes/finish.md.j2}" in page
    assert "<h1>Step 2. Finish</h1>" in page
    other = text_of(url + PREPARE)
    assert "Set what the table says." in other, "it is as it was built last"
    assert "Out of date" in other
    assert "platforms.yaml:16:22" in other
    change(root / "platforms.yaml", "      - {id: finish, template: stpes/finish.md.j2}", "      - finish")
    assert comes(url + FINISH, "Done.")
    assert "Out of date" not in text_of(url + PREPARE)


def test_a_missing_template_costs_the_pages_of_its_step(serving: tuple[Path, str]) -> None:
    root, url = serving
    template = root / "site_templates/steps/finish.md.j2"
    template.rename(template.with_name("finsh.md.j2"))
    assert comes(url + FINISH, "there is site_templates/steps/finsh.md.j2: rename it, or the step")
    change(root / "site_templates/steps/prepare.md.j2", "Set what the table says.", "Do what the table says.")
    assert comes(url + PREPARE, "Do what the table says."), "other pages go on"
    assert "1 error elsewhere" in text_of(url + "_tutorial/panel?page=guide/swan/prepare.md")
    assert "anchor" not in log_of(root).read_text(), "links still lead to the sections of the page"
    template.with_name("finsh.md.j2").rename(template)
    assert comes(url + FINISH, "Done.")


def test_the_overview_says_it_first_and_is_always_there(serving: tuple[Path, str]) -> None:
    root, url = serving
    change(root / "platforms.yaml", "tables:", "tables")
    assert comes(url + "_tutorial/", "this line is neither `key: value` nor `- item`"), log_of(root).read_text()
    overview = text_of(url + "_tutorial/")
    assert overview.index("Build errors") < overview.index("All steps")
    assert f'href="vscode://file/{root.as_posix().removeprefix("/")}/platforms.yaml' in overview
    assert "what the table says." in text_of(url + PREPARE)
    change(root / "platforms.yaml", "tables\n", "tables:\n")
    assert comes(url + "_tutorial/", "All text in the templates is on a page.")
    assert "Build errors" not in text_of(url + "_tutorial/")


def test_an_error_is_logged_once(serving: tuple[Path, str]) -> None:
    root, url = serving
    change(root / "site_templates/steps/finish.md.j2", "Done.", "{{ dnoe }}")
    assert comes(url + FINISH, "`dnoe` is not defined")
    change(root / "site_templates/steps/finish.md.j2", "{{ dnoe }}", "Done.")
    assert comes(url + FINISH, "Done.")
    assert log_of(root).read_text().count("`dnoe` is not defined") == 1


def test_a_configuration_that_cannot_be_used_leaves_the_pages(serving: tuple[Path, str]) -> None:
    root, url = serving
    settings = root / "tutorial-tool.toml"
    settings.write_text("selct = []\n")
    change(root / "site_templates/steps/finish.md.j2", "Done.", "All done.")
    assert comes(url + FINISH, "unknown option `selct`; did you mean `select`?")
    assert "The last build failed" in text_of(url + "_tutorial/")
    settings.unlink()
    assert comes(url + FINISH, "All done.")
    change(root / "mkdocs.yml", "plugins: [", "plugins: [[")
    assert comes(url + FINISH, "MkDocs encountered an error parsing the configuration file")
    change(root / "mkdocs.yml", "plugins: [[", "plugins: [")
    change(root / "site_templates/steps/finish.md.j2", "All done.", "Done.")
    assert comes(url + FINISH, "Done.")


@pytest.mark.parametrize("option", ["vocabulary-file", "baseline", "inventory"])
def test_a_file_that_the_configuration_names_and_the_linter_lacks_is_an_error(
    serving: tuple[Path, str], option: str
) -> None:
    root, url = serving
    settings = root / "tutorial-tool.toml"
    settings.write_text(f'{option} = "gone.txt"\n')
    assert comes(url + "_tutorial/", "The last build failed"), log_of(root).read_text()
    assert "gone.txt" in text_of(url + FINISH)
    settings.unlink()
    assert comes(url + FINISH, "Done.")


def test_a_file_of_words_is_followed(serving: tuple[Path, str]) -> None:
    root, url = serving
    settings, words, step = root / "tutorial-tool.toml", root / "words.txt", root / "site_templates/steps/finish.md.j2"
    words.write_text("swan\n")
    settings.write_text('vocabulary-file = "words.txt"\n')
    change(step, "Done.", "Done, as you recieve it.")
    assert comes(url + "_tutorial/", "should read `receive`"), log_of(root).read_text()
    words.write_text("recieve\n")
    assert comes(url + "_tutorial/panel?page=guide/swan/finish.md", "No findings"), log_of(root).read_text()
    change(step, "Done, as you recieve it.", "Done.")
    settings.unlink()
    assert comes(url + FINISH, "Done.")


def test_a_folder_that_goes_and_comes_back_is_followed(serving: tuple[Path, str]) -> None:
    root, url = serving
    templates, away = root / "site_templates", root.parent / "away"
    shutil.copytree(templates, away)
    shutil.rmtree(templates)
    assert comes(url + FINISH, "Build error."), log_of(root).read_text()
    shutil.move(away, templates)
    assert comes(url + FINISH, "Done."), log_of(root).read_text()
    change(templates / "steps/finish.md.j2", "Done.", "All done.")
    assert comes(url + FINISH, "All done."), log_of(root).read_text()
    change(templates / "steps/finish.md.j2", "All done.", "Done.")
    assert comes(url + FINISH, "Done.")


def test_the_linter_looks_at_all_that_can_be_rendered(serving: tuple[Path, str]) -> None:
    root, url = serving
    welcome, panel = root / "site_templates/steps/welcome.md.j2", url + "_tutorial/panel?page=guide/swan/welcome.md"
    change(root / "site_templates/steps/finish.md.j2", "Done.", "{{ dnoe }}")
    assert comes(url + "_tutorial/", "No other findings.")
    change(welcome, "Start with", "Start with the the")
    assert comes(url + "_tutorial/", "repeated word `the`")
    assert "from before" not in text_of(url + "_tutorial/")
    assert comes(panel, "1 finding, 1 error elsewhere")
    assert 'data-text="the the"' in text_of(panel)
    change(welcome, "Start with the the", "Start with")
    assert shows(panel, "<summary>1 error elsewhere")
    change(root / "site_templates/steps/finish.md.j2", "{{ dnoe }}", "Done.")
    assert comes(url + FINISH, "Done.")
    assert log_of(root).read_text().count("repeated word `the`") == 1


def test_what_was_found_before_is_told_while_pages_stay(serving: tuple[Path, str]) -> None:
    root, url = serving
    change(root / "site_templates/steps/welcome.md.j2", "Start with", "Start with a a")
    assert comes(url + "_tutorial/", "repeated word `a`")
    change(root / "platforms.yaml", "tables:", "tables")
    assert comes(url + "_tutorial/", "this line is neither `key: value` nor `- item`")
    page = text_of(url + "_tutorial/")
    assert "repeated word" in page[page.index("These are from the last successful build.") :]
    change(root / "platforms.yaml", "tables\n", "tables:\n")
    change(root / "site_templates/steps/welcome.md.j2", "Start with a a", "Start with")
    assert comes(url + FINISH, "Done.")


def test_files_that_come_while_serving_count(serving: tuple[Path, str]) -> None:
    root, url = serving
    settings, more = root / "tutorial-tool.toml", root / "more"
    settings.write_text("selct = []\n")
    assert comes(url + FINISH, "unknown option `selct`; did you mean `select`?")
    settings.unlink()
    assert comes(url + FINISH, "Done.")
    more.mkdir()
    (more / "one.yaml").write_text("groups: {birds: [swan]}\n")
    change(root / "platforms.yaml", "platforms:\n", "include: [more/*.yaml]\nplatforms:\n")
    assert shows(url + FINISH, "Done.")
    assert "birds" not in text_of(url + "_tutorial/")
    (more / "two.yaml").write_text("groups: {birds: [otter]}\n")
    assert comes(url + "_tutorial/", "birds")
    (more / "two.yaml").unlink()
    change(root / "platforms.yaml", "include: [more/*.yaml]\nplatforms:\n", "platforms:\n")
    assert comes(url + FINISH, "Done.")


def test_a_page_is_there_as_markdown_while_serving(serving: tuple[Path, str]) -> None:
    _, url = serving
    address = url + "_tutorial/markdown?page=guide/swan/finish.md"
    assert comes(url + FINISH, "../../../_tutorial/markdown?page=guide/swan/finish.md")
    assert text_of(address).startswith("---\ntitle: Step 2. Finish\n---\n")
    with pytest.raises(urllib.error.HTTPError):
        text_of(url + "_tutorial/markdown?page=../mkdocs.yml")


def test_a_page_that_cannot_be_read_is_the_only_one_that_is_not_there(serving: tuple[Path, str]) -> None:
    root, url = serving
    (root / "docs_src/notes.md").write_bytes("# \u00d6ffnen\n".encode("latin-1"))
    assert comes(url + "notes/", "is not UTF-8; save the file as UTF-8"), log_of(root).read_text()
    assert "what the table says." in text_of(url + PREPARE)
    (root / "docs_src/notes.md").write_text("# Notes\n")
    assert shows(url + "notes/", ">Notes</h1>")


def test_what_is_missing_is_logged_once_unless_it_is_ignored(tmp_path: Path) -> None:
    root = made(tmp_path / "shown")
    template = root / "site_templates/steps/finish.md.j2"
    template.write_text(template.read_text() + "\n{{ figure('none', alt='What nothing draws') }}\n\nThe the end.\n")
    with served(root) as url:
        assert comes(url + FINISH, "The the end."), log_of(root).read_text()
        assert written(root, "repeated-word"), "the linter has been there"
        assert log_of(root).read_text().count("missing-figure") == 1
    (root / "tutorial-tool.toml").write_text('ignore = ["missing-figure"]\n')
    with served(root):
        assert written(root, "repeated-word")
        assert "missing-figure" not in log_of(root).read_text()


def written(root: Path, word: str) -> bool:
    """Whether the log of the server comes to hold a word."""
    for _ in range(300):
        if word in log_of(root).read_text():
            return True
        time.sleep(0.1)
    return False
