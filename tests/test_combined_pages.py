"""A page for all platforms: what they share once, the rest in tabs, each as the platform's own page has it."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests import nine, project, started
from tests.browser.conftest import build
from tutorial_tool.mkdocs_plugin.author_views import AuthorViews
from tutorial_tool.publishing import combined_pages, export, platform_switcher
from tutorial_tool.site import Layout, Site, loading

COMBINED = nine.DATA.replace("    title: Quickstart\n", "    title: Quickstart\n    combined: true\n")


class Article(HTMLParser):
    """The words of a page's content as the readers of a platform see them: of tabs, those that bear its name."""

    VOID = frozenset(("img", "input", "br", "hr", "wbr", "link", "meta"))

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.words = name, list[str]()
        self.path: list[str] = []
        self.sets: list[tuple[list[str], int]] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if tag == "img" and not self.hidden:
            self.words.append(dict(attrs).get("alt") or "")
        if tag in self.VOID:
            return
        kind = next((each for each in classes if each in ("tabbed-set", "tabbed-block", "tabbed-labels")), tag)
        kind = "skipped" if tag in ("svg", "script", "style", "h1") or {"tt-head", "tt-foot"} & {*classes} else kind
        if kind == "tabbed-set":
            self.sets.append(([], 0))
        if kind == "tabbed-block":
            labels, number = self.sets[-1]
            self.sets[-1] = labels, number + 1
            is_shown = self.name in labels[number].split(", ") or not any(name in labels[number] for name in NAMES)
            kind = kind if is_shown else "skipped"
        self.path.append(kind)
        self.hidden += kind in ("skipped", "tabbed-labels")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        kind = self.path.pop()
        self.hidden -= kind in ("skipped", "tabbed-labels")
        if kind == "tabbed-set":
            self.sets.pop()

    def handle_data(self, data: str) -> None:
        if self.path[-2:] == ["tabbed-labels", "label"]:
            self.sets[-1][0].append(data)
        elif not self.hidden:
            self.words += data.split()


STEPS = ("overview", "create-key", "install", "start", "open-door", "verify")
NAMES = ("iOS", "Android", "Web", "React Native", "Roku", "Node.js", "Python")


def words(path: Path, name: str) -> list[str]:
    html = path.read_text(encoding="utf-8")
    article = Article(name)
    article.feed(re.split(r"<article[^>]*>|<div class=\"col-md-9\"[^>]*>", html)[1].split("</article>")[0])
    return article.words


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = nine.write(tmp_path_factory.mktemp("combined"), data=COMBINED)
    config = (root / "mkdocs.yml").read_text() + "theme: {name: material, font: false}\n"
    (root / "mkdocs.yml").write_text(config)
    build(root, root / "site", "--strict")
    return root / "site"


def load(root: Path) -> Site:
    return combined_pages.add_combined_pages(loading.load(Layout.find(root)))


def text_of(read: Site, step: str) -> str:
    return str(next(page for page in read.pages if page.platform == "*" and page.step == step).text)


@pytest.mark.parametrize("step", STEPS)
def test_each_platform_reads_its_own_page_in_the_tabs(built: Path, step: str) -> None:
    for name in NAMES:
        own = built / f"quickstart/{name.lower().replace(' ', '-').removesuffix('.js')}/{step}/index.html"
        if own.exists():
            assert words(built / f"quickstart/{step}/index.html", name) == words(own, name), name


def test_what_all_share_is_there_once(tmp_path: Path) -> None:
    read = load(nine.write(tmp_path, data=COMBINED))
    assert text_of(read, "verify").count("The dashboard shows one event.") == 1
    assert "===" not in text_of(read, "verify")
    assert text_of(read, "create-key").count("API secret") == 1, "platforms that say the same have one tab"
    assert text_of(read, "create-key").count("The list of inputs") == 1, "pictures that are the same are one"
    assert text_of(read, "create-key").startswith("---\ntitle: Step 1. Create a key\n---\n\n1.  === ")


def test_a_step_with_several_numbers_has_none(tmp_path: Path) -> None:
    read = load(nine.write(tmp_path, data=COMBINED))
    assert text_of(read, "open-door").startswith("---\ntitle: Step 4. Open the door\n---\n")
    assert text_of(read, "verify").startswith("---\ntitle: Verify the result\n---\n")
    last = next(page for page in read.pages if page.platform == "*" and page.step == "verify")
    progress = platform_switcher.compute_progress(read, last)
    assert (progress.number, progress.count) == (5, 5), "the list of steps counts it"


def test_no_two_steps_have_the_same_number(tmp_path: Path) -> None:
    data = COMBINED.replace("      - install\n", "      - {id: install, only: [ios]}\n")
    read = load(nine.write(tmp_path, data=data.replace("      - start\n", "      - {id: start, only: [web]}\n")))
    assert "title: Step 2. Install the SDK\n" in text_of(read, "install")
    assert "title: Start the SDK\n" in text_of(read, "start")


def test_the_dashboard_compares_platforms_alone(tmp_path: Path) -> None:
    read = load(nine.write(tmp_path, data=COMBINED))
    plugin = SimpleNamespace(site=read, broken=None)
    rendered = AuthorViews(cast("Any", plugin))._select_rendered_site()
    assert {page.platform for page in rendered.pages} == {*nine.PUBLISHED, None}


