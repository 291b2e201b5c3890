"""Rendered templates: plain Jinja2's text, each character with its true place, and errors that point to the mistake.

The oracle: in all files of a test each letter of a word stands once, so that its true place is known. A character whose
run says another place is wrong; one that has only the tag's place is coarse.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tests.work import soon
from tutorial_tool import data
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced, concatenate, mark_block, strip_origins, trace_span
from tutorial_tool.data import Node, Scalar, Sequence, convert_to_plain, load_yaml
from tutorial_tool.templating.environment import Namespace, TemplateEnvironment, TemplateFailure

LETTERS = [
    letter
    for letter in map(chr, range(0x370, 0x1F000))
    if letter.islower() and len(letter.upper()) == 1 and letter.upper().lower() == letter == letter.upper().casefold()
]
"""Lower-case letters that become one upper-case letter, and that one them again: Greek to Deseret."""
OPTIONS: dict[str, Any] = {"keep_trailing_newline": True}
TAG = r"(?:\{%(?:(?!%\}).)*%\}|\{#(?:(?!#\}).)*#\})"
ALONE = re.compile(rf"^([ \t]*)({TAG}(?:[ \t]*{TAG})*)[ \t]*(\n|\Z)", re.MULTILINE | re.DOTALL)


def without_lone_lines(text: str) -> str:
    """A template in which the lines are gone that hold tags alone, and these stand where the next line begins."""

    def told(found: re.Match[str]) -> str:
        before = found[1] if found[2][2] == "+" else ""
        after = found[3] if found[2][-3] == "+" else ""
        return before + re.sub(rf"({TAG})([ \t]+)(?={TAG})", without_blanks, found[2], flags=re.DOTALL) + after

    def without_blanks(found: re.Match[str]) -> str:
        is_kept = "+" in (found[1][-3], found.string[found.end() + 2])
        return found[0] if is_kept else found[1]

    return ALONE.sub(told, text)


def values(node: Node | None, what: str = "data") -> Any:
    """Data as templates see it."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [values(item) for item in node.items]
    return (
        Namespace(what, {strip_origins(k.text): values(v, f"'{k.text}'") for k, v in node.items}, node.span)
        if node
        else {}
    )


@dataclass
class Files:
    """Templates and a data file; `@` in them becomes a word of three letters that stand nowhere else."""

    texts: Mapping[str, str]
    yaml: str = ""
    places: dict[str, Span] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def __post_init__(self) -> None:
        letters = iter(LETTERS)
        for name, text in {**self.texts, "data.yaml": self.yaml}.items():
            filled = re.sub("@", lambda _: "".join(itertools.islice(letters, 3)), text)
            source = self.sources[name] = Source(name, filled)
            self.places |= {c: Span(source, at, at + 1) for at, c in enumerate(filled) if c in ALL_LETTERS}

    @property
    def loaded(self) -> data.LoadedYaml:
        return load_yaml(self.sources["data.yaml"])

    def environment(self) -> TemplateEnvironment:
        return TemplateEnvironment(self.sources.get, lambda: self.sources)

    def traced(self, **more: Any) -> Traced:
        assert not self.loaded.findings
        return self.environment().render_traced("page", {"data": values(self.loaded.node), **more})

    def jinja(self, **more: Any) -> str:
        """What plain Jinja2 makes of the same."""
        loader = DictLoader({name: without_lone_lines(source.text) for name, source in self.sources.items()})
        environment = ImmutableSandboxedEnvironment(loader=loader, undefined=StrictUndefined, **OPTIONS)
        return environment.get_template("page").render({"data": convert_to_plain(self.loaded.node), **more})


ALL_LETTERS = frozenset(LETTERS)


@dataclass
class Counts:
    exact: int = 0
    coarse: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def judged(text: Traced, files: Files) -> Counts:
    """How many letters of a text have their true place."""
    counts, at = Counts(), 0
    for run in text.runs:
        assert run.span is not None
        for offset, letter in enumerate(strip_origins(text)[at : at + run.length]):
            true = files.places.get(letter.lower())
            if true is None:
                continue
            if not run.aligned:
                counts.coarse.append(letter)
            elif run.span.cut(offset, offset + 1) == true:
                counts.exact += 1
            else:
                counts.wrong.append(letter)
        at += run.length
    assert at == len(text)
    return counts


# The oracle

