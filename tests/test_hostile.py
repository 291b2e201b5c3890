"""Shapes that make parsers hang: linting them takes time in proportion, and a build refuses those that hang Python-Markdown."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count, takewhile
from pathlib import Path

import pytest

from tests import project
from tests.test_plugin import ENVIRONMENT
from tests.work import calls, seconds, soon
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import loading
from tutorial_tool.variants.tabsets import find_tabsets

pytestmark = pytest.mark.slow

KB = 1024
Shape = Callable[[int], str]


def again(text: str) -> Shape:
    return lambda size: (text * (size // len(text) + 1))[:size]


def each(line: str) -> Shape:
    """A line again and again, with its number in it."""
    return lambda size: "".join(line.format(number) for number in range(size // len(line.format(1000))))


def around(opening: str, closing: str) -> Shape:
    return lambda size: opening * (size // len(opening + closing)) + "a" + closing * (size // len(opening + closing))


def deeper(line: str, step: str = "    ") -> Shape:
    """A line that is indented more and more."""

    def made(size: int) -> str:
        lines = takewhile(lambda depth: len(step) * depth * depth / 2 + depth * len(line) < size, count())
        return "\n".join(step * depth + line for depth in lines)

    return made


SHAPES: dict[str, Shape] = {
    "brackets": again("["),
    "brackets of pictures": again("!["),
    "brackets that close": around("[", "]"),
    "links that do not end": again("[a]("),
    "references that do not end": again("[a]["),
    "links in links": around("[", "](a)"),
    "parentheses": lambda size: "[a]" + around("(", ")")(size),
    "quotations": again("> "),
    "quotations in quotations": deeper("a", "> "),
    "lists on one line": again("- "),
    "ordered lists on one line": again("1. "),
    "lists in lists": deeper("- a"),
    "many items": again("- a\n"),
    "many loose items": again("- a\n\n"),
    "tasks": again("- [ ] a\n"),
    "one wide table": lambda size: "\n".join("|".join(cell * (size // 6)) for cell in ("a", "-", "a")),
    "one long table": lambda size: "a|b\n-|-\n" + again("a|b\n")(size),
    "tables": again("a|b\n-|-\n"),
    "a table of backticks": lambda size: "a|b\n-|-\n" + again("`a|")(size),
    "pipes": again("|"),
    "many references": lambda size: each("[a{}]: /a\n")(size // 2) + each("[a{}]")(size // 2),
    "references on one line": again("[a]: /b "),
    "footnotes": lambda size: each("[^a{}]: b\n\n")(size // 2) + each("[^a{}]")(size // 2),
    "underlines": again("=\n"),
    "underlined headings": again("a\n=\n"),
    "rules": again("***\n"),
    "headings": each("# a{}\n\n"),
    "headings of one text": again("# a\n\n"),
    "headings without lines between": again("# a\n"),
    "entities": again("&amp;"),
    "entities that do not end": again("&#"),
    "emphasis that opens": again("*a "),
    "emphasis that closes": again("a* "),
    "emphasis in emphasis": around("*a ", "b* "),
    "strong in emphasis": again("*a **b "),
    "stars": again("*"),
    "underscores": again("_a"),
    "code spans": again("`a` "),
    "backticks, more and more": lambda size: " ".join("`" * number for number in range(1, int((2 * size) ** 0.5))),
    "backticks that do not close": again("``a`"),
    "damaged letters beside code": again("a â€ b `c` "),
    "fences": again("```\n"),
    "fences in quotations": deeper("```", "> "),
    "tags": again("<b>"),
    "tags inside each other": around("<div>\n", "</div>\n"),
    "tags of many names": each("<a{}>"),
    "tags that do not end": again("<a b='"),
    "comments": again("<!-- a -->"),
    "comments that do not end": again("<!--"),
    "addresses": again("http://a.b/ "),
    "mail": again("a@b.c "),
    "formulas": again("$$ a $$\n"),
    "formulas that do not end": again("$"),
    "admonitions": deeper("!!! note\n"),
    "tabs": again('=== "a"\n\n    b\n\n'),
    "containers": again(":::note\n"),
    "definitions": again("a\n:   b\n"),
    "snippets": again('--8<-- "a"\n'),
    "attributes": lambda size: "# a {: " + again("b=c ")(size) + "}",
    "one long word": again("a"),
    "one long line": again("A word. "),
    "many lines": again("a\n"),
    "empty lines": again("\n"),
    "white space": lambda size: "a" + again(" ")(size) + "b",
    "tab stops": again("\t"),
    "ignore comments": again("<!-- tutorial-tool: ignore[misspelling] a -->\nteh\n\n"),
    "ignore comments of unknown rules": each("<!-- tutorial-tool: ignore[a{}] -->\n"),
    "ignore comments that do not end": again("<!-- tutorial-tool: ignore["),
    "tags of templates": again("{% if a %}"),
    "expressions": again("{{ a "),
    "misspellings": each("teh{} "),
    "repeated words": again("the the "),
    "numbers": again("step 3.2 "),
    "links to nowhere": each("[a](a{}.md#b) "),
    "pictures without text": each("![](a{}.png)\n"),
    "bold menus": again("**a** > "),
    "brackets of math": again("\\["),
    "backslashes": again("\\"),
    "quotes": again("\"'"),
    "other scripts": again("é中ש"),
    "marks over letters": again("\u0301"),
}


def linted(root: Path, text: str, dialect: Dialect = Dialect.PYTHON_MARKDOWN) -> list[Finding]:
    return engine.run(site.load_plain([root / "a.md"], root, {"a.md": text}, dialect=dialect), Config(root))


def test_there_are_enough_shapes() -> None:
    assert len(SHAPES) >= 80


@pytest.mark.parametrize("name", SHAPES)
def test_four_times_the_text_is_no_more_than_six_times_the_work(name: str, tmp_path: Path) -> None:
    linted(tmp_path, SHAPES[name](KB))  # whatever is read only once
    small, large = (calls(partial(linted, tmp_path, SHAPES[name](size))) for size in (KB, 4 * KB))
    assert large <= 6 * max(small, 10_000)


LONG: dict[str, Shape] = {
    "one definition": again("[a]: b\n"),
    "definitions of a changelog": each("[{0}.0.0]: https://example.org/compare/v{0}\n"),
    "definitions over two lines": again("[a\nb]: b\n"),
    "one misspelling": again("recieve "),
    "a misspelling of three letters": again("teh "),
    "misspelt paragraphs": again("recieve\n\n"),
    "articles": again("an a an "),
    "imports": again("import a\n"),
    "anchors that are not there": lambda size: each("## H {}\n\n")(size // 2) + each("[a](#hn{}) ")(size // 2),
    "shortcodes that do not end": again("{{< a "),
    "ignore comments that do not end": again("<!-- tutorial-tool: "),
    "attributes again and again": again("{: #a }"),
    "a table of backticks": lambda size: "a|b\n-|-\n" + again("`a|")(size),
}
"""Shapes that were quadratic from 32 KB on, of which fewer show less: the first of them took 45 s."""


@pytest.mark.parametrize("name", LONG)
def test_64_kb_of_what_was_quadratic_end_soon(name: str, tmp_path: Path) -> None:
    linted(tmp_path, "A page.\n")
    soon(lambda: linted(tmp_path, LONG[name](64 * KB)))


@pytest.mark.parametrize("sign", "`~")
def test_a_line_of_signs_of_code_is_looked_through_once(sign: str, tmp_path: Path) -> None:
    """`inconsistent-tabs` once took 2.5 s for 64 KB: each shorter run of them was tried, too."""
    page = site.load_plain([tmp_path / "a.md"], tmp_path, {"a.md": 1024 * KB * sign}).pages[0]
    soon(lambda: find_tabsets(page), within=2)


@pytest.mark.parametrize("word", ["word ", "the "])
def test_a_word_again_and_again_costs_some_calls_each(word: str, tmp_path: Path) -> None:
    linted(tmp_path, "A page.\n")
    assert calls(lambda: linted(tmp_path, 2000 * word)) < 2000 * 100  # 700, where the words around are read for each


def test_headings_of_one_text_are_linear_in_a_step(tmp_path: Path) -> None:
    def work(headings: int) -> int:
        repeated = "{% for a in range(" + str(headings) + ") %}{% include 'b.md.j2' %}{% endfor %}"
        templates = {"b.md.j2": "## Parameters\n\nText.\n\n", "steps/welcome.md.j2": f"# Welcome\n\n{repeated}"}
        root = project.write(tmp_path / str(headings), project.DATA, {**project.TEMPLATES, **templates})
        loaded = project.load(root)
        return calls(lambda: engine.run(loaded, Config(root)))

    work(10)  # whatever is read only once
    assert work(400) <= 6 * work(100)


@pytest.mark.soak
@pytest.mark.parametrize("name", SHAPES)
def test_32_kb_take_a_second_and_four_times_as_much_six_times_as_long(name: str, tmp_path: Path) -> None:
    linted(tmp_path, "A page.\n")
    small = seconds(lambda: linted(tmp_path, SHAPES[name](32 * KB)), enough=0.5)
    assert small <= 1
    soon(lambda: linted(tmp_path, SHAPES[name](128 * KB)), 6 * max(small, 0.1))


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("text", [10_000_000 * "a", 4_900_000 * "a", "A short line.\n" * 200_000])
def test_huge_files_are_linted_or_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(text)
    found: list[Finding] = []
    soon(lambda: found.extend(engine.run(site.load_plain([tmp_path / "a.md"], tmp_path), Config(tmp_path))), within=60)
    assert [finding.rule for finding in found if finding.rule == "unreadable-file"] == ["unreadable-file"] * (
        len(text) > 5e6
    )


# Data and templates


DATA: dict[str, Shape] = {
    "flow lists": again("["),
    "flow mappings": again("{a: "),
    "flow mappings that close": around("{a: ", "}"),
    "keys in keys": deeper("a:", " "),
    "dashes": again("- "),
    "question marks": again("? "),
    "anchors": each("a{0}: &a{0} b\n"),
    "aliases of aliases": lambda size: "a0: &a0 [b]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, size // 50)
    ),
    "merged keys": lambda size: "a: &a {b: c}\n" + again("d: {<<: *a}\n")(size),
    "one long text": lambda size: "a: " + again("b")(size),
    "a text of many lines": lambda size: "a: |\n" + again("  b\n")(size),
    "keys": each("a{}: b\n"),
    "one key": again("a: b\n"),
    "tags": again("%TAG ! a\n"),
    "quotes": again('"'),
    "escapes": lambda size: 'a: "' + again("\\u00e9")(size) + '"',
    "comments": again("# a\n"),
    "ignore comments": again("# tutorial-tool: ignore[a]\n"),
    "documents": again("---\n"),
    "platforms": lambda size: "platforms:\n" + each("  a{}: {{name: A}}\n")(size),
    "platforms that extend each other": lambda size: "platforms:\n  a0: {name: A}\n" + "".join(
        f"  a{n}: {{name: A, extends: a{n - 1}}}\n" for n in range(1, size // 30)
    ),
    "patterns": lambda size: "include:\n" + again("- '**/**/*'\n")(min(size, 8 * KB)),
}  # fmt: skip
TEMPLATES: dict[str, Shape] = {
    "opening tags": again("{% if platform %}"),
    "tags inside each other": around("{% if platform %}", "{% endif %}"),
    "parentheses": lambda size: "{{ " + around("(", ")")(size) + " }}",
    "lists": lambda size: "{{ " + around("[", "]")(size) + " }}",
    "filters": lambda size: "{{ 'a'" + again("|upper")(size) + " }}",
    "sums": lambda size: "{{ 1" + again(" + 1")(size) + " }}",
    "texts": lambda size: "{{ 'a'" + again(" ~ 'a'")(size) + " }}",
    "negations": lambda size: "{{ " + again("not ")(size) + " true }}",
    "dots": lambda size: "{{ platform" + again(".a")(size) + " }}",
    "expressions": again("{{ platform.name }} "),
    "macros": each("{{% macro a{}() %}}b{{% endmacro %}}"),
    "comments that do not end": again("{# "),
    "comparisons": lambda size: "{{ 1" + again(" < 1")(size) + " }}",
    "powers": lambda size: "{{ 1" + again(" ** 1")(size) + " }}",
    "blocks": each("{{% block a{} %}}b{{% endblock %}}"),
    "else": lambda size: "{% if false %}" + again("{% elif false %}")(size) + "{% endif %}",
}


def loaded(root: Path, path: str, text: str) -> list[Finding]:
    return loading.load(site.Layout.find(root), {path: text}).findings


@pytest.mark.parametrize("name", DATA)
def test_data_of_any_shape_is_read_in_proportion(name: str, tmp_path: Path) -> None:
    project.write(tmp_path)
    small, large = (calls(partial(loaded, tmp_path, "platforms.yaml", DATA[name](size))) for size in (2 * KB, 8 * KB))
    assert large <= 6 * max(small, 20_000)


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_of_any_shape_are_read_in_proportion(name: str, tmp_path: Path) -> None:
    project.write(tmp_path)
    path, front = "site_templates/steps/finish.md.j2", "---\ntitle: Finish\n---\n\n## Check {: #check }\n\n"
    small, large = (calls(partial(loaded, tmp_path, path, front + TEMPLATES[name](size))) for size in (KB, 4 * KB))
    assert large <= 6 * max(small, 50_000)


@pytest.mark.parametrize("depth", [25, 90, 120, 1000])
def test_tags_that_are_too_deep_are_told(depth: int, tmp_path: Path) -> None:
    project.write(tmp_path)
    text = f"---\ntitle: Finish\n---\n\n{depth * '{% for i in [1] %}'}a{depth * '{% endfor %}'}\n"
    found = loaded(tmp_path, "site_templates/steps/finish.md.j2", text)
    told = [finding.message for finding in found if finding.rule == "invalid-template"]
    assert told == ["tags or expressions are nested too deeply"]


# Python-Markdown

PUBLISHED = "site_name: Example\ndocs_dir: docs_src\ntheme: {name: mkdocs}\nplugins: [{tutorial: {lint: false}}]\n"


def built(root: Path, page: str, *, before: str = "") -> subprocess.CompletedProcess[str]:
    """A build of a project with one more page. `before` is run before it, in the same process."""
    project.write(root, docs={"bad.md": page})
    (root / "mkdocs.yml").write_text(PUBLISHED)
    command = [sys.executable, "-c", f"{before}\nfrom mkdocs.__main__ import cli\ncli()", "build", "-q"]
    return subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)


def test_a_page_that_takes_too_long_ends_the_build(tmp_path: Path) -> None:
    """Shapes that nobody knows yet: a clock runs for each page."""
    page = "# Bad\n\n" + "\n\n".join(["[" * 900] * 30)
    ran = built(
        tmp_path, page, before="from tutorial_tool.publishing import render_timeout\nrender_timeout.SECONDS = 0.2"
    )
    assert ran.returncode == 1
    assert "bad.md: Python-Markdown takes more than 0.2 s for this page" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_page_that_is_too_deep_ends_the_build(tmp_path: Path) -> None:
    ran = built(tmp_path, "# Bad\n\n" + deeper("- a")(60 * KB), before="import sys\nsys.setrecursionlimit(500)")
    assert ran.returncode == 1
    assert "bad.md" in ran.stderr
    assert "deeper than Python-Markdown can parse" in ran.stderr + ran.stdout
    assert "Traceback" not in ran.stderr
