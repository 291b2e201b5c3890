"""Old addresses of a site: pages that send readers on, written by a build."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_plugin import CONFIG, build, change, links, made
from tutorial_tool.publishing import redirect_pages
from tutorial_tool.site import Layout, loading


def moved_project(root: Path) -> Path:
    made(root)
    change(
        root / "site_templates/steps/finish.md.j2",
        "title: Finish\n",
        "title: Finish\nredirect_from: [/old/{{ platform.id }}/end/, '/docs/{{ platform.id }}-end.html']\n",
    )
    (root / "tutorial-tool.toml").write_text(
        '[redirects]\n"/begin/" = "/guide/swan/prepare/#menu"\n"/forum" = "https://example.com/forum?a=1&b=2"\n"/any/*" = "/"\n'
    )
    return root


def refreshed(page: Path) -> str:
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]*)"', page.read_text())
    assert found
    return found[1]


def test_a_build_writes_a_page_at_each_old_address(tmp_path: Path) -> None:
    root = moved_project(tmp_path)
    done = build(root, "--strict")
    assert done.returncode == 0, done.stderr
    built = root / "site"
    assert refreshed(built / "old/swan/end/index.html") == "../../../guide/swan/finish/"
    assert refreshed(built / "otter-end.html") == "guide/otter/finish/"
    assert refreshed(built / "begin/index.html") == "../guide/swan/prepare/#menu"
    assert refreshed(built / "forum/index.html") == "https://example.com/forum?a=1&amp;b=2"
    assert not (built / "any").exists()
    assert not [(str(page), href) for page, href, path in links(built) if not path.exists()]
    text = (built / "old/swan/end/index.html").read_text()
    assert '<link rel="canonical" href="https://example.com/docs/guide/swan/finish/">' in text
    assert "<title>Step 2. Finish</title>" in text
    assert "old/swan" not in (built / "sitemap.xml").read_text()


def test_a_redirect_that_does_nothing_or_leads_nowhere_fails_a_strict_build(tmp_path: Path) -> None:
    root = moved_project(tmp_path)
    change(root / "tutorial-tool.toml", "/guide/swan/prepare/#menu", "/docs/guide/swan/prepared/")
    change(root / "site_templates/steps/finish.md.j2", "'/docs/{{", "'/guide/swan/prepare/', '/docs/{{")
    done = build(root, "--strict")
    assert done.returncode == 1
    assert "broken-redirect: redirect from `/begin/` points to `/docs/guide/swan/prepared/`" in done.stderr
    assert (
        "redirect from `/guide/swan/prepare/` overlaps with `guide/swan/prepare.md`, which is published there"
        in done.stderr
    )
    assert not (root / "site/begin").exists()
    assert "Open <strong>Swan menu</strong>" in (root / "site/guide/swan/prepare/index.html").read_text()


def test_no_old_address_leads_out_of_the_site_or_into_a_script(tmp_path: Path) -> None:
    root = moved_project(tmp_path)
    change(
        root / "site_templates/steps/finish.md.j2",
        "redirect_from: [",
        "redirect_from: ['/../../out/', '/%2e%2e/%2e%2e/out/', '/a/\\..\\..\\out/', ",
    )
    change(root / "tutorial-tool.toml", '"/begin/" = ', '"/js/" = "javascript:alert(\'</script>\')"\n"/begin/" = ')
    layout = Layout.find(root)
    loaded = loading.load(layout)
    loaded.redirects = (("/js/", "javascript:alert(1)"), ("/q/", "https://example.com/</script><script>alert(1)//"))
    files = [move.file for move in redirect_pages.find_moves(loaded)]
    assert not [file for file in files if file.startswith(("/", "..")) or "\\" in file or file == "js/index.html"]
    (quoted,) = (move for move in redirect_pages.find_moves(loaded) if move.file == "q/index.html")
    text = redirect_pages.render_page(quoted.target, str, "<b>", "", {"moved": "Moved:"}, "en")
    assert text.count("<script>") == 1
    assert "<title>&lt;b&gt;</title>" in text


def test_a_page_of_the_site_is_never_replaced(tmp_path: Path) -> None:
    root = made(tmp_path, CONFIG.replace("[search, tutorial]", "[search, {tutorial: {lint: false}}]"))
    (root / "docs_src/begin").mkdir()
    (root / "docs_src/begin/index.html").write_text("Mine.")
    (root / "tutorial-tool.toml").write_text('[redirects]\n"/begin/" = "/guide/swan/prepare/"\n')
    assert build(root).returncode == 0
    assert (root / "site/begin/index.html").read_text() == "Mine."