TEMPLATES = {
    "base": """\
@ @
{%- block head %} @ {% endblock %}
{% block body %}
  @ {{ data.title }}
{% endblock body %}
{% block tail scoped %}{{ '@' ~ data.list[0] }}{% endblock +%}
@
""",
    "macros": """\
{% macro step(title, note='@') -%}
  ## {{ title }} @
  {{ note|trim }}{% for one in varargs %}, {{ one }}{% endfor %}{% for key in kwargs %} {{ kwargs[key] }}{% endfor %}
{%- endmacro %}
{% macro box(kind) %}
!!! {{ kind }} "@"
    {{ caller('@')|indent(4) }}
{% endmacro %}
{% macro tree(node) %}- {{ node.name }}
{% for child in node.children %}  {{ tree(child)|indent(2) }}{% endfor %}{% endmacro %}
""",
    "part": "@ {{ data.quoted }} {{ local }}\n{% if data.list %}@{% endif %}\n",
    "page": """\
{% extends 'base' %}
{% import 'macros' as m with context %}
{% from 'macros' import step, box, tree %}
{% set global = '@' %}
{% block head %}{{ super() }} @ {{ self.tail() }}{{ super()|upper }}{% endblock %}
{% block body %}
# {{ data.title }} {# a comment: is not printed #}

{{ m.step(data.single) }}
{{ step('@', data.double, '@', data.list[1], last='@') }}
{% call(word) box('note') %}
@ {{ word }} @
@ {{ data.literal }}
{% endcall %}
{{ tree(data.tree) }}
{% set text %}@ {{ data.folded }} @{% endset %}
{{ text }}{{ text|upper }}
{% set both = data.title ~ ' ' ~ data.single ~ '@' + data.double %}
{{ both }} {{ both[2:9] }} {{ both[-5:] }} {{ both[0] }}
{% filter upper|trim %}
  @ {{ data.title }}
{% endfilter %}

{% for row in data.rows %}
{% for cell in row -%}
  | {{ loop.index }} {{ cell }} {{ '@' if loop.last else '@' }}
{%- endfor %} |
{% else %}@{% endfor %}
{% for item in data.nested recursive %}
- {{ item.name }}{% if item.children %}{{ loop(item.children)|indent }}{% endif %}
{% endfor %}
{% set local = '@' %}
{% include 'part' %}
{% include ['missing', 'part'] %}
{% include 'missing' ignore missing %}
{% with inner = data.plain %}{{ inner }}{{ inner.upper() }}{% endwith %}
{% raw %}{{ @ }} {% @ %}{% endraw %}

{{- '@' }} {{ "@" -}} @
{{ data.list|join(', ') }} {{ data.list|join('@') }} {{ data.list|first }} {{ data.list|last }} {{ data.list|sort|join }}
{{ data.list|unique|list|join('-') }} {{ data.list|map('upper')|join }} {{ data.list|batch(2)|map('join', '@')|join }}
{{ data.title|replace('!', '@') }} {{ data.title|capitalize }} {{ data.title|lower }} {{ data.title|title }}
{{ missing|default('@') }} {{ data.title|default('@') }} {{ data.empty|default('@', true) }} {{ data.multi|trim }}
{{ data.multi|indent(width=2, first=true) }} {{ (data.single, data.double)|join(' ') }} {{ [data.plain, '@'] | join }}
{{ data.title.split(' ')[1] }} {{ data.title.replace('!', '').strip() }} {{ data.multi.splitlines()[1] }}
{{ data.title.partition(' ')[2].removesuffix('!').title() }} {{ data.list[1:]|join }} {{ data.title|string }}
{{ '@'.join(data.list) }} {{ data.plain.ljust(9) }}| {{ data.list|reject('equalto', 'x')|join(' ') }}
{{ data.rows|map('first')|join(' ') }} {{ data.nested|map(attribute='name')|join(' ') }}
{{ data.title if data.empty else data.plain }} {{ data.plain ~ (data.title if false) }} {{ global }}
{{ ('@' ~ data.title)|upper|trim|replace('!', '') }} {{ data.list|slice(2)|first|join }} {{ data.key['with space'] }}
{% set ns = namespace(all='') %}
{% for item in data.list %}{% set ns.all = ns.all ~ item ~ ' ' %}{% endfor %}
{{ ns.all }}
{% endblock %}
""",
}
FORMATS = """\
{{ '%s'|format(data.plain) }} {{ '%9s'|format(data.plain) }} {{ '%s @' % data.plain }}
{{ '{}'.format(data.plain) }} {{ '@ {a:>9}'.format(a=data.plain) }} {{ '{{}} @ {0}'.format(data.plain) }} {{ data.plain|e }}
{{ '@ < @ & @'|e }} {{ data.plain|striptags }} {{ data.plain|safe }} {{ '@<'|safe|e }}
{{ '@ \\x40 @ \\'@ \\n@' }} {{ '@ "@" @' }} {{ "@ \\\\ @" }}
"""
# What stays coarse: white space that a parser folded, and texts that Python's own functions put together.
COARSE = (
    "{{ '%.2s'|format(data.plain) }} {{ data.plain|wordwrap }} {{ data.title|tojson }} {{ data.plain|center(20) }}\n"
)

DATA = """\
title: '@ @ it''s @!'
plain: @
single: '@ ''@'' @'
double: "@ \\u00e9 @\\n@ \\"@\\""
literal: |
  @ @

    @
  @
folded: >-
  @ @
  @

  @
multi: "@
  @ \\
  @\\n@"
wrapped: @ @
  @
empty:
quoted: "@"
list: [@, '@', "@", @ @]
rows:
  - [@, @]
  - - '@'
    - |-
      @
key: {with space: @}
base: &base {name: @, children: []}
tree:
  name: "@"
  children:
    - {name: '@', children: []}
    - *base
nested:
  - <<: *base
    children: [{name: '@', children: [*base]}, *base]
"""


def test_words_keep_their_places_through_templates() -> None:
    files = Files(TEMPLATES, DATA)
    text = files.traced()
    counts = judged(text, files)
    assert strip_origins(text) == files.jinja()
    assert counts.wrong == []
    assert counts.exact > 600
    assert counts.exact >= 0.99 * (counts.exact + len(counts.coarse))


def test_words_keep_their_places_through_formats() -> None:
    files = Files({"page": FORMATS}, DATA)
    text = files.traced()
    counts = judged(text, files)
    assert strip_origins(text) == files.jinja()
    assert (counts.wrong, counts.coarse) == ([], [])


def test_what_is_coarse_is_not_wrong() -> None:
    files = Files({"page": COARSE}, DATA)
    text = files.traced()
    counts = judged(text, files)
    assert strip_origins(text) == files.jinja()
    assert counts.wrong == []
    for run in text.runs:
        assert run.span is not None
        assert run.aligned or run.span.text.startswith("{{")


def test_characters_know_the_tags_that_they_went_through() -> None:
    files = Files({"page": "{% macro m(x) %}<{{ x }}>{% endmacro %}\n{{ m(data.a) }}\n"}, "a: @\n")
    run = next(run for run in files.traced().runs if run.span and run.span.path == "data.yaml")
    assert [tag.text for tag in run.via] == ["{{ x }}", "{{ m(data.a) }}"]


# Templates made at random


