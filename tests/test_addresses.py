"""What the links of a site lead to: fixture sites whose faults are named on their lines, and the rules of generators."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import markdown
import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from tests.work import calls
from tutorial_tool import links as addresses
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.links import Addresses, anchors, references
from tutorial_tool.links.anchors import Style, build_github_slug
from tutorial_tool.linter import engine, targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page

SITES = Path(__file__).parent / "sites"
RULES = (
    "broken-link", "broken-anchor", "missing-image", "absolute-path", "own-host-link", "orphan-page", "broken-redirect",
)  # fmt: skip
LABEL = re.compile(rf"(?:<!--|#|\{{#|\.)\s*((?:(?:{'|'.join(RULES)})\s*)+)(?:-->|#\}})?\s*$")
"""The rules that find something on a line, named at its end."""


def labelled(folder: Path) -> set[str]:
    """The faults of a fixture site: path:line rule."""
    out = set()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".png", ".csv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if label := LABEL.search(line):
                at = number + ("the next line" in line)
                out |= {f"{path.relative_to(folder).as_posix()}:{at} {rule}" for rule in label[1].split()}
    return out


def found(folder: Path, named: Path | None = None) -> list[str]:
    """The findings of a folder, or of a file in it that is named alone, in the same form."""
    everything = [one for of in targets.find([named or folder], LookupOptions(folder)) for one in of.lint().findings]
    of_links = [finding for finding in everything if finding.rule in RULES]
    return sorted(f"{finding.span.path}:{finding.span.position.line} {finding.rule}" for finding in of_links)


@pytest.mark.parametrize("name", ["links-plain", "links-mkdocs", "links-project"])
def test_the_faults_of_a_site_are_found_once_and_nothing_else(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"  # elsewhere: a site belongs to the configuration around it
    shutil.copytree(SITES / name, folder)
    wanted = labelled(folder)
    assert len(wanted) > 4
    assert found(folder) == sorted(wanted)


@pytest.mark.parametrize("name", ["links-plain", "links-mkdocs"])
def test_a_page_alone_has_no_fault_that_the_site_has_not(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(SITES / name, folder)
    wanted = labelled(folder)
    for path in sorted(folder.rglob("*.md")):
        assert set(found(folder, path)) <= wanted


def test_references_that_a_whole_site_knows_are_no_faults_of_a_page_alone(tmp_path: Path) -> None:
    """Some sites know the ids of all headings: of many such references nothing is said, and of a page alone neither."""
    names = [f"word{number}" for number in range(8)]
    for name in names:
        others = "".join(f"See [the {other}][{other}] of it.\n\n" for other in names if other != name)
        (tmp_path / f"{name}.md").write_text(f"# The {name}\n\n{others}", encoding="utf-8")
    assert found(tmp_path, tmp_path) == []
    assert found(tmp_path, tmp_path / "word3.md") == []


# What stands on a page


PAGE = """\
---
title: /not/a/link
next: ../two.md
prev: {link: "/one/"}
hero:
  image: /img/hero.png # a comment
redirects:
  v4: /v4/one
---
[a](a.md) ![b](b.png "T") <https://c.example> [d][D] ![e][] <f@example.com>

<img src="g.png" srcset="g.png 1x, h.png 2x"> <img srcset="g (1).png, h,i.png 1.5x"> <a href='i.html'>text</a> <video poster="j.png" src="k.mp4"></video>

<Card href="/l" to={"/m"} link={n} img={useBaseUrl('/o.png')} title="/p" />

| q |
| --- |
| [r](r.md) |

[d]: <d d.md> "D"
[e]: e.png
[unused]: u.md
"""


def test_references_are_read_in_all_their_forms() -> None:
    document = Document(PAGE, Dialect.MDX)
    found = references.find_references(document)
    assert all(document.text[slice(*one.place)] == one.href for one in found)
    assert [(one.kind, one.href) for one in found if not one.is_image] == [
        ("front-matter", "../two.md"), ("front-matter", "/v4/one"), ("inline", "a.md"), ("html", "i.html"), ("html", "k.mp4"),
        ("component", "/l"), ("component", "/m"), ("inline", "r.md"), ("definition", "d d.md"),
    ]  # fmt: skip
    assert [(one.kind, one.href) for one in found if one.is_image] == [
        ("front-matter", "/img/hero.png"), ("inline", "b.png"), ("html", "g.png"), ("html", "g.png"), ("html", "h.png"),
        ("html", "g (1).png"), ("html", "h,i.png"), ("html", "j.png"), ("prefixed", "/o.png"), ("definition", "e.png"),
    ]  # fmt: skip


# Trees of other generators


def tree(root: Path, files: Mapping[str, str], *, only: str = "") -> Addresses:
    """The addresses of a tree of files, of which all Markdown is read, or `only` one file."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pages = [root / name for name in files if name.endswith((".md", ".mdx")) and name in (only or name)]
    return addresses.get_addresses(site.load_plain(pages, root))


