"""What import contracts (`lint-imports`) cannot say: which engines, private modules and slow packages are imported."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import tutorial_tool

PACKAGE = Path(tutorial_tool.__file__).parent

SHELLS = {"cli", "mkdocs_plugin"}
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


def test_the_core_knows_no_site_generator() -> None:
    for path in modules():
        engines = {name for name in imported(path) if name.split(".")[0] in ENGINES}
        assert room(path) in SHELLS or not engines, path


def test_a_private_module_is_imported_in_its_package_only() -> None:
    for path in modules():
        own = ".".join(("tutorial_tool", *path.relative_to(PACKAGE).parent.parts, ""))
        for name in imported(path):
            package, _, private = name.partition("._")
            if private and not private.startswith("_") and name.startswith("tutorial_tool."):
                assert own.startswith(f"{package}."), f"{path}: {name} is private to {package}"


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
    assert "tutorial_tool.linter.engine" in loaded
    return set(loaded)


def test_linting_a_page_loads_neither_an_engine_nor_anything_slow(tmp_path: Path) -> None:
    loaded = loaded_by_linting(tmp_path, "---\ntitle: A\n---\n\n# Title\n\nA line of text.\n")
    slow = {name.split(".")[0] for name in loaded} & {*ENGINES, "rich", "pydantic", "markdown", "pygls", "ftfy"}
    assert not slow


PROJECTS = {
    "data.model.building",
    "data.model.parts",
    "data.schema_types",
    "site.collisions",
    "site.figures",
    "site.loading",
    "templating.environment",
    "templating.functions",
}
COPIES = {
    "rules._shared._copies",
    "rules.drift.foreign_name",
    "rules.tables.missing_row",
    "rules.tables.mixed_values",
    "variation",
}
ELSEWHERE = {
    "external_linters",
    "linter.fixer",
    "links.external",
    "publishing.inventory",
    "spelling.foreign",
    "spelling.patterns",
    "spelling.ui_strings",
}
PACKAGES = {"frontmatter", "jinja2", "markdown_it", "pathspec", "rapidfuzz", "spylls", "symspellpy", "yaml"}
STANDARD = {"email", "http", "random", "secrets", "socket", "ssl", "subprocess", "tempfile", "tomllib"}


def test_linting_a_plain_page_loads_nothing_of_projects_copies_and_other_files(tmp_path: Path) -> None:
    loaded = loaded_by_linting(tmp_path, "# Title\n\nA line of text, and [a link](https://example.com/).\n\n- One\n")
    too_much = {f"tutorial_tool.{name}" for name in PROJECTS | COPIES | ELSEWHERE} | PACKAGES | STANDARD
    assert sorted(loaded & too_much) == []