class Writer:
    """Writes a template of constructs that keep places."""

    def __init__(self, seed: int) -> None:
        self.chance, self.names = random.Random(seed), itertools.count()
        self.parts: dict[str, str] = {}

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def name(self) -> str:
        return f"n{next(self.names)}"

    def text(self) -> str:
        return self.pick("@", "@ @", "\n", "  ", "\n\n", "- @\n", "    @", "\t", "# @\n", "*@*", "} @ { ", "é@")

    def tag(self, inside: str) -> str:
        left, right = self.pick("", "", "", "-", "+"), self.pick("", "", "", "-", "+")
        return f"{{%{left} {inside} {right}%}}"

    def expression(self, scope: tuple[str, ...], depth: int = 2) -> str:
        if not depth or self.pick("leaf", "deeper") == "leaf":
            return self.pick(
                "'@'", '"@"', "'@ @'", "data.a", "data.b", "data.list[0]", "data.list[-1]", "data['c']", *scope
            )
        one, other = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
        return self.pick(
            f"({one} ~ {other})",
            f"({one} + {other})",
            f"({one} if {other} else {other})",
            f"({one} or {other})",
            f"({one})[1:]",
            f"({one})[:-1]",
            f"({one})|upper",
            f"({one})|trim",
            f"({one})|default({other})",
            f"({one})|replace(' ', {other})",
            f"({one})|indent(2, true)",
            f"({one})|title",
            f"({one}).lower().strip()",
            f"({one}).split(' ')|join({other})",
            f"[{one}, {other}]|join(' ')",
            f"({one}).replace('x', {other})",
            f"({one} * 2)",
            f"data.list|join({one})",
            f"({one})|list|join",
            f"[{one}, {other}]|map('lower')|join",
            f"({one}).partition(' ')[0]",
            f"({one})|string|capitalize",
        )

    def output(self, scope: tuple[str, ...]) -> str:
        left, right = self.pick("", "", "-", "+"), self.pick("", "", "-")
        return f"{{{{{left} {self.expression(scope)} {right}}}}}"

    def body(self, scope: tuple[str, ...], depth: int) -> str:
        return "".join(self.construct(scope, depth) for _ in range(self.chance.randint(1, 4)))

    def construct(self, scope: tuple[str, ...], depth: int) -> str:
        nested = ("if", "for", "set", "set block", "filter", "macro", "call", "with", "include") if depth else ()
        match kind := self.pick("text", "text", "output", "comment", "raw", *nested):
            case "text":
                return self.text()
            case "output":
                return self.output(scope)
            case "comment":
                return "{# {{ nothing }} #}"
            case "raw":
                return "{% raw %}{{ @ }}{% endraw %}"
            case _:
                return self.statement(kind, scope, depth - 1)

    def statement(self, kind: str, scope: tuple[str, ...], depth: int) -> str:
        name, tag = self.name(), self.tag
        inside = self.body(scope, depth)
        match kind:
            case "if":
                test = self.pick("true", "false", "data.a", "data.a == 'x'")
                return f"{tag(f'if {test}')}{inside}{tag('else')}{self.body(scope, depth)}{tag('endif')}"
            case "for":
                over = self.pick("data.list", "range(2)", "[]", "data.list if loop.index", "data.list|reverse")
                over = "data.list if true" if over == "data.list if loop.index" else over
                inner = self.body((*scope, name) if "list" in over else scope, depth)
                return f"{tag(f'for {name} in {over}')}{inner}{tag('else')}@{tag('endfor')}"
            case "set":
                value = self.expression(scope)
                return f"{tag(f'set {name} = {value}')}{self.body((*scope, name), depth)}{{{{ {name} }}}}"
            case "set block":
                return f"{tag(f'set {name}')}{inside}{tag('endset')}{{{{ {name} }}}}{{{{ {name}|upper }}}}"
            case "filter":
                return f"{tag('filter ' + self.pick('upper', 'trim', 'indent', 'title'))}{inside}{tag('endfilter')}"
            case "macro":
                inner = self.body(("a", "b"), depth)
                macro = f"{tag(f'macro {name}(a, b={self.expression(())})')}{inner}{tag('endmacro')}"
                return f"{macro}{{{{ {name}({self.expression(scope)}) }}}}"
            case "call":
                macro = f"{tag(f'macro {name}(a)')}@{{{{ caller(a) }}}}@{tag('endmacro')}"
                inner = self.body((*scope, "w"), depth)
                return f"{macro}{tag(f'call(w) {name}({self.expression(scope)})')}{inner}{tag('endcall')}"
            case "with":
                value = self.expression(scope)
                return f"{tag(f'with {name} = {value}')}{self.body((*scope, name), depth)}{tag('endwith')}"
            case _:
                self.parts[name] = self.body((), depth)
                return tag(f"include '{name}'") + self.pick("\n", "")


def templates(seed: int) -> dict[str, str]:
    writer = Writer(seed)
    page = writer.body((), 3)
    if seed % 3:
        return {"page": page, **writer.parts}
    base = f"@{writer.tag('block one')}{writer.body((), 1)}{writer.tag('endblock')}@{{% block two %}}@{{% endblock %}}"
    page = f"{{% extends 'base' %}}{{% block one %}}{page}{{{{ super() }}}}{{% endblock %}}"
    return {"page": page, "base": base, **writer.parts}


RANDOM_DATA = "a: '@ it''s @'\nb: |\n  @\n  @ @\nc: \"@\\n@\"\nlist: [@, '@ @', \"@\"]\n"


def check_random(seed: int) -> bool:
    """Plain Jinja2's text, and each letter with its place; false where it has more words than there are letters."""
    texts = templates(seed)
    if sum(text.count("@") for text in texts.values()) > len(LETTERS) // 3 - 20:
        return False
    files = Files(texts, RANDOM_DATA)
    text = files.traced()
    assert strip_origins(text) == files.jinja(), texts
    counts = judged(text, files)
    assert (counts.wrong, counts.coarse) == ([], []), texts
    return True