def page(of: Addresses, path: str) -> Page:
    return next(page for page in of.site.pages if page.path == path)


def leads(of: Addresses, start: str, href: str) -> str:
    """Where a link leads: its kind, and the path of what it leads to."""
    target = of.resolve_href(page(of, start), href)
    return f"{target.kind} {target.path}".strip()


def test_docusaurus_strips_numbers_and_mounts_the_docs(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "docusaurus.config.js": "module.exports = {url: 'https://example.com', baseUrl: '/shop/'}",
            "docs/01-intro.md": "[a](./02-next.md) [b](/docs/next) [c](next) [d](/shop/docs/next) [e](/img/menu.png)\n",
            "docs/02-next.md": "---\nslug: next\n---\n[a](01-intro.md) [b](/docs/guide/first) [c](./guide/first)\n",
            "docs/03-guide/1-first.md": "# First {#one}\n",
            "static/img/menu.png": "",
        },
    )
    for href in ("./02-next.md", "/docs/next", "next", "/shop/docs/next"):
        assert leads(of, "docs/01-intro.md", href) == "page docs/02-next.md", href
    assert leads(of, "docs/01-intro.md", "/img/menu.png") == "file static/img/menu.png"
    assert leads(of, "docs/02-next.md", "/docs/guide/first") == "page docs/03-guide/1-first.md"
    assert leads(of, "docs/02-next.md", "/docs/guide/secnd") == "missing /docs/guide/secnd"
    assert "one" in of.get_anchors(page(of, "docs/03-guide/1-first.md"))


def test_hugo_reads_slugs_and_aliases(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "hugo.toml": 'baseURL = "https://example.com/"\n',
            "content/_index.md": "[a](/guide/install/) [b](/guide/setup/) [c](/old/) [d](guide/install)\n",
            "content/guide/install.md": "---\naliases: [/old/, setup]\n---\n# Install\n",
            "content/guide/prices.md": "---\nurl: /costs/\n---\n[a](install.md) [b](/guide/gone/)\n",
        },
    )
    assert leads(of, "content/_index.md", "/guide/install/") == "page content/guide/install.md"
    assert leads(of, "content/_index.md", "/costs/") == "page content/guide/prices.md"
    assert of.resolve_href(page(of, "content/_index.md"), "/old/").redirected
    assert leads(of, "content/_index.md", "/guide/setup/") == "page content/guide/install.md"
    assert leads(of, "content/guide/prices.md", "/guide/gone/") == "missing /guide/gone/"


def test_hugo_names_pages_by_language_in_small_letters(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "hugo.toml": 'baseURL = "https://example.com/sea/"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.de]\n',
            "content/_index.md": "",
            "content/_index.de.md": "",
            "content/My Boat/Red & new.md": "",
            "content/boats/oar.de.md": "",
            "content/boats/red/index.md": '+++\nslug = "crimson"\n+++\n',
            "content/boats/blue.md": '---\nslug: "It\'s Sky_Blue"\n---\n',
            "content/boats/grey.md": "---\nslug: Old Grey # a colour\n---\n",
            "content/boats/raft.md": '{\n"url": "/rafts/"\n}\n',
            "content/boats/ship.de.md": "---\nurl: schiff/\n---\n",
        },
    )
    assert {page.path.removeprefix("content/"): of.get_url(page) for page in of.site.pages} == {
        "_index.md": "/sea/",
        "_index.de.md": "/sea/de/",
        "My Boat/Red & new.md": "/sea/my-boat/red--new/",
        "boats/oar.de.md": "/sea/de/boats/oar/",
        "boats/red/index.md": "/sea/boats/crimson/",
        "boats/blue.md": "/sea/boats/its-sky_blue/",
        "boats/grey.md": "/sea/boats/old-grey/",
        "boats/raft.md": "/sea/rafts/",
        "boats/ship.de.md": "/sea/de/schiff/",
    }


