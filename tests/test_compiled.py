"""Templates of a theme that another process compiles before a build asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, TemplateSyntaxError
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from tests.work import calls_of
from tutorial_tool.mkdocs_plugin import compiled

THEMES = ["material", "mkdocs", "readthedocs"]


def site(root: Path, theme: str = "mkdocs", **templates: str) -> MkDocsConfig:
    """The configuration of a site with templates of its own."""
    (root / "docs").mkdir(exist_ok=True)
    (root / "ours").mkdir(exist_ok=True)
    for name, text in templates.items():
        (root / f"ours/{name}.html").write_text(text)
    (root / "mkdocs.yml").write_text(f"site_name: Site\ntheme: {{name: {theme}, custom_dir: ours}}\n")
    return load_config(str(root / "mkdocs.yml"))


def compiling(env: Environment, *names: str) -> int:
    """How many templates Jinja compiles when these are asked for."""
    return calls_of(Environment.compile.__code__, lambda: [env.get_template(name) for name in names])


def prepared(config: MkDocsConfig) -> Environment:
    """What MkDocs renders with, where the templates were compiled before."""
    env = config.theme.get_env()
    env.bytecode_cache = compiled.Compiled(compiled.compile_templates(config))
    return env


@pytest.mark.parametrize("theme", THEMES)
def test_all_that_pages_are_made_with_is_compiled_before(tmp_path: Path, theme: str) -> None:
    config = site(tmp_path, theme)
    names = ["main.html", "base.html", *config.theme.static_templates]
    alone = config.theme.get_env()
    alone.bytecode_cache = None
    assert compiling(alone, *names) == len(names)
    assert compiling(prepared(config), *names) == 0


def test_a_template_that_has_changed_is_compiled_as_it_is_now(tmp_path: Path) -> None:
    config = site(tmp_path, main="{% include 'part.html' %}", part="one")
    env = prepared(config)
    (tmp_path / "ours/part.html").write_text("two")
    assert env.get_template("main.html").render() == "two"


def test_what_pages_name_as_they_are_written_is_compiled_then(tmp_path: Path) -> None:
    env = prepared(site(tmp_path, main="{% include name ~ '.html' %}", part="found"))
    assert compiling(env, "main.html") == 0
    assert env.get_template("main.html").render(name="part") == "found"


def test_a_mistake_in_a_template_is_told_by_who_needs_it(tmp_path: Path) -> None:
    env = prepared(site(tmp_path, main="{% include ['broken.html', 'gone.html'] %}", broken="{% if %}"))
    assert compiling(env, "main.html") == 0
    with pytest.raises(TemplateSyntaxError, match="Expected an expression"):
        env.get_template("broken.html")
