"""A word goes into the vocabulary wherever the project keeps it, and nothing else of the file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool.config import settings
from tutorial_tool.lsp import vocabulary


def added(folder: Path, name: str, text: str, word: str = "wrod") -> str:
    """The file after the word was added."""
    (folder / name).write_text(text, encoding="utf-8")
    told = settings.load(folder / name, {"grammar": "text"})
    made = vocabulary.build_addition(told, word)
    assert made is not None
    assert made.source is not None
    before = made.source.text
    return before[: made.offset] + made.text + before[made.offset :]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('vocabulary = ["a"] # ours\n', 'vocabulary = ["wrod", "a"] # ours\n'),
        ("vocabulary = []\n", 'vocabulary = ["wrod"]\n'),
        (
            'vocabulary = [\n    # names\n    "a",  # why\n    "b",\n]\n',
            'vocabulary = [\n    # names\n    "wrod",\n    "a",  # why\n    "b",\n]\n',
        ),
        ('# Ours.\nlang = "en"\n', '# Ours.\nvocabulary = ["wrod"]\nlang = "en"\n'),
        ('[severity]\ngrammar = "error"\n', 'vocabulary = ["wrod"]\n\n[severity]\ngrammar = "error"\n'),
        ("", 'vocabulary = ["wrod"]\n'),
    ],
)
def test_into_a_file_of_our_own(before: str, after: str, tmp_path: Path) -> None:
    assert added(tmp_path, "tutorial-tool.toml", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[tool.tutorial-tool]\nlang = "en"\n', '[tool.tutorial-tool]\nvocabulary = ["wrod"]\nlang = "en"\n'),
        ("[project]\n\n[tool.tutorial-tool]", '[project]\n\n[tool.tutorial-tool]\nvocabulary = ["wrod"]\n'),
        (
            '[project]\n\n[tool.tutorial-tool.severity]\ngrammar = "error"\n',
            '[project]\n\n[tool.tutorial-tool]\nvocabulary = ["wrod"]\n\n[tool.tutorial-tool.severity]\ngrammar = "error"\n',
        ),
    ],
)
def test_into_the_projects_shared_file(before: str, after: str, tmp_path: Path) -> None:
    assert added(tmp_path, "pyproject.toml", before) == after


def test_into_the_list_that_the_configuration_names(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("# names\na")
    (tmp_path / "tutorial-tool.toml").write_text('vocabulary-file = "words.txt"\n')
    made = vocabulary.build_addition(settings.load(tmp_path / "tutorial-tool.toml", {}), "wrod")
    assert made is not None
    assert (made.path, made.offset, made.text) == (tmp_path / "words.txt", 9, "\nwrod\n")


def test_into_a_new_file(tmp_path: Path) -> None:
    made = vocabulary.build_addition(settings.Config(tmp_path), 'q"uote')
    assert made is not None
    assert (made.path, made.source, made.text) == (tmp_path / "tutorial-tool.toml", None, 'vocabulary = ["q\\"uote"]\n')