def test_hugo_keeps_languages_in_folders_of_their_own(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "config/_default/config.toml": 'baseURL = "https://example.com/"\ndisablePathToLower = true\n',
            "config/_default/languages/languages.toml": '[en]\ncontentDir = "content/en"\n[de]\ncontentDir = "content/de"\n',
            "content/en/Boat.md": "",
            "content/de/Boat.md": "",
        },
    )
    assert [of.get_url(page) for page in of.site.pages] == ["/Boat/", "/de/Boat/"]
    assert leads(of, "content/de/Boat.md", "/Boat/") == "page content/en/Boat.md"


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("oar.md", "boats/oar.md"),
        ("oar", "boats/oar.md"),
        ("OAR", "boats/oar.md"),
        ("/boats/oar", "boats/oar.md"),
        ("boats/oar.md", "boats/oar.md"),
        ("../boats/red", "boats/red/index.md"),
        ("red/index.md", "boats/red/index.md"),
        ("deep", ""),
        ("red/deep", ""),
        ("/", "_index.md"),
        ("/boats", "boats"),
        ("nowhere", ""),
        ("/oar", ""),
        ("sail", "boats"),
    ],
)
def test_hugo_finds_a_page_from_the_page_from_the_root_or_by_its_name(path: str, leads_to: str, tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "hugo.yaml": "",
            "content/_index.md": "",
            "content/boats/oar.md": "",
            "content/boats/raft.md": f'[a]({{{{< ref "{path}" >}}}})',
            "content/boats/red/index.md": "",
            "content/boats/red/deep.md": "",
            "content/one/sail.md": "",
            "content/two/sail.md": "",
        },
    )
    target = next(target for _, target in of.get_links(page(of, "content/boats/raft.md")))
    if leads_to == "boats":  # a folder without a page of its own, for which Hugo may make one; two pages of one name
        assert target.kind in ("unknown", "file")
    else:
        assert (target.kind, target.path) == (("page", f"content/{leads_to}") if leads_to else ("missing", path))


def test_astro_is_known_by_its_folders_where_its_program_is_asked_for(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "src/content/docs/en/index.mdx": "[a](/en/install) [b](/en/costs) [c](/menu.svg) [d](/en/gone)\n",
            "src/content/docs/en/install.mdx": "# Install {#start}\n\n<Tab title='Two words' />\n",
            "src/content/docs/en/prices.mdx": "---\nslug: en/costs\n---\n[a](@components/x.png)\n",
            "public/menu.svg": "",
            "package.json": '{"dependencies": {"astro": "5.0.0"}}',
        },
    )
    start = "src/content/docs/en/index.mdx"
    assert leads(of, start, "/en/install") == "page src/content/docs/en/install.mdx"
    assert leads(of, start, "/en/costs") == "page src/content/docs/en/prices.mdx"
    assert leads(of, start, "/menu.svg") == "file public/menu.svg"
    assert leads(of, start, "/en/gone") == "missing /en/gone"
    assert leads(of, start, "@components/x.png") == "unknown @components/x.png"
    assert {"start", "two-words"} <= of.get_anchors(page(of, "src/content/docs/en/install.mdx"))


def test_a_folder_alone_tells_no_generator(tmp_path: Path) -> None:
    of = tree(tmp_path, {"src/content/docs/a.md": "[b](/docs/b)\n", "src/content/blog/b.md": "# B\n"})
    assert [(one.generator.name, one.recognized) for one in of.pages.trees] == [("", False)]


def test_docusaurus_makes_pages_that_no_file_stands_for(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "docusaurus.config.ts": "baseUrl: '/'",
            "docs/intro.md": "[a](/docs/cat/one) [b](/docs/gone)\n",
            "docs/cat/one.md": "# One\n",
            "src/pages/about.tsx": "",
            "versioned_docs/version-1.0/intro.md": "[a](./cat/one.md)\n",
            "i18n/de/docusaurus-plugin-content-docs/current/intro.md": "[a](./cat/one.md)\n",
        },
    )
    start = "docs/intro.md"
    assert leads(of, start, "/docs/gone") == "missing /docs/gone"
    assert leads(of, start, "@site/docs/cat/one.md") == "page docs/cat/one.md"
    assert leads(of, start, "@site/docs/x.md") == "missing @site/docs/x.md"
    for path in ("/docs/category/cat", "/docs/1.0/gone", "/docs/next/gone", "@theme/Tabs", "@site/gone/x.md"):
        assert leads(of, start, path).startswith("unknown"), path
    assert leads(of, start, "/about") == "file src/pages/about.tsx"
    translated = "i18n/de/docusaurus-plugin-content-docs/current/intro.md"
    assert leads(of, translated, "./cat/one.md") == "page docs/cat/one.md"


