"""A page asks no other host, needs no script, does not move under the reader, and runs nothing that data says."""

from __future__ import annotations

import html
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

import pytest
import yaml

from tests import project, started
from tests.browser.conftest import Quiet, build, served
from tests.repository import Repository
from tests.test_plugin import change, shows
from tests.test_plugin import served as serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]
Reader = Callable[..., "BrowserContext"]
STEPS = [
    f"developers/quickstart/{platform}/{step}/"
    for platform, step in (("ios", "overview"), ("web", "create-input"), ("android", "create-connection"))
]


@pytest.mark.parametrize("path", ["", *STEPS, "reference/platforms-yaml/", "404.html"])
def test_a_page_asks_no_other_host(tab: Tab, our_site: str, path: str) -> None:
    page = tab()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(our_site + path, wait_until="networkidle")
    host = our_site.removesuffix("docs/")
    assert [url for url in asked if not url.startswith((host, "data:", "blob:"))] == []
    assert len(asked) > 3


@pytest.mark.parametrize("path", STEPS)
def test_a_page_can_be_read_without_a_script(tab: Tab, our_site: str, path: str) -> None:
    words = []
    for script in (False, True):
        page = tab(script=script)
        page.goto(our_site + path)
        words.append(set(page.locator("article").inner_text().split()))
    assert len(words[0]) > 60
    assert words[1] - words[0] <= set("Mark this step as done Copy as text".split())


MOVED = """
window.moved = 0;
window.who = [];
new PerformanceObserver(list => list.getEntries().filter(each => !each.hadRecentInput).forEach(each => {
  window.moved += each.value;
  each.sources.forEach(source => window.who.push(source.node && source.node.outerHTML));
})).observe({type: "layout-shift", buffered: true});
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_does_not_move_under_the_reader(reader: Reader, our_site: str, width: int) -> None:
    page = reader(width).new_page()
    page.add_init_script(MOVED)
    network = page.context.new_cdp_session(page)
    for known in (False, True):  # files of the page, and a platform
        network.send("Network.setCacheDisabled", {"cacheDisabled": not known})
        if known:
            page.goto(our_site + STEPS[2])
        for path in ("", *STEPS):
            if not known:
                page.evaluate("location.protocol === 'about:' || localStorage.clear()")
            page.goto(our_site + path, wait_until="networkidle")
            page.evaluate(
                "new Promise(done => { let y = 0; (function down() { scrollTo(0, y += 700);"
                " y < document.body.scrollHeight ? setTimeout(down, 30) : done() })() })"
            )
            # 0.1 is "good" (web.dev, Cumulative Layout Shift); the theme's title slides by 0.001 under load
            assert page.evaluate("window.moved") < 0.01, (path, page.evaluate("window.who"))


@pytest.mark.parametrize(
    "sent", ['<details class="tt-steps" data-done="done">', "<summary>", '<span class="tt-steps__title">Step']
)
def test_the_list_of_steps_does_not_move_while_a_page_arrives(reader: Reader, ours: Path, sent: str) -> None:
    """A browser shows what it has read so far, and a list whose summary it has not read under a word of its own."""

    class Halting(Quiet):
        def copyfile(self, source: IO[bytes], outputfile: IO[bytes]) -> None:  # type: ignore[override]
            before, mark, after = source.read().partition(sent.encode())
            outputfile.write(before + mark)
            outputfile.flush()
            if mark:
                time.sleep(0.4)  # for the browser to paint
            outputfile.write(after)

    page = reader(390).new_page()
    page.add_init_script(MOVED)
    with served(ours.parent, Halting) as url:
        page.goto(f"{url}docs/{STEPS[1]}", wait_until="networkidle")
        assert page.locator(".tt-steps__title").is_visible()
        assert page.evaluate("window.moved") == 0, page.evaluate("window.who")


SITES = ("material", "mkdocs", "readthedocs")
RUN = "parent.ran()"
PAYLOADS = [
    f"<script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</textarea></style></script><script>{RUN}</script>",
    f"<ScRiPt >{RUN}</sCrIpT >",
    f"<script\t>{RUN}</script\n>",
    f"<<script>{RUN}//<</script>",
    "<script src=data:text/javascript,parent.ran()></script>",
    f"<img src=x onerror={RUN}>",
    f"<img src=x onerror='{RUN}'>",
    f'"><img src=x onerror="{RUN}">',
    f"'><img src=x onerror={RUN}>",
    f"<img/src=x/onerror={RUN}>",
    f"<IMG SRC=x ONERROR={RUN}>",
    f"<img src=x onerror\n={RUN}>",
    f"--><img src=x onerror={RUN}>",
    f"<!--><img src=x onerror={RUN}>-->",
    f"<![CDATA[<img src=x onerror={RUN}>]]>",
    f"<?php <img src=x onerror={RUN}> ?>",
    f"<svg onload={RUN}>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<svg><a xlink:href='javascript:{RUN}'><text y=20>x</text></a></svg>",
    f"<svg><foreignObject><img src=x onerror={RUN}></foreignObject></svg>",
    f"<math><mtext></mtext><mglyph><style><img src=x onerror={RUN}></style></mglyph></math>",
    f"<body onload={RUN}>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f'<iframe src="javascript:{RUN}"></iframe>',
    f'<object data="javascript:{RUN}"></object>',
    f'<embed src="javascript:{RUN}">',
    f'<form action="javascript:{RUN}"><button autofocus>x</button></form>',
    f'<button formaction="javascript:{RUN}">x</button>',
    f"<input autofocus onfocus={RUN}>",
    f"<select autofocus onfocus={RUN}>",
    f"<video><source onerror={RUN}></video>",
    f"<audio src=x onerror={RUN}>",
    f"<details open ontoggle={RUN}>x</details>",
    f"<marquee onstart={RUN}>x</marquee>",
    f"<div style='width:1px' onmouseover={RUN}>x</div>",
    f'<meta http-equiv="refresh" content="0;url=javascript:{RUN}">',
    f'<base href="javascript:{RUN}//">',
    f'<link rel="stylesheet" href="x" onerror="{RUN}">',
    f"<style>@import 'x';</style><style onload={RUN}></style>",
    f"<template><script>{RUN}</script></template><img src=x onerror={RUN}>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>",
    f"<a href='javascript:{RUN}'>x</a>",
    f"[x](javascript:{RUN})",
    f"[x](JaVaScRiPt:{RUN})",
    f"[x](java&#9;script:{RUN})",
    f"[x](&#106;avascript:{RUN})",
    f"[x](<javascript:{RUN}>)",
    f"<javascript:{RUN}>",
    f"![x](javascript:{RUN})",
    f"![x](x){{ onerror={RUN} }}",
    f"![x](x){{: onerror='{RUN}' }}",
    f"x {{: onmouseover={RUN} }}",
    f"*x*{{ onmouseover={RUN} }}",
    f"javascript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f'x" onmouseover="{RUN}',
    f"x' onmouseover='{RUN}",
    f"x onmouseover={RUN}",
    f"{{{{ '<script>{RUN}</script>' }}}}",
]
PAGE = """\
---
title: Replaced
description: {{ platform.values.x | tojson }}
---