@pytest.mark.parametrize("tens", range(15))
def test_random_templates(tens: int) -> None:
    assert sum(check_random(10 * tens + seed) for seed in range(10)) > 7


@pytest.mark.soak
def test_random_templates_in_full() -> None:
    assert sum(check_random(seed) for seed in range(1000, 11_000)) > 9000


# Values by key only

NAMES = sorted({*dir(dict), *dir(str), *dir(Namespace), *dir(Traced), "_what", "_fields"})


@pytest.mark.parametrize("name", NAMES)
def test_a_value_has_any_name(name: str) -> None:
    files = Files(
        {"page": f"{{{{ data.{name} }}}} {{{{ data['{name}'] }}}} {{{{ data|attr('{name}') if false }}}}"},
        f"{name}: @\n",
    )
    word = files.sources["data.yaml"].text.split(": ")[1].strip()
    assert strip_origins(files.traced()) == f"{word} {word} "
    assert judged(files.traced(), files).exact == 6


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_a_value_is_undefined(name: str) -> None:
    assert told(f"{{{{ data.⟦{name}⟧ }}}}") == f"data has no `{name}` (data.yaml:1:1)"
    assert told(f"{{{{ data[⟦'{name}'⟧] }}}}") == f"data has no `{name}` (data.yaml:1:1)"


# Errors: `⟦` and `⟧` stand around the place that the finding must have.

VALUES = "name: Swan\nplatform: {name: Otter, values: {kit: otter-kit}}\nlist: [one, two]\n"


def stopped(page: str, **others: str) -> Finding:
    """The error of a template; it must stand where the marks are."""
    texts = {"page": page, **others}
    marked = next(name for name, text in texts.items() if "⟦" in text)
    start = texts[marked].index("⟦")
    end = texts[marked].index("⟧") - 1
    texts = {name: text.replace("⟦", "").replace("⟧", "") for name, text in texts.items()}
    files = Files(texts, VALUES if "data" not in page else "z: x\n")
    variables = values(files.loaded.node)
    environment = files.environment()
    with pytest.raises(TemplateFailure) as caught:
        environment.render_traced("page", {"data": variables} if "data" in page else variables)
    finding = caught.value.finding
    assert (finding.span.path, finding.span.start, finding.span.text) == (marked, start, texts[marked][start:end])
    return finding


def told(page: str, **others: str) -> str:
    return stopped(page, **others).message.partition(";")[0]


UNDEFINED = {
    "Line\n{{ ⟦nope⟧ }}": "`nope` is not defined",
    "🙂\n\n a {{ name }} {{ ⟦nmae⟧ }}": "`nmae` is not defined; did you mean `name`?",
    "{{ platform.⟦nmae⟧ }}": "'platform' has no `nmae` (data.yaml:2:11); did you mean `name`?",
    "{{ platform . values\n  . ⟦kid⟧ }}": "'values' has no `kid` (data.yaml:2:33); did you mean `kit`?",
    "{{ (platform)[⟦'nmae'⟧] }}": "'platform' has no `nmae` (data.yaml:2:11); did you mean `name`?",
    "{{ platform[⟦nope⟧] }}": "`nope` is not defined",
    "{{ name.⟦uper⟧() }}": "text has no `uper`; did you mean `upper`?",
    "{{ list[⟦5⟧] }}": "list object has no element 5",
    "{% if ⟦nope⟧ %}{% endif %}": "`nope` is not defined",
    "{% if 1 > 2 %}{% elif platform.⟦nope⟧ %}{% endif %}": "'platform' has no `nope` (data.yaml:2:11)",
    "{{ name }}{% for x in ⟦nope⟧ %}{% endfor %}": "`nope` is not defined",
    "{{ name }}{% for x in platform.⟦nope⟧ %}{% endfor %}": "'platform' has no `nope` (data.yaml:2:11)",
    "{% for x in list if ⟦nope⟧ %}{% endfor %}": "`nope` is not defined",
    "{% set x = ⟦nope⟧ %}\n{{ x }}": "`nope` is not defined",
    "{% with x = ⟦nope⟧ %}{{ x.y }}{% endwith %}": "`nope` is not defined",
    "{{ ⟦nope⟧() }}": "`nope` is not defined",
    "{{ 'a' ~ ⟦nope⟧ }}": "`nope` is not defined",
    "{{ 'a' + ⟦nope⟧ }}": "`nope` is not defined",
    "{{ 'a' * ⟦nope⟧ }}": "`nope` is not defined",
    "{{ ⟦nope⟧|upper }}": "`nope` is not defined",
    "{{ 'a' in ⟦nope⟧ }}": "`nope` is not defined",
    "{{ ⟦nope⟧ == 'a' }}": "`nope` is not defined",
    "{{ list|join(⟦nope⟧) }}": "`nope` is not defined",
    "{% macro m(a) %}{{ a }}{% endmacro %}\n{{ ⟦m⟧() }}": "this call does not give `a`, which the macro prints",
    "{% macro m() %}\n{{ ⟦nope⟧ }}{% endmacro %}\n{{ m() }}": "`nope` is not defined",
    "{% call ⟦nope⟧() %}{% endcall %}": "`nope` is not defined",
    "{% block a %}{{ ⟦super⟧() }}{% endblock %}": "there is no parent block called 'a'.",
    "{{ []|⟦first⟧ }}": "No first item, sequence was empty.",
    "{{ ⟦cycler⟧ }}": "`cycler` is not defined",
}


@pytest.mark.parametrize("page", UNDEFINED)
def test_undefined_names(page: str) -> None:
    finding = stopped(page)
    assert (finding.message, finding.rule, finding.exact) == (UNDEFINED[page], "undefined-name", True)