def test_jekyll_reads_permalinks_and_the_base(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "_config.yml": "baseurl: /shop\nurl: https://example.com\n",
            "index.md": "[a](/shop/start/)\n",
            "guide/first.md": "---\npermalink: /start/\n---\n",
            "guide/second.md": "[a](first.md)\n",
        },
    )
    for href in ("/start/", "/shop/start/"):
        assert leads(of, "index.md", href) == "page guide/first.md"
    for href in ("guide/second.html", "guide/second", "/shop/guide/second.html"):
        assert leads(of, "index.md", href) == "page guide/second.md"
    assert leads(of, "index.md", "guide/third.html") == "missing guide/third.html"
    assert leads(of, "index.md", "{{ site.baseurl }}/x").startswith("unknown")
    assert [of.get_url(page) for page in of.site.pages] == ["/shop/", "/shop/start/", "/shop/guide/second/"]


def test_jekyll_publishes_collections_and_posts_without_their_sign(tmp_path: Path) -> None:
    names = ("_guides/first.md", "_posts/2024-1-02-news.md", "guide/second.md")
    of = tree(tmp_path, {"_config.yml": "baseurl: /shop\n", **dict.fromkeys(names, "")})
    assert [of.get_url(page) for page in of.site.pages] == [
        "/shop/guides/first/",
        "/shop/2024/01/02/news/",
        "/shop/guide/second/",
    ]
    assert leads(of, "guide/second.md", "/shop/guides/first.html") == "page _guides/first.md"
    assert leads(of, "guide/second.md", "/shop/2023/01/02/news.html").startswith("unknown")


def test_vitepress_and_mdbook_leave_suffixes_away(tmp_path: Path) -> None:
    of = tree(
        tmp_path / "vitepress",
        {
            "docs/.vitepress/config.ts": "export default {base: '/shop/'}",
            "docs/guide/first.md": "[x](./second) [y](/guide/second.html)\n",
            "docs/guide/second.md": "# Second\n",
            "docs/public/x.png": "",
        },
    )
    for href in ("./second", "second.md", "/guide/second", "/guide/second.html", "/shop/guide/second"):
        assert leads(of, "docs/guide/first.md", href) == "page docs/guide/second.md", href
    assert leads(of, "docs/guide/first.md", "/x.png") == "file docs/public/x.png"
    assert leads(of, "docs/guide/first.md", "./third") == "missing ./third"
    of = tree(tmp_path / "mdbook", {"book.toml": "", "src/a.md": "[x](b/c.html)\n", "src/b/c.md": "# C\n"})
    assert leads(of, "src/a.md", "b/c.html") == "page src/b/c.md"
    assert leads(of, "src/a.md", "gone.html") == "missing gone.html"


def test_a_path_that_the_files_do_not_have_is_learnt_from_the_links(tmp_path: Path) -> None:
    names = [f"step{number}" for number in range(4)]
    text = " ".join(f"[x](/developers/guide/{name}/)" for name in (*names, "gone"))
    of = tree(tmp_path, {f"src/guide/{name}.md": text for name in names})
    assert leads(of, "src/guide/step0.md", "/developers/guide/step3/") == "page src/guide/step3.md"
    assert leads(of, "src/guide/step0.md", "/developers/guide/gone/") == "missing /developers/guide/gone/"
    assert leads(of, "src/guide/step0.md", "/pricing/") == "unknown /pricing/"


def test_links_count_from_addresses_where_those_that_lead_somewhere_do(tmp_path: Path) -> None:
    names = [f"step{number}" for number in range(6)]
    text = "".join(f"[x](../{name}/)\n" for name in names)
    files = {f"src/content/docs/guide/{name}.md": text for name in names}
    of = tree(tmp_path, {"astro.config.mjs": "site: 'https://example.com'", **files})
    start = "src/content/docs/guide/step0.md"
    assert leads(of, start, "../step1/") == "page src/content/docs/guide/step1.md"
    assert leads(of, start, "./step1") == "missing ./step1", "that is a page below this one"
    beside = {name: f"[x](./{name})\n" for name in names}
    of = tree(tmp_path / "b", {"astro.config.mjs": "", **{f"src/content/docs/{n}.md": t for n, t in beside.items()}})
    assert leads(of, "src/content/docs/step0.md", "./step1") == "page src/content/docs/step1.md"


