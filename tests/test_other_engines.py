"""A project that stands in the site of a generator which takes no plugin of MkDocs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tutorial_tool.cli import main

DATA = """\
platforms:
  ios: {name: iOS}
  web: {name: Web}
tutorials:
  lamps:
    title: Lamps
    path: lamps/{platform}/{step}
    steps: [01-pair, 02-dim]
"""
CONFIGURATIONS = {
    "docusaurus": ("docusaurus.config.js", 'module.exports = {presets: [["classic", {docs: {}}]]};\n'),
    "vitepress": ("docs/.vitepress/config.ts", "export default {}\n"),
    "vitepress in the root": (".vitepress/config.ts", "export default {}\n"),
    "vitepress of what is rendered": (".vitepress/config.ts", 'export default { srcDir: "markdown/docs" }\n'),
}


def linted(root: Path, monkeypatch: pytest.MonkeyPatch, engine: str, pair: str, dim: str = "Text.\n") -> list[str]:
    name, text = CONFIGURATIONS[engine]
    files = {
        name: text,
        "platforms.yaml": DATA,
        "docs/index.md": "# Home\n\nBegin with [iOS](./lamps/ios/01-pair).\n",
        "site_templates/steps/01-pair.md.j2": f"---\ntitle: Pair\n---\n\n{pair}",
        "site_templates/steps/02-dim.md.j2": f"---\ntitle: Dim\n---\n\n{dim}",
    }
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    monkeypatch.chdir(root)
    result = CliRunner().invoke(main, ["lint", "--no-cache", "--output-format", "concise", "--fail-on", "hint"])
    return [line for line in result.output.splitlines() if ": " in line]


@pytest.mark.parametrize("engine", CONFIGURATIONS)
def test_lists_are_published_as_commonmark_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    steps = "1. Hold the knob.\n2. Type:\n\n   ```sh\n   pair\n   ```\n\n3. Let it go.\n"
    assert linted(tmp_path, monkeypatch, engine, steps) == []


def test_mkdocs_restarts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = "1. Hold the knob.\n2. Type:\n\n   ```sh\n   pair\n   ```\n\n3. Let it go.\n"
    (tmp_path / "mkdocs.yml").write_text("site_name: Lamps\ndocs_dir: docs\nplugins: [tutorial]\n", encoding="utf-8")
    assert any("broken-list-numbering" in line for line in linted(tmp_path, monkeypatch, "docusaurus", steps))


@pytest.mark.parametrize("engine", CONFIGURATIONS)
def test_links_may_lack_the_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    told = linted(tmp_path, monkeypatch, engine, "Then [dim it](./02-dim), [again](02-dim.html).\n")
    assert told == []


@pytest.mark.parametrize("address", ["./dim", "/docs/lamps/{{ platform.id }}/dim"])
def test_links_to_where_docusaurus_publishes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    assert linted(tmp_path, monkeypatch, "docusaurus", f"Then [dim it]({address}).\n") == []


@pytest.mark.parametrize("address", ["./02-dm", "02-dm.md"])
def test_links_to_nothing_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    others = "See [pairing](./01-pair), [a lamp](./01-pair), and [the knob](01-pair).\n"  # what proves that such links resolve
    told = linted(tmp_path, monkeypatch, "docusaurus", f"Then [dim it]({address}).\n", others)
    assert len(told) == 1
    assert "broken-link" in told[0]


def test_links_between_hand_written_pages_are_read_as_their_generator_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/faq.md").write_text("# FAQ\n\nSee [the API](/api/) and [more](/lamps/faq).\n", encoding="utf-8")
    plugin = "plugins: [['redocusaurus', {specs: [{url: 'https://x.example/embed', route: '/api/'}]}]], baseUrl: '/',"
    config = f"module.exports = {{{plugin} presets: [['classic', {{docs: {{path: 'docs', routeBasePath: '/'}}}}]]}};\n"
    monkeypatch.setitem(CONFIGURATIONS, "docusaurus", ("docusaurus.config.js", config))
    assert linted(tmp_path, monkeypatch, "docusaurus", "Text.\n") == []
