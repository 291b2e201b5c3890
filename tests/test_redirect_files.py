"""What the files of hosts say of redirects, and what they only seem to say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_link_doubt import counted, linted
from tutorial_tool.core.source import Source
from tutorial_tool.links import redirect_files

CONFIG = "module.exports = {title: 'x', url: 'https://a.example', baseUrl: '/', presets: [['classic', {docs: {}}]]};"
PAGES = {
    "docusaurus.config.js": CONFIG,
    "docs/a.md": "# A\n\nSee [b](/docs/b), [c](/docs/c) and [d](/docs/d).\n",
    "docs/b.md": "# B\n\nText.\n",
    "docs/c.md": "# C\n\nText.\n",
    "docs/d.md": "# D\n\nText.\n",
}
RIGHT = {
    "other content, and headers": {"vercel.json": {"rewrites": [{"source": "/:path*", "destination": "/:path*.html"}]}},
    "a pattern that ends in index": {"vercel.json": {"redirects": [{"source": "/:p*/index", "destination": "/:p*"}]}},
    "a part of a page": {"docs.json": {"redirects": [{"source": "/docs/b#x", "destination": "/docs/b"}]}},
    "a pattern and its folder": {"vercel.json": {"redirects": [{"source": "/docs/b/*", "destination": "/docs/b"}]}},
    "a slash at the end": {"vercel.json": {"redirects": [{"source": "/docs/b/", "destination": "/docs/b"}]}},
    "choices": {"firebase.json": {"redirects": [{"source": "/old{,/**}", "destination": "/docs/b"}]}},
    "an option": {"vercel.json": {"redirects": [{"source": "/old(/part)?(/)?", "destination": "/docs/b"}]}},
}


@pytest.mark.parametrize("files", RIGHT.values(), ids=RIGHT)
def test_what_hosts_take_as_it_is_meant(tmp_path: Path, files: dict[str, object]) -> None:
    assert linted(tmp_path, PAGES | {name: json.dumps(told) for name, told in files.items()}) == []


@pytest.mark.parametrize("files", RIGHT.values(), ids=RIGHT)
def test_a_missing_page_is_found_beside_them(tmp_path: Path, files: dict[str, object]) -> None:
    told = PAGES | {name: json.dumps(said) for name, said in files.items()} | {"docs/e.md": "# E\n\n[x](/docs/lost)\n"}
    assert counted(linted(tmp_path, told)) == {"error: broken-link": 1}


@pytest.mark.parametrize("name", ["choices", "an option"])
def test_an_address_of_a_choice_is_taken(tmp_path: Path, name: str) -> None:
    files = PAGES | {file: json.dumps(told) for file, told in RIGHT[name].items()}
    assert linted(tmp_path, files | {"docs/e.md": "# E\n\n[x](/old) [y](/old/part)\n"}) == []


def test_two_redirects_that_lead_to_each_other_go_round(tmp_path: Path) -> None:
    told = {"redirects": [{"source": "/x", "destination": "/y"}, {"source": "/y", "destination": "/x"}]}
    assert counted(linted(tmp_path, PAGES | {"vercel.json": json.dumps(told)})) == {"error: broken-redirect": 2}


def test_a_program_is_read_where_it_stands_but_not_its_comments(tmp_path: Path) -> None:
    program = "export const redirects = {\n  // '/new': '/docs/lost',\n  '/old': '/docs/b',\n};\n"
    files = PAGES | {"src/configs/redirects.config.ts": program, "docs/e.md": "# E\n\n[x](/old)\n"}
    assert linted(tmp_path, files) == []


def test_a_host_may_show_other_content_at_an_address(tmp_path: Path) -> None:
    shown = "/docs/app/* https://b.example/:splat 200\n/docs/latest /docs/lost 200\n/* /index.html 200\n"
    page = "# E\n\n[x](/docs/app/start) [y](/docs/latest) [z](/docs/gone)\n"
    told = linted(tmp_path, PAGES | {"static/_redirects": shown, "docs/e.md": page})
    assert [one.message for one in told] == ["link target `/docs/gone` not found"]


def test_a_redirect_is_found_behind_longer_ones(tmp_path: Path) -> None:
    entries = [("/old/part", "https://a.example/docs/lost/part"), ("/old", "/docs/lost")]
    told = {"redirects": [{"source": old, "destination": new} for old, new in entries]}
    (lost,) = linted(tmp_path, PAGES | {"vercel.json": json.dumps(told, indent=1)})
    assert lost.span.start == json.dumps(told, indent=1).index('"/docs/lost"') + 1


def test_a_program_may_read_redirects_in_a_folder_of_its_own_without_slashes(tmp_path: Path) -> None:
    told = {"redirects": [{"source": "docs/old/part", "destination": "docs/b/#b"}]}
    files = PAGES | {"src/features/redirects/redirects.json": json.dumps(told)}
    lost = linted(tmp_path, files | {"docs/e.md": "# E\n\n[x](/docs/old/part) [y](/docs/old/parts)\n"})
    assert [one.message for one in lost] == ["link target `/docs/old/parts` not found"]


def test_entries_are_found_in_order_where_urls_come_again() -> None:
    lines = [f"- from: /a{number % 2}\n  to: /b\n" for number in range(4)]
    source, end = Source("redirects.yml", "".join(lines)), 0
    for number in range(4):
        span = redirect_files.find_target(source, f"/a{number % 2}", "/b", end)
        assert (str(span), span.text) == (f"redirects.yml:{2 * number + 2}:7", "/b")
        end = span.end
    assert str(redirect_files.find_target(source, "/a0", "/c", end)) == "redirects.yml:1:9", "an earlier entry"
