"""What a built page says of itself to search engines, to sites that link it, and in the search."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.test_plugin import CONFIG, build, change, made
from tests.test_published import png
from tutorial_tool.mkdocs_plugin import search
from tutorial_tool.publishing import social_meta
from tutorial_tool.publishing.social_meta import Card

MATERIAL = "{name: material, font: false, features: [content.action.edit, navigation.footer]}"


def properties(page: Path) -> dict[str, str]:
    return dict(re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', page.read_text()))


def picture(root: Path) -> None:
    path = root / "docs_src/images/swan/prepare/menu.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(png(640, 400))


def test_a_page_has_a_card_with_its_platform_and_its_picture(tmp_path: Path) -> None:
    root = made(tmp_path)
    picture(root)
    assert build(root, "--strict").returncode == 0
    page = root / "site/guide/swan/prepare/index.html"
    assert properties(page) == {
        "og:type": "article",
        "og:title": "Step 1. Prepare Swan",
        "og:site_name": "Example",
        "og:description": "Get ready.",
        "og:url": "https://example.com/docs/guide/swan/prepare/",
        "og:image": "https://example.com/docs/images/swan/prepare/menu.png",
        "og:image:width": "640",
        "og:image:height": "400",
        "og:image:alt": "The menu",
    }
    assert '<meta name="twitter:card" content="summary_large_image">' in page.read_text()
    finish = root / "site/guide/otter/finish/index.html"
    assert properties(finish)["og:title"] == "Step 2. Finish · Otter"
    assert "<title>Step 2. Finish · Otter - Example</title>" in finish.read_text()
    assert '<link rel="alternate " type="text/markdown" href="../finish.md">' in finish.read_text()
    assert (root / "site/guide/otter/finish.md").is_file()
    assert properties(root / "site/index.html")["og:type"] == "website"


def test_every_page_has_one_canonical_address_and_stands_in_the_sitemap(tmp_path: Path) -> None:
    for theme in ("material", "mkdocs", "readthedocs"):
        root = tmp_path / theme
        made(root, CONFIG.replace(MATERIAL, theme))
        assert build(root).returncode == 0
        built = root / "site"
        pages = list(built.rglob("index.html"))
        told = [re.findall(r'<link rel="canonical" href="([^"]*)"', path.read_text()) for path in pages]
        wanted = [f"https://example.com/docs/{path.parent.relative_to(built).as_posix()}/" for path in pages]
        assert told == [[url.replace("/./", "/")] for url in wanted]
        listed = re.findall(r"<loc>(.*?)</loc>", (built / "sitemap.xml").read_text())
        assert sorted(listed) == sorted(url.replace("/./", "/") for url in wanted)


def test_results_of_a_search_tell_their_platform(tmp_path: Path) -> None:
    for theme, section in (("material", "2.1 Check"), ("mkdocs", "2.1 Check · Otter")):
        root = tmp_path / theme
        made(root, CONFIG.replace(MATERIAL, theme))
        assert build(root, "--strict").returncode == 0
        entries = json.loads((root / "site/search/search_index.json").read_text())["docs"]
        titles = {entry["location"]: entry["title"] for entry in entries}
        assert titles["guide/otter/finish/"] == "Step 2. Finish · Otter"
        assert titles["guide/otter/finish/#check"] == section
        assert "·" not in titles[""]


def test_what_an_author_or_another_plugin_wrote_stays() -> None:
    card = Card("Install", "Shop", "How to", "https://example.com/install/", "iOS")
    html = '<head><title>Shop</title><link rel=canonical href="/x/"><meta property="og:title" content="Mine"></head>'
    assert social_meta.add_head_tags(html, card) == html
    assert social_meta.add_head_tags("no head", card) == "no head"
    assert "<title>Install · iOS - Shop</title>" in social_meta.add_head_tags(
        "<head><title>Install - Shop</title></head>", card
    )
    told = Card("Install for iOS", "Shop", platform="iOS")
    assert "<title>Install for iOS</title>" in social_meta.add_head_tags(
        "<head><title>Install for iOS</title></head>", told
    )


def test_texts_stay_texts() -> None:
    card = Card('"><script>', 'A & B">', "<b>", "https://example.com/", "<i>")
    head = social_meta.add_head_tags("<head><title>&quot;&gt;&lt;script&gt;</title></head>", card)
    assert "<script>" not in head
    assert "<b>" not in head
    assert "<i>" not in head
    index = json.dumps({"docs": [{"location": "a/", "title": "A", "text": ""}]})
    assert "<i>" not in search.label_index(index, {"a/": "<i>"}, grouped=True)


def test_an_index_of_another_form_is_left_alone() -> None:
    for index in ("", "[]", "{}", '{"docs": [1]}', '{"docs": [{"location": 1}]}', '{"docs": [{"location": "a/"}]}'):
        assert search.label_index(index, {"a/": "A"}, grouped=False) == index


def test_it_can_be_turned_off(tmp_path: Path) -> None:
    root = made(tmp_path)
    change(root / "mkdocs.yml", "plugins: [search, tutorial]", "plugins: [search, {tutorial: {sharing: false}}]")
    assert build(root).returncode == 0
    assert properties(root / "site/guide/otter/finish/index.html") == {}
