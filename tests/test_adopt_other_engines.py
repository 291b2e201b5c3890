"""Adopting in a site of a generator that takes no plugin of MkDocs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.repository import Repository
from tutorial_tool.cli import main

PNG = b"\x89PNG\r\n\x1a\n"


def adopted(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, ["adopt", "docs", "--into", ".", "--remove-copies", *options])
    assert result.exit_code == 0, result.output
    return result.output


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())


def copies(suffix: str = ".md", picture: str = "/img/{}/menu.png") -> dict[str, str | bytes]:
    pages: dict[str, str | bytes] = {}
    for platform, name in (("ios", "iOS"), ("android", "Android"), ("web", "Web")):
        pages[f"docs/{platform}/pair{suffix}"] = (
            f"---\ntitle: Pair\n---\n\nPair your lamp with the {name} app, and wait until it blinks twice.\n\n"
            f"![The menu on {name}]({picture.format(platform)})\n\nThen [choose a scene](./scene{suffix}).\n"
        )
        pages[f"docs/{platform}/scene{suffix}"] = (
            f"---\ntitle: Choose a scene\n---\n\nOpen the {name} app, and choose a scene for each of your rooms.\n\n"
            f"Before that, [pair the lamp](./pair{suffix}#top).\n"
        )
    return pages


@pytest.mark.parametrize("folder", [".vitepress", ".vuepress", "docs/.vitepress"])
def test_a_folder_of_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    write(tmp_path, {**copies(), f"{folder}/config.mts": "export default {}\n", f"{folder}/theme/index.ts": ""})
    output = adopted(tmp_path, monkeypatch, "--no-normalize")
    assert f"{folder} cannot use the MkDocs plugin" in output
    assert (tmp_path / "platforms.yaml").is_file()
    assert not (tmp_path / "mkdocs.yml").exists()


@pytest.mark.parametrize(
    ("configuration", "static"), [("docusaurus.config.js", "static"), ("docs/.vitepress/config.ts", "docs/public")]
)
def test_pictures_that_the_engine_publishes_from_elsewhere_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, configuration: str, static: str
) -> None:
    pictures = {f"{static}/img/{platform}/menu.png": PNG for platform in ("ios", "android", "web")}
    write(tmp_path, {**copies(), **pictures, configuration: "\n"})
    output = adopted(tmp_path, monkeypatch, "--normalize")
    template = (tmp_path / "site_templates/steps/pair.md.j2").read_text()
    assert "](/img/{{ platform.id }}/menu.png)" in template
    assert "images are not calls of `figure()`: /img/" in output


def test_pictures_of_the_docs_folder_become_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = {f"docs/img/{platform}/menu.png": PNG for platform in ("ios", "android", "web")}
    write(tmp_path, {**copies(), **pictures, "docusaurus.config.js": "\n"})
    adopted(tmp_path, monkeypatch, "--normalize")
    assert "{{ figure('menu'" in (tmp_path / "site_templates/steps/pair.md.j2").read_text()


def test_links_among_mdx_copies_follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {**copies(".mdx", "https://lamps.example.com/{}.png"), "docusaurus.config.js": "\n"})
    output = adopted(tmp_path, monkeypatch, "--normalize")
    assert "6 × links to pages that now end in .md: updated" in output
    steps = tmp_path / "site_templates/steps"
    assert "](./scene.md)" in (steps / "pair.md.j2").read_text()
    assert "](./pair.md#top)" in (steps / "scene.md.j2").read_text()


def test_links_to_mdx_copies_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are identical byte for byte, so the links in them stay; nor does anything change the pages of others."""
    index = {"docs/index.md": "# Lamps\n\nBegin with [pairing](ios/pair.mdx).\n"}
    write(tmp_path, {**copies(".mdx", "https://lamps.example.com/{}.png"), **index, "docusaurus.config.js": "\n"})
    output = adopted(tmp_path, monkeypatch, "--no-normalize")
    told = output.partition("`tutorial-tool lint` fails on these:")[2]
    assert "docs/index.md:3:22: broken-link: link target `ios/pair.mdx`" in told
    assert "pair.md.j2:9:23: broken-link: link target `./scene.mdx`" in told
    again = CliRunner().invoke(main, ["lint", "--output-format", "concise"]).output
    assert again.count("broken-link") == told.count("broken-link") == 3


