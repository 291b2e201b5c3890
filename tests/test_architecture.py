"""The rooms import in one direction, and the core stays small: architecture.md, drawn by the code itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tutorial_tool

PACKAGE = Path(tutorial_tool.__file__).parent

LAYERS = (
    {"gist", "git", "lazy_re", "nodes", "offsets", "rendered"},
    {"cache", "conflicts", "constructs", "dialect", "shortcodes", "source", "table_form", "table_rows", "unspaced"},
    {"cache", "finding", "ordinary", "ordinary_blocks"},
    {"dispatch", "traced"},
    {"files", "history", "html_tags", "library", "scalar_origins", "states", "toml_places", "yaml_mistakes"},
    {"data", "revisions"},
    {"front_texts", "language", "parser"},
    {"pieces", "template_limits", "ui_strings", "words"},
    {"untrusted"},
    {"config", "engines", "manual", "plugin_options", "schema", "template"},
    {"arguments", "comments", "document", "model"},
    {"kept", "sections"},
    {"context"},
    {"figures"},
    {"site"},
    {"addresses", "beside", "guarded", "navigation", "patience", "published", "trial", "uses", "variants"},
    {"align", "evidence", "needs", "order", "render", "switcher"},
    {"moved", "readers", "sharing", "theme"},
    {"inventory", "search_labels"},
    {"rules"},
    {"fingerprint", "settings"},
    {"baseline", "heard", "ignores"},
    {"noted", "processes"},
    {"judging"},
    {"linter", "on_disk"},
    {"built", "external", "harm"},
    {"fix", "targets"},
    {"changed"},
    {"adopt", "in_force", "report", "run"},
    {"compare", "config_pages", "explain", "init", "rule_pages", "watch"},
    {"difference", "writing"},
    {"lsp"},
    {"rebuild"},
    {"cli", "plugin"},
    {"__main__"},
)
"""The rooms, lowest first: each imports from those before it only. A folder is one room."""
SHELLS = LAYERS[-2] | {"rebuild"}
ENGINES = ("mkdocs", "properdocs", "material", "zensical")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, also inside of functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_of(path: Path) -> set[str]:
    """The rooms of the package that a file imports, its own aside."""
    names = {name.split(".")[1] for name in imported(path) if name.startswith("tutorial_tool.")}
    return {name for name in names - {room(path)} if any(name in layer for layer in LAYERS)}


def layer(name: str) -> int:
    return next(index for index, names in enumerate(LAYERS) if name in names)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    if room(path) == "__init__":
        return  # the public names: tests/test_api.py
    wrong = {name for name in rooms_of(path) if layer(name) >= layer(room(path))}
    assert not wrong, f"{path.name} imports {', '.join(sorted(wrong))}, which stand above it or beside it"


def test_every_room_has_its_place() -> None:
    rooms = {room(path) for path in modules()} - {"__init__"}
    assert rooms <= set().union(*LAYERS), "a new room: give it a place in LAYERS and a line in architecture.md"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_knows_no_site_generator(path: Path) -> None:
    engines = {name for name in imported(path) if name.split(".")[0] in ENGINES}
    assert room(path) in SHELLS or not engines


def loaded_by_linting(folder: Path, text: str) -> set[str]:
    """The modules that are loaded where one page in a folder of its own is linted."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    code = (
        "import json, sys\n"
        "from tutorial_tool.cli import main\n"
        "try:\n    main(['lint', sys.argv[1]])\n"
        "except SystemExit as end:\n    code = end.code\n"
        "print(json.dumps([code, sorted(sys.modules)]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, page], capture_output=True, text=True, cwd=folder, check=False)
    assert ran.returncode == 0, ran.stderr
    ended, loaded = json.loads(ran.stdout.splitlines()[-1])
    assert ended == 0, ran.stderr
    assert "tutorial_tool.linter" in loaded
    return set(loaded)


def test_linting_a_page_loads_neither_an_engine_nor_anything_slow(tmp_path: Path) -> None:
    loaded = loaded_by_linting(tmp_path, "---\ntitle: A\n---\n\n# Title\n\nA line of text.\n")
    slow = {name.split(".")[0] for name in loaded} & {*ENGINES, "rich", "pydantic", "markdown", "pygls", "ftfy"}
    assert not slow


PROJECTS = {
    "context",
    "figures",
    "model.building",
    "model.parts",
    "schema",
    "site.collisions",
    "site.loading",
    "template",
}
COPIES = {"align", "rules._copies", "rules.missing_row", "rules.foreign_name", "rules.mixed_values"}
ELSEWHERE = {"beside", "external", "fix", "inventory", "ui_strings", "words.foreign", "words.patterns"}
PACKAGES = {"frontmatter", "jinja2", "markdown_it", "pathspec", "rapidfuzz", "spylls", "symspellpy", "yaml"}
STANDARD = {"email", "http", "random", "secrets", "socket", "ssl", "subprocess", "tempfile", "tomllib"}


def test_linting_a_plain_page_loads_nothing_of_projects_copies_and_other_files(tmp_path: Path) -> None:
    loaded = loaded_by_linting(tmp_path, "# Title\n\nA line of text, and [a link](https://example.com/).\n\n- One\n")
    too_much = {f"tutorial_tool.{name}" for name in PROJECTS | COPIES | ELSEWHERE} | PACKAGES | STANDARD
    assert sorted(loaded & too_much) == []
