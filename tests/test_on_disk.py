"""What one program knew of pages is told to the next: only what has changed is read again, and nothing is told otherwise."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.test_any_edit import COPIES, Author
from tests.test_kept import told
from tests.test_variants import page, write
from tutorial_tool import cache, cli, variants
from tutorial_tool.cache import recording, store
from tutorial_tool.cache.results import Results
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.linter import disk_cache, rule_cache, scheduler
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import find
from tutorial_tool.markdown import document, parser
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Memory
from tutorial_tool.spelling import lists
from tutorial_tool.variants import linkage
from tutorial_tool.variants.similarity import PageSummary

pytestmark = pytest.mark.slow

PAGES = 12


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    assert lists.is_known("page")  # the dictionaries stay in their own place
    monkeypatch.setattr(cache, "get_folder", lambda: str(tmp_path / "cache" / "tutorial-tool"))
    monkeypatch.setattr(disk_cache, "MIN_PAGES", 2)
    monkeypatch.setattr(scheduler, "MIN_PAGES_TO_RELEASE", 2)
    docs = tmp_path / "docs"
    docs.mkdir()
    monkeypatch.chdir(docs)
    for number in range(PAGES):
        (docs / f"page-{number}.md").write_text(text_of(number))
    yield docs
    cache.recorded.clear()


def text_of(number: int) -> str:
    following = (number + 1) % PAGES
    return (
        f"# Otter {number}\n\nOpen the the menu of otter {number}. See [Otter {following}](page-{following}.md#food).\n\n"
        f"## Food\n\n![](otter-{number}.png)\n\n| Setting | Value |\n| --- | --- |\n| Fish | On |\n| Crab | Off |\n"
    )


def lint(*options: str) -> str:
    """What a new program says."""
    if "--no-cache" not in options:
        recording.begin(["lint"])
    return CliRunner().invoke(cli.main, ["lint", "--output-format", "json", *options]).output


def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first lines of the texts that are parsed from here on."""
    seen: list[str] = []

    def parse(text: str, *rest: object) -> object:
        seen.append(text.lstrip().split("\n")[0])
        return parser.parse_blocks(text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(document, "parse_blocks", parse)
    return seen


def stored() -> int:
    """How many values are kept for the next program."""
    file = store.get_path()
    if file is None or not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM items").fetchone()[0])


def test_an_edit_of_one_page_parses_that_page(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint()
    seen = parsed(monkeypatch)

    (here / "page-3.md").write_text(text_of(3).replace("the the", "the").replace("## Food", "## Meals"))
    said = lint()

    assert seen == ["# Otter 3"]
    assert "`#food`" in said  # where a page leads that has not changed
    assert said == lint("--no-cache")


def test_nothing_is_parsed_where_only_time_has_passed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lint()
    seen = parsed(monkeypatch)

    assert lint() == first
    assert seen == []


def test_pages_that_come_and_go(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint()
    seen = parsed(monkeypatch)

    (here / "page-1.md").unlink()
    (here / "page-2.md").rename(here / "moved.md")
    (here / "new.md").write_text("# New\n")
    said = lint()

    assert sorted(seen) == ["# New", "# Otter 2"]
    assert said == lint("--no-cache")


@pytest.mark.parametrize("settings", ['ignore = ["text"]\n', 'vocabulary = ["Otter"]\n', 'dialect = "commonmark"\n'])
def test_other_settings_are_another_file(here: Path, settings: str) -> None:
    lint()
    before = stored()
    (here / "tutorial-tool.toml").write_text(settings)

    assert lint() == lint("--no-cache")
    assert stored() == 2 * before


def test_a_file_of_words_counts_with_what_it_holds(here: Path) -> None:
    (here / "tutorial-tool.toml").write_text('vocabulary-file = "words.txt"\n')
    (here / "words.txt").write_text("Otter\n")
    lint()
    before = stored()
    (here / "words.txt").write_text("Otter\nfod -> food\n")

    assert lint() == lint("--no-cache")
    assert stored() == 2 * before


def test_a_value_that_was_not_signed_here_is_not_read(here: Path) -> None:
    first = lint()
    file = store.get_path()
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE items SET value = substr(value, 1, length(value) - 1) || x'00'")
    assert lint() == first
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = connection.execute("SELECT key, value FROM items ORDER BY key").fetchall()
        swapped = zip((key for key, _ in rows), (value for _, value in reversed(rows)), strict=True)
        connection.executemany("REPLACE INTO items (key, used, value) VALUES (?, 0, ?)", list(swapped))
    assert lint() == first


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_database_is_made_again(here: Path, data: bytes) -> None:
    first = lint()
    file = store.get_path()
    assert file
    file.write_bytes(data)

    assert lint() == first
    assert lint() == first
    assert stored()


def test_a_program_that_writes_keeps_no_other_one_waiting(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WAIT_SECONDS", 0.01)
    first = lint()
    (here / "page-3.md").write_text(text_of(3) + "\nMore otters.\n")
    file = store.get_path()
    assert file
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert lint() == lint("--no-cache")
        connection.rollback()
    (here / "page-3.md").write_text(text_of(3))

    assert lint() == first


def test_a_tree_at_another_place_with_other_times_is_not_parsed_again(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lint()
    before = stored()
    other = Path(shutil.copytree(here, here.parent / "elsewhere" / "docs"))
    for file in other.iterdir():
        os.utime(file, (1_000_000_000, 1_000_000_000))
    monkeypatch.chdir(other)
    seen = parsed(monkeypatch)

    assert lint() == first
    assert seen == []
    assert stored() == before


def test_another_release_begins_anew(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lint()
    before = stored()
    monkeypatch.setattr(disk_cache, "FORM", "another")

    assert lint() == first
    assert stored() == 2 * before


def test_few_pages_are_worth_no_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MIN_PAGES", PAGES + 1)
    lint()

    assert stored() == 0


def test_values_go_that_were_not_used_for_longest(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint()
    file = store.get_path()
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        (size,) = connection.execute("SELECT sum(length(value)) FROM items").fetchone()
        connection.execute("UPDATE items SET used = used - 1")
    monkeypatch.setattr(store, "MAX_BYTES", size)
    (here / "tutorial-tool.toml").write_text('vocabulary = ["Otter"]\n')
    lint()

    with closing(sqlite3.connect(file)) as connection:
        (left,) = connection.execute("SELECT sum(length(value)) FROM items").fetchone()
    assert left <= size
    seen = parsed(monkeypatch)
    lint()
    assert seen == []


@pytest.mark.parametrize("shared", [1, 1_000_000])
@pytest.mark.parametrize("tree", sorted(path.name for path in COPIES.iterdir() if path.is_dir())[:4])
def test_after_any_edit_the_same_is_found(here: Path, tree: str, shared: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether other processes judge pages and steps, or not, and where the tree was moved."""
    monkeypatch.setattr(scheduler, "CHARACTERS_PER_PROCESS", shared)
    root = Path(shutil.copytree(COPIES / tree, here.parent / "copies"))
    monkeypatch.chdir(root)
    author = Author(root, random.Random(tree).randrange(1000))
    lint()
    for number in range(6):
        author.edit()
        if number % 3 == 2:
            author.root = Path(shutil.copytree(author.root, here.parent / str(number) / "copies"))
            monkeypatch.chdir(author.root)
        assert lint() == lint("--no-cache"), author.before


@pytest.mark.parametrize("tree", sorted(path.name for path in COPIES.iterdir() if path.is_dir()))
def test_pages_that_are_put_aside_are_judged_as_those_that_stay(tree: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (target,) = find((COPIES / tree,), LookupOptions(COPIES / tree))
    before = told(target.lint().findings)
    monkeypatch.setattr(scheduler, "MIN_PAGES_TO_RELEASE", 2)

    assert told(target.lint().findings) == before


def test_copies_are_compared_again_only_where_one_of_them_has_changed(
    tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"ios": "iOS", "web": "Web", "android": "Android"}
    tree = {f"{slug}/{step}.md": page(name, step=step) for slug, name in names.items() for step in ("connect", "send")}
    tree["web/send.md"] = tree["web/send.md"].replace("Click the button", "Do not click the button")
    write(tmp_path / "copies", tree)
    monkeypatch.chdir(tmp_path / "copies")
    assert "drifted-wording" in lint()
    seen = parsed(monkeypatch)

    (tmp_path / "copies/ios/connect.md").write_text(
        tree["ios/connect.md"].replace("Click the button", "Do not click the button")
    )
    said = lint()

    assert len(seen) == len(names)
    assert all(title.startswith("# Connect") for title in seen)
    assert said.count("drifted-wording") == 2
    assert said == lint("--no-cache")

    monkeypatch.chdir(shutil.copytree(tmp_path / "copies", tmp_path / "elsewhere" / "copies"))
    seen.clear()
    assert lint() == said
    assert seen == []


def test_findings_in_copies_are_the_same_in_any_order(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/send.md": page(name.title(), step="send") for name in ("ios", "web")})
    (target,) = find([], LookupOptions(tmp_path))
    site = target.load()
    (step,) = variants.find_steps(site, target.config.variants)
    source = step.first_page.source
    evidence = [Finding("inconsistent-name", Severity.WARNING, word, source.span(0, 1)) for word in ("Git", "Node")]

    def load(order: list[Finding]) -> rule_cache.CachedFindings:
        findings = Findings()
        findings.add(order)
        return rule_cache.load_step_findings(step, (target.config,), findings)

    load(evidence).findings["drifted-wording"] = ()
    assert "drifted-wording" in load(evidence[::-1]).findings
    assert "drifted-wording" not in load(evidence[:1]).findings


def test_only_shapes_with_a_page_that_has_changed_are_looked_at_again(here: Path) -> None:
    tree = {
        f"{slug}/{step}.md": page(slug.title(), step=step) for slug in ("ios", "web") for step in ("connect", "send")
    }
    known = Results()
    before = linkage.find_sets([PageSummary(path, text) for path, text in tree.items()], known)
    kept = known.get_latest()

    tree["web/send.md"] += "\nOne line more than the others have.\n"
    after = linkage.find_sets([PageSummary(path, text) for path, text in tree.items()], known)
    asked = list(known.get_latest())[-len(kept) :]

    assert [match.members for match in after] == [match.members for match in before]
    assert kept.keys() & set(asked)  # those of `connect` alone
    assert known.get_latest().keys() - kept.keys()
    assert after == linkage.find_sets([PageSummary(path, text) for path, text in tree.items()])


def test_the_first_run_of_an_editor_takes_what_was_kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint()
    cache.recorded.clear()
    seen = parsed(monkeypatch)
    (target,) = find((here,), LookupOptions(here))

    first = target.lint(memory=Memory(is_stored=True))
    assert seen == []
    assert told(first.findings) == told(target.lint().findings)
    assert seen  # without a memory that is stored, each page is read


def test_an_editor_in_which_nothing_changes_is_told_what_is_known(here: Path) -> None:
    (here / "otter-0.png").touch()
    time.sleep(0.2)  # what was touched just before a run may be touched again at the same time
    (target,), memory = find((here,), LookupOptions(here)), Memory(is_stored=True)
    text = (here / "page-0.md").read_text()
    first = target.lint(memory=memory)

    assert target.lint(memory=memory) is first
    assert target.lint({"page-0.md": text}, memory) is first  # open, as it is on the disk
    assert target.lint({"page-0.md": text + "\nThe the end.\n"}, memory) is not first
    again = target.lint(memory=memory)
    (here / "otter-0.png").unlink()
    assert len(target.lint(memory=memory).findings) == len(again.findings) + 1


def test_a_finding_that_names_a_line_of_another_file_is_kept(here: Path) -> None:
    (here / "reject.txt").write_text("otter 3\n")
    (here / "tutorial-tool.toml").write_text('vocabularies = ["reject.txt"]\n')
    first = lint()
    assert "reject.txt" in first
    (here / "page-1.md").write_text("# Otter 1\n")
    assert lint() == lint("--no-cache")
