"""Inputs for the parsers: real pages, templates and data of this repository, cut up, put together again and spoilt."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.project import DATA, TEMPLATES

REPOSITORY = Path(__file__).parent.parent.parent
SEED = 20_260

MARKDOWN_SIGNS = [
    "[", "](", "![", "[^a]: ", "[a]: <", "*", "**", "_", "~~", "`", "```\n", "~~~~", "<", "<!--", "-->", "<a href='", "</", "&", "&#x",
    "> ", "- ", "1. ", "    ", "\t", "| ", "|---|\n", ":--", "===\n", "---\n", "# ", "###### ", "!!! note\n", "??? a\n", '=== "a"\n',
    ":::tip\n", "{: #a .b }", "{#a}", "{%", "{{", "}}", "{<", "[[", "$$", "\\(", "$", "<div markdown>", "</div>", "import a from 'b'\n",
    "export const a = {\n", "<A b={", "{/*", "*/}", "--8<-- \"../a\"", "*[a]: b", "[TOC]", "\\", "\n\n", "  \n", "http://", "<http:", "@",
    "<script>", "<style>", "<pre>", "<![CDATA[", "<?", "==", "++", "^^", "~", ":smile:", "/// a\n", "+++\n", "%%%\n", "step 3.2", "1) ",
]  # fmt: skip
COMMENT_SIGNS = [
    "<!-- tutorial-tool: ignore[misspelling] x -->", "<!-- tutorial-tool: ignore-file[ALL] -->", "<!-- tutorial-tool: ignore[",
    "{# tutorial-tool: ignore[a, b] #}", "# tutorial-tool: ignore[x]", "{/* tutorial-tool: ignore[tables] */}", "<!-- tutorial-tool:",
    "tutorial-tool: ignore", "ignore[]", "<!-- vale off -->", "]] -->", "[[", "<!-- tutorial-tool: ignore[a/b] -->", "-->",
]  # fmt: skip
YAML_SIGNS = [
    "- ", ": ", "? ", "&a ", "*a", "!!str ", "!x ", "<<: *a", "|\n", ">-\n", "|9", "{", "}", "[", "]", ", ", "# ", '"', "'", "%YAML 9.9\n",
    "%TAG ! x\n", "---\n", "...\n", "\\ud800", "\\x", "\\0", "~", "null", "on: ", "omit: ", "because: ", "only: ", "not-on: ", "extends: ",
    "include: ['**/x', '[', '**a']\n", "path: ../{platform}", "path: '{'", "path: '{platform!r}'", "path: '{0}'", "\t", "\n  ", "numbered: 7",
    "steps: ", "platforms: ", "titles: ", "files: {swan: {newline: crlf, bom: true}}", "strings: {title: '{x}'}", "redirects: ", "code: {start: '../x#y'}",
    "images: '{figure}/{x}'", "values: {", "labels: []", "can: {}", "swan", "otter", "animals", "prepare",
]  # fmt: skip
TEMPLATE_SIGNS = [
    "{{ ", " }}", "{% ", " %}", "{# ", " #}", "{%- ", "-%}", "{% raw %}", "{% endraw %}", "{% for i in range(9) %}", "{% endfor %}",
    "{% if platform %}", "{% else %}", "{% endif %}", "{% set a = ", "{% macro m(a) %}", "{% endmacro %}", "{{ m(", "{% call m(1) %}",
    "{% endcall %}", "{% include 'steps/finish.md.j2' %}", "{% import 'x' as y with context %}", "{% extends ", "{% block a %}",
    "{% endblock %}", "{% filter upper %}", "{% endfilter %}", "{% with a = 1 %}", "{% endwith %}", "|upper", "|join(', ')", "|indent(4)",
    "|default('')", "|list", "|map('upper')", "|sort", "|tojson", "|replace('a', '')", "|batch(2)", "|groupby('x')", "|first", "|format(1)",
    "platform.", "values.", "table('settings')", "table('settings', columns=['value'])", "part('install')", "code('start')", "rows('settings')",
    "figure('menu', alt='x')", "link('finish#check')", "link('welcome')", "step.number", "tutorial.title", "loop.index", "namespace(a=1)",
    "~", "[1:2]", "['a']", "(", ")", "not ", " is defined", " in ", "**", "//", "%", "'", '"', "{: #a }", "\n---\n", "9" * 30, "caller()",
    "{% do x %}", "{% autoescape true %}", "{% break %}", "self", "super()", "{% trans %}", "recursive", "loop(", "dict(", "1/0", "|xmlattr",
]  # fmt: skip
TOML_SIGNS = [
    "[", "]", "[[", "]]", "= ", '"', "'''", '"""', "#", "\n", ", ", "{", "}", "select = ", "ignore = [", "severity = {", "0x", "1e999", "nan",
    "2026-01-01", "true", "\\ud800", "\\u", "a.b.c", "[tool.tutorial-tool]", "exclude = ['!', '[', '***']", "docs = '..'", "templates = '/'",
    "variants = ['{platform}/{step}']", "variants = ['{platform}{platform']", "baseline = 'x'", "inventory = '/dev/zero'", "lang = 'x'",
    "redirects = {a = 'b'}", "glossary = {a = ['']}", "per-file-ignores = {'[' = ['ALL']}", "vocabulary-file = '..'", "dialect = 'gfm'", "9" * 5000,
]  # fmt: skip
JSON_SIGNS = [
    "{", "}", "[", "]", ",", ":", '"', "null", "true", "1e999", "-", "NaN", "\\ud800", "\\", "0", '"version": 1', '"files": ', '"pages": [',
    '"url": ', "9" * 5000, '"mark": "-', '"rule": "x"', '"further": ""', '"source": "/a"', '"destination": "/b"', "/a /b 301\n", "/* /:splat 200\n",
    "[" * 2000, '"redirects": [', "Redirect 301 /a /b\n",
]  # fmt: skip
ODD = [
    "\0", "\ufeff", "\u2028", "\u202e", "\x85", "\x0c", "\x0b", "\x1b[31m", "\r", "\r\n", "\u0301", "\u200b", "\U0001f469\u200d\U0001f4bb", "\ufffd",
    "\x7f", "İ", "ß", "ﬁ", "٣", "Ⅷ", "中文", "שלום", "\ue000", "\U0010ffff", "\x01", "\u00a0", "\x1c", "\x1e", "¹", "᠎", "ǅ",
]  # fmt: skip
"""Characters of which some code somewhere thinks that they do not exist."""


