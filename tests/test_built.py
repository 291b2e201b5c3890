"""The built site: what leads nowhere in the HTML that was written is told where it comes from, once."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from tests.test_plugin import CONFIG, build, made, required
from tests.work import soon
from tutorial_tool.links.built_site.folder import Address, Folder
from tutorial_tool.markdown import html_tags

pytestmark = pytest.mark.slow


class Reader(HTMLParser):
    """The standard library's reading of a page: ids and addresses, as `html_tags` gives them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.drawing = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.drawing = self.drawing or tag == "svg"
        element = f"svg:{tag}" if self.drawing else tag
        said = {name: value or "" for name, value in reversed(attrs)}
        for name in dict.fromkeys(name for name, _ in attrs):
            wanted = name in ("href", "src", "srcset", "poster", "xlink:href", "imagesrcset") and "hreflang" not in said
            wanted = wanted and not (tag == "link" and said.get("rel") in ("preconnect", "dns-prefetch"))
            if name == "id" or (name == "name" and tag == "a") or (wanted and tag != "base"):
                self.found.append((element, name, said[name]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        drawing = self.drawing
        self.handle_starttag(tag, attrs)
        self.drawing = drawing

    def handle_endtag(self, tag: str) -> None:
        self.drawing = self.drawing and tag != "svg"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small project, built with Material."""
    root = made(tmp_path_factory.mktemp("project"))
    (root / "docs_src/a.md").write_text(
        '# A\n\n<img src="x.png" title="a > b" alt=\'href="y"\'> `<a href="z">`\n\n```html\n<a href="w">\n```\n'
    )
    assert build(root).returncode == 0
    return root / "site"


def test_tags_are_read_as_the_standard_library_reads_them(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    assert len(pages) >= 8
    for html in pages:
        assert [(one.element, one.name, one.value) for one in html_tags.iter_attributes(html)] == Reader(html).found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href=x>", [("a", "href", "x")]),
        ("<A HREF='x&amp;y' href=z>", [("a", "href", "x&y")]),
        ("<!-- <a href=x> --><a\nhref = \"y\"\n>", [("a", "href", "y")]),
        ("<script src=a.js>'<a href=x>'</script><a href=y>", [("script", "src", "a.js"), ("a", "href", "y")]),
        ("<title><a href=x></title><textarea><a href=x></textarea><style>a[href=x]</style>", []),
        ('<b title="<a href=x>" id=a>', [("b", "id", "a")]),
        ("<svg><use href='#a'/></svg><b id=c>", [("svg:use", "href", "#a"), ("b", "id", "c")]),
        ("<svg/><b id=c>", [("b", "id", "c")]),
        ("<meta http-equiv=refresh content='0; url=x'><meta name=a content=b>", [("meta", "content", "0; url=x")]),
        ("<link rel=preconnect href=//a><link rel=alternate hreflang=de href=/de/>", []),
        ("<a name=old><input name=q>", [("a", "name", "old")]),
        ("<a href='x", []),
        ("<!-- <a href=x>", []),
    ],
)  # fmt: skip
def test_tags(html: str, found: list[tuple[str, str, str]]) -> None:
    assert [(one.element, one.name, one.value) for one in html_tags.iter_attributes(html)] == found


@pytest.mark.parametrize(
    "html",
    [
        "<a " * 50_000,
        "<a '" * 50_000,
        "<!--" * 50_000,
        "<script>" * 50_000,
        "<a b=" * 50_000,
        '<a x="' * 50_001,
        "<svg " * 50_000 + ">",
    ],
)
def test_no_page_keeps_the_reader_busy(html: str) -> None:
    soon(lambda: list(html_tags.iter_attributes(html)))


# Addresses


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("../b/", ("guide/b", True, "")),
        ("../b/#c%20d", ("guide/b", True, "c d")),
        ("#c", ("guide/a/index.html", False, "c")),
        ("?q=1#c", ("guide/a/index.html", False, "c")),
        ("/docs/b", ("b", False, "")),
        ("/docs/", ("", True, "")),
        ("/docs", ("", True, "")),
        ("https://example.com/docs/b/", ("b", True, "")),
        ("../../", ("", True, "")),
        ("../..", ("", True, "")),
        ("x%2Epng", ("guide/a/x.png", False, "")),
        ("/elsewhere/", None),
        ("../../../elsewhere/", None),
        ("https://example.com/elsewhere/", None),
        ("https://example.org/docs/", None),
        ("mailto:a@example.com", None),
        ("//example.com/docs/", None),
        ("javascript:void(0)", None),
    ],
)
def test_addresses_below_a_path(tmp_path: Path, href: str, address: tuple[str, bool, str] | None) -> None:
    read = Folder(tmp_path, "https://example.com/docs/").parse_url("guide/a/index.html", href)
    assert read == (Address(*address) if address else None)


def test_above_the_root_of_a_host_is_its_root(tmp_path: Path) -> None:
    assert Folder(tmp_path).parse_url("a/index.html", "../../../b/") == Address("b", True, "")
    assert Folder(tmp_path).parse_url("404.html", "b/c.css") == Address("b/c.css", False, "")


# Builds


def findings(stderr: str) -> list[str]:
    """What the plugin told, without the level."""
    lines = [line.partition("WARNING -  ")[2] for line in stderr.splitlines()]
    return [line for line in lines if ": broken-" in line or ": missing-image" in line or ": duplicate-id" in line]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


THEME = """\
{% extends "base.html" %}
{% block footer %}<a href="{{ 'imprint/'|url }}">Imprint</a>{% endblock %}
"""


@pytest.mark.parametrize("urls", ["true", "false"])
@pytest.mark.parametrize("engine", ["mkdocs", "properdocs"])
def test_faults_that_only_the_built_site_shows(tmp_path: Path, urls: str, engine: str) -> None:
    required(engine)
    config = CONFIG.replace("theme: {name: material", "theme: {name: material, custom_dir: overrides")
    root = made(tmp_path, config + f"use_directory_urls: {urls}\nextra_css: [assets/gone.css]\n")
    write(root, {"overrides/main.html": THEME, "overrides/.keep": ""})
    done = build(root, "--strict", engine=engine)
    assert done.returncode == 1
    assert findings(done.stderr) == [
        "mkdocs.yml:9:13: broken-link: link target `assets/gone.css` not found in the built site, here and on 7 other pages",
        "overrides/main.html:2:32: broken-link: link target `imprint` not found in the built site, here and on 7 other pages",
    ]


def test_what_lint_told_is_not_told_again(tmp_path: Path) -> None:
    root = made(tmp_path)
    write(root, {"docs_src/a.md": "# A\n\nSee [this](nowhere.md), <a href='../lost/'>that</a> and [there](#gone).\n"})
    done = build(root, "--strict")
    told = findings(done.stderr)
    assert sorted(line.split(": ")[1] for line in told) == ["broken-anchor", "broken-link", "broken-link"]
    assert len({line.split(": ")[0] for line in told}) == 3


def test_an_ignore_silences_the_built_site_too(tmp_path: Path) -> None:
    root = made(tmp_path)
    comment = "<!-- tutorial-tool: ignore[broken-link] it is made later -->"
    write(root, {"docs_src/a.md": f"# A\n\n{comment}\n\nSee <a href='../later/'>that</a>.\n"})
    assert findings(build(root, "--strict").stderr) == []


def test_lint_can_be_turned_off_and_the_built_site_with_it(tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG.replace("tutorial]", "{tutorial: {lint: false}}]"))
    write(root, {"docs_src/a.md": "# A\n\nSee <a href='../nowhere/'>that</a>.\n"})
    assert build(root, "--strict").returncode == 0


def test_a_server_does_not_read_what_it_wrote(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    root = made(tmp_path, CONFIG + "extra_css: [assets/gone.css]\n")
    for command in ("serve", "build"):  # the plugin lives on in this process, and is left as it was
        caplog.clear()
        config = load_config(str(root / "mkdocs.yml"))
        config.plugins.on_startup(command=command, dirty=False)
        mkdocs_build(config)
        assert ("gone.css" in caplog.text) is (command == "build")


def test_pages_that_were_copied_are_targets_only(tmp_path: Path) -> None:
    root = made(tmp_path)
    write(root, {
        "docs_src/api/index.html": '<a href="nowhere.html" id="one">x</a><b id="two"></b><b id="two"></b>',
        "docs_src/a.md": "# A\n\nSee <a href='../api/index.html#one'>one</a>, <a href='../api/index.html#three'>three</a>.\n",
    })  # fmt: skip
    told = findings(build(root, "--strict").stderr)
    assert told == ["docs_src/a.md:3:55: broken-anchor: `../api/index.html#three`: the published page has no `#three`"]
