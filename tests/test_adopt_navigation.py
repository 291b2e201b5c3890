"""`adopt --normalize`: rows of links to other pages, the place of a page among all steps, and links that say it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_adopt import rendered, written
from tests.test_adopt_drift import adopted

NAMES = ("linux", "macos", "windows")
TEXTS = {
    "install": "Take the package for {} from the shelf of the shop, and open it with care.",
    "set-up": "Write the key into the file of {}, and save that under its own name.",
    "check": "Look at the list of all {} machines, as you know it from [step 2](set-up.md).",
    "run": "Start the engine of {}, and wait until it runs.\n\n[Step 1](install.md) tells what it needs.",
}
"""Steps in their order; the names sort otherwise."""
TITLES = {"install": "Install it", "set-up": "Set it up", "check": "Check it", "run": "Run it"}
Row = Callable[[int, str], str]


def links(number: int, between: str = " · ") -> str:
    steps = list(TITLES)
    before = f"Previous: [{TITLES[steps[number - 2]]}]({steps[number - 2]}.md)" if number > 1 else ""
    after = f"Next: [{TITLES[steps[number]]}]({steps[number]}.md)" if number < len(steps) else ""
    return between.join(filter(None, (before, after)))


def course(folder: Path, row: Row, *, below: bool = False) -> Path:
    """Copies of four steps with a row of navigation, at the top or below their texts."""
    for number, (step, text) in enumerate(TEXTS.items(), 1):
        for name in NAMES:
            parts = (row(number, links(number)), text.format(name))
            page = "\n\n".join(filter(None, (f"# {TITLES[step]}", *(parts[::-1] if below else parts))))
            written(folder, {f"{name}/{step}.md": f"{page}\n"})
    return folder


def template(folder: Path, step: str) -> str:
    return (folder / f"site_templates/steps/{step}.md.j2").read_text()


@pytest.mark.parametrize(
    "row",
    [
        lambda number, row: f"**Step {number} of 4** · {row}",
        lambda number, row: f"Step {number} of 4 | {row}",
        lambda number, row: f"> {number}/4 · {row}",
        lambda number, row: f"**Step {number}** | {row}",
        lambda number, row: f"*Step {number} of 4*",
    ],
)
def test_the_place_among_all_steps_becomes_the_number_in_the_title(tmp_path: Path, row: Row) -> None:
    out = adopted(course(tmp_path / "docs", row), tmp_path / "out", "--normalize")
    assert "12 × places among all steps (`Step 2 of 4`): a number in the title\n" in out
    assert template(tmp_path / "out", "check") == (
        "# Check it\n\nLook at the list of all {{ platform.id }} machines, as you know it from {{ link('set-up') }}.\n"
    )
    pages = rendered(tmp_path / "out")
    assert pages["linux/check.md"].decode() == (
        "# Step 3. Check it\n\nLook at the list of all linux machines, as you know it from [step 2](set-up.md).\n"
    )
    assert pages["macos/run.md"].decode().startswith("# Step 4. Run it\n\nStart the engine of macos")


def test_the_anchor_of_a_title_stays_that_others_link_to(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda number, _: f"Step {number} of 4")
    for name in NAMES:
        page = docs / name / "run.md"
        page.write_text(page.read_text().replace("(install.md)", "(install.md#install-it)"))
    adopted(docs, tmp_path / "out", "--normalize")
    assert template(tmp_path / "out", "install").startswith("# Install it {: #install-it }\n\nTake")
    assert template(tmp_path / "out", "check").startswith("# Check it\n\nLook")


def test_buttons_and_links_back_are_taken_out(tmp_path: Path) -> None:
    steps = list(TITLES)

    def row(number: int, _row: str) -> str:
        back = f"[Back: {TITLES[steps[number - 2]]}]({steps[number - 2]}.md){{ .md-button }}" if number > 1 else ""
        on = f"[Next: {TITLES[steps[number]]}]({steps[number]}.md){{ .md-button .main }}" if number < 4 else ""
        return " ".join(filter(None, (back, on)))

    adopted(course(tmp_path / "docs", row, below=True), tmp_path / "out", "--normalize")
    assert all("md-button" not in template(tmp_path / "out", step) for step in steps)
    assert template(tmp_path / "out", "set-up").endswith("save that under its own name.\n")


def test_a_number_that_begins_a_sentence_stays_and_is_told(tmp_path: Path) -> None:
    out = adopted(course(tmp_path / "docs", lambda number, _: f"Step {number} of 4"), tmp_path / "out", "--normalize")
    assert "[Step 1](install.md) tells what it needs.\n" in template(tmp_path / "out", "run")
    assert "linux/run.md:7:1: `Step 1` starts a sentence, where `link()` would print a small letter, and stays" in out


def test_a_link_to_a_page_with_another_number_stays_and_is_told(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda number, _: f"Step {number} of 4")
    for name in NAMES:
        page = docs / name / "check.md"
        page.write_text(page.read_text().replace("[step 2](set-up.md)", "[step 2](install.md)"))
    out = adopted(docs, tmp_path / "out", "--normalize")
    assert "it from [step 2](install.md).\n" in template(tmp_path / "out", "check")
    assert "linux/check.md:5:61: `step 2` leads to a page with another number, and stays" in out


def test_the_place_tells_the_order_and_a_title_that_is_repeated_goes(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda number, _: f"Étape {number} sur 4")
    for step, title in TITLES.items():
        for name in NAMES:
            page = docs / name / f"{step}.md"
            page.write_text(f"---\ntitle: {title}\n---\n\n{page.read_text()}")
    adopted(docs, tmp_path / "plain")
    assert "steps: [install, set-up, check, run]\n" in (tmp_path / "plain/platforms.yaml").read_text()
    for page in docs.rglob("*.md"):
        page.write_text(page.read_text().replace("Étape", "Step").replace("sur", "of"))
    adopted(docs, tmp_path / "out", "--normalize")
    assert rendered(tmp_path / "out")["linux/set-up.md"].decode() == (
        "---\ntitle: Step 2. Set it up\n---\n\nWrite the key into the file of linux, and save that under its own name.\n"
    )


@pytest.mark.parametrize(
    "row",
    [
        lambda number, _: f"Step {number} of 4 takes ten minutes.",
        lambda number, _: "Use 2 of 4 cores.\n\n2 of 4",
        lambda number, _: f"```text\nStep {number} of 4\n```",
        lambda number, _: f"Schritt {number} von 4",
        lambda number, row: f"Schritt {number} von 4 · {row}",
    ],
)
def test_what_only_looks_like_it_stays(tmp_path: Path, row: Row) -> None:
    adopted(course(tmp_path / "docs", row), tmp_path / "out", "--normalize")
    assert "{ steps: false" in (tmp_path / "out/platforms.yaml").read_text().replace("{steps", "{ steps")
    assert rendered(tmp_path / "out")["linux/check.md"] == (tmp_path / "docs/linux/check.md").read_bytes()


def test_places_that_contradict_the_order_stay(tmp_path: Path) -> None:
    numbers = {1: 1, 2: 3, 3: 2, 4: 4}
    docs = course(tmp_path / "docs", lambda number, row: f"Step {numbers[number]} of 4 · {row}")
    files = [f"{name}/{step}.md" for name in NAMES[:1] for step in TITLES]
    nav = "".join(f"  - {path}\n" for path in files)
    written(tmp_path, {"mkdocs.yml": f"site_name: X\nnav:\n{nav}"})
    adopted(docs, tmp_path, "--normalize", "--remove-copies")
    assert "Step 3 of 4 · Previous: [Install it](install.md)" in template(tmp_path, "set-up")


def test_a_row_below_a_text_goes_alone(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda _, row: f"You need the key again.\n{row}", below=True)
    adopted(docs, tmp_path / "out", "--normalize")
    assert template(tmp_path / "out", "set-up").endswith("under its own name.\n\nYou need the key again.\n")


@pytest.mark.parametrize(("heading", "goes"), [("What's next?", True), ("Next steps", True), ("Go further", False)])
def test_a_heading_that_announces_it_goes_too_and_none_is_left_with_nothing(
    tmp_path: Path, heading: str, goes: bool
) -> None:
    def row(number: int, _: str) -> str:
        after = links(number).rpartition(" · ")[2]
        return f"## {heading}\n\n{after}" if number < len(TITLES) else ""

    adopted(course(tmp_path / "docs", row, below=True), tmp_path / "out", "--normalize")
    text = template(tmp_path / "out", "install")
    assert (
        text.endswith("open it with care.\n")
        if goes
        else text.endswith("## Go further\n\nNext: [Set it up](set-up.md)\n")
    )


def test_what_another_engine_is_told_in_front_matter_goes(tmp_path: Path) -> None:
    front = "---\ntitle: 2. Set it up\nprev:\n  text: Install it\n  link: ./install\nnext: ./check\nlang: en\n---\n\n"
    docs = course(tmp_path / "docs", lambda _number, _row: "")
    for name in NAMES:
        page = docs / name / "set-up.md"
        page.write_text(front + page.read_text())
    adopted(docs, tmp_path / "out", "--normalize")
    assert template(tmp_path / "out", "set-up").startswith("---\ntitle: Set it up\nlang: en\n---\n\nWrite the key")


def test_an_anchor_as_another_engine_spells_it_is_followed(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda _number, _row: "")
    for name in NAMES:
        (docs / name / "check.md").write_text(
            "# Check it\n\n## 3.1 Look at the list\n\nYours is there after a minute.\n"
        )
        link = "See [section 3.1](./check.md#_3-1-look-at-the-list), or [the list](./check.md#_3-1-look-at-the-list).\n"
        (docs / name / "run.md").write_text(
            f"# Run it\n\nStart the engine of {name}, and wait until it runs.\n\n{link}"
        )
    adopted(docs, tmp_path / "out", "--normalize")
    last = "See {{ link('check#look-at-the-list') }}, or [the list](./check.md#look-at-the-list).\n"
    assert template(tmp_path / "out", "run").endswith(last)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("{number}. {title}", '{title: "{number}. {title}"}'),
        ("Schritt {number}: {title}", None),
        ("Step {number}. {title}", ""),
    ],
)
def test_titles_are_printed_as_they_were_typed(tmp_path: Path, title: str, words: str | None) -> None:
    german = "Nehmen Sie das Paket für {} aus dem Regal, und öffnen Sie es mit der Schere und nicht mit dem Messer.\n"
    docs = course(tmp_path / "docs", lambda _number, _row: "")
    for number, (step, said) in enumerate(TITLES.items(), 1):
        for name in NAMES:
            page = docs / name / f"{step}.md"
            text = page.read_text().partition("\n")[2] if words is not None else f"\n{german.format(name)}"
            page.write_text(f"# {title.format(number=number, title=said)}\n{text}")
    adopted(docs, tmp_path / "out", "--normalize")
    assert (
        rendered(tmp_path / "out")["macos/check.md"]
        .decode()
        .startswith(f"# {title.format(number=3, title='Check it')}\n")
    )
    data = (tmp_path / "out/platforms.yaml").read_text().partition("strings:")[2]
    if words is None:
        assert "step: Schritt {number}" in data
    else:
        assert bool(data) == bool(words)


def test_an_anchor_with_an_apostrophe_stays_as_others_link_to_it(tmp_path: Path) -> None:
    docs = course(tmp_path / "docs", lambda _number, _row: "")
    for name in NAMES:
        (docs / name / "check.md").write_text("# Check it\n\n## 3.1 If it isn't there\n\nWait for a minute.\n")
    written(tmp_path, {"mkdocs.yml": "site_name: X\n", "docs/index.md": "[A](linux/check.md#31-if-it-isnt-there)\n"})
    adopted(docs, tmp_path, "--normalize", "--remove-copies")
    assert "## If it isn't there {: #31-if-it-isnt-there }\n" in template(tmp_path, "check")
