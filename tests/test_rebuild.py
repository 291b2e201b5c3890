"""While serving, only what a change concerns is built again, and the files are those of a whole build, byte for byte."""

from __future__ import annotations

import posixpath
import random
import re
import shutil
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files

from tests import project
from tests.test_plugin import CONFIG, change, log_of, served, shows
from tutorial_tool import cache
from tutorial_tool.mkdocs_plugin import TutorialPlugin

pytestmark = pytest.mark.slow

URL = "http://127.0.0.1:8000/docs/"
MACROS = "{% macro tip(text) %}> **Tip:** {{ text }}{% endmacro %}\n"
MORE = {
    **project.TEMPLATES,
    "macros/tips.md.j2": MACROS,
    "macros/all.md.j2": "{% import 'macros/tips.md.j2' as tips %}{% macro both(a) %}{{ tips.tip(a) }}{% endmacro %}\n",
    "steps/rest.md.j2": (
        "{% import 'macros/all.md.j2' as all %}---\ntitle: Rest\n---\n\n"
        "{{ all.both('Sleep.') }}\n\n{{ figure('bed', alt='A bed') }}\n\nSee {{ link('finish#check') }}.\n"
    ),
}
DATA = project.DATA.replace("      - finish\n", "      - finish\n      - rest\n")
PAGES = {
    "about.md": "---\ntitle: About\n---\n\n![A map](map.png)\n\n[Start](guide/swan/welcome.md){ .tutorial-start }\n",
    "more/first.md": "# First\n\nSee [About](../about.md) and [the check](../guide/otter/finish.md#check).\n",
    "more/second.md": "# Second\n\n## Part\n\nText.\n",
}


