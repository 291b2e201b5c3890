"""Tags that print what cannot stand where they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import project
from tests.project import TEMPLATES
from tutorial_tool.core.source import Source
from tutorial_tool.site.misplaced import find_in_template

LINK = "`link()` prints a whole link, not a URL: write `{{ link('finish#check', text='the end') }}` for all of it"
TEXT = "`link()` prints a whole link, not a URL: give it the words with `text=`, and write no link around it"
WORDS = "`link()` prints a whole link, and no text for one"
BESIDE = "prints several lines: put it on its own line"


@pytest.mark.parametrize(
    ("text", "tag", "told"),
    [
        ("Go to [the end]({{ link('finish#check') }}).", "{{ link('finish#check') }}", LINK),
        (
            "Key of [{{ link('finish#a') }}](b.md#c).",
            "{{ link('finish#a') }}",
            f"{WORDS}: write `{{{{ link('finish#a') }}}}`",
        ),
        ("Key of [the {{ link('finish') }}](b.md).", "{{ link('finish') }}", f"{WORDS}: write the words with `text=`"),
        (
            "[{{ link('finish', text='x') }}](b.md)",
            "{{ link('finish', text='x') }}",
            f"{WORDS}: write it without a link",
        ),
        ("Go to [it]({{ link('finish', text='x') }}).", "{{ link('finish', text='x') }}", TEXT),
        ('<a href="{{ link(ref) }}">it</a>', "{{ link(ref) }}", TEXT),
        ("![it]({{ figure('x', alt='y') }})", "{{ figure('x', alt='y') }}", "`figure()` prints a whole image"),
        ("As follows: {{ table('settings') }}", "{{ table('settings') }}", f"`table()` {BESIDE}"),
        ("{{ table('settings') }} as said", "{{ table('settings') }}", f"`table()` {BESIDE}"),
        ("1. Run {{ code('start') }}", "{{ code('start') }}", f"`code()` {BESIDE}"),
        ("```sh\n{{ code('start') }}\n```", "{{ code('start') }}", "`code()` prints its own fence: remove"),
        (
            "{% if platform.can('fly') %}Text {{ table('settings') }}{% else %}None{% endif %}",
            "{{ table('settings') }}",
            f"`table()` {BESIDE}",
        ),
        ("A {% if x %}{{ code('start') }}{% endif %}", "{{ code('start') }}", f"`code()` {BESIDE}"),
        ("{# a #} x {{- code('start') -}}", "{{- code('start') -}}", f"`code()` {BESIDE}"),
    ],
)
def test_what_is_misplaced_is_told_at_its_tag(text: str, tag: str, told: str) -> None:
    found = find_in_template(Source("a.md.j2", f"---\ntitle: A\n---\n\n{text}\n"))
    assert [finding.span.text for finding in found] == [tag]
    assert told in found[0].message


@pytest.mark.parametrize(
    "text",
    [
        "[it](finish.md) {{ link('finish') }} ({{ link('finish') }})",
        "[{{ link('finish', text='x') }}]",
        "[it]({{ platform.values.docs }})",
        "{{ table('settings') }}\n{: .big }",
        "Text\n{{ table('settings') }}\nText",
        "    {{ code('start') }}",
        "- {{ table('settings') }}",
        "> {{ table('settings') }}",
        "{% if platform.can('fly') %}{{ table('settings') }}{% endif %}",
        "{% if platform.can('fly') %}{{ table('settings') }}{% else %}There are none.{% endif %}",
        "{% if platform.can('fly') %}None{% elif x %}{{ code('start') }}{% else %}{{ table('settings') }}{% endif %}",
        "<div markdown>{{ table('settings') }}</div>",
        "````md\n{{ code('start') }}\n````",
        "```sh\nrun\n```\n{{ code('start') }}\n\n```sh",
        "{# As follows: {{ table('settings') }} #}",
        "{% raw %}As {{ code('settings') }}{% endraw %}",
        "Note: {{ part('install') }}",
        "See {{ figure('menu', alt='The menu') }} here.",
    ],
)
def test_what_may_stand_there_is_not(text: str) -> None:
    assert find_in_template(Source("a.md.j2", f"---\ntitle: A\n---\n\n{text}\n")) == ()


def test_a_page_with_something_misplaced_is_an_error_of_its_template(tmp_path: Path) -> None:
    finish = TEMPLATES["steps/finish.md.j2"] + "\nGo [on]({{ link('welcome') }}).\n\nIt: {{ table('settings') }}\n"
    found = project.load(project.write(tmp_path, templates={**TEMPLATES, "steps/finish.md.j2": finish})).errors
    assert [(one.span.path, one.platforms, one.message[:9]) for one in found] == [
        ("site_templates/steps/finish.md.j2", ("swan", "otter"), "`link()` "),
        ("site_templates/steps/finish.md.j2", ("swan", "otter"), "`table()`"),
    ]
