"""How grave it is what one copy's table says otherwise than those of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions

NAMES = ("Alder", "Birch", "Cedar", "Dogwood")
HEAD = "| Option | Default | Description |\n| --- | --- | --- |\n"
PORT = "| `port` | 8417 | Where the till listens. |\n"
WAIT = "| `wait` | 30 | How long it waits. |\n"
TRIES = "| `tries` | 3 | How often it calls within a minute. |\n"
SLEEP = "| `sleep` | 5 | How long it sleeps. Do not stop it then. |\n"
OWN = "| `nightPort` | 8418 | Where it listens at night. |\n"
ROWS = PORT + WAIT + TRIES + SLEEP
OTHER_NUMBERS = ROWS.replace(" 30 ", " 20 ").replace(" 3 ", " 4 ")


def page(name: str, rows: str) -> str:
    return f"# Open {name}\n\nThe till of {name} opens when it has read these.\n\n{HEAD}{rows}\nThen restart {name}.\n"


@pytest.mark.parametrize(
    ("odd", "found"),
    [
        (OTHER_NUMBERS, [("conflicting-value", "warning")] * 2),
        (ROWS.replace("Do not stop it", "Stop it"), [("drifted-cell", "warning")]),
        (ROWS.replace("calls within a minute", "calls within an hour"), [("drifted-cell", "hint")]),
        (ROWS.replace(TRIES, ""), [("missing-row", "hint")]),
        (ROWS.replace(TRIES, "") + OWN, []),
        (ROWS.replace(TRIES, OWN), []),
        (ROWS.replace("| 30 |", "|"), [("malformed-table", "warning")]),
    ],
)
def test_the_odd_one_of_four(odd: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    for name in NAMES:
        text = page(name, odd if name == "Cedar" else ROWS)
        (tmp_path / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    told = [one for of in targets.find([tmp_path], LookupOptions(tmp_path)) for one in of.lint().findings]
    assert [(one.rule, one.severity.value) for one in told] == found
    assert all(Path(one.span.path).name == "cedar.md" for one in told)