def test_links_lead_to_pages_for_all_platforms(tmp_path: Path) -> None:
    data = project.DATA.replace("    title: Guide\n", "    title: Guide\n    combined: true\n")
    read = load(project.write(tmp_path, data))
    assert "[step 2](finish.md), and end" not in text_of(read, "welcome")
    assert "Start with [step 1](prepare.md), and end with [step 2.1](finish.md#check)." in text_of(read, "welcome")
    assert "](../images/swan/prepare/menu.svg)" in text_of(read, "prepare")


def test_a_heading_in_a_second_tab_has_another_id(tmp_path: Path) -> None:
    data = project.DATA.replace("    title: Guide\n", "    title: Guide\n    combined: true\n")
    finish = "---\ntitle: Finish\n---\n\n## On {{ platform.name }} {: #here }\n\nDone on {{ platform.name }}.\n"
    finish += "\n## On the {{ platform.name }} {: #here-2 }\n"
    text = text_of(
        load(project.write(tmp_path, data, {**project.TEMPLATES, **LEADING, "steps/finish.md.j2": finish})), "finish"
    )
    assert re.findall("{: #(.*?) }", text) == ["here", "here-2", "here-3", "here-2-2"]


LEADING = {"steps/welcome.md.j2": "---\ntitle: Welcome\n---\n\nHello.\n"}


def test_one_result_and_one_address_for_search_engines(built: Path) -> None:
    entries = json.loads((built / "search/search_index.json").read_text())["docs"]
    steps = [entry["location"] for entry in entries if "#" not in entry["location"]]
    assert steps == ["", *(f"quickstart/{step}/" for step in STEPS)]
    for page in ("quickstart/verify", "quickstart/ios/verify", "quickstart/python/verify"):
        html = (built / page / "index.html").read_text()
        assert re.findall('rel="canonical" href="(.*?)"', html) == ["https://example.com/docs/quickstart/verify/"]
        assert re.findall('og:url" content="(.*?)"', html) == ["https://example.com/docs/quickstart/verify/"]


def test_the_switcher_leads_to_it_and_from_it(built: Path) -> None:
    own, all_ = ((built / f"quickstart/{path}verify/index.html").read_text() for path in ("roku/", ""))
    assert '<a href="../../verify/" data-platform="*"' in own
    assert '<a href="../roku/verify/" data-platform="roku"' in all_
    assert 'data-platform="*" aria-current="page">All platforms</a>' in all_


def test_the_linter_reads_each_text_once_and_knows_the_addresses(tmp_path: Path) -> None:
    root = nine.write(tmp_path, data=COMBINED)
    home = "# Lock\n\nThis is is [the first step](quickstart/create-key.md), [also](quickstart/create-ky.md).\n"
    (root / "docs_src/index.md").write_text(home)
    template = root / "site_templates/steps/verify.md.j2"
    template.write_text(template.read_text().replace("one event", "one one event"))
    done = started.run("tutorial_tool", "lint", "--output-format", "concise", cwd=root)
    assert done.stdout.count("warning[repeated-word]") == 2
    assert "`quickstart/create-key.md`" not in done.stdout
    assert "create-ky.md" in done.stdout


def test_a_page_that_somebody_wrote_stays(tmp_path: Path) -> None:
    root = nine.write(tmp_path, data=COMBINED)
    (root / "docs_src/quickstart").mkdir()
    (root / "docs_src/quickstart/verify.md").write_text("# Verify\n\nBy hand.\n")
    read = load(root)
    assert [page.plain for page in read.pages if page.path == "quickstart/verify.md"] == ["# Verify\n\nBy hand.\n"]
    assert [page.step for page in read.get_ordered_pages("quickstart", "*")] == [
        step for step in STEPS if step != "verify"
    ]


def test_names_are_text_in_tabs(tmp_path: Path) -> None:
    name = '<img src=x onerror=alert(1)> \\"x\\" {onclick=alert(1)}'
    data = COMBINED.replace("ios: {name: iOS,", f'ios: {{name: "{name}",')
    root = nine.write(tmp_path, data=data)
    build(root, root / "site")
    html = (root / "site/quickstart/overview/index.html").read_text()
    assert "<img src=x" not in html
    assert not re.search(r"<[^>]*onclick", html)
    assert unescape(html).count("<img src=x onerror=alert(1)>") > 1


def test_other_generators_get_the_page_in_their_own_form(tmp_path: Path) -> None:
    root = nine.write(tmp_path, data=COMBINED)
    (root / "mkdocs.yml").unlink()
    (root / "docusaurus.config.js").write_text(
        "export default {title: 'Lock', presets: [['classic', {docs: {path: 'docs_src'}}]]};\n"
    )
    layout = Layout.find(root, docs="docs_src")
    files = export.build_files(
        loading.load(layout), export.Options(engine=export.detect_engine(layout), reader_features=True)
    )
    text = files["docs/quickstart/create-key.md"].decode()
    assert '<TabItem value="node-js-python" label="Node.js, Python">' in text
    assert "**Platform:** **All platforms** · [iOS](ios/create-key.md)" in text
