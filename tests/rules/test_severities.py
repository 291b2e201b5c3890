"""How grave a finding is, where a rule is less sure of one kind than of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions

KEYS = "| Setting | Value | When |\n| --- | --- | --- |\n| Key | 1 | always |\n| Other | 1 | always |\n"
HOOK = {"mkdocs.yml": "hooks: [h.py]\n", "h.py": "def on_page_markdown(markdown, **rest):\n    return markdown\n"}
PROXY = "\n## Behind a proxy\n\nSet `proxy_url` when nothing else leads to the Internet, and start the agent again.\n"
AGENT = (
    "# Configure the agent on {0}\n\nThe agent on {0} reads its file, and sends metrics each minute.\n\n"
    "| Setting | Meaning |\n| --- | --- |\n| `api_key` | The key that you copied. |\n| `interval` | How often. |\n"
    "{1}\nRestart the agent, so that it reads the settings.\n{2}"
)
ROW = "| `proxy_url` | The proxy to the Internet. |\n"
ALL = {f"agent-{name}.md": AGENT.format(name, ROW, PROXY) for name in ("Linux", "macOS")}
LAMP = (
    "# The lamp on {0}\n\nThe lamp answers when it is called.\n\nIt shows the time of the day.\n\n## Clock\n\n"
    "{1}\n\nOpen the window of {0}, and look at the lamp.\n"
)
QUIET, LOUD = "When the lamp is quiet, you can {0} the clock.", "When the lamp is ready, you can {0} the clock."
USUAL = {"lamp-macOS.md": LOUD.format("setup"), "lamp-BSD.md": LOUD.format("set up")}
SLIP, RIGHT = "Wait untill the light of the lamp is warm.", "Wait for a minute, as the lamp must be warm."
SWITCHER = "# Lamp\n\nSee [iOS](../android/lamp.md), or go on.\n\nThe lamp shows when it is called.\n"
NEAR = "# A\n\n[a](#good) [a](#best) [a](#gond)\n\n## Good\n\n## Best\n"


def exports(listed: str) -> dict[str, str]:
    """Copies with a table of what a package has, of which one has a row less."""
    row = "| `t` | Translates a text. |\n"
    text = (
        "# The package for {0}\n\nThe package for {0} has these, and is loaded once.\n\n"
        f"| {listed} | Description |\n| --- | --- |\n| `dictionary` | Reads a dictionary. |\n| `entry` | Reads an entry. |\n"
        "{1}\nLoad the package before you begin.\n"
    )
    return {f"{name}/package.md": text.format(name, row * (name != "macOS")) for name in ("Linux", "macOS", "Windows")}


def lamps(said: dict[str, str]) -> dict[str, str]:
    """Copies with a sentence of each in its place."""
    return {name: LAMP.format(name.removeprefix("lamp-").removesuffix(".md"), text) for name, text in said.items()}


@pytest.mark.parametrize(
    ("rule", "severity", "files"),
    [
        ("malformed-table", Severity.ERROR, {"a.md": f"{KEYS}| Key | 2 | always |\n"}),
        ("malformed-table", Severity.HINT, {"a.md": f"{KEYS}| Key | 2 | at night |\n"}),
        ("malformed-table", Severity.HINT, {"a.md": f"{KEYS}| Key | 1 | only when it is dark |\n"}),
        ("unclosed-fence", Severity.ERROR, {"a.md": "# A\n\n```bash\nlamp on\n\nThen hold the button for long.\n"}),
        ("unclosed-fence", Severity.WARNING, {"a.md": "# A\n\n```bash\nlamp on\n"}),
        ("unclosed-fence", Severity.HINT, {"a.md": "(a)=\n# A\n\n```{toctree}\n:hidden:\n\nb\nc\n"}),
        ("link-title-mismatch", Severity.WARNING, {"a.md": "Write to [us@shelf.dev](mailto:help@shelf.dev).\n"}),
        ("link-title-mismatch", Severity.WARNING, {f"{name}/lamp.md": SWITCHER for name in ("android", "ios", "web")}),
        ("broken-anchor", Severity.ERROR, {**HOOK, "docs/a.md": NEAR}),
        ("drifted-wording", Severity.HINT, lamps({**USUAL, "lamp-Linux.md": QUIET.format("set up")})),
        ("broken-anchor", Severity.HINT, {**HOOK, "docs/a.md": NEAR.replace("gond", "unlike")}),
        (
            "foreign-name",
            Severity.WARNING,
            {
                f"lamp-{name}.md": f"# The lamp on {name}\n\nThe lamp on {name} shows when it is called.\n\n"
                f"Open the window of {name}, and look at the lamp.\n\nSee our [{shown} lamp](https://a.example) for more.\n"
                for name, shown in (("Linux", "Linux"), ("macOS", "macOS"), ("BSD", "BSD"), ("Windows", "Linux"))
            },
        ),
        (
            "broken-link",
            Severity.WARNING,
            {
                "docusaurus.config.js": "module.exports = {};\n",
                "docs/Set-up.md": "# Set\n",
                "docs/a.md": "[a](./set-up)\n",
            },
        ),
    ],
)
def test_a_finding_in_doubt_is_less_grave(rule: str, severity: Severity, files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [one for of in targets.find([tmp_path], LookupOptions(tmp_path)) for one in of.lint().findings]
    assert {one.severity for one in found if one.rule == rule} == {severity}