SYNTAX = {
    "{% ⟦if⟧ name %}\n{% if name %}b{% endif %}\n": "`{% if %}` is not closed: write `{% endif %}` where it ends",
    "{% for a in b %}{% if a %}{% endif %}\n{%- ⟦call⟧ m() %}{% set x = 1 %} {# {% endcall %} #}": "`{% call %}` is not closed: write `{% endcall %}` where it ends",
    "{% ⟦set⟧ a %}{% raw %}{% endset %}{% endraw %}{{ '{% endset %}' }}": "`{% set %}` is not closed: write `{% endset %}` where it ends",
    "{% for a in b %}{% ⟦endif⟧ %}": "unexpected `{% endif %}`: `{% for %}` is open, and ends with `{% endfor %}`",
    "{% ⟦fro⟧ a in b %}": "unknown tag `fro`; did you mean `for`?",
    "a\n{{ name ⟦b⟧ }}": "`}}` should be before `b`, or an operator",
    "{{ name }} {{ 'x'|⟦uper⟧ }}": "unknown filter `uper`; did you mean `upper`?",
    "{% filter ⟦uper⟧ %}{% endfilter %}": "unknown filter `uper`; did you mean `upper`?",
    "{{ name }} {{ name is ⟦defind⟧ }}": "unknown test `defind`; did you mean `defined`?",
    "{% if name ⟦=⟧ 'x' %}{% endif %}": "`=` does not compare: write `==`",
    "{% if name %}{% else ⟦if⟧ list %}{% endif %}": "`{% else if … %}` is written `{% elif … %}`",
    "{{ name }} {% ⟦endif⟧ %}": "unmatched `{% endif %}`: no such tag is open",
    "{{ name }} {% if ⟦%⟧}": "a name or value is missing in this tag",
    "{{ name }} {{ ⟦'⟧a }}": "unclosed text: it starts with ' here",
    "{# it's #}{{ 'b' }} {{ link(⟦'⟧a) }}\n{{ link('b') }}": "unclosed text: it starts with ' here",
    "{{ name }} {{ a.⟦}⟧}": "a name is missing after the dot",
    "{{ name }} {{ (a ⟦}⟧}": "`)` is missing before this",
    "{{ name }} {{ ⟦!⟧ }}": "`!` is written `not`",
    "{{ name }} {{ ⟦?⟧ }}": "`?` is not allowed here: is `}}` or `%}` missing before it?",
    "{{ name ⟦&⟧& name }}": "`&&` is written `and`",
    "{{ name ⟦)⟧ }}": "`)` is unmatched",
    "{{ name }} {{ name ⟦}⟧ and": "unmatched `}`: `{{` ends with `}}`, and `{%` with `%}`",
    "{{ name }} {{ link(⟦‘⟧a’) }}": "`‘` is not a straight quotation mark, which text needs here",
    "{{ name }}\n\n ⟦{⟧# open": "the comment is not closed: write `#}` where it ends",
    "{{ name }}\n\n ⟦{⟧% raw %} open": "`{% raw %}` is not closed: write `{% endraw %}` where it ends",
    "{% ⟦link⟧('a') %}": "unknown tag `link`; write what prints between `{{` and `}}`",
    "{{ name }} {% for x ⟦%⟧}{% endfor %}": "`in` is missing: `{% for one in … %}`",
    "{% block a %}{% endblock %}{% ⟦block⟧ a %}{% endblock %}": "block 'a' defined twice",
    "🙂🙂\n{% set ⟦=⟧ 3 %}": "unexpected '='",
    "{{ name }} {% set a.b⟦.⟧c = 3 %}": "`%}` should be before `.`, or an operator",
}


@pytest.mark.parametrize("page", SYNTAX)
def test_syntax_errors(page: str) -> None:
    finding = stopped(page)
    said = finding.message.removeprefix("the template does not parse: ")
    assert (said, finding.rule) == (SYNTAX[page], "invalid-template")
    assert Files({"page": re.sub("[⟦⟧]", "", page)}).environment().check_syntax("page") == finding or finding.span


def test_a_template_is_checked_without_data() -> None:
    environment = Files({"good": "{{ nope.nope }}", "bad": "a\n{{ a b }}"}).environment()
    assert environment.check_syntax("good") is None
    assert str(environment.check_syntax("bad")).startswith("bad:2:6: invalid-template: `}}` should be before `b`")
    assert str(environment.check_syntax("none")).startswith("none:1:1: invalid-template: unknown template `none`")


def test_a_section_id_is_not_a_comment() -> None:
    finding = stopped("Text\n\n## Create it ⟦{#create}⟧\n\nText")
    assert finding.message == "`{#create}` starts a Jinja comment; write a section's id as `{: #create }`"
    assert (
        strip_origins(Files({"page": "## Create it {: #create }\n{# a comment #}"}).traced())
        == "## Create it {: #create }\n"
    )


OTHERS = {
    # An argument, an operator, a call: the name that is called, else the tag.
    "{{ 'x'|⟦replace⟧ }}": "replace() needs `old` and `new`",
    "{{ name.⟦center⟧('b') }}": "`str` object cannot be interpreted as an integer",
    "{% macro m(a) %}{% endmacro %}{{ ⟦m⟧(b=2) }}": "macro `m` takes no keyword argument `b`",
    "{% macro m() %}{{ ⟦caller⟧(1) }}{% endmacro %}{% call m() %}{% endcall %}": "the call block takes not more than 0 argument(s)",
    "{{ name }}⟦{{ name + 1 }}⟧": "`+` adds two numbers, or two texts; `~` joins texts",
    "{{ name }}⟦{{ 1 / 0 }}⟧": "division by zero",
    "{{ name }}⟦{% set x = 1 / 0 %}⟧": "division by zero",
    "{{ name }}⟦{% if name < 1 %}⟧{% endif %}": (
        "a value of the data is text, and can't be compared with a number: write `| int` after it"
    ),
    "{{ name }}⟦{% for x in 5 %}⟧{% endfor %}": "`int` object is not iterable",
    "{{ name }}⟦{{ '%d' % name }}⟧": "%d format: a real number is required, not str",
    "{{ name }}⟦{{ range }}⟧": "a function cannot be printed; call it, with `()` after its name",
    "{{ name }}⟦{{ platform }}⟧": "'platform' has several parts and cannot be printed; name one of: name, values",
    "{{ ⟦name⟧() }}": "this is not a function, and takes no parentheses",
    "{{ ⟦range⟧(10**9) }}": "`range()` takes at most 100,000 numbers",
}


