"""Steps, rows, columns and figures that ask for what a platform can do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import nine
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter.engine import run as lint
from tutorial_tool.templating.places import PageId

SECRET = nine.DATA[nine.DATA.index("      secret:\n") :]
NEEDS = "      secret: {option: API secret, value: Your secret, needs: [secret]}\n"


def text(folder: Path, step: str, platform: str) -> str:
    return nine.load(folder).by_address[PageId("quickstart", step, platform)].plain


def findings(folder: Path, data: str) -> list[Finding]:
    return nine.load(nine.write(folder, data=data)).findings


def test_a_row_asks_for_a_capability(tmp_path: Path) -> None:
    nine.write(tmp_path, data=nine.DATA.replace(SECRET, NEEDS))
    site = nine.load(tmp_path, drafts=True)
    shown = {p for (_, step, p), page in site.by_address.items() if step == "create-key" and "API secret" in page.plain}
    assert shown == {"ios", "android", "react-native", "node", "python", "flutter"}
    assert not [finding for finding in site.unfinished if "row" in finding.message], "unity is not asked for the cell"


def test_a_step_asks_for_a_capability_and_numbers_follow(tmp_path: Path) -> None:
    nine.write(tmp_path, data=nine.DATA.replace("- create-key", "- {id: create-key, needs: [secret]}"))
    (tmp_path / "site_templates/steps/overview.md.j2").write_text("---\ntitle: Overview\n---\n\nBegin.\n")
    assert "title: Step 2. Install" in text(tmp_path, "install", "ios")
    assert "title: Step 1. Install" in text(tmp_path, "install", "web")
    assert PageId("quickstart", "create-key", "web") not in nine.load(tmp_path).by_address


def test_a_column_asks_for_a_capability(tmp_path: Path) -> None:
    columns = "{option: Option, value: Value, owner: {heading: Owner, needs: [secret]}}"
    row = "      key: {option: API key, value: Your key, owner: You}\n"
    data = nine.DATA.replace("{option: Option, value: Value}", columns)
    data = data.replace("      key: {option: API key, value: Your key}\n", row).replace(SECRET, "")
    assert not findings(tmp_path, data)
    assert "| Option | Value | Owner |" in text(tmp_path, "create-key", "ios")
    assert "| Option | Value |\n" in text(tmp_path, "create-key", "web")
    assert "You |" not in text(tmp_path, "create-key", "web")
    wrong = findings(tmp_path, data.replace(", owner: You", ""))
    (finding,) = wrong
    assert finding.message.startswith("row `key` lacks `owner` on ios, android, react-native, node, python")


def test_a_figure_asks_for_a_capability(tmp_path: Path) -> None:
    nine.write(tmp_path)
    template = tmp_path / "site_templates/steps/create-key.md.j2"
    template.write_text(template.read_text().replace("list of inputs')", "list of inputs', needs='secret')"))
    assert "![The list of inputs]" in text(tmp_path, "create-key", "ios")
    assert "![" not in text(tmp_path, "create-key", "web")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- verify\n", "- {id: verify, needs: [secrt]}\n"),
        ("value: Your key}", "value: Your key, needs: [secrt]}"),
        ("value: Value}", "value: {heading: Value, needs: [secrt]}}"),
    ],
)
def test_a_capability_that_no_platform_has(tmp_path: Path, old: str, new: str) -> None:
    messages = [finding.message for finding in findings(tmp_path, nine.DATA.replace(old, new, 1))]
    assert messages[0] == "`needs`: no platform has the feature `secrt`; did you mean `secret`?", messages


REPOSITORY = Path(__file__).parent.parent


def mismatches(folder: Path) -> list[str]:
    findings = lint(nine.load(folder), Config(folder, select=("feature-mismatch",)))
    return [finding.message for finding in findings if finding.rule == "feature-mismatch"]


def test_our_own_tutorial_agrees_with_its_tables_until_a_platform_is_added(tmp_path: Path) -> None:
    """Flutter has no secret in its text, and the table shows one: the row names the platform that lacks it."""
    shutil.copytree(REPOSITORY / "site_templates", tmp_path / "site_templates")
    data, text = tmp_path / "platforms.yaml", (REPOSITORY / "platforms.yaml").read_text()
    data.write_text(text)
    assert not mismatches(tmp_path)
    web = text[text.index("  web:\n") : text.index("  android:\n")]
    added = text.replace("\ngroups:", web.replace("web:", "flutter:", 1).replace("Web", "Flutter") + "\ngroups:", 1)
    data.write_text(added)
    for path in tmp_path.rglob("*.web.md"):
        path.with_name(path.name.replace("web", "flutter")).write_text(path.read_text())
    (message,) = mismatches(tmp_path)
    assert message.startswith(
        "row `secret` is shown on Flutter, whose text leaves it out: `key-secret` is not in `can`"
    )
    data.write_text(added.replace("value: Your secret\n", "value: Your secret\n        needs: [key-secret]\n"))
    assert not mismatches(tmp_path)


def test_the_text_names_a_row_to_those_without_it(tmp_path: Path) -> None:
    nine.write(tmp_path, data=nine.DATA.replace(SECRET, NEEDS))
    assert not mismatches(tmp_path)
    template = tmp_path / "site_templates/steps/create-key.md.j2"
    template.write_text(template.read_text() + "\nSave the **API secret**.\n")
    (message,) = mismatches(tmp_path)
    assert message.startswith("`API secret` is named on Web, Roku, without such a row: `secret` is not in `can`")
