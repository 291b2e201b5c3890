"""The guide's page on editors: its settings can be read, and all start the command that there is."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from tests.test_guide import GUIDE, REPOSITORY, blocks
from tutorial_tool import scaffold

PAGE = GUIDE / "how-to/editors.md"


def settings(language: str) -> list[str]:
    return [text for of, _, text in blocks(PAGE) if of == language]


def test_every_editor_starts_the_server() -> None:
    (helix,) = map(tomllib.loads, settings("toml"))
    code, zed = map(json.loads, settings("json"))
    (neovim,) = settings("lua")
    server: dict[str, Any] = helix["language-server"]["tutorial-tool"]
    binary: dict[str, Any] = zed["lsp"]["marksman"]["binary"]
    started = [
        [server["command"], *server["args"]],
        [code["glspc.server.command"], *code["glspc.server.commandArguments"]],
        [binary["path"], *binary["arguments"]],
    ]
    assert started == [["tutorial-tool", "lsp"]] * 3
    assert 'cmd = { "tutorial-tool", "lsp" }' in neovim


def test_our_own_data_names_its_schema() -> None:
    (text,) = scaffold.build_schema().values()
    first = (REPOSITORY / "platforms.yaml").read_text().splitlines()[0]
    name = first.partition("$schema=")[2]
    assert (REPOSITORY / name).read_text() == text, f"write it again: tutorial-tool schema > {name}"
