"""What a template may print, and what it may cost: no representation of an object, and no memory without end."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from tests import project
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.templating.environment import Namespace, TemplateEnvironment, TemplateFailure
from tutorial_tool.templating.environment.filters import GONE

REPRESENTATION = re.compile(
    r"<[a-z]+ .* (?:at 0x|of)|0x[0-9a-f]{6,}|Traced|PageContext|Library\(|Model\(|Span\(|Namespace"
)

OBJECTS = [
    "part", "link", "table", "platform", "platforms", "platform.label", "[platform.label]", "[[part]]", "{'a': part}", "{'a': {'b': [link]}}",
    "(part, 1)", "range", "dict", "namespace(a=1)", "platforms|items", "loop", "m", "self", "[m]", "range(3)|map('string')", "platform.values",
]  # fmt: skip
"""What is no text and no number, in a loop and behind a macro named `m`."""
DOORS = [
    "{{ %s }}", "{{ %s|string }}", "{{ %s|pprint }}", "{{ '%%s' %% %s }}", "{{ '%%s' %% (%s,) }}", "{{ '%%r' %% [%s] }}", "{{ '%%(a)s' %% {'a': %s} }}",
    "{{ '{0}'.format(%s) }}", "{{ '{0!r}'.format(%s) }}", "{{ '{a}'.format(a=%s) }}", "{{ '{a}'.format_map({'a': %s}) }}", "{{ '{:{}}'.format('a', %s) }}",
    "{{ '%%s'|format(%s) }}", "{{ '%%(a)s'|format(a=%s) }}", "{{ %s|format(1) }}", "{{ %s ~ '' }}", "{{ [%s]|join }}", "{{ 'ab'|join(%s) }}", "{{ ''.join([%s]) }}",
    "{{ %s|upper }}", "{{ %s|lower }}", "{{ %s|title }}", "{{ %s|capitalize }}", "{{ %s|trim }}", "{{ %s|center(9) }}", "{{ %s|indent }}", "{{ %s|wordwrap }}",
    "{{ %s|e }}", "{{ %s|forceescape }}", "{{ %s|safe }}", "{{ %s|striptags }}", "{{ %s|urlize }}", "{{ 'http://a.b'|urlize(target=%s) }}", "{{ %s|urlencode }}",
    "{{ {'a': %s}|urlencode }}", "{{ {'a': %s}|xmlattr }}", "{{ %s|replace('a', 'b') }}", "{{ 'a'|replace('a', %s) }}", "{{ %s|truncate(9) }}", "{{ %s|wordcount }}",
    "{{ %s|tojson }}", "{{ [%s]|map('string')|join }}", "{{ [%s]|map('upper')|list|join }}", "{{ [%s]|join(attribute='__doc__') }}", "{{ [%s]|join(attribute='__name__') }}",
    "{{ platform[%s] }}", "{{ [1][%s] }}", "{{ 'a'|attr(%s) }}", "{{ [1]|map(attribute=%s)|list|join }}", "{%% include %s %%}", "{%% include [%s] %%}", "{{ part(%s) }}", "{{ %s() }}",
    "{%% for x in %s %%}{{ x|string }}{%% endfor %%}", "{%% filter upper %%}{{ %s|string }}{%% endfilter %%}", "{{ [%s]|groupby(0)|first|string }}", "{{ [%s]|sort|string }}",
]  # fmt: skip
"""The ways from a value to a text."""


def render(page: str) -> tuple[str, str]:
    """Return the text of a template, and the message where there is none."""
    variables = {
        "platform": Namespace(
            "platform `swan`", {"name": "Swan", "label": max, "values": Namespace("'values'", {"a": "b"})}
        ),
        "platforms": Namespace("'platforms'", {"swan": Namespace("platform `swan`", {"name": "Swan"})}),
        "part": project.load,
        "link": print,
        "table": TemplateEnvironment,
    }
    environment = TemplateEnvironment({"page": Source("page", page)}.get, lambda: ["page"])
    try:
        return strip_origins(environment.render_traced("page", variables)), ""
    except TemplateFailure as stopped:
        return "", stopped.finding.message


@pytest.mark.parametrize("door", DOORS)
def test_no_object_becomes_text(door: str) -> None:
    for value in OBJECTS:
        page = f"{{% macro m() %}}{{% endmacro %}}{{% for a in [1] %}}{door % value}{{% endfor %}}"
        text, message = render(page)
        assert not REPRESENTATION.search(text), (value, text)
        assert not REPRESENTATION.search(message), (value, message)


def test_there_are_five_hundred_attempts() -> None:
    assert len(list(itertools.product(DOORS, OBJECTS))) >= 500


def test_an_object_in_a_real_project_is_an_error_that_names_the_call(tmp_path: Path) -> None:
    page = "---\ntitle: Welcome\n---\n\n{{ '%s' % part }}\n"
    read = project.load(project.write(tmp_path, templates={**project.TEMPLATES, "steps/welcome.md.j2": page}))
    (finding,) = read.errors
    message = "`%` prints text and numbers; a function cannot be printed; call it, with `()` after its name"
    assert finding.message == message


@pytest.mark.parametrize("name", sorted(GONE))
def test_filters_whose_output_changes_are_gone(name: str) -> None:
    assert render(f"{{{{ [1, 2]|{name} }}}}") == ("", f"templates have no filter `{name}`: {GONE[name]}")


# Cost

COSTLY = [
    "'{0:{1}}'.format(1, '3000000000')", "'{:{}{}}'.format(1, 30000, 99999)", "'{:.{}}'.format(1.5, '1000000000')", "'{:{a[0]}}'.format(1, a=['3000000000'])",
    "'%*s' % (99999999, 'a')", "'%.*f' % (99999999, 1.5)", "('%99999s' * 9999) % ((1,) * 9999)", "('{:99999}' * 9999).format(*[1] * 9999)",
    "('a' * 999999)|wordwrap(1)", "('ab' * 400000)|groupby(0)|list|length", "('ab' * 400000)|sort|length", "('a' * 999999)|map('upper')|list|length",
    "('a' * 1999999)|list|length", "('a' * 1999999).split('a')|length", "('a ' * 999999).split()|length", "('a' * 1999999)|replace('a', 'b')", "('a' * 1999999)|unique|list",
    "('a' * 1999999)|max", "('<!---->' * 200000)|striptags", "(')' * 999999)|urlize", "('a' * 1999999)|join('b')", "'b'.join('a' * 1999999)",
    "1|round(1000000000, 'ceil')", "5|round(-1000000000)", "([[1] * 20] * 50000)|sum(start=[])", "dict(*('a' * 1999999))", "'{}'.format(*('a' * 1999999))",
    "range(99999)|select('in', range(99999)|list)|list|length", "(1).to_bytes(1000000000, 'big')",
]  # fmt: skip


@pytest.mark.parametrize("expression", COSTLY)
def test_a_call_that_costs_much_is_refused_before_it_works(expression: str) -> None:
    text, message = render(f"{{{{ {expression} }}}}")
    assert text == ""
    assert re.search("steps|width|longer|not use|adds numbers|too large|sequence item", message), message


def test_figures_count(tmp_path: Path) -> None:
    page = "---\ntitle: Welcome\n---\n\n{% for a in range(9000) %}{{ figure('f' ~ a, alt='x') }}\n{% endfor %}"
    read = project.load(project.write(tmp_path, templates={**project.TEMPLATES, "steps/welcome.md.j2": page}))
    assert "the page takes more than 500,000 steps: are there nested loops?" in {f.message for f in read.errors}


# What is fine

FINE = [
    ("{{ '%s and %5.1f%%' % ('a', 2) }}", "a and   2.0%"), ("{{ '%-5s|' % 'a' }}", "a    |"), ("{{ '%(a)s' % {'a': 1} }}", "1"), ("{{ '%05d' % 42 }}", "00042"),
    ("{{ '{} {b}'.format('a', b='c') }}", "a c"), ("{{ '{0:>{1}}'.format('a', 3) }}", "  a"), ("{{ '{{}}{}'.format(1) }}", "{}1"), ("{{ '{0[0]}{0[1]}'.format([1, 2]) }}", "12"),
    ("{{ '{!r}'.format('a') }}", "'a'"), ("{{ '{a.name}'.format(a=platform) }}", "Swan"), ("{{ '%s'|format(1) }}", "1"), ("{{ 'a<b'|e }}", "a&lt;b"), ("{{ 'a'|tojson }}", '"a"'),
    ("{{ [1, 'a']|tojson }}", '[1, "a"]'), ("{{ [1, 2.5]|sum }}", "3.5"), ("{{ 'ab'|list|join('-') }}", "a-b"), ("{{ [1, 2]|join(', ') }}", "1, 2"), ("{{ 1|string }}", "1"),
    ("{{ true|string }}", "True"), ("{{ 'a b'|title }}", "A B"), ("{{ {'a': 1}|xmlattr }}", ' a="1"'), ("{{ {'a': 1}|urlencode }}", "a=1"), ("{{ [platform]|map(attribute='name')|join }}", "Swan"),
    ("{{ [platform]|join(attribute='name') }}", "Swan"), ("{{ 'a'|center(3) }}", " a "), ("{{ 2.567|round(1) }}", "2.6"), ("{{ '%c' % 'a' }}", "a"), ("{{ '%x' % 255 }}", "ff"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "text"), FINE)
def test_texts_and_numbers_are_printed_as_ever(page: str, text: str) -> None:
    assert render(page) == (text, "")
