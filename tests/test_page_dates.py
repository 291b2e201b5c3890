"""A page's date is that of the newest commit among the lines that it is made of."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests import project
from tests.browser.conftest import build
from tests.repository import Repository
from tutorial_tool.publishing import export, page_dates
from tutorial_tool.site import Layout, loading

SWAN = "swan: {name: Swan, labels: {menu: Swan menu}, values: {package: swan-kit}, can: [fly]}"
LINES = (
    "swan:\n    name: Swan\n    labels:\n      menu: Swan menu\n    values:\n      package: swan-kit\n    can: [fly]"
)
SOUND, OF_LINES = "sound: {setting: Sound, value: Enabled}", "sound:\n        setting: Sound\n        value: Enabled"
REASON = 'otter: {value: Enabled, because: "Otters dive"}'
OF_REASON = 'otter:\n            value: Enabled\n            because: "Otters dive"'
DATA = project.DATA.replace(SWAN, LINES).replace(SOUND, OF_LINES).replace(REASON, OF_REASON)
"""What one platform has of its own is in lines of its own: a date is that of lines."""
START = date(2026, 1, 1)
WORDS = [
    ("site_templates/steps/welcome.md.j2", ["Start with", "and end with"]),
    (
        "site_templates/steps/prepare.md.j2",
        ["Get ready", "Open the menu", "Set what", "Install it", "The menu", "Prepare"],
    ),
    ("site_templates/steps/prepare/install.animals.md", ["Install", "Then wait"]),
    ("site_templates/steps/prepare/start.swan.py", ["print"]),
    ("site_templates/steps/finish.md.j2", ["Done", "Check", "Finish"]),
    (
        "platforms.yaml",
        ["Swan menu", "swan-kit", "Sound", "Light", "Wings", "Guide", "name: Swan", "Otters dive", "name: Otter"],
    ),
]
"""Words that the project has, and whose pages change where they do."""


def dated(repository: Repository) -> tuple[dict[str, str], dict[str, str]]:
    """The date and the text of each page."""
    read = loading.load(Layout.find(repository.folder)).require_valid()
    return page_dates.build_dates(read), {page.path: page.plain for page in read.pages}


def changed(text: str, word: str, number: int) -> str:
    """The text with a letter more behind each place of a word."""
    return re.sub(rf"{word[:-1]}({word[-1]}?)(?:q\d+)?", lambda match: f"{word[:-1]}q{number}{match[1]}", text)


def check_commits(folder: Path, count: int, seed: int) -> None:
    chosen, repository = random.Random(seed), Repository(folder)
    project.write(folder, DATA)
    repository.commit(when=f"{START}T12:00:00Z")
    before, texts = dated(repository)
    assert set(before.values()) == {str(START)}
    for number in range(1, count + 1):
        name, words = chosen.choice(WORDS)
        path = folder / name
        path.write_text(changed(path.read_text(), chosen.choice(words), number))
        day = str(START + timedelta(days=number))
        repository.commit(when=f"{day}T12:00:00Z")
        after, new = dated(repository)
        assert {page for page in new if after[page] != before[page]} == {
            page for page in new if new[page] != texts[page]
        }
        before, texts = after, new


def test_a_date_changes_when_the_page_does(tmp_path: Path) -> None:
    check_commits(tmp_path / "docs", 12, seed=4)


@pytest.mark.soak
@pytest.mark.slow
def test_a_date_changes_when_the_page_does_in_500_commits(tmp_path: Path) -> None:
    check_commits(tmp_path / "docs", 500, seed=5)


def committed(folder: Path) -> Repository:
    """A project whose last step is newer than the others."""
    repository = Repository(folder)
    project.write(folder, DATA)
    config = "site_name: Example\nsite_url: https://example.com/\ndocs_dir: docs_src\n"
    repository.write({"mkdocs.yml": f"{config}plugins: [search, tutorial: {{dates: true, lint: false}}]\n"})
    repository.commit(when="2026-01-01T12:00:00Z")
    repository.edit("site_templates/steps/finish.md.j2", "Done.", "All done.")
    repository.commit(when="2026-02-03T12:00:00Z")
    return repository


def test_pages_and_the_sitemap_show_it(tmp_path: Path) -> None:
    root = committed(tmp_path / "docs").folder
    build(root, tmp_path / "site")
    shown = '<p class="tt-updated">Last updated: <time datetime="2026-02-03">2026-02-03</time></p>'
    assert shown in (tmp_path / "site/guide/otter/finish/index.html").read_text()
    assert "2026-01-01</time>" in (tmp_path / "site/guide/otter/welcome/index.html").read_text()
    dates = re.findall(
        r"<loc>https://example.com/(.*?)</loc>\s*<lastmod>(.*?)<", (tmp_path / "site/sitemap.xml").read_text()
    )
    assert ("guide/swan/finish/", "2026-02-03") in dates
    assert ("guide/swan/welcome/", "2026-01-01") in dates
    assert ("", "2026-01-01") in dates


def test_other_generators_read_it_in_front_matter(tmp_path: Path) -> None:
    root = committed(tmp_path / "docs").folder
    (root / "mkdocs.yml").unlink()
    for name, field in (
        ("docusaurus.config.js", "last_update:\n  date: 2026-02-03\n"),
        ("hugo.toml", "lastmod: 2026-02-03\n"),
    ):
        (root / name).write_text("")
        layout = Layout.find(root, docs="docs_src")
        options = export.Options(engine=export.detect_engine(layout), dates=True)
        assert field in export.build_files(loading.load(layout), options)["docs/guide/swan/finish.md"].decode()
        (root / name).unlink()


def test_a_page_that_is_being_edited_has_none(tmp_path: Path) -> None:
    repository = committed(tmp_path / "docs")
    repository.edit("site_templates/steps/finish.md.j2", "All done.", "Done again.")
    dates, _ = dated(repository)
    assert "guide/swan/finish.md" not in dates
    assert dates["guide/swan/welcome.md"] == "2026-01-01"
