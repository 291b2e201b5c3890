"""The Python API: its names, what it returns and raises, and the example in the guide."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tutorial_tool
from tutorial_tool import Finding, InvalidInput, Severity, TutorialToolError, api, lint, render

REPOSITORY = Path(__file__).parent.parent
PAGE = (REPOSITORY / "docs_src/reference/python-api.md").read_text(encoding="utf-8")
NAMES = {
    "Edit",
    "Finding",
    "Fix",
    "InvalidInput",
    "PathNotFound",
    "Position",
    "Related",
    "Severity",
    "Source",
    "Span",
    "TutorialToolError",
    "lint",
    "render",
}
DATA = "platforms:\n  web: {name: Web}\ntutorials:\n  start:\n    title: Start\n    steps:\n      - menu\n"


def project(folder: Path, template: str) -> Path:
    (folder / "site_templates/steps").mkdir(parents=True)
    (folder / "docs_src").mkdir()
    (folder / "platforms.yaml").write_text(DATA)
    (folder / "site_templates/steps/menu.md.j2").write_text(template)
    return folder


def test_these_names_are_public() -> None:
    assert set(api.__all__) == NAMES
    assert set(tutorial_tool.__all__) == NAMES | {"__version__"}
    assert all(getattr(tutorial_tool, name) is getattr(api, name) for name in NAMES)
    assert all(inspect.getdoc(getattr(api, name)) for name in NAMES)


def test_the_root_holds_packages_and_the_api_only() -> None:
    root = REPOSITORY / "tutorial_tool"
    files = {path.name for path in root.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__main__.py", "api.py", "py.typed"}
    folders = {path for path in root.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert all((folder / "__init__.py").is_file() for folder in folders)


def test_the_package_starts_without_the_api() -> None:
    code = "import sys, tutorial_tool; print('tutorial_tool.api' in sys.modules); tutorial_tool.lint; tutorial_tool.no"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "False\n"
    assert ran.stderr.endswith("AttributeError: module 'tutorial_tool' has no attribute 'no'\n")


def test_the_page_documents_each_name() -> None:
    documented = re.findall(r"^#{2,3} `(\w+)", PAGE, re.MULTILINE)
    assert sorted(documented) == sorted(NAMES)


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    project(tmp_path, "# Menu\n\nOpen the the menu.\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("The the page.\n")
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    outputs = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(examples) == len(outputs) > 1
    for example, output in zip(examples, outputs, strict=True):
        ran = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ran.stdout, ran.stderr) == (output, "")


def test_lint_returns_findings_at_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project(tmp_path, "# Menu\n\nOpen the the menu.\n"))
    finding = next(finding for finding in lint() if finding.rule == "repeated-word")
    assert isinstance(finding, Finding)
    assert (finding.severity, finding.span.position) == (Severity.WARNING, (3, 6))
    assert finding.span.path == "site_templates/steps/menu.md.j2"
    assert finding.fix
    assert "Open the menu." in finding.span.source.apply(finding.fix.edits)


def test_render_returns_what_the_command_writes(tmp_path: Path) -> None:
    files = render(project(tmp_path, "# Menu\n\nOpen the menu.\n"))
    folder = tmp_path / "out"
    command = [sys.executable, "-m", "tutorial_tool", "render", str(folder), "--project", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    written = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert {name: path.read_bytes() for name, path in written.items() if name in files} == files
    assert len(written) == len(files) + 1  # the list of what was written, for the next run


def test_errors_are_of_one_class(tmp_path: Path) -> None:
    project(tmp_path, "{% if %}\n")
    with pytest.raises(InvalidInput) as invalid:
        render(tmp_path)
    assert invalid.value.findings[0].rule == "invalid-template"
    for call in (lambda: lint(tmp_path / "gone"), lambda: render(tmp_path / "gone")):
        with pytest.raises(TutorialToolError, match="there is no") as missing:
            call()
        assert isinstance(missing.value, FileNotFoundError)