{{ platform.name }} {{ platform.label('x') }} {{ platform.values.x }} {{ step.title }}

# {{ platform.name }}

## {{ platform.label('x') }}

## {{ platform.values.x | upper | lower }} {: title="{{ platform.values.x }}" }

- {{ platform.label('x') }}

[{{ platform.values.x }}]({{ platform.values.x }}) ![{{ platform.values.x }}]({{ platform.values.x }})
<{{ platform.values.x }}> `{{ platform.values.x }}` <b title="{{ platform.values.x }}">x</b> {{ link('one') }}

[r]: {{ platform.values.x }}

```js
{{ platform.values.x }}
```

=== "{{ platform.name }}"

    Text.

{{ figure('drawn', alt=platform.values.x) }}
"""
REFERENCE = "[r]: {{ platform.values.x }}\n\n"
"""With one for each platform, a step has no page for all of them."""
ALL = """\
---
title: Everything
---

=== "{{ platform.name }}"

    {{ table('t') }}

{{ tutorial.title }}
"""
"""What holds all payloads, on one page: on each of them it would take most of the time."""
FRONT = ("title", "description", "author", "subtitle", "status", "robots", "image", "hide")


def front_matter(payload: Callable[[int], str]) -> str:
    fields = {name: payload(number) for number, name in enumerate(FRONT)}
    said = yaml.safe_dump({**fields, "tags": [payload(len(FRONT))]}, width=10_000)
    return f"---\n{said}---\n\nText.\n"


DISGUISES: tuple[Callable[[str], str], ...] = (
    str,
    lambda text: f"x{text}",
    lambda text: f'">{text}',
    lambda text: f"'>{text}",
    lambda text: f"--></title></script>{text}",
    lambda text: f"`{text}`**_~~",
    html.escape,
    lambda text: quote(text, safe=""),
    lambda text: text.replace("script", "scr\tipt").replace("onerror", "oNeRrOr"),
    lambda text: text.translate({ord("<"): "＜", ord(">"): "&#x3e", ord('"'): "&quot"}),
)


def payload_at(number: int, field: int, *, disguised: bool) -> str:
    """The payload of a platform or page; disguised, it has another form in each of ten fields."""
    form = DISGUISES[(number + field) % len(DISGUISES)] if disguised else str
    return form(PAYLOADS[number])


@pytest.fixture(scope="module", params=[False, pytest.param(True, marks=pytest.mark.soak)], ids=["plain", "disguised"])
def hostile_project(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A project with a platform for each payload, which is in all of its fields, and a page whose front matter has it."""
    root = tmp_path_factory.mktemp("hostile")
    at = partial(payload_at, disguised=request.param)
    everywhere = {f"p{number}": payload for number, payload in enumerate(PAYLOADS)}
    data = {
        "platforms": {
            f"p{n}": {"name": at(n, 0), "labels": {"x": at(n, 1)}, "values": {"x": at(n, 2)}}
            for n in range(len(PAYLOADS))
        },
        "tutorials": {
            "t": {
                "title": " ".join(PAYLOADS),
                "combined": True,
                "steps": ["one", "three", {"id": "two", "not-on": dict(list(everywhere.items())[1:])}],
                "on": {f"p{n}": {"titles": {"one": at(n, 3)}} for n in range(len(PAYLOADS))},
            }
        },
        "tables": {
            "t": {
                "columns": {"a": PAYLOADS[0], "b": PAYLOADS[9]},
                "rows": {f"p{n}": {"a": at(n, 4), "b": at(n, 5)} for n in range(len(PAYLOADS))},
            }
        },
    }
    project.write(
        root,
        yaml.safe_dump(data, sort_keys=False),
        {"steps/one.md.j2": PAGE, "steps/two.md.j2": ALL, "steps/three.md.j2": PAGE.replace(REFERENCE, "")},
        {"index.md": "# Home\n", **{f"page{n}.md": front_matter(partial(at, n)) for n in range(len(PAYLOADS))}},
    )
    return root


