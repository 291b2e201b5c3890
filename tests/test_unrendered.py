"""The literal text of templates that could not be rendered is linted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool import api

DATA = """
platforms:
  ios: {name: iOS}
  web: {name: Web}
tutorials:
  start: {title: Start, steps: [install, check]}
"""


def _lint(root: Path, text: str) -> list[str]:
    folder = root / "site_templates/steps"
    folder.mkdir(parents=True)
    (root / "docs_src").mkdir()
    (root / "platforms.yaml").write_text(DATA)
    (folder / "check.md.j2").write_text("---\ntitle: Check\n---\n\nLook at the lamp.\n")
    (folder / "install.md.j2").write_text(f"---\ntitle: Install\n---\n\n{text}\n")
    starts = ((finding.rule, finding.span) for finding in api.lint(root))
    places = ((rule, span.source.path, span.source.get_position(span.start)) for rule, span in starts)
    return [f"{rule}:{at.line}:{at.column}" for rule, path, at in places if path.endswith("install.md.j2")]


@pytest.mark.parametrize("error", ["{{ wrong }}", "{% if %}", "{{ link('nowhere') }}"])
def test_one_wrong_name_hides_no_other_finding(tmp_path: Path, error: str) -> None:
    found = _lint(tmp_path, f"You will recieve the the lamp. {error}")
    assert {"misspelling:5:10", "repeated-word:5:18"} <= set(found)
    assert len(found) == 3


def test_the_language_that_the_settings_tell_is_that_of_a_template(tmp_path: Path) -> None:
    (tmp_path / "tutorial-tool.toml").write_text('lang = "de"\n')
    text = "Die Lampe ist an, und und der Knopf recieve nicht. {{ wrong }}"
    assert _lint(tmp_path, text) == ["undefined-name:5:55"]


def test_tags_keep_words_apart(tmp_path: Path) -> None:
    text = "{{ wrong }}\n\nA {% if platform.can %}the{% else %}the{% endif %} lamp is the {{ the }} the {# a #} a lamp."
    assert [finding for finding in _lint(tmp_path, text) if not finding.startswith("undefined")] == []
