"""Data in front matter: text, whatever its signs mean in YAML."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests import project
from tests.project import DATA, TEMPLATES
from tutorial_tool.site import Page

SAID = "{{ platform.values.said }}"
TEXTS = [
    "Get it: now",
    "- first",
    "Take #1",
    '"Hi" he said',
    "'tis so",
    "*star",
    "&a b",
    "!t x",
    "@x",
    "> x",
    "|",
    "[beta] Install",
    "{x} y",
    "a: ",
    "% x",
    "? x",
    "# x",
    "two\nlines",
    "{{ x }}",
]


def _page(tmp_path: Path, front: str, said: str) -> Page:
    data = DATA.replace("values: {package: swan-kit}", f"values: {{package: swan-kit, said: {json.dumps(said)}}}")
    templates = {**TEMPLATES, "steps/welcome.md.j2": f"---\n{front}\n---\n\nHello.\n"}
    return project.page(
        project.load(project.write(tmp_path, data, templates=templates)).require_valid(), "swan/welcome"
    )


def _front(page: Page) -> str:
    return str(page.text).split("---\n")[1]


@pytest.mark.parametrize("said", TEXTS)
@pytest.mark.parametrize(
    ("front", "key"),
    [(f"title: {SAID}", "title"), (f"title: Swan\nnote: {SAID}", "note"), (f"title: A {SAID}", "title")],
)
def test_a_value_reads_as_it_stands_in_the_data(tmp_path: Path, front: str, key: str, said: str) -> None:
    page = _page(tmp_path, front, said)
    read = yaml.safe_load(_front(page))
    assert read[key].strip() == front.rpartition(": ")[2].replace(SAID, said).strip()


@pytest.mark.parametrize("said", TEXTS)
@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_of_the_template_do_no_harm(tmp_path: Path, quote: str, said: str) -> None:
    page = _page(tmp_path, f"title: {quote}{SAID}{quote}", said)
    assert yaml.safe_load(_front(page))["title"].split() == said.split()


@pytest.mark.parametrize("said", [said for said in TEXTS if "\n" not in said])
@pytest.mark.parametrize("front", [f"tags: [{SAID}, b]", f"tags:\n  - {SAID}\n  - b"])
def test_a_value_is_one_item_of_a_list(tmp_path: Path, front: str, said: str) -> None:
    page = _page(tmp_path, f"title: Swan\n{front}", said)
    assert yaml.safe_load(_front(page))["tags"] == [said, "b"]


@pytest.mark.parametrize(
    ("front", "said"),
    [
        (f"tags: {SAID}", "[a, b]"),
        (f"tags: [{SAID}, c]", "a, b"),
        (f"note: {SAID}", '"quoted"'),
        (f"note: {SAID}", "plain, with (signs) and Don't"),
        (f"weight: {SAID}", "3"),
        (f"draft: {SAID}", "no"),
        (f"note: >\n  {SAID}", "a: b # c"),
        (SAID, "a: b\nc: d"),
    ],
)
def test_what_may_be_meant_stays(tmp_path: Path, front: str, said: str) -> None:
    assert _front(_page(tmp_path, f"title: Swan\n{front}", said)) == f"title: Swan\n{front.replace(SAID, said)}\n"


@pytest.mark.parametrize("said", ["yes", "1.10", "5:30", "null", "[a, b]"])
@pytest.mark.parametrize("key", ["title", "description"])
def test_a_title_is_text_for_every_reader_of_yaml(tmp_path: Path, key: str, said: str) -> None:
    front = f"title: {SAID}\ndescription: {SAID}"
    assert yaml.safe_load(_front(_page(tmp_path, front, said)))[key] == said


def test_what_is_quoted_keeps_its_origin(tmp_path: Path) -> None:
    page = _page(tmp_path, f"title: {SAID}", "Get it: now")
    at = page.text.index("now")
    assert page.find_origin(at).span.source.path == "platforms.yaml"
    assert page.title == "Get it: now"


@pytest.mark.parametrize("front", ["title:", "title: ''", "title: [a, b]", "title: {a: b}"])
def test_a_title_without_words_is_told_as_that(tmp_path: Path, front: str) -> None:
    templates = {**TEMPLATES, "steps/welcome.md.j2": f"---\n{front}\n---\n\nHello.\n"}
    found = project.load(project.write(tmp_path, templates=templates)).errors
    assert [finding.message.split(":")[0] for finding in found] == ["the title is empty or a list"]
