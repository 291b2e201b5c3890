"""Owners of files, as a repository's CODEOWNERS says."""

from __future__ import annotations

from pathlib import Path

from tutorial_tool.fs.codeowners import read_owners


def test_the_last_pattern_that_matches_counts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/CODEOWNERS").write_text(
        "# owners\n* @all\n/docs/ @docs @writers # both\n*.yaml @data\n/docs/legal/\n", encoding="utf-8"
    )
    owners = read_owners(tmp_path)
    assert owners is not None
    assert list(owners("README.md")) == ["@all"]
    assert list(owners("docs/a/b.md")) == ["@docs", "@writers"]
    assert list(owners("docs/platforms.yaml")) == ["@data"]
    assert list(owners("docs/legal/terms.md")) == [], "a pattern without owners takes them away"
    (tmp_path / "docs").mkdir()
    below = read_owners(tmp_path / "docs")
    assert below is not None
    assert list(below("a.md")) == ["@docs", "@writers"], "paths are relative to where the run starts"


def test_sections_of_gitlab_name_owners(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CODEOWNERS").write_text("[Docs] @docs\n/docs/\n/docs/api/ @api\n", encoding="utf-8")
    owners = read_owners(tmp_path)
    assert owners is not None
    assert list(owners("docs/a.md")) == ["@docs"]
    assert list(owners("docs/api/a.md")) == ["@api"]


def test_a_repository_without_the_file_has_no_owners(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert read_owners(tmp_path) is None
