"""Slips of an author that were told in Python's words, at a wrong place, or with what only follows from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import nine
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine


def findings(folder: Path) -> list[Finding]:
    return [finding for finding in engine.run(nine.load(folder), Config()) if not finding.rule.startswith("unused")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{% for id, one in platforms %}{{ id }}{% endfor %}",
            "two names take pairs, and this gives none: `{% for id, one in platforms | items %}`",
        ),
        ("{{ range(999999999) }}", "`range()` takes at most 100,000 numbers"),
        (
            "{{ [x for x in platforms] }}",
            "Jinja2 has no list comprehensions: write `{% for … %}`, or a filter such as `map` or `select`",
        ),
        (
            "{{ figure('a', alt='A', knid='menu') }}",
            "the figure's template `figures/placeholder.svg.j2` does not use `knid`; did you mean `kind`?",
        ),
    ],
)
def test_a_slip_in_a_template_is_told_in_words_of_the_author(tmp_path: Path, text: str, message: str) -> None:
    nine.write(tmp_path)
    path = tmp_path / "site_templates/steps/verify.md.j2"
    path.write_text(path.read_text() + f"\n{text}\n")
    assert {finding.message for finding in findings(tmp_path) if finding.severity.name == "ERROR"} == {message}


def test_templates_that_include_each_other_are_named(tmp_path: Path) -> None:
    nine.write(tmp_path)
    for name, text in (("steps/verify", "{% include 'menu.md.j2' %}"), ("menu", "{% include 'steps/verify.md.j2' %}")):
        (tmp_path / f"site_templates/{name}.md.j2").write_text(f"---\ntitle: Verify\n---\n\n{text}\n")
    (finding,) = findings(tmp_path)
    assert finding.message.endswith(" loads itself: steps/verify.md.j2 > menu.md.j2 > steps/verify.md.j2")


def test_a_region_of_nearly_that_name_is_named_with_its_place(tmp_path: Path) -> None:
    nine.write(tmp_path)
    sample = tmp_path / "site_templates/samples/react-native/App.tsx"
    sample.write_text(sample.read_text().replace("[start:start]", "[start:strat]"))
    (finding,) = findings(tmp_path)
    assert finding.message.endswith("App.tsx; did you mean `strat`?")
    assert finding.span.path == "platforms.yaml"
    assert [f"{related.span}: {related.message}" for related in finding.related] == [
        "site_templates/samples/react-native/App.tsx:1:1: a region of nearly that name",
        "site_templates/steps/start.md.j2:7:4: used here",
    ]


@pytest.mark.parametrize(
    ("text", "place", "other"),
    [
        ("{{ table('optoins') }}", "7:11", "platforms.yaml:31:3"),
        ("{{ table('options', columns=['valeu']) }}", "7:31", "platforms.yaml:31:3"),
        ("{{ link('create-kye') }}", "7:10", "platforms.yaml:25:9"),
        ("{{ link('open-door') }}", "7:10", "platforms.yaml:28:14"),
        ("{% from 'steps/overview.md.j2' import kye with context %}{{ kye() }}", "7:39", ""),
    ],
)
def test_a_name_that_is_nearly_one_of_the_data_has_two_places(
    tmp_path: Path, text: str, place: str, other: str
) -> None:
    nine.write(tmp_path)
    path = tmp_path / "site_templates/steps/verify.md.j2"
    path.write_text(path.read_text() + f"\n{text}\n")
    finding = next(finding for finding in findings(tmp_path) if finding.severity.name == "ERROR")
    assert str(finding.span) == f"site_templates/steps/verify.md.j2:{place}"
    assert "".join(str(related.span) for related in finding.related) == other


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("extends: android\n", "extends: androit\n", "unknown platform `androit`; did you mean `android`?"),
        ("  roku: {name", "  roku tv: {name", "a key of `platforms` should be an id of letters"),
        ("          roku: {omit", "          rokku: {omit", "`on`: unknown platform or group `rokku`"),
        ("{id: open-door, not-on: {servers:", "{id: open-door, not_on: {servers:", "unknown key `not_on`"),
    ],
)
def test_what_follows_from_a_slip_in_the_data_is_not_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in nine.DATA
    (finding,) = findings(nine.write(tmp_path, data=nine.DATA.replace(old, new)))
    assert finding.message.startswith(message)


def test_a_title_that_yaml_cannot_read_makes_no_step_empty(tmp_path: Path) -> None:
    nine.write(tmp_path)
    path = tmp_path / "site_templates/steps/verify.md.j2"
    path.write_text(path.read_text().replace("title: Verify the", "title: Verify: the"))
    assert {finding.rule for finding in findings(tmp_path)} == {"front-matter"}