def test_addresses_of_plain_files_do_not_depend_on_where_the_linter_starts(tmp_path: Path) -> None:
    of = tree(tmp_path, {"docs/index.md": "[a](/guide/start) [b](/guide/gone)\n", "docs/guide/start.md": "# Start\n"})
    assert leads(of, "docs/index.md", "/guide/start") == "page docs/guide/start.md"
    assert leads(of, "docs/index.md", "/guide/gone") == "missing /guide/gone"


def test_shortcodes_bring_no_anchors_where_their_template_is_there_and_has_none(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "hugo.toml": "",
            "layouts/shortcodes/badge.html": "<b>{{ .Get 0 }}</b>",
            "themes/plain/layouts/shortcodes/parts.html": '<h2 id="parts">Parts</h2>',
            "content/a.md": "# A\n\n{{< badge new >}}\n",
            "content/b.md": "# B\n\n{{< parts >}}\n",
            "content/c.md": "# C\n\n{{< unknown >}}\n",
            "content/d.md": "---\ntitle: D\n---\n",
        },
    )
    known = [of.has_anchor(page(of, f"content/{name}.md"), "gone") for name in "abcd"]
    assert known == [False, None, None, None], "a page without text is what its layout makes of it"


# What cannot be known


def test_a_file_alone_is_told_the_anchors_that_its_neighbours_lack(tmp_path: Path) -> None:
    texts = {
        "docs/a.md": "# A\n\n[b](b.md#nope) [b](b.md#two) [b](b.md#two_1) [c](c.md#x) [d](d.mdx#one) [e](e.txt#x)\n",
        "docs/b.md": "# B\n\n## Two\n\n## Two\n",
        "docs/c.md": "# C\n\n{% include x.md %}\n",
        "docs/d.mdx": "# D\n\n## Two\n",
        "docs/e.txt": "E\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (of,) = targets.find([tmp_path / "docs/a.md"], LookupOptions(tmp_path))
    told = [str(one) for one in of.lint().findings if one.rule == "broken-anchor"]
    assert [line.partition("`docs/")[2] for line in told] == [
        "b.md` has no anchor `#nope`",
        "d.mdx` has no anchor `#one`",
    ]


def test_a_file_alone_is_read_beside_its_neighbours_on_disk(tmp_path: Path) -> None:
    files = {"a.md": "[b](b.md) [c](c.md)\n", "b.md": "# B\n"}
    of = tree(tmp_path, files, only="a.md")
    assert leads(of, "a.md", "b.md") == "file b.md"
    assert leads(of, "a.md", "c.md") == "missing c.md"


def test_of_a_page_that_was_taken_out_of_its_tree_nothing_is_said(tmp_path: Path) -> None:
    of = tree(tmp_path, {"a.md": "[b](../guide/b.md) [c](/developers/c/) [d](next/) ![e](/images/e.png)\n"})
    for href in ("../guide/b.md", "/developers/c/", "next/", "/images/e.png"):
        assert leads(of, "a.md", href).startswith("unknown"), href


def test_a_tree_is_whole_without_what_others_wrote(tmp_path: Path) -> None:
    assert tree(tmp_path / "one", {"a.md": "# A\n", "vendor/kit/b.md": "# B\n"}, only="a.md").is_fully_loaded
    assert not tree(tmp_path / "two", {"a.md": "# A\n", "docs/vendor/b.md": "# B\n"}, only="a.md").is_fully_loaded


def test_a_folder_that_is_not_here_is_not_missing_many_times(tmp_path: Path) -> None:
    links = " ".join(f"[x](doc/page{number}.md)" for number in range(6))
    of = tree(tmp_path, {"README.md": f"[b](b.md) {links}\n", "b.md": "[x](docs/one.md)\n"})
    assert leads(of, "README.md", "doc/page1.md") == "unknown doc/page1.md"
    assert leads(of, "README.md", "gone.md") == "missing gone.md"


@pytest.mark.parametrize(
    "href",
    ["http://[", "%00.md", "a" * 5000, "?", "//", "#%ff", "..%2f..%2fetc", "file:///etc/passwd", "x" + "/.." * 99],
)
def test_any_address_has_an_answer(href: str, tmp_path: Path) -> None:
    of = tree(tmp_path, {"mkdocs.yml": "site_url: https://example.com/x/\n", "docs/index.md": f"[a](<{href}>)\n"})
    assert leads(of, "docs/index.md", href)


# Anchors, as the renderer makes them

HEADINGS = """\
# One

## One

## One_1

## Ünïcode & `code <b>` *em* [link](x.md) ![alt](y.png)

## One {: #given }

## Given

## {: #empty }

## 日本

## 日本

## a  -  b_c -- d

A paragraph. {: #said }

## Said

### With &amp; and &lt;tag&gt;, <b>raw</b>
"""


def test_anchors_are_those_of_python_markdown() -> None:
    html = markdown.markdown(HEADINGS, extensions=["toc", "attr_list", "tables"])
    of = Document(HEADINGS, Dialect.PYTHON_MARKDOWN)
    assert set(
        addresses.anchors.build_anchors(addresses.anchors.find_anchor_sources(of), "python-markdown").ids
    ) == set(re.findall(r'id="([^"]*)"', html))


def test_anchors_are_those_of_github() -> None:
    of = addresses.anchors.build_anchors(
        addresses.anchors.find_anchor_sources(
            Document("# One two!\n\n## One two\n\n## One-two\n\n## `f(x)`: a/b & C++\n")
        ),
        "github",
    )
    assert of.ids == {"one-two", "one-two-1", "one-two-2", "fx-ab--c"}
    assert build_github_slug("Ünïcode_1 – dash") == "ünïcode_1--dash"


HEADINGS = "## What's new?\n## 1. Install `x_y` foo.bar()\n## Émile & co\n## Same\n## Same\n## A -- b\n"


@pytest.mark.parametrize(
    ("style", "ids"),
    [
        ("hugo", ["whats-new", "1-install-x_y-foobar", "émile--co", "same", "same-1", "a--b"]),
        ("vitepress", ["what-s-new", "_1-install-x-y-foo-bar", "emile-co", "same", "same-1", "a-b"]),
        ("kramdown", ["whats-new", "install-xy-foobar", "mile--co", "same", "same-1", "a----b", "a--b"]),
        ("docutils", ["what-s-new", "install-x-y-foo-bar", "emile-co", "same", "same-1", "a-b"]),
        ("collapsed", ["what-s-new", "1-install-x-y-foo-bar", "émile-co", "emile-co", "same", "same-1", "a-b"]),
    ],
)
def test_anchors_are_those_of_other_generators(style: Style, ids: list[str]) -> None:
    """The first two as Hugo 0.168 and VitePress 1.6 print them; kramdown's by both of its parsers."""
    assert set(ids) <= anchors.build_anchors(anchors.find_anchor_sources(Document(HEADINGS)), style).ids


TABS = """\
# Lamps

=== "On a desk"

    One.

    ## Desk

    === "Bright"

        ### Bulb

        Two.

    === "Dark"

        Three.

=== "`lamp` & *wall*"

    Three.

## Bright

=== "On a desk"

    Four.
"""


@pytest.mark.parametrize("joined", [False, True])
def test_titles_of_tabs_are_anchors_where_they_are_told_to_be(joined: bool) -> None:
    slugify = import_module("pymdownx.slugs").slugify(case="lower")
    options = {"slugify": slugify, "combine_header_slug": joined, "alternate_style": True}
    extensions = {"pymdownx.tabbed": options, "toc": {}}
    html = markdown.markdown(TABS, extensions=[*extensions], extension_configs=extensions)
    made = {id_ for id_ in re.findall(r'id="([^"]*)"', html) if not id_.startswith("__")}
    of = Document(TABS, Dialect.PYTHON_MARKDOWN)
    assert (
        made
        <= anchors.build_anchors(
            anchors.find_anchor_sources(of), "python-markdown", "heading" if joined else "title"
        ).ids
    )
    assert anchors.build_anchors(anchors.find_anchor_sources(of), "python-markdown").ids == {
        *("lamps", "bright", "desk", "bulb")
    }


def test_a_page_that_a_hook_writes_may_have_any_anchor(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: S\nhooks: [hook.py]\n",
        "hook.py": "def on_page_markdown(markdown, **rest):\n    return markdown\n",
        "docs/index.md": "# A\n\n[a](a.md#one) [a](a.md#two) [b](b.md#b) [b](b.md#c) [b](b.md#ddd) [b](b.md#bb)\n",
        "docs/a.md": "# A\n\n#TABLE#\n",
        "docs/b.md": "# B\n\n## C\n\n## DDD\n",
    }
    of = tree(tmp_path, files)
    assert of.has_anchor(page(of, "docs/a.md"), "one") is None
    assert of.has_anchor(page(of, "docs/b.md"), "bb") is False
    of = tree(tmp_path, {**files, "hook.py": "def on_startup(**rest):\n    pass\n"})
    assert of.has_anchor(page(of, "docs/a.md"), "one") is False


def test_a_page_that_takes_text_from_elsewhere_may_have_any_anchor(tmp_path: Path) -> None:
    of = tree(tmp_path, {"a.md": "# A\n\n[x](#gone)\n", "b.md": '# B\n\n--8<-- "part.md"\n'})
    assert of.has_anchor(page(of, "a.md"), "gone") is False
    assert of.has_anchor(page(of, "b.md"), "gone") is None


def test_snippets_bring_their_headings(tmp_path: Path) -> None:
    of = tree(
        tmp_path,
        {
            "mkdocs.yml": "markdown_extensions: [{pymdownx.snippets: {base_path: parts}}]\n",
            "docs/a.md": '# A\n\n=== "One"\n\n    --8<-- "one.md"\n',
            "docs/b.md": '# B\n\n--8<-- "one.md:part"\n',
            "parts/one.md": '---\nx: y\n---\n## In one\n\n-8<- "two.md"\n',
            "parts/two.md": "## In two\n",
        },
    )
    a, b = page(of, "docs/a.md"), page(of, "docs/b.md")
    assert of.get_anchors(a) == {"a", "in-one", "in-two"}
    assert [of.has_anchor(a, name) for name in ("in-one", "in-two", "in-three")] == [True, True, False]
    assert of.has_anchor(b, "in-one") is None  # a part of a file is not read


# URLs


def test_urls_are_those_of_mkdocs(tmp_path: Path) -> None:
    config = "site_url: https://example.com/shop/\nuse_directory_urls: {}\n"
    pages = {"docs/index.md": "", "docs/a/index.md": "", "docs/a/b.md": "", "docs/c/README.md": ""}
    of = tree(tmp_path / "1", {"mkdocs.yml": config.format("true"), **pages})
    assert [of.get_url(page) for page in of.site.pages] == ["/shop/", "/shop/a/", "/shop/a/b/", "/shop/c/"]
    of = tree(tmp_path / "2", {"mkdocs.yml": config.format("false"), **pages})
    assert [of.get_url(page) for page in of.site.pages] == ["/shop/", "/shop/a/", "/shop/a/b.html", "/shop/c/"]


@pytest.mark.parametrize(
    ("value", "base"),
    [
        ("https://example.com/shop/", "/shop/"),
        ("!ENV SITE_URL", "/"),
        ("!ENV [SITE_URL, 'https://example.com/shop/']", "/shop/"),
        ("!ENV [SITE_URL, OTHER_URL]", "/"),
        ("shop", "/"),
    ],
)
def test_what_the_environment_gives_is_not_known(value: str, base: str, tmp_path: Path) -> None:
    of = tree(tmp_path, {"mkdocs.yml": f"site_url: {value}\ndocs_dir: !ENV [DOCS, docs]\n", "docs/a.md": ""})
    assert [of.get_url(page) for page in of.site.pages] == [f"{base}a/"]


def test_of_a_configuration_that_is_no_yaml_nothing_is_known(tmp_path: Path) -> None:
    page = "# A\n\n!!! note\n\n    [c](c.md)\n"
    for more, told in (("", ["broken-link", "unparsed-markup"]), ("foo: [\n", ["broken-link"])):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs/a.md").write_text(page)
        (tmp_path / "mkdocs.yml").write_text(f"site_name: S\n{more}")
        read = site.load_plain([tmp_path / "docs/a.md"], tmp_path)
        found = {one.rule for one in engine.run(read, Config(tmp_path))}
        assert sorted(found & {"broken-link", "unparsed-markup"}) == told


HREFS = (
    "b.md", "../b.md", "b", "b/", "../b/", "./", "../", "../..", "a/b.md", "a/b", "/a/b/", "/shop/a/b/", "/shop/a/b", "/shop/",
    "/shop/a/index.html", "index.md", "../index.md", "../a/", "../a/b/index.html", "b.html", "../a/b.html", "gone.md", "gone/",
    "../../../x/menu.png", "x/menu.png", "../x/menu.png", "/shop/x/menu.png", "x%20y.md", "../x%20y/", "c/README.md", "../c/", "b.md?v=1",
)  # fmt: skip


@pytest.mark.parametrize("directory_urls", [True, False])
def test_links_lead_where_the_built_site_has_something(directory_urls: bool, tmp_path: Path) -> None:
    links = "".join(f"[{n}]({href}) <a href='{href}'>raw{n}</a>\n\n" for n, href in enumerate(HREFS))
    files = {f"docs/{name}": links for name in ("index.md", "a/index.md", "a/b.md", "c/README.md", "x y.md")}
    config = f"site_name: S\nsite_url: https://example.com/shop/\nuse_directory_urls: {directory_urls}\n"
    of = tree(tmp_path, {"mkdocs.yml": config, "docs/x/menu.png": "", **files})
    mkdocs_build(load_config(str(tmp_path / "mkdocs.yml"), theme="mkdocs", plugins=[]))
    for one in of.site.pages:
        url = of.get_url(one).removeprefix("/shop/")
        html = (tmp_path / "site" / (f"{url}index.html" if url.endswith("/") or not url else url)).read_text()
        for n, href in enumerate(HREFS):
            for raw in (False, True):
                shown = re.search(rf"<a href=[\"']([^\"']*)[\"']>{'raw' * raw}{n}</a>", html)
                assert shown
                there = stands(tmp_path / "site", "/shop/", urljoin(f"https://example.com{of.get_url(one)}", shown[1]))
                kind = of.resolve_href(one, href, raw=raw).kind
                if not href.startswith("/a/"):  # out of the site: `absolute-path` tells
                    assert (kind in ("page", "file", "self")) is there, (one.path, href, raw, shown[1], kind)


def stands(site: Path, base: str, url: str) -> bool:
    """Whether a server finds something at a URL of a built site."""
    path = unquote(urlsplit(url).path)
    file = site / path.removeprefix(base)
    names_file = file.is_file() or Path(f"{file}.html").is_file()
    return path.startswith(base) and ((names_file and not path.endswith("/")) or (file / "index.html").is_file())


# Redirects


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_redirects", "/old/  /install/  301\n"),
        ("static/_redirects", "/ol*  /install/\n"),
        ("vercel.json", '{"redirects": [{"source": "/old", "destination": "/install"}]}'),
        ("netlify.toml", '[[redirects]]\nfrom = "/old/"\nto = "/install/"\n'),
        ("redirects.js", "module.exports = {'/old/': '/install/'}\n"),
        (
            "docusaurus.config.js",
            "routeBasePath: '/', plugins: [['x', {redirects: [{from: '/old', to: '/install'}]}]]\n",
        ),
        ("astro.config.mjs", "export default {redirects: {'/old': {status: 301, destination: '/install'}}}\n"),
        ("src/redirects.ts", "export const moved = [{ fromPath: `/old`, toPath: `/install` }]\n"),
        ("redirects.yaml", "- from: /old/\n  to: /install/\n"),
        ("config/redirects.yml", "/old/: /install/\n"),
        ("firebase.json", '{"hosting": {"redirects": [{"source": "/old", "destination": "/install", "type": 301}]}}'),
        ("static/.htaccess", "Redirect 301 /old/ /install/\n"),
        ("docs/first.md", "---\nredirect_from:\n  - /old/\n---\n"),
        ("docs/first.md", "---\nredirects: {/old/: /install/}\n---\n"),
    ],
)
def test_redirects_are_read_wherever_they_stand(name: str, text: str, tmp_path: Path) -> None:
    pages = {"docs/index.md": "[x](/old/) [y](/install)\n", "docs/install.md": "# Install\n"}
    config = {} if ".config." in name else {"docusaurus.config.js": "routeBasePath: '/'\n"}
    if name == "astro.config.mjs":
        pages = {path.replace("docs/", "src/content/docs/"): text for path, text in pages.items()}
    of = tree(tmp_path, {**config, **pages, name: text})
    target = of.resolve_href(of.site.pages[0], "/old/")
    assert target.redirected
    assert target.page in of.site.pages


def test_findings_of_links_grow_linearly(tmp_path: Path) -> None:
    """Four times the pages ask for no more than some six times the folders, files and readings."""

    def work(count: int) -> int:
        files = {f"docs/{n // 50}/{n}.md": f"[x](../{(n + 50) // 50}/{n + 50}.md) [y](gone.md)\n" for n in range(count)}
        of = tree(tmp_path / str(count), {"mkdocs.yml": "", **files})
        read = [page.document.tags for page in of.site.pages]
        assert len(read) == count
        found: list[object] = []
        made = calls(lambda: found.extend(link for page in of.site.pages for link in of.get_links(page)))
        assert len(found) == 2 * count
        return made

    assert work(1200) < 4 * 1.5 * work(300)


def test_a_link_to_a_configuration_elsewhere_makes_no_site(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/mkdocs.yml").symlink_to("../mkdocs.yml")
    of = tree(tmp_path, {"mkdocs.yml": "docs_dir: docs/content\n", "docs/content/index.md": "# A\n"})
    assert of.get_tree(page(of, "docs/content/index.md")).is_exact
