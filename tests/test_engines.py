"""Trees of many site generators, each read as its own engine reads it: what is wrong is named where it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tutorial_tool import links, site
from tutorial_tool.config import site_generator
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.markdown.parser import Dialect

TREES = Path(__file__).parent / "sites" / "engines"
RULES = (
    "broken-link", "broken-anchor", "missing-image", "missing-alt", "repeated-word", "vague-link-text", "foreign-link",
)  # fmt: skip
LABEL = re.compile(rf"(?:<!--|#) ((?:(?:{'|'.join(RULES)}) ?)+)(?:-->)?\s*$")
"""The rules that find something on a line, named at its end."""


def pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".mdx"))


def labelled(folder: Path) -> list[str]:
    """The faults of a tree: path:line rule."""
    return sorted(
        f"{path.relative_to(folder).as_posix()}:{number} {rule}"
        for path in pages(folder)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (label := LABEL.search(line))
        for rule in label[1].split()
    )


def found(folder: Path) -> list[str]:
    """All findings of a tree, hints too, in the same form."""
    everything = [one for of in targets.find([folder], LookupOptions(folder)) for one in of.lint().findings]
    return sorted(f"{one.span.path}:{one.span.position.line} {one.rule}" for one in everything)


@pytest.mark.parametrize("name", sorted(path.name for path in TREES.iterdir()))
def test_the_faults_of_a_tree_are_found_and_nothing_is_left_without_them(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(TREES / name, folder)
    wanted = labelled(folder)
    assert wanted
    assert found(folder) == wanted
    for path in pages(folder):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not LABEL.search(line)), encoding="utf-8")
    assert found(folder) == []


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("files", "page", "dialect"),
    [
        ({"hugo.toml": ""}, "content/a.md", Dialect.HUGO),
        ({"hugo.toml": ""}, "README.md", None),
        ({"config.yaml": "baseURL: https://example.com/\n"}, "content/a.md", Dialect.HUGO),
        ({"config.yaml": "level: debug\n"}, "content/a.md", None),
        ({"config.toml": 'base_url = "https://example.com"\n'}, "content/a.md", None),
        ({"config/_default/params.yaml": "", "config/_default/hugo.json": '{"baseURL": "/"}'}, "content/a.md", Dialect.HUGO),
        ({"hugo.yaml": "contentDir: pages\n"}, "pages/a.md", Dialect.HUGO),
        ({"docs/.vitepress/config.mts": ""}, "docs/a.md", Dialect.COMMONMARK),
        ({"docs/.vitepress/config.mts": ""}, "README.md", None),
        ({".vitepress/config.js": "export default { srcDir: './text' }"}, "text/a.md", Dialect.COMMONMARK),
        ({".vitepress/config.js": "export default { srcDir: './text' }"}, "a.md", None),
        ({"book.toml": ""}, "src/a.md", Dialect.COMMONMARK),
        ({"book.toml": '[book]\nsrc = "text"\n'}, "text/a.md", Dialect.COMMONMARK),
        ({"_config.yml": "title: Honey\n"}, "a/b.md", Dialect.KRAMDOWN),
        ({"_config.yml": "markdown: CommonMarkGhPages\n"}, "a.md", Dialect.COMMONMARK),
        ({"_config.yml": "markdown_ext: markdown,mkd\n"}, "a.md", None),
        ({"_config.yml": "markdown_ext: markdown,md\n"}, "a.md", Dialect.KRAMDOWN),
        ({"part/_config.yml": "theme: jekyll-theme-slate"}, "part/a.md", None),
        ({"docs/_config.yml": "theme: jekyll-theme-slate"}, "docs/a.md", Dialect.KRAMDOWN),
        ({"_config.yml": "", "_toc.yml": ""}, "a.md", Dialect.MYST),
        ({"book.json": '{"plugins": []}'}, "a.md", Dialect.KRAMED),
        ({"book.json": '{"plugins": []}', ".gitbook.yaml": ""}, "a.md", None),
        ({"book.json": '{"pages": 12}'}, "a.md", None),
        ({"conf.py": "extensions = ['myst_parser']\n"}, "a.md", Dialect.MYST),
        ({"conf.py": "DEBUG = True\n"}, "a.md", None),
        ({"astro.config.mjs": ""}, "src/content/docs/a.md", Dialect.COMMONMARK),
        ({"astro.config.mjs": ""}, "src/content/docs/a.mdx", Dialect.MDX),
        ({"astro.config.mjs": ""}, "README.md", None),
        ({"eleventy.config.js": ""}, "a.md", Dialect.COMMONMARK),
        ({"docusaurus.config.js": ""}, "docs/a.mdx", Dialect.DOCUSAURUS),
        ({"mkdocs.yml": "docs_dir: text\n"}, "text/a.md", Dialect.PYTHON_MARKDOWN),
        ({"mkdocs.yml": "", "docs/part/_index.md": ""}, "docs/a.md", None),
        ({"zensical.toml": "[project]\ndocs_dir = 'text'\n"}, "text/a.md", Dialect.PYTHON_MARKDOWN),
        ({"zensical.toml": "[project"}, "docs/a.md", Dialect.PYTHON_MARKDOWN),
    ],
)  # fmt: skip
def test_the_configuration_tells_the_dialect(
    files: dict[str, str], page: str, dialect: Dialect | None, tmp_path: Path
) -> None:
    write(tmp_path, {**files, ".git/HEAD": "", page: "# Page\n", "content/x.md": "# X\n"})
    assert site_generator.Finder().find_dialect(tmp_path / page) == dialect


def told(folder: Path, *names: str) -> list[str]:
    """What is said of some files of a folder, or all: path:line:column rule message."""
    everything = [one for of in targets.find([folder], LookupOptions(folder)) for one in of.lint().findings]
    return [f"{one.span} {one.rule} {one.message}" for one in everything if not names or one.span.path in names]


def mended(folder: Path) -> None:
    """Makes all fixes that findings offer."""
    for target in targets.find([folder], LookupOptions(folder)):
        edits = [edit for one in target.lint().findings if one.fix for edit in one.fix.edits]
        for source in {edit.span.source for edit in edits}:
            text = source.apply(edit for edit in edits if edit.span.source is source)
            (folder / source.path).write_text(text, encoding="utf-8")


HUGO = {
    "hugo.toml": 'baseURL = "https://example.com/"\n',
    "content/_index.md": "+++\ntitle = 'Home'\n+++\n\nSee [a boat]({{< ref \"boats/bote\" >}}).\n",
    "content/boats/boat.md": '+++\ntitle="Boat"\n+++\n\nSee [the oar]({{< relref "oar.md" >}}), [b]({{% ref "oars.md#blade" %}}).\n',
    "content/boats/oar.md": "+++\ntitle = 'Oar'\naliases=['/paddle/']\n+++\n\n## Blade\n\nBack [to](/paddle/) the start.\n",
}


def test_a_page_that_is_named_by_a_shortcode_is_mended_within_it(tmp_path: Path) -> None:
    folder = write(tmp_path, HUGO)
    assert told(folder) == [
        "content/_index.md:5:23 broken-link link target `boats/bote` not found; did you mean `/boats/boat`?",
        "content/boats/boat.md:5:54 broken-link link target `oars.md` not found; did you mean `oar.md#blade`?",
    ]
    mended(folder)
    assert told(folder) == []
    assert '[b]({{% ref "oar.md#blade" %}})' in (folder / "content/boats/boat.md").read_text(encoding="utf-8")


def test_a_definition_names_a_page_too(tmp_path: Path) -> None:
    text = (
        'See [the oar][oar] and [the sail].\n\n[oar]: {{< ref "boats/oar" >}}\n[the sail]: {{< ref "boats/sail" >}}\n'
    )
    files = {**HUGO, "content/_index.md": text, "content/boats/boat.md": "# Boat\n"}
    assert told(write(tmp_path, files)) == ["content/_index.md:4:22 broken-link link target `boats/sail` not found"]


def test_a_chapter_that_the_summary_of_mdbook_lacks_is_an_orphan(tmp_path: Path) -> None:
    chapters = {f"src/{name}.md": f"# {name.title()}\n\nText.\n" for name in ("one", "two", "part")}
    chapters["src/one.md"] += "\n{{#include part.md}}\n"
    summary = {"book.toml": "[book]\n", "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Later]()\n"}
    assert told(write(tmp_path, chapters | summary)) == [
        "src/two.md:1:3 orphan-page orphan page: not in the navigation, and no page links to it"
    ]


def test_the_summary_of_mdbook_tells_the_order(tmp_path: Path) -> None:
    pages = {
        "book.toml": "",
        "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)\n",
        "src/one.md": "# One\n\nNext: [Two](two.md)\n",
        "src/two.md": "# Two\n\nPrevious: [One](one.md) | Next: [One](one.md)\n",
        "src/three.md": "# Three\n\nPrevious: [Two](two.md)\n",
    }
    assert [line.split()[1] for line in told(write(tmp_path, pages))] == ["prev-next-mismatch"]


@pytest.mark.parametrize(("key", "is_below"), [("git-repository-url", False), ("site-url", True)])
def test_a_book_is_where_its_site_url_says_and_not_where_its_repository_is(
    tmp_path: Path, key: str, is_below: bool
) -> None:
    pages = {
        "book.toml": f'[output.html]\n{key} = "https://lamp.example/lamps/book"\n',
        "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n",
        "src/one.md": "# One\n\nRead about the [second lamp](/two.md).\n",
        "src/two.md": "# Two\n\nText.\n",
    }
    assert [line.split()[1] for line in told(write(tmp_path, pages))] == ["absolute-path"] * is_below


def test_mdbook_has_pages_and_redirects_of_its_own(tmp_path: Path) -> None:
    book = '[output.html.redirect]\n"/old.html" = "bees/hive.html"\n'
    pages = {
        "book.toml": book,
        "src/SUMMARY.md": "# Summary\n\n- [Start](start.md)\n- [Hive](bees/hive.md)\n",
        "src/start.md": "# Start\n\nSee [all](print.html), [the hive](old.html), and [the wax](wax.html).\n",
        "src/bees/hive.md": "# Hive\n\n{{#template ../part.md name=hive}}\n",
        "src/part.md": "The [[#name]].\n",
    }
    assert [line.partition(" ")[2] for line in told(write(tmp_path, pages))] == [
        "broken-link link target `wax.html` not found"
    ]


@pytest.mark.parametrize(
    ("config", "lines"),
    [
        ({"docs/.vitepress/config.ts": "export default { base: '/sea/' }"}, [5]),
        ({"hugo.toml": 'baseURL = "https://example.com/sea/"\ncontentDir = "docs"'}, [5, 7]),
        ({"mkdocs.yml": "site_name: Sea\nsite_url: https://example.com/sea/\n"}, [1, 3, 5, 7]),
    ],
)
def test_addresses_from_the_root_are_right_where_the_base_is_put_before_them(
    config: dict[str, str], lines: list[int], tmp_path: Path
) -> None:
    text = '[a](/boat)\n\n![b](/b.png)\n\n<a href="/boat">c</a>\n\n<img src="/b.png" alt="d">\n'
    files = {"docs/index.md": text, "docs/boat.md": "# Boat\n", "docs/b.png": "x", "docs/public/b.png": "x"}
    found_ones = [line for line in told(write(tmp_path, files | config)) if " absolute-path " in line]
    assert [int(line.split(":")[1]) for line in found_ones] == lines


SPHINX = {
    "conf.py": "extensions = ['myst_parser']\n",
    "index.md": "# Bees\n\n```{toctree}\n:glob:\n\nhive\nThe wax <comb/wax>\ncomb/*\ncomb/honney\nself\n```\n",
    "hive.md": "# Hive\n\n```{figure} no.png\n:name: x\n\nA hive.\n```\n",
    "comb/wax.md": "# Wax\n",
    "comb/honey.md": "# Honey\n",
}


def test_the_entries_of_a_toctree_are_links_and_its_figures_are_pictures(tmp_path: Path) -> None:
    assert told(write(tmp_path, SPHINX)) == [
        "hive.md:3:1 missing-alt image `no.png` has no alt text",
        "hive.md:3:13 missing-image image `no.png` not found",
        "index.md:9:1 broken-link link target `comb/honney` not found; did you mean `comb/honey`?",
    ]


def test_nothing_is_said_of_pages_that_a_program_may_make(tmp_path: Path) -> None:
    index = "# Bees\n\n```{toctree}\n/modules\nhive\n```\n"
    made = {
        "conf.py": "extensions = ['myst_parser', 'sphinx.ext.autosummary']\n",
        "index.md": index,
        "hive.md": "# H\n",
    }
    assert told(write(tmp_path / "sphinx", made)) == []
    mounted = 'baseURL = "https://example.com/"\n[[module.mounts]]\nsource = "text"\ntarget = "content"\n'
    assert told(write(tmp_path / "hugo", {**HUGO, "hugo.toml": mounted})) == []


def test_front_matter_of_any_form_is_mended_where_it_stands(tmp_path: Path) -> None:
    pages = {
        "hugo.toml": "",
        "content/boats/one.md": '+++\ntitle = "One"\nnext="/boats/towo/" # the second\n+++\nText.\n',
        "content/boats/two.md": '{\n  "title": "Two",\n  "prev": "/boats/on/"\n}\nText.\n',
        "content/_index.md": "See [one](/boats/one/), and [two](/boats/two/).\n",
    }
    folder = write(tmp_path, pages)
    assert [line.split()[:2] for line in told(folder)] == [
        ["content/boats/one.md:3:7", "broken-link"],
        ["content/boats/two.md:3:12", "broken-link"],
    ]
    mended(folder)
    assert told(folder) == []
    one = '+++\ntitle = "One"\nnext="/boats/two/" # the second\n+++\nText.\n'
    assert (folder / "content/boats/one.md").read_text(encoding="utf-8") == one


@pytest.mark.parametrize(
    "files",
    [
        {"hugo.toml": 'contentDir = "/"\n[languages.de]\ncontentDir = "../../.."\n', "content/a.md": "[a](/b/c/)\n"},
        {"book.toml": '[book]\nsrc = "../.."\n', "src/a.md": "[a](/b/c.html)\n"},
        {".vitepress/config.js": "export default { srcDir: '/' }\n", "a.md": "[a](/b/c)\n"},
        {".eleventy.js": "x = { input: '..' }\n", "a.md": "[a](/b/c/)\n"},
    ],
)
def test_a_configuration_leads_nowhere_else(files: dict[str, str], tmp_path: Path) -> None:
    folder = write(tmp_path / "site", files)
    read = site.load_plain([folder / name for name in files if name.endswith(".md")], folder)
    (tree,) = links.get_addresses(read).pages.trees
    assert Path(tree.docs).is_relative_to(folder)
    assert told(folder) == []


def test_front_matter_that_cannot_be_read_is_told_at_its_place(tmp_path: Path) -> None:
    pages = {
        "a.md": '+++\ntitle = "A"\nweight = \n+++\n\nText.\n',
        "b.md": '{\n  "title": "B"\n  "weight": 1\n}\n\nText.\n',
        "archetypes/c.md": '---\ntitle: "{{ replace .Name "-" " " }}"\n---\n',
    }
    assert told(write(tmp_path, pages)) == [
        "a.md:3:10 front-matter not valid TOML: Invalid value",
        "b.md:3:3 front-matter not valid JSON: Expecting ',' delimiter",
    ]


@pytest.mark.parametrize("engine", ["hugo", "plain"])
def test_translations_that_their_names_tell_are_no_platforms(engine: str, tmp_path: Path) -> None:
    code = "".join(f"```sh\npaddle --number {number} --fast\npaddle home {number}\n```\n\n" for number in range(6))
    settings = {"": "Settings", ".de": "Einstellungen", ".fr": "Réglages"}
    pages = {
        f"content/{name}{code_of}.md": f"# {name.title()}\n\n{code}## {title}\n\n| A | B |\n| - | - |\n| x | {title} |\n"
        for name in ("install", "update", "remove")
        for code_of, title in settings.items()
    }
    assert told(write(tmp_path, pages | ({"hugo.toml": ""} if engine == "hugo" else {}))) == []


COPY = """\
+++
title = "Connect {name}"
+++

