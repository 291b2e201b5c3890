"""Data is text in the published page; what a template's author types is markup."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path

import markdown
import pytest

from tests import project
from tutorial_tool.publishing import html_escaping

DATA_FILES = frozenset({"platforms.yaml"})
EXTENSIONS = ["attr_list", "tables", "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.superfences"]


def published(root: Path, value: str, template: str) -> str:
    """The HTML of a template that prints a value."""
    data = project.DATA.replace("swan-kit", f"'{value.replace(chr(39), 2 * chr(39))}'")
    templates = {**project.TEMPLATES, "steps/welcome.md.j2": f"---\ntitle: Welcome\n---\n\n{template}\n"}
    page = project.page(project.load(project.write(root, data, templates)), "swan/welcome")
    text = html_escaping.escape_markdown(page, DATA_FILES).split("---\n\n", 1)[1]
    return html_escaping.restore_html(
        markdown.markdown(text, extensions=EXTENSIONS), html_escaping.find_typed_handlers(page, DATA_FILES)
    )


VALUE = "{{ platform.values.package }}"


@pytest.mark.parametrize(
    ("value", "html"),
    [
        ("<script>x</script>", "<p>&#60;script>x&#60;/script></p>"),
        ("Q&A, 1 < 2", "<p>Q&amp;A, 1 &#60; 2</p>"),
        ("Click **X**.", "<p>Click <strong>X</strong>.</p>"),
        ("one<br>two", "<p>one<br>two</p>"),
        ("Press <kbd>Tab</kbd>", "<p>Press <kbd>Tab</kbd></p>"),
        ("<kbd onclick=x>", "<p>&#60;kbd onclick=x></p>"),
        ("<https://example.com/>", '<p><a href="https://example.com/">https://example.com/</a></p>'),
        ("x {: onclick=x }", "<p>x &#123;: onclick=x }</p>"),
        ("[x](javascript:x)", "<p><a>x</a></p>"),
        ('[x](y "`" onclick=z `")', '<p><a href="y" title="">x</a></p>'),
        ('[x](y "A title")', '<p><a href="y" title="A title">x</a></p>'),
        ("[x](guide.md)", '<p><a href="guide.md">x</a></p>'),
    ],
)
def test_a_value_cannot_become_markup_that_does_something(tmp_path: Path, value: str, html: str) -> None:
    assert published(tmp_path, value, VALUE).replace("&gt;", ">") == html


@pytest.mark.parametrize("filters", ["", " | upper | lower", " | replace('y', 'x')", " | title", " ~ ''"])
def test_a_filter_does_not_make_a_value_markup(tmp_path: Path, filters: str) -> None:
    template = f"{{{{ (platform.values.package){filters} }}}}"
    assert "<img" not in published(tmp_path, "<img src=x>", template).lower()


def test_what_a_template_types_is_markup(tmp_path: Path) -> None:
    template = f'<b onclick="go()">{VALUE}</b> {{{{ "<i>" }}}}x</i> *x*{{ .y }}'
    assert published(tmp_path, "kit", template) == '<p><b onclick="go()">kit</b> <i>x</i> <em class="y">x</em></p>'


@pytest.mark.parametrize("value", ['x" onclick="y', "x' onclick='y", "x onclick=y", "x><img src=y>"])
@pytest.mark.parametrize("template", ['<b title="%s">z</b>', "<b title='%s'>z</b>", "<b title=%s>z</b>"])
def test_a_value_stays_within_the_attribute_that_a_template_opens(tmp_path: Path, template: str, value: str) -> None:
    from justhtml import JustHTML

    (bold,) = JustHTML(published(tmp_path, value, template % VALUE), sanitize=False).query("b")
    assert bold.attrs == {"title": value}


def test_a_value_in_code_is_what_it_is(tmp_path: Path) -> None:
    html = published(tmp_path, 'List<String> a = {"b"}', f"```java\n{VALUE}\n```\n\n`{VALUE}`")
    from justhtml import JustHTML

    words = [node.to_text(separator="", strip=False) for node in JustHTML(html, sanitize=False).query("code")]
    assert [text.strip() for text in words] == ['List<String> a = {"b"}'] * 2
    assert 'class="err"' not in html


@pytest.mark.parametrize(
    "address",
    [
        "javascript:x",
        "JaVaScript:x",
        " javascript:x",
        "java\tscript:x",
        "java&#10;script:x",
        "&#106;avascript:x",
        "\x01javascript:x",
        "vbscript:x",
        "data:text/html,x",
        "data:image/svg+xml,x",
    ],
)
def test_an_address_that_runs_script_is_taken_out(address: str) -> None:
    assert html_escaping.restore_html(f'<a href="{address}" class="b">x</a>') == '<a class="b">x</a>'


@pytest.mark.parametrize("part", ["<a x='", "<a ", 'a="', "<", "onclick=x ", "&"])
def test_hostile_html_takes_no_long_time(part: str) -> None:
    started = time.process_time()
    html_escaping.restore_html(f"<a {part * 20_000}", frozenset())
    assert time.process_time() - started < 2


@pytest.mark.parametrize("address", ["https://example.com/?q=javascript:x", "#javascript", "guide/javascript/", ""])
def test_other_addresses_stay(address: str) -> None:
    link = f'<a href="{address}">javascript:x</a>'
    assert html_escaping.restore_html(link) == link


CODE = "fn main() {\n    let y = <T>::new();\n    if a <b {\n        run();\n    }\n}\n"
PART = 'Set {\n\n- a\n\n```js\nf() {\n  x\n}\n```\n\nand <b class="c"\nid="d">this</b>.\n'


@pytest.mark.parametrize(
    "template", ["{call}", "1. First.\n\n    {call}\n\n2. Last.", "!!! note\n\n    1. In it.\n\n        {call}"]
)
@pytest.mark.parametrize(
    ("name", "text", "call"),
    [
        ("c.rs", CODE, "{{ code('c') }}"),
        ("p.md", PART, "{{ part('p') }}"),
        ("m.md.j2", PART, "{% include 'm.md.j2' %}"),
    ],
)
def test_what_an_author_typed_is_published_as_if_it_stood_in_the_page(
    tmp_path: Path, template: str, name: str, text: str, call: str
) -> None:
    path = name if name.endswith("j2") else f"steps/welcome/{name}"
    step = f"---\ntitle: Welcome\n---\n\n{template.format(call=call)}\n"
    page = project.page(
        project.load(project.write(tmp_path, templates={**project.TEMPLATES, "steps/welcome.md.j2": step, path: text})),
        "swan/welcome",
    )
    assert html_escaping.escape_markdown(page, DATA_FILES) == str(page.text)


def test_code_in_several_languages_is_published_as_it_stands(tmp_path: Path) -> None:
    step = "---\ntitle: Welcome\n---\n\n1. Run it.\n\n    {{ code('c') }}\n"
    files = {"steps/welcome.md.j2": step, "steps/welcome/c.rs": CODE, "steps/welcome/c.py": "def f():\n    return {}\n"}
    page = project.page(project.load(project.write(tmp_path, templates={**project.TEMPLATES, **files})), "swan/welcome")
    text = html_escaping.escape_markdown(page, DATA_FILES).split("---\n\n", 1)[1]
    shown = markdown.markdown(text, extensions=["pymdownx.superfences", "pymdownx.tabbed"])
    codes = re.findall(r"<code>(.*?)</code>", shown, re.DOTALL)
    assert sorted(unescape(re.sub(r"<[^>]+>", "", code)) for code in codes) == ["def f():\n    return {}\n", CODE]
