"""What is made of pages is kept from run to run: those that are new are asked, and those that are gone are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool import site
from tutorial_tool.site import Memory, Page
from tutorial_tool.site.fact_index import collect_facts

TEXTS = {"a.md": "# Bolts\n", "b.md": "# Nuts\n\nSee `nut`.\n", "c.md": "# Screws\n\nSee `screw`.\n"}


class Folder:
    """A folder of pages that is read again and again, as an editor does."""

    def __init__(self, root: Path) -> None:
        self.root, self.memory, self.asked = root, Memory(), list[str]()
        for name, text in TEXTS.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def having(self, *by: object, lang: str | None = None, english: bool = False) -> dict[str, str]:
        """What is made of the pages now, by path; `asked` are those of which it was made anew."""
        read = site.load_plain(sorted(self.root.glob("*.md")), self.root, memory=self.memory)
        self.asked = []
        for page in read.pages:
            page.usual_lang = lang
        with self.memory.share_cache(read):
            found = collect_facts(read, self.code, *by, english=english)
            assert collect_facts(read, self.code, *by, english=english) == found
            return {page.path: made for page, made in found.items()}

    def code(self, page: Page, before: str = "") -> str:
        self.asked.append(page.path)
        return "".join(before + page.plain[start:end].strip("`") for start, end in page.document.code_spans)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_pages_that_have_nothing_are_left_out(folder: Folder) -> None:
    assert folder.having() == {"b.md": "nut", "c.md": "screw"}
    assert folder.asked == ["a.md", "b.md", "c.md"]


def test_who_has_not_changed_is_not_asked_again(folder: Folder) -> None:
    folder.having()
    folder.write("a.md", "# Bolts\n\nSee `bolt`.\n")
    assert list(folder.having().items()) == [("a.md", "bolt"), ("b.md", "nut"), ("c.md", "screw")]
    assert folder.asked == ["a.md"]


def test_pages_that_are_gone_are_forgotten(folder: Folder) -> None:
    folder.having()
    (folder.root / "b.md").unlink()
    folder.write("c.md", "# Screws\n")
    assert folder.having() == {}


def test_who_was_not_asked_about_in_a_run_is_asked_in_the_next(folder: Folder) -> None:
    folder.having()
    folder.write("b.md", "# Nuts\n\nSee `hex`.\n")
    read = site.load_plain(sorted(folder.root.glob("*.md")), folder.root, memory=folder.memory)
    with folder.memory.share_cache(read):
        collect_facts(read, lambda page: page.path)
    folder.write("c.md", "# Screws\n\nSee `slot`.\n")
    assert folder.having() == {"b.md": "hex", "c.md": "slot"}


def test_it_is_made_anew_of_other_things(folder: Folder) -> None:
    assert folder.having(">") == {"b.md": ">nut", "c.md": ">screw"}
    assert folder.having("<") == {"b.md": "<nut", "c.md": "<screw"}


def test_pages_in_other_languages_are_left_out(folder: Folder) -> None:
    assert folder.having(english=True) == {"b.md": "nut", "c.md": "screw"}
    assert folder.having(lang="de", english=True) == {}
    assert folder.having(lang="en", english=True) == {"b.md": "nut", "c.md": "screw"}