@pytest.mark.parametrize("page", OTHERS)
def test_errors_of_what_a_template_does(page: str) -> None:
    finding = stopped(page)
    assert finding.message == OTHERS[page]
    assert finding.exact is not finding.span.text.startswith("{")  # a tag is coarse


def test_templates_that_are_missing() -> None:
    assert told("{{ name }} {% include ⟦'prat'⟧ %}", part="") == "unknown template `prat`"
    assert stopped("{% include ⟦'prat'⟧ %}", part="").message == "unknown template `prat`; did you mean `part`?"
    assert told("{{ name }} {% import ⟦'nope'⟧ as x %}") == "unknown template `nope`"
    assert told("{{ name }} {% from ⟦'nope'⟧ import x %}") == "unknown template `nope`"
    assert told("{{ name }} {% extends ⟦'nope'⟧ %}") == "unknown template `nope`"
    assert told("{{ name }} {% include ⟦name⟧ %}") == "unknown template `Swan`"
    assert told("{{ name }} ⟦{% include name ~ 'x' %}⟧") == "unknown template `Swanx`"
    assert told("{% include 'part' %}", part="\n {% include ⟦'nope'⟧ %}") == "unknown template `nope`"
    macros = "{% macro m() %}\n{{ 1 }}{% include ⟦'nope'⟧ %}{% endmacro %}"
    assert told("{% import 'macros' as m %}{{ m.m() }}", macros=macros) == "unknown template `nope`"


def test_errors_in_other_templates() -> None:
    assert told("a {% include 'part' %}", part="\n\n{{ ⟦nope⟧ }}") == "`nope` is not defined"
    assert told("a {% include 'part' %}", part="\n\n{{ a ⟦b⟧ }}").startswith("`}}` should be before `b`")
    assert (
        told("{% import 'macros' as m %}\n{{ m.m() }}", macros="{% macro m() %}\n{{ ⟦nope⟧ }}{% endmacro %}")
        == "`nope` is not defined"
    )
    assert (
        told("{% import 'macros' as m %}\n{{ m.⟦n⟧() }}", macros="{% macro o() %}{% endmacro %}")
        == "the imported template has no `n`"
    )
    assert told(
        "{% extends 'base' %}{% block a %}{{ super() }}{% endblock %}", base="{% block a %}{{ ⟦nope⟧ }}{% endblock %}"
    )


def test_recursion_without_end() -> None:
    message = "macros or includes call each other endlessly"
    assert told("{% macro m() %}{{ ⟦m⟧() }}{% endmacro %}{{ m() }}") == message
    assert told("{{ name }}{% include ⟦'page'⟧ %}") == "`page` loads itself: page > page"
    assert told("{{ name }}{% extends ⟦'page'⟧ %}") == "`page` loads itself: page > page"
    assert told("text {% import ⟦'page'⟧ as p %}") == "`page` loads itself: page > page"
    assert told("{% for x in list recursive %}{{ ⟦loop⟧(list) }}{% endfor %}") == message


ESCAPES = [
    "''.__class__", "name.__class__.__mro__", "name['__class__']", "name|attr('__class__')", "platform.__class__",
    "platform._fields", "platform|attr('_fields')", "list.append('x')", "list.__class__", "(1).__class__",
    "range.__class__",
    "range.__globals__", "self.__init__", "self._TemplateReference__context", "'{0.__class__}'.format(name)",
    "'{0.runs}'.format(name)", "'{a.__class__}'.format_map({'a': name})", "name.format.__self__", "name.runs",
    "name.block", "name._cut", "name.upper.__globals__", "platform.get", "platform.items()", "environment", "context", "cycler",
    "lipsum", "namespace.__init__", "dict.__class__", "dict(a=1).update(b=2)", "list.clear()", "[1].pop()", "(name|map).gi_frame",
    "loop", "caller", "joiner", "'a'.encode()", "(1).to_bytes(9, 'big')", "'%s'.encode() % name", "list.__add__(list)", "'%s'.__mod__(1)", "name.__reduce__()",
]  # fmt: skip


@pytest.mark.parametrize("expression", ESCAPES)
def test_templates_reach_nothing_but_data(expression: str) -> None:
    with pytest.raises(TemplateFailure):
        Files({"page": f"{{{{ {expression} }}}}"}).environment().render_traced(
            "page", values(load_yaml(Source("data.yaml", VALUES)).node)
        )


