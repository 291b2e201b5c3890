"""Copies that have drifted far are found all the same: a slip in one copy must not hide what it breaks."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.test_variants import steps

PLATFORMS = {"ios": "iOS", "android": "Android", "web": "Web", "flutter": "Flutter"}
WORDS = "window server later never green always other number table road under seven".split()


def tutorial(name: str, step: int) -> str:
    """A page of which more than half is its own."""
    rng = random.Random(step)
    what = [name, "it", "them"]
    shared = [f"{' '.join(rng.choices(WORDS, k=9)).capitalize()} in part {n} of {what[n % 3]}." for n in range(24)]
    mine = random.Random(f"{step}{name}")
    own = [f"{' '.join(mine.choices(WORDS, k=9)).capitalize()} number {n}." for n in range(36)]
    return f"# Step {step} on {name}\n\n" + "\n\n".join(shared + own) + "\n"


def slipped(text: str, rng: random.Random) -> str:
    """A text with one word of a line put in, taken out, or changed, or without the line."""
    lines = text.split("\n\n")
    at = rng.choice([at for at, line in enumerate(lines) if at and line.strip()])
    word = rng.choice(list(re.finditer(r"\w+", lines[at])))
    new = rng.choice([*WORDS, "", f"{word[0]} again"])
    lines[at] = lines[at][: word.start()] + new + lines[at][word.end() :] if rng.random() < 0.85 else ""
    return "\n\n".join(lines)


@pytest.mark.parametrize("slips", range(0, 31, 5))
def test_a_set_stays_whole_while_slips_are_made_in_its_copies(tmp_path: Path, slips: int) -> None:
    tree = {f"docs/{slug}/step{n}.md": tutorial(name, n) for n in (1, 2) for slug, name in PLATFORMS.items()}
    rng = random.Random(slips)
    first = [path for path in tree if "step1" in path]
    for _ in range(slips):
        path = rng.choice(first)
        tree[path] = slipped(tree[path], rng)
    assert set(first) in map(set, steps(tmp_path, tree))


def test_two_pages_are_no_set_because_of_texts_that_differ_in_one_word(tmp_path: Path) -> None:
    shared = [f"Rule {n} holds for all that you do here." for n in range(40)]

    def text(word: str) -> str:
        near = [f"A {each} of the {word[n]} is made in the house." for n, each in enumerate(WORDS[:6])]
        own = [f"The {each} is {word[::-1]} for the day." for each in WORDS[6:]]
        return "\n\n".join((f"# About {word}", *shared, *near, *own))

    tree = {f"docs/{word}.md": text(word) for word in ("alphabet", "grasping")}
    assert steps(tmp_path, tree) == []
