"""What a build writes for readers' other tools."""

from __future__ import annotations

from pathlib import Path

from tests.test_plugin import CONFIG, build, change, made


def test_a_build_has_each_page_as_markdown_and_lists_them(tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG + "site_description: Two animals.\n")
    (root / "docs_src/more.md").write_text("# More\n\nGo [home].\n\n[home]: index.md\n")
    assert build(root, "--strict").returncode == 0
    base = "https://example.com/docs/"
    listed = (root / "site/llms.txt").read_text()
    assert listed.startswith("# Example\n\n> Two animals.\n\n## Guide: Swan\n\n")
    assert f"- [Step 1. Prepare Swan]({base}guide/swan/prepare.md): Get ready.\n" in listed
    page = (root / "site/guide/swan/finish.md").read_text()
    assert "(prepare.md#menu)" in page
    whole = (root / "site/llms-full.txt").read_text()
    assert f"({base}guide/swan/prepare.md#menu)" in whole
    assert f"[home]: {base}index.md\n" in whole


def test_it_can_be_turned_off_and_keeps_what_the_author_wrote(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "docs_src/llms.txt").write_text("Mine.\n")
    assert build(root).returncode == 0
    assert (root / "site/llms.txt").read_text() == "Mine.\n"
    change(root / "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, {tutorial: {readers: false}}]")
    assert build(root).returncode == 0
    assert not (root / "site/llms-full.txt").exists()