HUGE = [
    "'a' * 10**9", "10**9 * 'a'", "[1] * 10**9", "(1,) * 10**9", "[[0] * 1000] * 1000 * 1000",
    "2 ** 99999 ** 99", "10 ** 100000", "10**30000 * 10**30000", "10 ** 5000",
    "'%1000000000d' % 1", "'%*d' % (1000000000, 1)", "'%.1000000000f' % 1.0", "('%s' * 1000) % (('a' * 99999,) * 1000)",
    "'%999999999s'|format('a')", "'%*s'|format(1000000000, 'a')", "('%(a)s' * 100000)|format(a='a' * 99999)",
    "'{:1000000000}'.format('a')", "'{:{}}'.format('a', 1000000000)", "'{:{w}}'.format('a', w=1000000000)",
    "('{0}' * 1000).format('a' * 99999)", "('{a}' * 99999).format_map({'a': 'a' * 99999})",
    "'a'|center(1000000000)", "'a'.center(10**9)", "'a'.ljust(10**9)", "'a'.rjust(width=10**9)", "'a'.zfill(10**9)",
    "'\t'.expandtabs(10**9)", "('a' * 99999).replace('a', 'b' * 99999)", "('a' * 99999)|replace('', 'b' * 99999)",
    "('a' * 99999).translate({97: 'b' * 99999})", "('a ' * 99999)|wordwrap(1, wrapstring='b' * 99999)",
    "('a\n' * 99999)|indent(1000)", "('a\n' * 9999)|indent('b' * 9999, true)", "'a'|indent(10**9, true)",
    "range(10**9)", "range(99999)|join('a' * 99999)", "('a' * 99999).join(range(99999)|map('string'))",
    "('a' * 99999)|list|join('b' * 1000)", "range(99999)|map('center', 99999)|join",
    "range(99999)|map('center', 99999)|list",
    "[1]|slice(10**8)|list", "'a'|batch(10**9, 'x')|list", "{'a': 1}|tojson(indent=10**9)", "[('a' * 99999)] * 1000",
    "([[1] * 1000] * 9999)|sum(start=[])", "[['a' * 99999] * 9] * 9 * 9 * 9",
]  # fmt: skip


@pytest.mark.parametrize("expression", HUGE)
def test_templates_make_nothing_huge(expression: str) -> None:
    environment = Files({"page": f"{{% set x = {expression} %}}{{{{ x }}}}"}).environment()

    def traced() -> None:
        with pytest.raises(TemplateFailure) as caught:
            environment.render_traced("page", {})
        assert caught.value.finding.rule == "invalid-template"

    soon(traced)


ENDLESS = [
    "{% for i in range(99999) %}{% for j in range(99999) %}a{% endfor %}{% endfor %}",
    "{% set l = range(99999)|list %}{% for i in l %}{% for j in l %}{% if i == j %}{% endif %}{% endfor %}{% endfor %}",
    "{% for i in range(99999) %}" + 30 * "a" + "{% endfor %}",
    "{% set ns = namespace(x='aaa') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "{% set ns = namespace(x='a') %}{% for i in range(99) %}{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}{% endfor %}",
    "{% macro m(n) %}{% for i in range(9) %}{{ m(n - 1) if n }}{% endfor %}{% endmacro %}{{ m(20) }}",
]


@pytest.mark.slow
@pytest.mark.parametrize("page", ENDLESS)
def test_templates_come_to_an_end(page: str) -> None:
    def traced() -> None:
        with pytest.raises(TemplateFailure, match=r"steps|longer than"):
            Files({"page": page}).environment().render_traced("page", {})

    soon(traced, within=30)


def test_large_pages_are_fine() -> None:
    page = (
        "{% for i in range(2000) %}{% for x in data.list %}{{ loop.index }} {{ x|upper }} @\n{% endfor %}{% endfor %}"
    )
    files = Files({"page": page}, RANDOM_DATA)
    text = files.traced()
    assert strip_origins(text) == files.jinja()
    assert judged(text, files).wrong == []


# Lines: tags that are alone leave none behind, and others leave theirs as they are


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("1. a{% if 1 %} b{% endif %}\n2. c\n", "1. a b\n2. c\n"),
        ("a {# b #}\n\nc\n", "a \n\nc\n"),
        ("| 1 | {% if 1 %}2 |{% else %}3 |{% endif %}\n| 4 | 5 |\n", "| 1 | 2 |\n| 4 | 5 |\n"),
        ("1. a\n\n    {% if 1 %}b{% else %}c{% endif %}\n\n    ```\n    {% if 1 %}d{% endif %} e\n    ```\n",
         "1. a\n\n    b\n\n    ```\n    d e\n    ```\n"),
        ("    {# a #}b\n    {% if 1 %}**c** {% endif %}d\n", "    b\n    **c** d\n"),
        ("    {% for x in (1, 2) %}{{ x }}, {% endfor %}\n", "    1, 2, \n"),
        ("a {% set b = 1 %}\nc\n", "a \nc\n"),
        ("a\n  {% if 1 %}\nb\n  {% endif %}  \nc\n", "a\nb\nc\n"),
        ("a\n{# b\n c #}\nd\n", "a\nd\n"),
        ("a\n {% if 1 %} {% if 1 %}\nb\n{% endif %}{% endif %}\nc", "a\nb\nc"),
        ("a\n{% if 1 %}{{ 'b' }}\n{% endif %}", "a\nb\n"),
        ("a\n  {%+ if 1 +%}\nb\n{% endif +%}\nc", "a\n  \nb\n\nc"),
        ("a\n{%+ if 1 +%}  {%+ endif +%}\nb", "a\n  \nb"),
        ("a\n{% if 1 +%}  {% endif +%}\nb", "a\n  \nb"),
        ("a\n{%- if 1 -%}\n b{% endif %}\n", "ab\n"),
        ("a {% raw %}{{ b }}{% endraw %}\nc {% raw %}{% d %}{% endraw %}\n", "a {{ b }}\nc {% d %}\n"),
    ],
)  # fmt: skip
def test_only_tags_that_are_alone_take_their_line_with_them(text: str, rendered: str) -> None:
    files = Files({"page": text})
    assert strip_origins(files.traced()) == rendered
    assert rendered == files.jinja()
    assert all(run.span is not None for run in files.traced().runs)


# Blocks: lines of their own, indented where their tag is

TABLE = "| a |\n| --- |\n\n| b |"
INDENTED = "    | a |\n    | --- |\n\n    | b |\n"