def picture(width: int) -> bytes:
    """A grey picture as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x7f" * width) * 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, 9, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


class Server:
    """What `mkdocs serve` does with a project, without the server: a build, and another after each change."""

    def __init__(self, root: Path, site: Path) -> None:
        self.root, self.site = root, site
        self.short = 0
        """How many builds were not whole ones."""
        self.plugins: dict[str, BasePlugin[Any]] = {}
        config = self._config()
        config.plugins.on_startup(command="serve", dirty=False)
        plugin = config.plugins["tutorial"]
        assert isinstance(plugin, TutorialPlugin)
        self.plugin = plugin
        self._build(config)

    def _config(self) -> MkDocsConfig:
        """The configuration. A process keeps plugins from one build to the next, as one server does."""
        usual = MkDocsConfig.plugins.plugin_cache  # type: ignore[attr-defined]
        MkDocsConfig.plugins.plugin_cache = self.plugins  # type: ignore[attr-defined]
        try:
            return load_config(str(self.root / "mkdocs.yml"), site_dir=str(self.site))
        finally:
            MkDocsConfig.plugins.plugin_cache = usual  # type: ignore[attr-defined]

    def _build(self, config: MkDocsConfig | None = None) -> None:
        config = config or self._config()
        config.site_url = URL
        build(config, serve_url=URL)

    def again(self) -> bool:
        """Build after a change; returns whether only a part was built."""
        whole: list[bool] = []

        def build_whole() -> None:
            whole.append(True)
            self._build()

        self.plugin._rebuild_site(build_whole)
        self.plugin.incremental.write_late_pages()
        self.short += not whole
        return not whole

    def files(self) -> dict[str, bytes]:
        return {
            p.relative_to(self.site).as_posix(): p.read_bytes() for p in sorted(self.site.rglob("*")) if p.is_file()
        }


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")  # a theme may print when the site was built
    root = project.write(tmp_path / "project", DATA, MORE, PAGES)
    (root / "mkdocs.yml").write_text(CONFIG)
    (root / "docs_src/map.png").write_bytes(picture(40))
    return root


def whole(root: Path) -> dict[str, bytes]:
    """The files of a whole build by a server that starts now."""
    site = root.parent / "whole"
    shutil.rmtree(site, ignore_errors=True)
    return Server(root, site).files()


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


def test_what_is_saved_while_the_whole_site_is_built_is_not_lost(root: Path, tmp_path: Path) -> None:
    server, page = Server(root, tmp_path / "site"), root / "docs_src/index.md"
    read = server.plugin.incremental.record_content

    def saved_then(files: Files) -> None:
        read(files)
        page.write_text("# Home\n\nSaved meanwhile.\n")
        time.sleep(2e-9 * cache.FINE_TICK_NANOSECONDS)

    server.plugin.incremental.record_content = saved_then  # type: ignore[method-assign]
    server._build()
    server.plugin.incremental.record_content = read  # type: ignore[method-assign]
    server.again()
    assert "Saved meanwhile." in (tmp_path / "site/index.html").read_text()
    assert differing(server.files(), whole(root)) == []


def test_an_edit_builds_a_part_of_the_site_and_the_files_are_those_of_a_whole_build(root: Path) -> None:
    server = Server(root, root.parent / "site")
    before = server.files()
    for path, old, new in (
        ("site_templates/steps/finish.md.j2", "Done.", "All is done."),
        ("site_templates/steps/finish.md.j2", "title: Finish", "title: The end"),
        ("site_templates/steps/finish.md.j2", "title: Finish", "title: Finish\ndescription: How it ends."),
        ("site_templates/steps/finish.md.j2", "## Check {: #check }", "## Look {: #check }\n\n## More {: #more }"),
        ("site_templates/macros/tips.md.j2", "**Tip:**", "**Hint:**"),
        ("site_templates/steps/prepare/install.animals.md", "Then wait.", "Then go on."),
        ("site_templates/steps/prepare/start.swan.py", "print", "show"),
        ("platforms.yaml", "swan-kit", "swan-set"),
        ("platforms.yaml", "value: Disabled\n        on", "value: Enabled\n        on"),
        ("docs_src/about.md", "A map", "The map"),
        ("docs_src/more/second.md", "## Part", "## Another part"),
    ):
        text = (root / path).read_text()
        change(root / path, old, new)
        assert server.again(), f"only a part is built: {new}"
        assert server.files() != before, new
        assert differing(server.files(), whole(root)) == [], new
        (root / path).write_text(text)
        assert server.again(), f"only a part is built: {old}"
        assert differing(server.files(), before) == [], old


def test_a_picture_of_another_size_concerns_the_pages_that_show_it(root: Path) -> None:
    server = Server(root, root.parent / "site")
    (root / "docs_src/map.png").write_bytes(picture(77))
    assert server.again()
    assert b'width="77"' in server.files()["about/index.html"]
    assert differing(server.files(), whole(root)) == []


def test_pages_that_nobody_looks_at_follow(root: Path) -> None:
    time.sleep(2e-9 * cache.FINE_TICK_NANOSECONDS)  # what was saved just before a build is looked at again
    server = Server(root, root.parent / "site")
    shortcut = server.plugin.incremental
    assert (
        server.plugin.background_linter.wait_for_findings(timeout=60) is not None
    )  # who looks at a site writes its late pages first
    change(root / "site_templates/steps/finish.md.j2", "Done.", "All is done.")
    assert shortcut.rebuild_changed()
    assert set(shortcut.late) == {"guide/swan/finish.md", "guide/otter/finish.md"}
    shortcut.write_requested("guide/swan/finish/index.html")
    assert set(shortcut.late) == {"guide/otter/finish.md"}
    assert b"All is done." in server.files()["guide/swan/finish/index.html"]
    assert b"All is done." not in server.files()["guide/otter/finish/index.html"]
    shortcut.write_requested("search/search_index.json")
    assert differing(server.files(), whole(root)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("plugins: [search, tutorial]", "plugins: [search, tutorial, privacy]"),
        ("plugins: [search, tutorial]", "plugins: [search, tutorial]\nhooks: [hook.py]"),
        ("plugins: [search, tutorial]", "plugins: [search, tutorial]\nmarkdown_extensions: [tests.test_rebuild]"),
        ("plugins: [search, tutorial]", "plugins: [search, tutorial]\nmarkdown_extensions: [pymdownx.snippets]"),
        ("font: false", "font: false, custom_dir: overrides"),
    ],
)
def test_what_is_not_known_turns_the_shortcut_off(root: Path, old: str, new: str) -> None:
    (root / "hook.py").write_text("def on_page_markdown(markdown, **_):\n    return markdown\n")
    (root / "overrides").mkdir()
    (root / "overrides/main.html").write_text('{% extends "base.html" %}\n{{ pages | length }}\n')
    change(root / "mkdocs.yml", old, new)
    server = Server(root, root.parent / "site")
    change(root / "site_templates/steps/finish.md.j2", "Done.", "All is done.")
    assert not server.again()


def reached(site: Path) -> set[str]:
    """The pages to which links lead from the home page, one after the other, without a script."""
    found, todo = set[str](), ["index.html"]
    while todo:
        path = todo.pop()
        if path not in found and (site / path).is_file():
            found.add(path)
            hrefs = re.findall(r'<a [^>]*href="([^"#:]*)', (site / path).read_text())
            todo += [posixpath.normpath(posixpath.join(posixpath.dirname(path), href, "index.html")) for href in hrefs]
    return found


def test_a_large_site_shows_the_open_part_of_its_navigation_and_every_page_is_reached(root: Path) -> None:
    steps = "".join(f"      - {{id: step-{number}}}\n" for number in range(101))
    change(root / "platforms.yaml", "      - finish\n      - rest\n", f"      - finish\n      - rest\n{steps}")
    for number in range(101):
        (root / f"site_templates/steps/step-{number}.md.j2").write_text(f"---\ntitle: Do {number}\n---\n\nText.\n")
    change(root / "mkdocs.yml", "name: material", "name: material, language: en")
    server = Server(root, root.parent / "site")
    page = server.site / "guide/swan/step-7/index.html"
    navigation = page.read_text().partition('<nav class="md-nav md-nav--primary')[2].partition("</nav>\n  </div>")[0]
    assert "../step-9/" in navigation
    assert "../../otter/step-9/" not in navigation
    pages = {path for path in server.files() if path.endswith("index.html")}
    assert reached(server.site) == pages


def makeExtension() -> object:  # noqa: N802 - what Python-Markdown asks a module for
    from markdown.extensions.tables import TableExtension

    return TableExtension()


# Random edits

Edit = Callable[[Path, random.Random], None]


def replaced(path: str, *texts: str) -> Edit:
    """Puts the next of several texts in the place of the one that stands there."""

    def edit(root: Path, rng: random.Random) -> None:
        file = root / path
        if not file.exists():
            return
        text = file.read_text()
        old = next((t for t in texts if t in text), None)
        if old is not None:
            file.write_text(text.replace(old, rng.choice(texts)))

    return edit


def toggled(path: str, *contents: str | bytes) -> Edit:
    """Writes a file, or takes it away."""

    def edit(root: Path, rng: random.Random) -> None:
        file = root / path
        if file.exists() and rng.random() < 0.6:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            content = rng.choice(contents)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())

    return edit


def moved(path: str, other: str) -> Edit:
    def edit(root: Path, rng: random.Random) -> None:
        old, new = (root / path, root / other) if (root / path).exists() else (root / other, root / path)
        if old.exists() and not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)

    return edit


def appended(path: str) -> Edit:
    def edit(root: Path, rng: random.Random) -> None:
        file = root / path
        if file.exists():
            file.write_text(file.read_text() + f"\nWord {rng.randrange(100)}.\n")

    return edit


STEPS = "site_templates/steps"
EDITS: list[Edit] = [
    *(appended(f"{STEPS}/{name}.md.j2") for name in ("welcome", "prepare", "finish", "rest") for _ in range(3)),
    *(appended(f"docs_src/{name}") for name in PAGES),
    replaced(f"{STEPS}/finish.md.j2", "title: Finish", "title: The <b>end</b>", "title: Last"),
    replaced(
        f"{STEPS}/finish.md.j2", "## Check {: #check }", "## Look {: #check }", "## See {: #check }\n\n## Z {: #z }"
    ),
    replaced(f"{STEPS}/prepare.md.j2", "description: Get ready.", "description: Go.", "description: Get & go."),
    replaced(f"{STEPS}/prepare.md.j2", "## Start", "## Begin", "### Start"),
    replaced(f"{STEPS}/prepare.md.j2", "alt='The menu'", "alt='A menu'"),
    replaced(f"{STEPS}/rest.md.j2", "Sleep.", "Doze.", "{{ platform.name }}"),
    replaced(f"{STEPS}/welcome.md.j2", "link('prepare')", "link('prepare#menu')", "link('finish')"),
    replaced(f"{STEPS}/prepare/install.animals.md", "Then wait.", "Then go on.", "Then {{ link('rest') }}."),
    replaced(f"{STEPS}/prepare/start.swan.py", "print", "show"),
    toggled(f"{STEPS}/prepare/start.otter.py", "pass\n", "x = 1\n"),
    toggled(f"{STEPS}/prepare/install.otter.md", "Dive.\n", "Swim.\n"),
    replaced("site_templates/macros/tips.md.j2", "**Tip:**", "**Hint:**", "*Note*"),
    replaced("platforms.yaml", "swan-kit", "swan-set", "swan"),
    replaced("platforms.yaml", "menu: Swan menu", "menu: The menu", "menu: Menu & more"),
    replaced("platforms.yaml", "name: Otter", "name: Sea otter", "name: O & O"),
    replaced("platforms.yaml", "value: Disabled\n", "value: Enabled\n"),
    replaced("platforms.yaml", "setting: Sound", "setting: Noise", "setting: Volume"),
    replaced("platforms.yaml", "setting: Setting,", "setting: Option,"),
    replaced("platforms.yaml", "title: Guide", "title: The guide", "title: Tour"),
    replaced("platforms.yaml", "      - prepare\n", "      - {id: prepare, not-on: {otter: Too cold}}\n"),
    replaced("platforms.yaml", "welcome, numbered: false", "welcome, numbered: true"),
    replaced("platforms.yaml", "      - finish\n      - rest\n", "      - rest\n      - finish\n", "      - finish\n"),
    replaced("platforms.yaml", "values: [Enabled, Disabled]", "values: [Enabled, Disabled, Off]"),
    replaced("platforms.yaml", "\ngroups:", "\nstrings: {next: Onwards}\ngroups:"),
    replaced("docs_src/about.md", "title: About", "title: About us", "title: About\ntags: [a]"),
    replaced("docs_src/about.md", ".tutorial-start", ".md-button"),
    replaced("docs_src/more/second.md", "## Part", "## Another", "# Part"),
    toggled("docs_src/more/third.md", "# Third\n", "# Third\n\n[About](../about.md)\n"),
    toggled("docs_src/map.png", picture(20), picture(50), picture(60)),
    toggled("docs_src/notes.txt", "a\n", "b\n"),
    toggled("docs_src/guide/otter/finish.md", "---\ntitle: My finish\n---\n\n## Check {: #check }\n\nBy hand.\n"),
    toggled("docs_src/guide/swan/bed.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"),
    moved("docs_src/more/first.md", "docs_src/first.md"),
    moved("docs_src/more", "docs_src/less"),
    replaced("mkdocs.yml", "site_name: Example", "site_name: Sample"),
    replaced("mkdocs.yml", "content.action.edit", "navigation.prune", "navigation.tabs"),
    replaced(
        "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, tutorial]\nnav: [index.md, tutorial:guide]"
    ),
    replaced("mkdocs.yml", "name: material", "name: readthedocs"),
    toggled("tutorial-tool.toml", "[redirects]\n'old/' = 'about/'\n"),
    replaced(f"{STEPS}/finish.md.j2", "Done.", "{{ done }}"),
    replaced("platforms.yaml", "name: Swan,", "nmae: Swan,"),
]


def standing(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def restore(root: Path, files: dict[Path, bytes]) -> None:
    """Take back what an edit did."""
    for path in standing(root).keys() - files.keys():
        path.unlink()
    for path, content in files.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def compare(root: Path, seed: int, count: int) -> int:
    """Compare after each of so many edits; returns how many of the builds were not whole ones.

    A mistake is taken back once it was seen: its pages are those of the last good build, which no new server knows.
    """
    server, rng = Server(root, root.parent / "site"), random.Random(seed)
    for _ in range(count):
        before, number = standing(root), rng.randrange(len(EDITS))
        EDITS[number](root, rng)
        server.again()
        if server.plugin.broken:
            restore(root, before)
            server.again()
        assert not server.plugin.broken
        assert differing(server.files(), whole(root)) == [], f"edit {number}"
    return server.short


def test_after_random_edits_the_files_are_those_of_a_whole_build(root: Path) -> None:
    assert compare(root, seed=1, count=20) > 5


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_after_many_random_edits_the_files_are_those_of_a_whole_build(root: Path) -> None:
    assert compare(root, seed=2, count=200) > 60


def test_a_saved_template_value_and_page_are_served(tmp_path: Path) -> None:
    root = project.write(tmp_path / "project", DATA, MORE, PAGES)
    (root / "mkdocs.yml").write_text(CONFIG)
    with served(root) as url:
        assert shows(url + "guide/swan/finish/", "Done."), log_of(root).read_text()
        change(root / "site_templates/steps/finish.md.j2", "Done.", "All is done.")
        assert shows(url + "guide/swan/finish/", "All is done.")
        change(root / "platforms.yaml", "swan-kit", "swan-set")
        assert shows(url + "guide/otter/prepare/", "swan-set")
        change(root / "docs_src/about.md", "A map", "The map")
        assert shows(url + "about/", "The map")
        new = tmp_path / "new.yaml"  # as editors save: another file takes the place of the one that is watched
        new.write_text((root / "platforms.yaml").read_text().replace("swan-set", "swan-box"))
        new.replace(root / "platforms.yaml")
        assert shows(url + "guide/otter/prepare/", "swan-box")
        change(root / "platforms.yaml", "swan-box", "swan-bag")
        assert shows(url + "guide/otter/prepare/", "swan-bag")
    assert log_of(root).read_text().count("Documentation built in") == 1, "the other builds are parts"


def test_a_page_for_all_platforms_follows_its_variants(root: Path, tmp_path: Path) -> None:
    data = (root / "platforms.yaml").read_text()
    (root / "platforms.yaml").write_text(data.replace("    title: Guide\n", "    title: Guide\n    combined: true\n"))
    server, template = Server(root, tmp_path / "site"), root / "site_templates/steps/finish.md.j2"
    template.write_text(template.read_text().replace("Done.", "Done on {{ platform.name }}."))
    assert server.again()
    text = (tmp_path / "site/guide/finish/index.html").read_text()
    assert "Done on Swan." in text
    assert "Done on Otter." in text
    template.write_text(template.read_text().replace("{{ platform.name }}", "all"))
    assert server.again()
    assert (tmp_path / "site/guide/finish/index.html").read_text().count("Done on all.") == 1
    assert differing(server.files(), whole(root)) == []
