"""The generated pages of the reference are what the code says. `UPDATE=1 pytest` writes them again."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import click

from tests.reference import command_reference, data_reference, links_reference
from tests.reference.config_reference import put
from tutorial_tool import Edit, Finding, Fix, Related, Span, scaffold
from tutorial_tool.cli import lint, main
from tutorial_tool.lsp import completion

REFERENCE = Path(__file__).parent.parent / "docs_src/reference"


def check(page: Path, begin: str, end: str, generated: str) -> None:
    """Compare what is between two marks of a page with what is generated, or write it."""
    text = page.read_text(encoding="utf-8")
    expected = put(text, begin, end, generated)
    if "UPDATE" in os.environ:
        page.write_text(expected, encoding="utf-8")
    else:
        assert text == expected, f"run `UPDATE=1 pytest tests/test_reference.py`, and read the change of {page.name}"


def test_the_command_line_is_described() -> None:
    generated = command_reference.describe_commands(main)
    assert "## `lint`" in generated
    check(REFERENCE / "command-line.md", command_reference.BEGIN, command_reference.END, generated)


def test_the_data_is_described() -> None:
    (schema,) = scaffold.build_schema().values()
    generated = data_reference.describe_data(json.loads(schema))
    assert "`platforms.<id>.name`" in generated
    check(REFERENCE / "platforms-yaml.md", data_reference.BEGIN, data_reference.END, generated)


def test_the_trees_are_those_of_the_record() -> None:
    record = (REFERENCE.parent.parent / "benchmarks/accuracy/links.md").read_text(encoding="utf-8")
    generated = links_reference.describe_trees(record)
    assert "| dapr/docs | 0748da594 | 457 | Hugo | 210 | 68 | 68 |" in generated
    page = REFERENCE.parent / "explanation/how-links-are-judged.md"
    check(page, links_reference.BEGIN, links_reference.END, generated)


def test_the_schema_of_the_guide_is_that_of_the_tool() -> None:
    (schema,) = scaffold.build_schema().values()
    page = REFERENCE.parent / "platforms.schema.json"
    if "UPDATE" in os.environ:
        page.write_text(schema, encoding="utf-8")
    assert json.loads(page.read_text(encoding="utf-8")) == json.loads(schema)


def first_cells(page: str, start: str, end: str) -> str:
    """Return what the first column of the tables between two texts of a page of the reference names."""
    text = (REFERENCE / page).read_text(encoding="utf-8").partition(start)[2].partition(end)[0]
    return "\n".join(re.findall(r"^\| (.*?) \|", text, re.MULTILINE))


def test_pages_that_people_write_name_all_formats_and_functions() -> None:
    (formats,) = (option.type for option in lint.command.params if option.name == "output_format")
    assert isinstance(formats, click.Choice)
    assert re.findall(r"`(\w+)`", first_cells("output-formats.md", "## Formats", "## JSON")) == [*formats.choices]
    calls = first_cells("template-functions.md", "## What a template can use", "## Tables")
    assert set(re.findall(r"`(\w+)", calls)) == set(completion.CALLS)


def test_the_page_on_python_names_all_attributes() -> None:
    page = (REFERENCE / "python-api.md").read_text(encoding="utf-8")
    sections = {part.partition("`")[0]: part for part in page.split("### `")}
    assert [*Finding.__dataclass_fields__] == re.findall(r"^\| `(\w+)`", sections["Finding"], re.MULTILINE)
    for kind in (Span, Related, Fix, Edit):
        assert set(kind._fields) <= set(re.findall(r"`(\w+)`", sections[kind.__name__])), kind