@cache
def pages() -> tuple[str, ...]:
    """Markdown of this repository: the guide, the cases of rules, and copies that are compared in tests."""
    folders = ("docs_src", "tests/rules/cases", "tests/copies", "tests/sites")
    return _texts(path for folder in folders for path in sorted((REPOSITORY / folder).rglob("*.md")))


@cache
def data() -> tuple[str, ...]:
    found = [REPOSITORY / "platforms.yaml", *sorted((REPOSITORY / "tests/sites").glob("*/platforms.yaml"))]
    return (DATA, DATA, *_texts(path for path in found if path.exists()))


@cache
def templates() -> tuple[str, ...]:
    return (*TEMPLATES.values(), *_texts(sorted((REPOSITORY / "site_templates").rglob("*.j2"))))


def _texts(paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8") for path in paths)


@cache
def blocks(kind: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """What stands between empty lines, each once."""
    found = dict.fromkeys(block for text in kind() for block in re.split(r"\n{2,}", text) if block.strip())
    return tuple(block[:600] for block in found)


CONFIGURATIONS = (
    'select = ["tables", "ALL"]\nfail-on = "hint"\n[per-file-ignores]\n"old/**" = ["misspelling"]\n',
    'docs = "docs_src"\ntemplates = "site_templates"\nvocabulary = ["a", "b"]\nlang = "en-GB"\n',
    '[severity]\nmisspelling = "off"\n[glossary]\nmenu = ["list"]\n[redirects]\n"/old/" = "/new/"\n',
    'variants = ["docs/{platform}/{step}.md"]\nexclude = ["node_modules/"]\nextend-exclude = ["*.tmp"]\n',
)
ENTRY = {"rule": "misspelling", "message": "`teh` is misspelt", "mark": "0123456789ab 01234567 - 01234567 -"}
BASELINES = (
    json.dumps({"version": 1, "files": {"a.md": [ENTRY, {**ENTRY, "further": "here, too"}]}}, indent=1),
    json.dumps({"version": 1, "pages": [{"url": "a/", "title": "A", "anchors": ["b"]}]}),
)
REDIRECTS = (
    '{"redirects": [{"source": "/old", "destination": "/new", "statusCode": 301}]}',
    "/old /new 301\n/blog/* https://example.com/:splat 301\n",
    "redirects:\n  - from: /a\n    to: /b\nnav:\n  - Home: index.md\n  - A:\n      - b.md\n",
    'site_name: X\nnav:\n  - Home: index.md\nplugins:\n  - search\n  - redirects:\n      redirect_maps: {"a.md": "b.md"}\n',
    "module.exports = {redirects: [{from: ['/a', '/b'], to: '/c'}]}\n",
)
HTML = (
    '<!DOCTYPE html><html><head><title>A</title></head><body><h1 id="a">A</h1><a href="../b/#c">x</a><img src=d.png></body></html>',
    '<p>a <a name=b href=\'#a\'>x</a> <!-- <a href="c"> --> <script>"<a href=d>"</script><style>a{}</style></p>',
)


def mixed(chance: random.Random, kind: Callable[[], tuple[str, ...]]) -> str:
    """Blocks of several texts, one after the other."""
    known = blocks(kind)
    return "\n\n".join(chance.choice(known) for _ in range(chance.randint(1, 4))) + "\n"


def spoilt(chance: random.Random, text: str, signs: list[str]) -> str:
    """The text after some small accidents."""
    for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
        text = chance.choice(_ACCIDENTS)(chance, text, signs)
    return text[:20_000]


def _insert(chance: random.Random, text: str, signs: list[str]) -> str:
    at = chance.randint(0, len(text))
    sign = chance.choice(ODD) if chance.random() < 0.2 else chance.choice(signs)
    return text[:at] + sign * chance.choice((1, 1, 1, 2, 3, 40)) + text[at:]


def _part(chance: random.Random, text: str) -> tuple[int, int]:
    start = chance.randint(0, len(text))
    return start, min(len(text), start + chance.choice((1, 3, 20, 200)))


def _drop(chance: random.Random, text: str, _signs: list[str]) -> str:
    start, end = _part(chance, text)
    return text[:start] + text[end:]


def _repeat(chance: random.Random, text: str, _signs: list[str]) -> str:
    start, end = _part(chance, text)
    return text[:end] + text[start:end] * chance.choice((1, 2, 9)) + text[end:]


def _swap(chance: random.Random, text: str, _signs: list[str]) -> str:
    lines = text.split("\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def _indent(chance: random.Random, text: str, _signs: list[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    for number in range(at, min(len(lines), at + chance.choice((1, 3, 30)))):
        lines[number] = chance.choice(("  ", "    ", "> ", "\t", "- ")) + lines[number]
    return "\n".join(lines)


def _cut(chance: random.Random, text: str, _signs: list[str]) -> str:
    return text[: chance.randint(0, len(text))]


def _move(chance: random.Random, text: str, _signs: list[str]) -> str:
    start, end = _part(chance, text)
    part, rest = text[start:end], text[:start] + text[end:]
    at = chance.randint(0, len(rest))
    return rest[:at] + part + rest[at:]


_ACCIDENTS = (_insert, _insert, _insert, _insert, _drop, _drop, _repeat, _swap, _indent, _cut, _move)


def markdown(chance: random.Random) -> str:
    return spoilt(chance, mixed(chance, pages), MARKDOWN_SIGNS)


def comments(chance: random.Random) -> str:
    return spoilt(chance, spoilt(chance, mixed(chance, pages), COMMENT_SIGNS), [*COMMENT_SIGNS, *MARKDOWN_SIGNS])


def front_matter(chance: random.Random) -> str:
    front = "title: A page\ndescription: 'What it says'\ntags: [a, b]\nredirect_from:\n  - /old/\nslug: /x\n"
    return f"---\n{spoilt(chance, front, YAML_SIGNS)}\n---\n\n# Title\n\nText.\n"


def yaml(chance: random.Random) -> str:
    return spoilt(chance, chance.choice(data()), YAML_SIGNS)


def template(chance: random.Random) -> str:
    text = (
        chance.choice(TEMPLATES_HERE) if chance.random() < 0.5 else f"---\ntitle: X\n---\n\n{mixed(chance, templates)}"
    )
    return spoilt(chance, text, [*TEMPLATE_SIGNS, *TEMPLATE_SIGNS, *MARKDOWN_SIGNS])


TEMPLATES_HERE = [text for name, text in TEMPLATES.items() if name.endswith(".j2")]


def toml(chance: random.Random) -> str:
    return spoilt(chance, chance.choice(CONFIGURATIONS), TOML_SIGNS)


def baseline(chance: random.Random) -> str:
    return spoilt(chance, chance.choice(BASELINES), JSON_SIGNS)


def redirects(chance: random.Random) -> str:
    return spoilt(chance, chance.choice(REDIRECTS), [*JSON_SIGNS, *YAML_SIGNS])


def html(chance: random.Random) -> str:
    return spoilt(chance, chance.choice(HTML), MARKDOWN_SIGNS)


def many(make: Callable[[random.Random], str], count: int, *, seed: int = SEED) -> Iterator[str]:
    """`count` inputs, the same for the same seed."""
    chance = random.Random(f"{make.__name__} {seed}")
    for _ in range(count):
        yield make(chance)
