"""Sites in three languages, on three platforms, as generators build what `render` writes, and as the plugin does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_plugin import build, required
from tests.test_reader_features import zensical
from tests.test_translation import run


def translated(root: Path, *options: str) -> Path:
    """A new project on three platforms, rendered in three languages."""
    run("init", root, "-y", "--platform", "iOS", "--platform", "Android", "--platform", "Web", "--ci", "none", *options)
    for language in ("de", "fr"):
        run("translate", language, "--pseudo", "--project", root)
    return root


STEPS = [f"quickstart/{platform}/{step}" for platform in ("ios", "android", "web") for step in ("install-the-package", "check")]  # fmt: skip


def check(site: Path) -> None:
    for step in STEPS:
        for folder, word in ((".", "Install"), ("de", "Íñstáll"), ("fr", "Íñstáll")):
            html = (site / folder / step / "index.html").read_text()
            assert f"{word} the package" in html or "Íñstáll thé páçkágé" in html
            for src in re.findall(r'src="([^"]*\.svg)"', html):
                assert (site / folder / step / src).is_file(), (folder, step, src)


@pytest.mark.slow
def test_zensical_publishes_a_site_for_each_language(tmp_path: Path) -> None:
    root = translated(tmp_path / "lamp", "--generator", "zensical")
    (root / "docs_src/index.de.md").write_text("# Startseite\n\n[Los](quickstart/ios/check.md)\n")
    run("render", root / "out", "--reader-features", "--project", root)
    for name in ("mkdocs.yml", "mkdocs.de.yml", "mkdocs.fr.yml"):
        zensical(root / "out", "-f", name)
    check(root / "out/site")
    assert "Startseite" in (root / "out/site/de/index.html").read_text()
    assert "Startseite" not in (root / "out/site/fr/index.html").read_text()
    assert not [*(root / "out/docs").rglob("*.de.md")]


@pytest.mark.slow
def test_hugo_and_static_i18n_find_pages_with_their_language_in_their_name(tmp_path: Path) -> None:
    required("hugo")
    required("mkdocs_static_i18n")
    root = translated(tmp_path / "hugo", "--generator", "hugo")
    with (root / "hugo.toml").open("a") as file:
        file.write("\n[languages.en]\n[languages.de]\n[languages.fr]\n")
    run("render", root / "rendered", "--reader-features", "--index", "_index.md", "--links", "url", "--project", root)
    hugo = Path(sys.executable).with_name("hugo")  # a virtual environment need not be active
    subprocess.run([hugo], cwd=root, check=True, capture_output=True, timeout=120)
    check(root / "public")
    root = translated(tmp_path / "i18n")
    languages = "".join(f"        - {{locale: {code}, name: {code}}}\n" for code in ("de", "fr"))
    i18n = f"  - i18n:\n      languages:\n        - {{locale: en, name: en, default: true}}\n{languages}"
    config = (root / "mkdocs.yml").read_text().replace("  - tutorial\n", i18n)
    (root / "mkdocs.yml").write_text(config)
    run("render", root / "out", "--reader-features", "--project", root)
    done = build(root / "out", "--strict")
    assert done.returncode == 0, done.stderr
    check(root / "out/site")


def test_docusaurus_finds_pages_and_names_of_folders_where_it_looks_for_a_language(tmp_path: Path) -> None:
    root = translated(tmp_path / "lamp", "--generator", "docusaurus")
    run("render", root / "rendered", "--reader-features", "--project", root)
    folder = root / "rendered/i18n/de/docusaurus-plugin-content-docs"
    assert sorted(
        path.relative_to(folder / "current").as_posix() for path in folder.rglob("quickstart/*/*.md")
    ) == sorted(f"{step}.md" for step in STEPS)
    assert '"sidebar.defaultSidebar.category.Quickstart": {\n    "message": "Qúíçkstárt"' in (folder / "current.json").read_text()  # fmt: skip


@pytest.mark.slow
def test_the_plugin_publishes_the_language_that_it_is_told(tmp_path: Path) -> None:
    root = translated(tmp_path / "lamp")
    config = (root / "mkdocs.yml").read_text().replace("  - tutorial\n", "  - tutorial: {lang: de}\n")
    (root / "mkdocs.yml").write_text(config)
    (root / "docs_src/index.de.md").write_text("# Startseite\n\n[Los](quickstart/ios/check.md)\n")
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    assert "Startseite" in (root / "site/index.html").read_text()
    assert not (root / "site/index.de").exists()
    html = (root / "site/quickstart/ios/install-the-package/index.html").read_text()
    assert "Stép 1. Íñstáll thé páçkágé" in html
    assert 'id="settings"' in html