def with_table(page: str, **others: str) -> str:
    files = Files({"page": page, **others}, "table: |-\n  | a |\n  | --- |\n\n  | b |\n")
    table = mark_block(values(files.loaded.node)["table"])
    text = files.environment().render_traced("page", {"table": lambda: table, "name": "Swan"})
    for run in text.runs:
        if run.aligned and run.span and run.span.path == "data.yaml":
            assert run.span.text in files.sources["data.yaml"].text
    cells = [run for run in text.runs if run.span and run.span.path == "data.yaml"]
    assert sum(run.length for run in cells) >= len(TABLE.replace("\n", ""))
    assert all(run.aligned for run in cells)
    return strip_origins(text)


def test_a_block_is_indented_as_its_tag() -> None:
    assert with_table("{{ table() }}\n") == TABLE + "\n"
    assert with_table("1. Text\n\n    {{ table() }}\n\nText") == f"1. Text\n\n{INDENTED}\nText"
    assert with_table("    {{ table()|trim }}\n") == "    " + TABLE + "\n"  # a filter makes it a text like any other
    assert with_table("a {{ table() }}\n") == f"a {TABLE}\n"
    assert with_table("    {{ table() }} b\n") == f"    {TABLE} b\n"
    assert with_table("    {{- table() }}\n") == TABLE + "\n"


def test_a_block_is_indented_through_a_macro() -> None:
    macro = "{% macro m() %}\n{{ table() }}\n{% endmacro %}\n"
    assert with_table(macro + "    {{ m() }}\n") == INDENTED + "\n"
    assert with_table("{% from 'macros' import m with context %}\n    {{ m() }}\n", macros=macro) == INDENTED + "\n"
    nested = "{% macro m() %}\n- x\n\n  {{ table() }}\n{% endmacro %}\n"
    assert with_table(nested + "  {{ m() }}\n").startswith("  - x\n\n    | a |\n    | --- |\n\n    | b |\n")


def test_what_a_macro_prints_is_indented_as_its_tag() -> None:
    macro = "{% macro run(it) %}\n```sh\nsudo {{ it }}\n```\n{% endmacro %}\n"
    box = "{% macro box() %}\n!!! note\n\n    {{ caller() }}\n{% endmacro %}\n"
    files = Files({"page": macro + "1. Make:\n\n    {{ run(data.a) }}\n\nText"}, "a: one\n")
    assert strip_origins(files.traced()) == "1. Make:\n\n    ```sh\n    sudo one\n    ```\n\n\nText"
    assert judged(files.traced(), files).wrong == []
    files = Files({"page": box + "{% call box() %}\na\nb\n{% endcall %}\n"}, "a: '@'\n")
    assert strip_origins(files.traced()) == "!!! note\n\n    a\n    b\n\n"
    for tag in ("{{ run(data.a)|indent(4) }}", "{{- run(data.a) }}", "{{ run(data.a) }} b"):
        files = Files({"page": f"{macro}    {tag}\n"}, "a: '@'\n")
        assert strip_origins(files.traced()) == files.jinja()


def test_a_block_is_indented_through_an_include() -> None:
    assert with_table("1. Text\n\n    {% include 'part' %}\n", part="{{ table() }}\n") == f"1. Text\n\n{INDENTED}"
    assert with_table("{% include 'part' %}\n", part="    {{ table() }}\n") == INDENTED
    assert with_table("  {% include 'part' %}\n", part="  {{ table() }}\n") == INDENTED


@pytest.mark.parametrize(("tag", "indentation"), [("{% include", "    "), ("{%- include", ""), ("{%+ include", None)])
def test_an_included_text_is_indented_as_its_tag(tag: str, indentation: str | None) -> None:
    """Unless its lines are, or the tag says by a sign that its own white space is meant."""
    for inside in ("", "    "):
        files = Files(
            {"page": f"1. Text\n\n    {tag} 'part' %}}\n@\n", "part": f"{inside}@\n\n{inside}@ {{{{ data.a }}}}\n"},
            "a: '@'\n",
        )
        text = files.traced()
        lines = files.jinja().splitlines(keepends=True)
        if indentation and not inside:
            assert strip_origins(text) == "".join(
                [*lines[:2], indentation + lines[2], lines[3], indentation + lines[4], lines[5]]
            )
        else:
            assert strip_origins(text) == files.jinja()
        assert (judged(text, files).wrong, judged(text, files).coarse) == ([], [])


def test_a_block_is_indented_through_a_call() -> None:
    macro = "{% macro box() %}\n!!! note\n\n    {{ caller() }}\n{% endmacro %}\n"
    page = macro + "{% call box() %}\n{{ table() }}\n{% endcall %}\n"
    assert with_table(page) == f"!!! note\n\n{INDENTED}\n"


def test_pages_render_again_and_again() -> None:
    """One environment renders many pages; an error in one leaves no trace in the next."""
    files = Files({"page": "{{ data.a }} @", "bad": "{{ data.nope }}", "loop": ENDLESS[0]}, "a: '@'\n")
    environment, variables = files.environment(), {"data": values(files.loaded.node)}
    first = environment.render_traced("page", variables)
    for broken in ("bad", "loop", "none", "bad"):
        with pytest.raises(TemplateFailure):
            environment.render_traced(broken, variables)
        assert environment.render_traced("page", variables) == first
    assert judged(environment.render_traced("page", variables), files).exact == 6


def test_a_lazy_part_of_a_page_comes_from_another_template() -> None:
    files = Files({"page": "a {{ part('other') }} @", "other": "@ {{ data.a }}"}, "a: '@'\n")
    environment, variables = files.environment(), {"data": values(files.loaded.node)}
    text = environment.render_traced(
        "page", {**variables, "part": lambda name: environment.render_included(name, variables)}
    )
    assert judged(text, files).exact == 9
    assert concatenate(list(text)).runs == text.runs
    assert trace_span(files.sources["page"].span(0, 1)) == "a"
