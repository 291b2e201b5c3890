"""A table of the data is written as its page always wrote it, and the rows stay data."""

from __future__ import annotations

import pytest

from tests.test_adopt import made, template
from tutorial_tool.markdown import table_format
from tutorial_tool.markdown.table_format import TableStyle

GRID = [["Name", "Default"], ["wake", "On"], ["fade-in", "2 s"]]


def shown(form: TableStyle) -> list[str]:
    return ["".join(line) for line in table_format.render_lines(GRID, form)]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (TableStyle(), ["| Name | Default |", "| --- | --- |", "| wake | On |", "| fade-in | 2 s |"]),
        (TableStyle("|---|:-:|"), ["| Name | Default |", "|---|:-:|", "| wake | On |", "| fade-in | 2 s |"]),
        (TableStyle("--- | ---"), ["Name | Default", "--- | ---", "wake | On", "fade-in | 2 s"]),
        (TableStyle("|--|--|", "|{}|{}|"), ["|Name|Default|", "|--|--|", "|wake|On|", "|fade-in|2 s|"]),
        (
            TableStyle(padded=True),
            ["| Name    | Default |", "| ------- | ------- |", "| wake    | On      |", "| fade-in | 2 s     |"],
        ),
        (
            TableStyle("|:---|---:|", padded=True),
            ["| Name    | Default |", "|:--------|--------:|", "| wake    |      On |", "| fade-in |     2 s |"],
        ),
        (
            TableStyle("| --- | :---: |", padded=True),
            ["| Name    | Default |", "| ------- | :-----: |", "| wake    |   On    |", "| fade-in |   2 s   |"],
        ),
    ],
)
def test_a_form_says_how_a_table_is_written(form: TableStyle, expected: list[str]) -> None:
    assert shown(form) == expected
    assert any(shown(found) == expected for found in table_format.find_styles(expected))


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (TableStyle(row="| {} |"), "`row` has 1 of {}, and the table has 2 columns"),
        (TableStyle("|---|"), "`delimiter` must be a row of 2 cells of dashes, such as `| --- | --- |`"),
        (TableStyle("|---|here|"), "`delimiter` must be a row of 2 cells of dashes, such as `| --- | --- |`"),
    ],
)
def test_a_form_that_fits_no_table_is_told(form: TableStyle, message: str) -> None:
    assert table_format.find_problem(form, 2) == message


TABLES = {
    "| Option | Default |\n|---|---|\n| Wake | {} |\n| Fade | 2 s |\n": ", delimiter='|---|---|'",
    "| Option | Default | Note |\n| --- | --- | --- |\n| Wake | {} | |\n| | 2 s | Slow |\n": "",
    "|Option|Default|\n|:--|--:|\n|Wake|{}|\n|Fade|2 s|\n": ", delimiter='|:--|--:|', row='|{}|{}|'",
    "Option | Default\n--- | ---\nWake | {}\nFade | 2 s\n": ", delimiter='--- | ---'",
    "| Option | Default\n|---|---\n| Wake | {}\n| Fade | 2 s\n": ", delimiter='|---|---'",
    "| Option | Default |\n| ------ | ------- |\n| Wake   | {0:<7} |\n| Fade   | 2 s     |\n": ", padded=true",
}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_becomes_data_however_it_is_written(table: str) -> None:
    copies = {"ios": f"Read this.\n\n{table.format('On')}", "web": f"Read this.\n\n{table.format('Off')}"}
    assert template(copies) == f"Read this.\n\n{{{{ table('options'{TABLES[table]}) }}}}\n"
    adoption = made({platform: f"---\ntitle: Start\n---\n\n{text}" for platform, text in copies.items()})
    assert adoption.project is not None
    assert adoption.project.tables["options"].rows["wake"].on == {"ios": {"default": "On"}, "web": {"default": "Off"}}
