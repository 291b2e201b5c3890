"""After any edit, a run that remembers the one before finds what a run that knows nothing finds."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import project
from tests.test_kept import told
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import NothingToLint, find
from tutorial_tool.lsp import folders
from tutorial_tool.site import Memory

COPIES = Path(__file__).parent / "copies"
SETTINGS = (
    'extend-select = ["ALL"]\n',
    'extend-select = ["ALL"]\nlang = "de"\n',
    'severity = {repeated-word = "hint", drifted-wording = "error"}\n',
    'extend-select = ["ALL"]\nvocabulary = ["Otter", "recieve"]\n',
)


class Author:
    """Somebody who edits the files of a folder without plan: letters, words, lines, whole files, the settings."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance = root, random.Random(seed)
        self.before = {name: self.read(name) for name in self.files()}

    def files(self) -> list[str]:
        found = (path for path in self.root.rglob("*") if path.suffix in (".md", ".mdx", ".j2", ".yaml"))
        return sorted(path.relative_to(self.root).as_posix() for path in found)

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self) -> dict[str, str]:
        """One edit; returns what is open in the editor, unsaved."""
        name = self.chance.choice(self.files())
        kind = self.chance.random()
        if kind < 0.06:
            self.write("tutorial-tool.toml", self.chance.choice(SETTINGS))
        elif kind < 0.12:
            (self.root / name).rename(self.root / name.replace(".", "-old.", 1))
        elif kind < 0.18:
            self.write(self.chance.choice(list(self.before)), self.read(name))
        elif kind < 0.22 and len(self.files()) > 4:
            (self.root / name).unlink()
        elif kind < 0.4:
            back = self.chance.choice(list(self.before))
            self.write(back, self.before[back])
        elif kind < 0.7:
            self.write(name, self.typed(self.read(name)))
        else:
            return {name: self.typed(self.read(name))}
        return {}

    def typed(self, text: str) -> str:
        lines = text.split("\n")
        at = self.chance.randrange(len(lines))
        words = lines[at].split(" ")
        word = self.chance.randrange(len(words))
        other = self.chance.choice(list(self.before.values())).split("\n")
        match self.chance.randrange(8):
            case 0:
                words[word] = words[word][1:]
            case 1:
                words[word : word + 1] = [words[word]] * 2
            case 2:
                words[word] = words[word].swapcase()
            case 3:
                words[word] = self.chance.choice(self.chance.choice(other).split(" "))
            case 4:
                return "\n".join([*lines[:at], *lines[at + 1 :]])
            case 5:
                return "\n".join([*lines[:at], self.chance.choice(other), "", *lines[at:]])
            case 6:
                return "\n".join([*lines[: at + 1], lines[at], *lines[at + 1 :]])
            case _:
                words.append("See [there](../nowhere.md#end), step 7.3 and ![](a.png).")
        return "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]])


def with_copies(root: Path) -> Path:
    """A project, of which one page is kept by hand, beside pages of its own."""
    welcome = "---\ntitle: Welcome\n---\n\nOpen the Swan app. Read [on](prepare.md).\n"
    docs = {"guide/swan/welcome.md": welcome, "about.md": "# About\n\nSee [the guide](guide/swan/welcome.md#top).\n"}
    return project.write(root, docs=docs)


def proven(root: Path, edits: int, seed: int) -> None:
    author, memories = Author(root, seed), dict[object, Memory]()
    for number in range(edits):
        overlay = author.edit()
        try:
            (target,) = find((), LookupOptions(root))
        except NothingToLint:
            continue
        memory = memories.setdefault(folders.get_key(target), Memory(is_stored=True))  # as a language server does
        found = told(target.lint(overlay, memory).findings)
        assert found == told(target.lint(overlay).findings), f"edit {number} of seed {seed}"
        assert found == told(target.lint(overlay, memory).findings), f"nothing after edit {number} of seed {seed}"


USES = (
    "Then open LampDesk and wait for the light.",
    "You can also ask LampDesk for the key of your account.",
    "Before you start, choose a color in the Sample App.",
    "After that, add the light to LampDesk, and check that it is on.",
    "If the light is off, look at it in the Sample App.",
    "When you are done, close the Lampdesk window, or use the sample app.",
    "This is what `LampDesk` and `Lampdesk` show in the code.",
)


def with_names(root: Path) -> Path:
    """Pages that write names in several ways, in prose and in code."""
    for number in range(12):
        text = "\n\n".join(USES[(number + at) % (5 + number % 3)] + f" It is step {number}." for at in range(4))
        (root / f"{number}.md").write_text(f"# The light of room {number}\n\n{text}\n", encoding="utf-8")
    return root


def copied(name: str) -> Callable[[Path], Path]:
    return lambda root: Path(shutil.copytree(COPIES / name, root / "docs")).parent


TREES = (with_copies, with_names, *map(copied, ("smart-lock", "bare-files", "wearables", "two-bases")))


@pytest.mark.parametrize("make", TREES[:4])
def test_any_edits(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    proven(make(tmp_path), 5, 1)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("make", TREES)
def test_200_edits(tmp_path: Path, make: Callable[[Path], Path], seed: int) -> None:
    proven(make(tmp_path), 200, seed)
