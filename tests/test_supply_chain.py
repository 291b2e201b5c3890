"""What users install with the tool: every package at run time has a reason, and a licence that may be used anywhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
ALLOWED = re.compile(
    r"MIT|BSD(?:-[23]-Clause)?|Apache(?:-2\.0)?(?: Software)?|(?:Mozilla Public License|MPL)[- ]2\.0|ISC|PSF-2\.0|HPND|Unlicense|0BSD"
)
"""Licences that ask of users of a program no more than to keep the notice."""


def licence(package: str) -> str:
    """What a package says of its licence: an expression, else its classifiers, else free text."""
    about = metadata.metadata(package)
    classifiers = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License")
    ]
    expression, text = ("".join(about.get_all(field) or ()) for field in ("License-Expression", "License"))
    return expression or "; ".join(classifiers) or text


def installed_with(package: str, found: dict[str, str]) -> dict[str, str]:
    """All packages that one brings at run time, itself among them, by name with their licences."""
    name = re.sub(r"[-_.]+", "-", package).lower()
    if name not in found:
        found[name] = licence(package)
        for line in metadata.requires(package) or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                installed_with(needed.name, found)
    return found


def test_every_licence_is_allowed() -> None:
    found = installed_with("tutorial-tool", {})
    assert len(found) > 20
    assert {name: told for name, told in found.items() if not ALLOWED.search(told)} == {}


def test_a_licence_that_asks_for_more_is_seen() -> None:
    for told in ("GPL-3.0-or-later", "GNU Affero General Public License v3", "Proprietary", "", "CC-BY-NC-4.0"):
        assert not ALLOWED.search(told)


def direct() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line).name for line in project["dependencies"]]


@pytest.mark.parametrize("name", direct())
def test_each_direct_dependency_has_its_reason_and_its_licence_in_the_guide(name: str) -> None:
    guide = (ROOT / "docs_src/explanation/architecture.md").read_text(encoding="utf-8")
    table = guide[guide.index("## Dependencies") :]
    (row,) = [line for line in table.splitlines() if re.search(rf"^\|[^|]*`{re.escape(name)}`", line)]
    reason, told = (cell.strip() for cell in row.strip("|").split("|")[1:])
    assert len(reason.split()) >= 3
    first = ALLOWED.search(licence(name))
    assert first
    assert any(first[0].startswith(part.strip()) for part in told.split(";")), (told, first[0])


def test_ci_writes_down_what_is_installed() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "--require-hashes" in script
    assert "cyclonedx-py environment" in script


# What the Action installs


def needed(name: str, found: set[str]) -> set[str]:
    """The packages that one needs on any system, itself among them."""
    name = re.sub(r"[-_.]+", "-", name).lower()
    if name not in found:
        found.add(name)
        try:
            requirements = metadata.requires(name) or ()
        except metadata.PackageNotFoundError:  # one that another system needs
            requirements = ()
        for line in requirements:
            if "extra ==" not in line:
                needed(Requirement(line).name, found)
    return found


def test_the_action_installs_what_the_lock_names(golden: Callable[[Path, str], None]) -> None:
    head, *entries = re.split(r"\n(?=[\w.-]+==)", (ROOT / "requirements.lock").read_text(encoding="utf-8").rstrip("\n"))
    assert head.startswith("#")
    names = needed("hatchling", needed("tutorial-tool", set())) - {"tutorial-tool"}
    locked = [entry for entry in entries if entry.partition("==")[0].lower() in names]
    assert len(locked) > 20
    assert all("--hash=sha256:" in entry for entry in locked)
    about = (
        "# What the Action installs, by hash: the part of requirements.lock that the tool needs to be built and run.\n"
    )
    golden(ROOT / "requirements-action.lock", about + "\n".join(locked) + "\n")


def test_all_actions_that_are_shipped_or_written_are_pinned() -> None:
    files = [
        ROOT / "action.yml",
        *(ROOT / ".github/workflows").glob("*.yml"),
        *(ROOT / "tutorial_tool/scaffold").rglob("*.yml"),
    ]
    files += (ROOT / "docs_src").rglob("*.md")
    used = {name for file in files for name in re.findall(r"uses: (\S+)", file.read_text(encoding="utf-8"))}
    assert len(used) >= 6
    others = {name for name in used if not name.startswith("example/")}
    assert [name for name in others if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name)] == []
    for file in files:
        checkouts = file.read_text(encoding="utf-8").split("uses: actions/checkout@")[1:]
        assert all("persist-credentials: false" in checkout[:200] for checkout in checkouts), file