@pytest.mark.parametrize("into", [".", "lamps"])
def test_findings_on_pages_that_are_not_adopted_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, into: str
) -> None:
    """As it was on a real site: markup of the generator's own, pages in MDX, a README, and links that are proven."""
    home = "---\ntitle: Lamps\n---\nimport Box from '@site/src/box'\n\n<b>Typescript</b> and Github: [a](/docs/gone)\n"
    more = "---\ntitle: More\n---\n\nSee [lamps](/docs/lamps), [a lamp](/docs/lamb), and [here](lamps.md), with Typescript.\n"
    site: dict[str, str | bytes] = {
        "docs/lamps.md": home,
        "docs/more.mdx": more,
        "README.md": "# Lamps\n",
        "static/img/old.png": PNG,
    }
    write(tmp_path, {**copies(picture="/img/{}.png"), **site, "docusaurus.config.js": "module.exports = {};\n"})
    write(tmp_path, {f"static/img/{platform}.png": PNG for platform in ("ios", "android", "web")})
    monkeypatch.chdir(tmp_path)

    def told() -> set[str]:
        result = CliRunner().invoke(main, ["lint", ".", "--output-format", "concise"]).stdout.splitlines()
        return {line for line in result if line.startswith(("docs/lamps", "docs/more", "README", "static"))}

    before = told()
    assert {line.partition("[")[2].partition("]")[0] for line in before} == {
        "broken-link", "inconsistent-name", "vague-link-text", "unused-image"
    }  # fmt: skip
    options = ["adopt", "docs", "--step", "pair", "--into", into]
    result = CliRunner().invoke(main, [*options, *(["--remove-copies"] if into == "." else [])])
    assert result.exit_code == 0, result.output
    assert told() == before
    if into == ".":  # what is rendered is published, and lacks no page either
        assert CliRunner().invoke(main, ["render", "markdown"]).exit_code == 0
        assert told() == before


def test_pages_that_a_project_leaves_aside_are_not_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = {**copies(".mdx", "https://lamps.example.com/{}.png"), "README.md": "# Lamps\n", "docs/old.md": "# Old\n"}
    write(tmp_path / "site", {**site, "docs/more.mdx": "# More\n", "docusaurus.config.js": "module.exports = {};\n"})
    Repository(tmp_path / "site").commit("Copies", {})
    adopted(tmp_path / "site", monkeypatch, "--step", "pair", "--no-normalize")
    assert "Nothing changed for readers" in CliRunner().invoke(main, ["diff", "HEAD"]).output
    (tmp_path / "site/docs/old.md").unlink()
    output = CliRunner().invoke(main, ["diff", "HEAD"]).output
    assert [line for line in output.splitlines() if "gone" in line] == ["  page gone: /docs/old has no redirect"]


def test_files_above_the_folder_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a folder inside of the docs is named, the addresses of its pages lack that name."""
    site = tmp_path / "site"
    pages = {path.replace("docs/", "lamps/"): text for path, text in copies(picture="../../img/{}.png").items()}
    write(site, {**pages, **{f"img/{platform}.png": PNG for platform in ("ios", "android", "web")}})
    monkeypatch.chdir(site)
    result = CliRunner().invoke(main, ["adopt", "lamps", "--into", "../part"])
    assert "3 files are above lamps, and the links to them break: ../img/" in result.output
    assert "`adopt .` takes the pages with the folders around them" in result.output
    result = CliRunner().invoke(main, ["adopt", ".", "--into", "../whole"])
    assert "Copied 3 files" in result.output
    assert "stand above" not in result.output


def test_files_above_the_docs_folder_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {**copies(picture="../../menu.png"), "menu.png": PNG})
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["adopt", "docs", "--into", "new"])
    assert "1 file is above docs, and the links to it break: ../menu.png" in result.output
    assert "Copy it to docs_src, and update the links." in result.output
