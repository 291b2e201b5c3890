"""The HTML of a page as it is published: figures in place, sizes of pictures, tables that say what they are."""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from justhtml import JustHTML

from tests import project
from tests.project import DATA, TEMPLATES
from tests.test_plugin import CONFIG, build, made
from tutorial_tool.publishing import html as published
from tutorial_tool.publishing.html import HtmlContext, ImageSource, StateTable

FIGURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10" role="img" aria-labelledby="t">'
    '<title id="t">It</title><style>rect{fill:red}</style><rect id="r" width="5" height="5"/></svg>\n'
)
SETTINGS = StateTable(("Setting", "Value"), True, {1: {"Enabled": True, "Disabled": False, "Cleared": None}})


def page(html: str, *tables: StateTable, **pictures: ImageSource) -> str:
    """The page with its pictures `a.png` and so on as named."""
    words = {"copy-table": "Copy", "table-copied": "Done"}
    return published.render_page(html, HtmlContext(lambda src: pictures.get(src.partition(".")[0]), tables, words))


def valid(html: str) -> str:
    """The HTML, which has no mistake and no id twice."""
    parsed = JustHTML(html, collect_errors=True, fragment=True)
    assert not parsed.errors, (parsed.errors, html)
    ids = re.findall(r'\sid="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    return html


def table(*rows: str, head: str = "<th>Setting</th><th>Value</th>") -> str:
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def png(width: int, height: int) -> bytes:
    """A grey picture."""
    data = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    chunks = ((b"IHDR", data), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


# Pictures


def test_a_figure_stands_in_the_page_and_its_ids_once() -> None:
    html = valid(
        page('<p><img alt="It" src="a.svg" /></p><p><img alt="It" src="a.svg"></p>', a=ImageSource(svg=FIGURE))
    )
    assert re.findall(r"<title.*?</title>", html) == ['<title id="tt1-t">It</title>', '<title id="tt2-t">It</title>']
    assert 'aria-labelledby="tt2-t"' in html
    assert html.count("<style>") == 1
    assert re.search(r"<style>\.tt-[0-9a-f]{8} rect\{fill:red\}", html)
    assert "<img" not in html


def test_ids_of_figures_keep_off_those_of_the_page() -> None:
    html = valid(page('<h2 id="tt1-t">A</h2><p><img src="a.svg" alt=""></p>', a=ImageSource(svg=FIGURE)))
    assert 'aria-labelledby="tt2-t"' in html


def test_a_figure_that_is_scaled_can_be_scrolled_by_keyboard_and_has_a_name() -> None:
    html = page('<img src="a.svg" alt="A &quot;B&quot;" class="big" id="x">', a=ImageSource(svg=FIGURE))
    around = re.match(r"<span [^>]*>", html)
    assert around
    assert 'id="x"' in around[0]
    assert re.search(r'class="tt-figure tt-[0-9a-f]{8} big"', around[0])
    assert 'role="group" aria-label="A &quot;B&quot;" tabindex="0" style="--tt-width:20px"' in around[0]


def test_pictures_have_a_size_and_those_further_down_load_late() -> None:
    html = valid(
        page(
            '<p><img alt="" src="a.png"><img alt="" src="b.png"></p>',
            a=ImageSource(size=(4, 3)),
            b=ImageSource(size=(8, 6)),
        )
    )
    assert html == (
        '<p><img alt="" src="a.png" width="4" height="3"><img alt="" src="b.png" width="8" height="6" loading="lazy"></p>'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<img src="a.png" width="10">', '<img src="a.png" width="10">'),
        ('<img src="a.png" style="width: 3em">', '<img src="a.png" style="width: 3em">'),
        ('<img src="https://example.com/x.png">', '<img src="https://example.com/x.png">'),
        ("<img src=a.png hidden>", '<img src="a.png" hidden="" width="4" height="3">'),
        ('<pre><code>&lt;img src="a.png"&gt;</code></pre>', '<pre><code>&lt;img src="a.png"&gt;</code></pre>'),
        ('<!-- <img src="a.png"> -->', '<!-- <img src="a.png"> -->'),
        ('<script>x = "<img src=a.png>"</script>', '<script>x = "<img src=a.png>"</script>'),
        ('<img alt="a > b" src="a.png">', '<img alt="a &gt; b" src="a.png" width="4" height="3">'),
    ],
)
def test_what_an_author_says_holds_and_nothing_else_is_touched(before: str, after: str) -> None:
    assert page(before, a=ImageSource(size=(4, 3))) == after


def test_the_size_of_a_file(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(png(40, 30))
    assert published.measure_image(picture) == (40, 30)
    (tmp_path / "b.png").write_bytes(b"no picture")
    assert published.measure_image(tmp_path / "b.png") is None
    assert published.measure_image(tmp_path / "c.png") is None


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBP", b"<svg width='x'"]
)
def test_a_broken_picture_has_no_size_and_breaks_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    assert published.measure_image(tmp_path / "a") is None


# Tables


def test_a_table_of_the_data_has_scoped_headers_and_states_with_a_badge() -> None:
    rows = ("<td>Sound</td><td>Enabled</td>", "<td>Light</td><td>Disabled</td>", "<td>List</td><td>Cleared</td>")
    html = valid(page(f'<h2 id="a">On <em>it</em><a class="headerlink" href="#a">¶</a></h2>{table(*rows)}', SETTINGS))
    assert '<div class="tt-table" data-copy="Copy" data-copied="Done">' in html
    assert '<div class="tt-scroll" role="group" tabindex="0" aria-label="On it"><table class="tt-rows">' in html
    assert '<th scope="col">Setting</th><th scope="col">Value</th>' in html
    assert '<th scope="row">Sound</th><td><span class="tt-state tt-state-on">Enabled</span></td>' in html
    assert '<th scope="row">Light</th><td><span class="tt-state tt-state-off">Disabled</span></td>' in html
    assert '<th scope="row">List</th><td><span class="tt-state">Cleared</span></td>' in html


def test_other_tables_have_scoped_headers_and_can_be_scrolled() -> None:
    html = valid(page(table("<td>Enabled</td><td>Enabled</td>", head="<th>A</th><th>B</th>"), SETTINGS))
    assert html == (
        '<div class="tt-table"><div class="tt-scroll" role="group" tabindex="0" aria-label="A, B"><table class="tt-rows">'
        '<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>'
        "<tbody><tr><td>Enabled</td><td>Enabled</td></tr></tbody></table></div></div>"
    )


@pytest.mark.parametrize(
    "html",
    [
        '<table class="highlighttable"><tr><td>1</td></tr></table>',
        "<table><tr><td><table><tr><td>1</td></tr></table></td></tr></table>",
        "<!-- <table><tr><td>1</td></tr></table> -->",
        "<p>no &lt;table> here</p>",
    ],
)
def test_what_is_no_table_of_the_page_stays_as_it_is(html: str) -> None:
    assert page(html, SETTINGS) == html


def test_states_in_another_language_have_a_badge_once_the_data_says_what_they_mean(tmp_path: Path) -> None:
    data = DATA.replace("Enabled", "Ein").replace("Disabled", "Aus")
    rows = table("<td>Sound</td><td>Ein</td>", "<td>Light</td><td>Aus</td>")
    unsaid = project.load(project.write(tmp_path / "unsaid", data, TEMPLATES))
    assert page(rows, *published.build_state_tables(unsaid, None)).count('class="tt-state"') == 2
    said = project.load(project.write(tmp_path / "said", f"{data}states: {{on: [Ein], off: [Aus]}}\n", TEMPLATES))
    html = page(rows, *published.build_state_tables(said, None))
    assert re.findall(r'class="(tt-state[^"]*)">(\w+)', html) == [
        ("tt-state tt-state-on", "Ein"),
        ("tt-state tt-state-off", "Aus"),
    ]


def test_cells_keep_their_attributes_and_markup() -> None:
    head = '<th style="text-align: left;">Setting</th><th scope="colgroup"><code>Value</code></th>'
    html = valid(
        page(
            table('<td style="text-align: left;"><a href="#">A</a></td><td><strong>Enabled</strong></td>', head=head),
            SETTINGS,
        )
    )
    assert '<th style="text-align: left;" scope="col">Setting</th><th scope="colgroup"><code>Value</code></th>' in html
    assert '<th style="text-align: left;" scope="row"><a href="#">A</a></th>' in html
    assert '<span class="tt-state tt-state-on"><strong>Enabled</strong></span>' in html


@given(
    st.lists(
        st.sampled_from(
            [
                "<td>",
                "</td>",
                "<th x='",
                "<tr>",
                "</tr>",
                "<table>",
                "</table>",
                "<img src=a.png",
                ">",
                "<h2",
                '"',
                "<!--",
                "Enabled",
            ]
        ),
        max_size=14,
    )
)
def test_broken_html_neither_fails_nor_loses_words(parts: list[str]) -> None:
    html = "".join(parts)
    written = page(html, SETTINGS, a=ImageSource(size=(1, 1)))  # a name of an attribute is written in lower case
    assert written.lower().count("enabled") == html.lower().count("enabled")


def test_long_pages_take_no_time() -> None:
    """Whatever is left open: the time grows with the page, and not with its square."""
    for piece in ("<table>", "<h2>", "<img ", "<td", "<!--", "<tr><td>", "<svg>", "<img '", '<table "'):
        page(piece * 20_000, SETTINGS)


# The plugin


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the test project with a screenshot, complete on all platforms."""
    root = tmp_path_factory.mktemp("published")
    made(root, CONFIG.replace("tutorial]", "tutorial: {lint: false}]"))
    shutil.rmtree(root / "site_templates")
    page = TEMPLATES["steps/prepare.md.j2"].replace("## Start", "Twice: {{ figure('shot', alt='A shot') }}\n\n## Start")
    project.write(root, DATA, {**TEMPLATES, "steps/prepare.md.j2": page, "steps/prepare/start.otter.py": "x\n"})
    for platform in ("swan", "otter"):
        shot = root / f"docs_src/images/{platform}/prepare/shot.png"
        shot.parent.mkdir(parents=True)
        shot.write_bytes(png(32, 20))
    done = build(root)
    assert done.returncode == 0, done.stderr
    return root / "site"


def test_a_built_page_shows_figures_pictures_and_tables(site: Path) -> None:
    html = (site / "guide/swan/prepare/index.html").read_text()
    content = html[html.index("<article") : html.index("</article>")]
    assert re.search(r'<span class="tt-figure [^>]*><svg class="fig-drawing"', content)
    assert re.search(r'<img alt="A shot" src="[^"]*shot.png" width="32" height="20"', content)
    assert re.search(
        r'<th scope="row">Sound</th>\s*<td><span class="tt-state tt-state-on">Enabled</span></td>', content
    )
    dark = r'@media screen\{\[data-md-color-scheme="slate"\] \.tt-'
    assert re.search(rf"<style>\.tt-\w+ \.fig-drawing\{{[^}}]*\}}\n{dark}", content)
    assert (site / "images/swan/prepare/menu.svg").exists()


def test_the_built_pages_are_valid_html_without_double_ids(site: Path) -> None:
    for path in site.rglob("*.html"):
        html = path.read_text()
        errors = [str(error) for error in JustHTML(html, collect_errors=True).errors]
        assert not errors, (path, errors)
        ids = re.findall(r'<[^>]*\sid="?([^"\s>]*)', html)
        assert len(ids) == len(set(ids)), path


def test_the_search_does_not_find_the_words_of_drawings(site: Path) -> None:
    index = (site / "search/search_index.json").read_text()
    assert "Sound" in index
    assert "The menu" not in index
    assert "fig-drawing" not in index