THEMES = [SITES[0], *(pytest.param(name, marks=pytest.mark.soak) for name in SITES[1:])]


@pytest.fixture(scope="module", params=THEMES)
def hostile(hostile_project: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of its site."""
    root, features = hostile_project, ", font: false, features: [navigation.prune]" * (request.param == "material")
    (root / "mkdocs.yml").write_text(
        f"site_name: Example\ndocs_dir: docs_src\ntheme: {{name: {request.param}{features}}}\n"
        "plugins: [search, tutorial: {lint: false}]\nmarkdown_extensions: [md_in_html, pymdownx.inlinehilite, toc: {permalink: true}]\n"
    )
    build(root, root / request.param)
    with served(root / request.param) as url:
        yield url


PATHS = [path.format(number) for path in ("t/p{}/one/", "page{}/") for number in range(len(PAYLOADS))]
PATHS += ["t/three/", "t/p0/two/"]
SOME = PATHS[-2:] + PATHS[:-2:3] + [path for path, said in zip(PATHS, PAYLOADS * 2, strict=False) if "noscript" in said]
"""Those with all payloads, each third, and what a browser reads in another way where scripts may run."""


def test_nothing_that_data_or_front_matter_says_could_run(tab: Tab, hostile: str) -> None:
    assert len(PAYLOADS) >= 60
    page = tab()
    page.goto(hostile)
    assert page.evaluate(READ, [hostile + path for path in PATHS]) == []
    assert page.evaluate(READ, ["data:text/html," + PAYLOADS[7]])


@pytest.mark.parametrize("paths", [SOME, pytest.param(PATHS, marks=pytest.mark.soak)], ids=["some", "all"])
@pytest.mark.timeout(300)
def test_nothing_that_data_or_front_matter_says_runs(reader: Reader, hostile: str, paths: list[str]) -> None:
    context = reader()
    context.add_init_script("window.ran = () => { window.hasRun = true }")
    context.route("**/assets/**", lambda route: route.abort())  # the theme's own files take most of the time
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    for path in paths:
        page.goto(hostile + path, wait_until="domcontentloaded")
        assert not page.evaluate(PROVOKED), path
        assert page.evaluate("[typeof window.hasRun, typeof window.ran]") == ["undefined", "function"], path


@pytest.mark.timeout(300)
def test_nothing_runs_in_reports(reader: Reader, hostile_project: Path, tmp_path: Path) -> None:
    """Pages of `lint`, `compare` and `diff` about data that changes from one payload to the next."""
    repository = Repository(tmp_path / "docs")
    shutil.copytree(hostile_project, repository.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*SITES))
    for name in ("<img src=x onerror=parent.ran()>", "'\"><svg onload=parent.ran()>"):
        repository.write({f"docs_src/{name}.md": f"# {name}\n\nThis is is {name}.\n"})
    repository.commit()
    data = repository.folder / "platforms.yaml"
    data.write_text(data.read_text().replace("parent.ran()", "parent.ran(1)"))
    pages = {"lint --report html=lint.html --select ALL": "lint", "compare --html compare.html": "compare"}
    context = reader()
    context.add_init_script("window.ran = () => { window.hasRun = true }")
    page = context.new_page()
    for command, name in {**pages, "diff HEAD --html diff.html": "diff"}.items():
        done = started.run("tutorial_tool", *command.split(), cwd=repository.folder)
        written = repository.folder / f"{name}.html"
        assert written.is_file(), done.stderr
        assert written.read_text().count("parent.ran") > len(PAYLOADS) / 2, name
        page.goto(written.as_uri(), wait_until="domcontentloaded")
        assert not page.evaluate(PROVOKED), name
        assert page.evaluate("window.hasRun") is None, name


def evaluate_when_loaded(page: Page, script: str) -> object:
    """Evaluate a script, again where the server reloads the page meanwhile, as it does after a build."""
    from playwright.sync_api import Error

    for _ in range(5):
        try:
            return page.evaluate(script)
        except Error:
            page.wait_for_load_state("load")
    raise AssertionError("the page is reloaded again and again")


@pytest.mark.timeout(600)
def test_nothing_runs_in_the_panel_and_the_overview(reader: Reader, hostile_project: Path, tmp_path: Path) -> None:
    """What only the author sees while serving quotes data in findings."""
    root = tmp_path / "served"
    shutil.copytree(hostile_project, root, ignore=shutil.ignore_patterns(*SITES))
    address = "site_url: https://example.com/docs/\n"
    (root / "mkdocs.yml").write_text(
        f"site_name: Example\n{address}docs_dir: docs_src\ntheme: {{name: mkdocs}}\nplugins: [tutorial]\n"
    )
    (root / "tutorial-tool.toml").write_text('select = ["ALL"]\n')
    context = reader()
    context.add_init_script("window.ran = () => { window.hasRun = true }")
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    with serving(root) as url:
        assert any(shows(url, "Home") for _ in range(6))
        paths = ["_tutorial/", *(f"t/p{number}/one/" for number in range(0, len(PAYLOADS), 6)), "t/p0/two/"]
        for path in paths:
            page.goto(url + path, wait_until="load")
            page.wait_for_timeout(300)  # for the panel's own script
            shown = page.content().count("parent.ran")
            assert shown > (len(PAYLOADS) if path == "_tutorial/" else 1), path
            assert not page.evaluate(PROVOKED), path
            assert page.evaluate("[typeof window.hasRun, typeof window.ran]") == ["undefined", "function"], path
        change(
            root / "site_templates/steps/three.md.j2",
            "# {{ platform.name }}",
            "{{ platform.label('<img src=x onerror=parent.ran()>') }}",
        )
        assert shows(url + "t/three/", "parent.ran")
        page.goto(url + "t/three/", wait_until="load")
        assert not evaluate_when_loaded(page, PROVOKED)
        assert evaluate_when_loaded(page, "window.hasRun") is None


@pytest.mark.parametrize("hostile", SITES[:1], indirect=True)
def test_nothing_that_the_search_finds_runs(reader: Reader, hostile: str) -> None:
    context = reader()
    context.add_init_script("window.ran = () => { window.hasRun = true }")
    page = context.new_page()
    page.goto(hostile)
    page.keyboard.press("s")
    for words in ("step", "text", "x"):
        page.locator("input.md-search__input").fill("")
        page.locator("input.md-search__input").press_sequentially(words)
        page.locator(".md-search-result__link").first.wait_for()
        assert not page.evaluate(PROVOKED), words
        assert page.evaluate("window.hasRun") is None, words


BAD = """document => {
    const bad = [];
    for (const element of document.querySelectorAll('*')) {
        for (const {name, value} of element.attributes) {
            if (name.startsWith('on')) bad.push(element.outerHTML);
            const address = value.replace(/^[\\x00-\\x20]+|[\\t\\n\\r]/g, '').toLowerCase();  // as browsers read it
            if (/^(javascript|vbscript|data:text)/.test(address) && /href|src|action|data$/.test(name))
                bad.push(element.outerHTML);
        }
        if (element.matches('script') && element.textContent.includes('parent.ran')
            && element.type !== 'application/json' && !element.textContent.includes('var mkdocs_page_name = "')) bad.push(element.outerHTML);
        if (element.matches('iframe, object, embed, base, meta[http-equiv=refresh i]')) bad.push(element.outerHTML);
    }
    return bad;
}"""
READ = f"""async urls => (await Promise.all(urls.map(async url => {{
    const answer = await fetch(url);
    const read = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return [...answer.ok ? [] : [answer.status], ...({BAD})(read)].map(each => `${{url}}: ${{each}}`);
}}))).flat()"""
PROVOKED = f"""() => {{
    const bad = ({BAD})(document);
    document.querySelectorAll('article :not(:has(*))').forEach(element => {{
        element.dispatchEvent(new MouseEvent('mouseover', {{bubbles: true}}));
    }});
    return bad.length ? bad : null;
}}"""
