"""The generated pages of the reference are what the code says. `UPDATE=1 pytest` writes them again."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.reference import command_reference, data_reference
from tests.reference.config_reference import put
from tutorial_tool import scaffold
from tutorial_tool.cli import main

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
    (schema,) = scaffold.schema().values()
    generated = data_reference.describe_data(json.loads(schema))
    assert "`platforms.<id>.name`" in generated
    check(REFERENCE / "platforms-yaml.md", data_reference.BEGIN, data_reference.END, generated)


def test_the_schema_of_the_guide_is_that_of_the_tool() -> None:
    (schema,) = scaffold.schema().values()
    page = REFERENCE.parent / "platforms.schema.json"
    if "UPDATE" in os.environ:
        page.write_text(schema, encoding="utf-8")
    assert json.loads(page.read_text(encoding="utf-8")) == json.loads(schema)