Open the app on {name}. First see [Input]({{{{< ref "/sdk/{leads_to}/input" >}}}}) for the key of your {name} input, then go on.

1. Choose the input.

   {{{{< figure src="/img/{slug}/connect.png" alt="The input on {name}" >}}}}

2. Save it, as shown for [Output]({{{{< relref "output.md" >}}}}).

This is the end of the page for {name}, and there is nothing else.
"""


def test_copies_with_shortcodes_are_compared(tmp_path: Path) -> None:
    names = {"ios": "iOS", "android": "Android", "web": "Web"}
    leads = {"android": "ios"}
    pages = {"hugo.toml": ""}
    for slug, name in names.items():
        text = COPY.format(name=name, slug=slug, leads_to=leads.get(slug, slug))
        pages[f"content/sdk/{slug}/connect.md"] = text
        pages[f"content/sdk/{slug}/input.md"] = f"+++\ntitle = 'Input {name}'\n+++\n\nThe input of {name} has a name.\n"
        pages[f"content/sdk/{slug}/output.md"] = f"+++\ntitle = 'Output {name}'\n+++\n\nThe output of {name}.\n"
        pages[f"static/img/{slug}/connect.png"] = slug
    assert told(write(tmp_path, pages)) == [
        "content/sdk/android/connect.md:5:58 foreign-link this Android page links to iOS; "
        "iOS and Web link to their own pages"
    ]


def test_a_folder_for_a_language_is_read_as_that_beside_it(tmp_path: Path) -> None:
    files = {"docs/en/mkdocs.yml": "site_name: Lamps\n", "docs/en/docs/a.md": "# A\n", "docs/ko/docs/a.md": "# A\n"}
    write(tmp_path, files | {"docs/api/docs/a.md": "# A\n", "docs/ko/notes.md": "# Notes\n"})
    dialects = {
        name: site_generator.Finder().find_dialect(tmp_path / "docs" / name)
        for name in ("ko/docs/a.md", "api/docs/a.md")
    }
    assert dialects == {"ko/docs/a.md": Dialect.PYTHON_MARKDOWN, "api/docs/a.md": None}
    assert site_generator.Finder().find_dialect(tmp_path / "docs/ko/notes.md") is None, "not in the folder of pages"
