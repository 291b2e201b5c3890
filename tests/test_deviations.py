"""The variation model: what it takes for a mistake in one copy, and what for the platform's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tutorial_tool import site, variants
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.variation.model.alignment import find_blocks, find_differing_spans
from tutorial_tool.variation.model.deviations import Deviation, find_deviations
from tutorial_tool.variation.model.kinds import Kind
from tutorial_tool.variation.paths import PathWords, _iter_longer_words
from tutorial_tool.variation.units import OWN

NAMES = {"android": "Android", "ios": "iOS", "web": "Web"}
PAGE = """# Connect your {name} app

Open the dashboard and choose your project there.

1. Select **{name}** from the list of inputs.
2. Click **Connect** and wait for the green mark.

The connection may take up to 5 minutes to become active.
Do not close the page before that.
"""


def deviations(
    folder: Path, edit: tuple[str, str], *slugs: str, names: dict[str, str] = NAMES, page: str = PAGE
) -> list[Deviation]:
    """The deviations of copies of which some are edited."""
    for slug, name in names.items():
        text = page.format(name=name)
        path = folder / "docs" / slug / "connect.md"
        path.parent.mkdir(parents=True)
        path.write_text(text.replace(*edit) if slug in slugs else text, encoding="utf-8")
    (step,) = variants.find_steps(site.load_plain(sorted(folder.rglob("*.md")), folder))
    return list(find_deviations(step))


def test_copies_that_differ_in_their_names_have_no_deviations(tmp_path: Path) -> None:
    assert deviations(tmp_path, ("", ""), "ios") == []


@pytest.mark.parametrize(
    ("edit", "kind", "text", "expected"),
    [
        (("5 minutes", "10 minutes"), Kind.NUMBER, "10", "5"),
        (("Do not close", "Do close"), Kind.NEGATION, "", "not"),
        (("dashboard", "dashbaord"), Kind.SLIP, "dashbaord", "dashboard"),
        (("before that", "after that"), Kind.OPPOSITE, "after", "before"),
        (("**iOS**", "**Android**"), Kind.FOREIGN, "Android", "Web"),
    ],
)
def test_a_contradiction_of_one_copy_is_a_warning(
    tmp_path: Path, edit: tuple[str, str], kind: Kind, text: str, expected: str
) -> None:
    (deviation,) = deviations(tmp_path, edit, "ios")
    assert (deviation.variant_id, deviation.kind, deviation.severity) == ("ios", kind, Severity.WARNING)
    assert (deviation.text, deviation.expected) == (text, expected)


def test_another_word_is_worth_a_look_at_most(tmp_path: Path) -> None:
    found = deviations(tmp_path, ("green mark", "green tick"), "ios")
    assert all(deviation.severity is Severity.HINT for deviation in found)


@pytest.mark.parametrize("edit", [("minutes", "minute"), ("connection", "connections"), ("project", "projects")])
def test_a_plural_is_a_form_of_its_word(tmp_path: Path, edit: tuple[str, str]) -> None:
    (deviation,) = deviations(tmp_path, edit, "ios")

    assert deviation.kind is Kind.INFLECTION


def test_of_two_copies_the_difference_is_found_once(tmp_path: Path) -> None:
    names = {"ios": "iOS", "web": "Web"}
    found = deviations(tmp_path, ("Do not close", "Do close"), "ios", names=names)
    assert [deviation.kind for deviation in found] == [Kind.NEGATION]


def test_the_evidence_shows_the_slot_and_the_signals(tmp_path: Path) -> None:
    (deviation,) = deviations(tmp_path, ("5 minutes", "10 minutes"), "ios")
    (step,) = variants.find_steps(site.load_plain(sorted(tmp_path.rglob("*.md")), tmp_path))
    lines = deviation.format_evidence(step)
    assert lines[1] == "iOS: The connection may take up to 10 minutes to become active."
    assert lines[-1].startswith("score 9.0 (a hint needs 4, a warning 5): kind: number +7.0")


def test_of_a_long_text_the_evidence_shows_what_is_around_the_difference(tmp_path: Path) -> None:
    long = "So that it gets through networks with a proxy of their own, the"
    page = PAGE.replace("The connection", f"{long} connection of {{name}}")
    (deviation,) = deviations(tmp_path, ("5 minutes", "10 minutes"), "ios", page=page)
    (step,) = variants.find_steps(site.load_plain(sorted(tmp_path.rglob("*.md")), tmp_path))
    assert deviation.format_evidence(step)[:2] == (
        "Android: …a proxy of their own, the connection of Android may take up to 5 minutes to become active.",
        "iOS: …th a proxy of their own, the connection of iOS may take up to 10 minutes to become active.",
    )


def test_differences_with_a_small_word_between_are_one() -> None:
    left, right = tuple("open the list of inputs now".split()), tuple("show a list of all outputs now".split())
    first, *_ = ((left[i:j], right[k:m]) for i, j, k, m in find_blocks(left, right))
    assert first == (("open", "the"), ("show", "a"))


def test_columns_do_not_depend_on_the_order_of_variants() -> None:
    keys = {"a": ("up", "to", "5", "days"), "b": ("up", "to", "7", "days"), "c": ("up", "to", "5", "long", "days")}
    places = find_differing_spans(keys)
    assert places == find_differing_spans(dict(reversed(keys.items())))
    assert [{name: key[slice(*spans[key])] for name, key in keys.items()} for spans in places] == [
        {"a": ("5",), "b": ("7",), "c": ("5", "long")}
    ]


def test_a_variants_own_word_in_urls_is_no_longer_word_of_another() -> None:
    """Another tutorial's `calendar-date-picker` also calls itself `date-picker`."""
    words = ("date-picker", "date")
    own = PathWords(words, tuple(_iter_longer_words(words, ["date", "date-picker", "date-range"])))
    assert own.mask_words("images/maui-date-picker.png") == f"images/maui-{OWN}.png"
    assert own.mask_words("images/maui-date-range.png") == "images/maui-date-range.png"


OWN_TEXTS = {
    "android": "Money goes back to the card.\n\nA clerk may undo it.\n\nCards are charged at night.\n\nIt is free.\n",
    "ios": "Earnings arrive on the account.\n\nHolidays delay them.\n\nSmall sums wait.\n\nTaxes are due later.\n",
    "web": "A bank asks for proof.\n\nSend a photo of it.\n\nThe answer is final.\n\nLetters take long.\n",
}


@pytest.mark.parametrize(
    ("edit", "known", "kinds"),
    [
        (("5 minutes", "9 minutes"), True, [Kind.NUMBER]),
        (("5 minutes", "9 minutes"), False, []),
        (("Dashboard", "Dashbaord"), False, [Kind.SLIP]),
    ],
    ids=["platforms", "products", "slip"],
)
def test_products_of_a_family_may_differ_in_facts(
    tmp_path: Path, edit: tuple[str, str], known: bool, kinds: list[Kind]
) -> None:
    for slug, name in NAMES.items():
        text = PAGE.format(name=name).replace("dashboard", "Dashboard") + "\n## More\n\n" + OWN_TEXTS[slug]
        path = tmp_path / "docs" / slug / "connect.md"
        path.parent.mkdir(parents=True)
        path.write_text(text.replace(*edit) if slug == "ios" else text, encoding="utf-8")
    (step,) = variants.find_steps(site.load_plain(sorted(tmp_path.rglob("*.md")), tmp_path))
    assert step.has_known_names
    found = find_deviations(replace(step, has_known_names=known))
    assert [deviation.kind for deviation in found if deviation.severity is Severity.WARNING] == kinds
