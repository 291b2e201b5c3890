"""Change one thing in one variant of a real set, and count what `lint` says of it.

    python benchmarks/accuracy/swaps.py CLONES [--most N] [--seed N] [--repo NAME] [--tabs] [--verbose]

`CLONES` is a folder with clones of public documentation, named `owner+name`. Nothing is fetched, and the clones stay as
they are: what is linted is a copy of their pages. In each round one random slot that says the same on
all variants of its set is changed in one of them: a number, a state, a negation, the platform's name, a slip of a
letter, or a row or sentence that goes. A change is found where an error or a warning that was not there before covers
its line, names it as a related place, or, for what is missing, stands on the page.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import api, site, variants
from tutorial_tool.data.toggle_words import load_states
from tutorial_tool.variants import Step, tab_steps
from tutorial_tool.variation.model.slots import Slot, build_slots
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.units import OWN

SIZES = (2, 40)
"""The fewest and the most variants of a set."""
_OPPOSITES = {"enabled": "disabled", "disabled": "enabled", "on": "off", "off": "on", "true": "false", "false": "true"}
_DENIED = {
    "is": "is not",
    "are": "are not",
    "can": "cannot",
    "should": "should not",
    "must": "must not",
    "will": "will not",
}


Place = tuple[str, int, str, bool]


class Change(NamedTuple):
    """One change: its kind, the page, the place in its text, and what is written there."""

    kind: str
    path: str
    start: int
    end: int
    new: str
    others: int

    def line(self, text: str) -> int:
        """The line where it stands, from 1."""
        return text.count("\n", 0, self.start) + 1


def changes(step: Step, chance: random.Random) -> Iterator[Change]:
    """One change of each kind that a random slot of a step allows."""
    slots = [slot for slot in build_slots(step) if len(slot.texts) == len(step.pages) and _is_agreed(slot)]
    chance.shuffle(slots)
    done: set[str] = set()
    for slot in slots:
        name = chance.choice(sorted(slot.texts))
        for kind, start, end, new in _of_slot(step, slot, name, chance):
            if kind not in done:
                done.add(kind)
                yield Change(kind, step.pages[name].path, start, end, new, len(step.pages) - 1)


def _is_agreed(slot: Slot) -> bool:
    return slot.kind in ("sentence", "cell") and len({text.key for text in slot.texts.values()}) == 1


def _of_slot(step: Step, slot: Slot, name: str, chance: random.Random) -> Iterator[tuple[str, int, int, str]]:
    text = slot.texts[name]
    tokens = text.tokens
    for at, token in enumerate(tokens):
        if token.is_code:
            continue
        low = token.text.lower()
        is_ordinal = tokens[at + 1 : at + 2] and tokens[at + 1].text in ".)" and at == 0
        if (
            re.fullmatch(r"\d{1,4}", token.text)
            and not is_ordinal
            and tokens[at - 1].key not in ("step", "version", ".")
        ):
            yield "number", token.start, token.end, str(int(token.text) + chance.choice((1, 2, 5, 10)))
        elif low in _OPPOSITES and low in load_states() and slot.kind == "cell":
            new = _OPPOSITES[low]
            yield "state", token.start, token.end, new.capitalize() if token.text[0].isupper() else new
        elif low in _DENIED and slot.kind == "sentence" and not (at + 1 < len(tokens) and tokens[at + 1].key == "not"):
            yield "negation", token.start, token.end, _DENIED[low]
        elif token.key == OWN:
            other = chance.choice(sorted(set(step.variants) - {name}))
            yield "name", token.start, token.end, step.variants[other].name
        elif token.is_word and token.text.islower() and len(token.text) > 6:
            i = chance.randrange(1, len(low) - 2)
            if low[i] != low[i + 1]:
                yield "slip", token.start, token.end, low[:i] + low[i + 1] + low[i] + low[i + 2 :]
    yield from _gone(text, slot)


def _gone(text: Text, slot: Slot) -> Iterator[tuple[str, int, int, str]]:
    plain = text.page.plain
    start, end = plain.rfind("\n", 0, text.start) + 1, plain.find("\n", text.end) + 1 or len(plain)
    line = plain[start:end]
    if slot.kind == "cell" and line.lstrip().startswith("|") and line.rstrip().endswith("|"):
        yield "row", start, end, ""
    elif slot.kind == "sentence" and len(text.tokens) > 6 and text.typed.rstrip().endswith("."):
        yield "sentence", text.start, text.end, ""


def steps_of(clone: Path, folder: str, *, tabs: bool) -> Sequence[Step]:
    """The sets of a clone: of pages, or of tabs."""
    files = sorted(path for path in (clone / folder).rglob("*") if path.suffix in (".md", ".mdx") and path.is_file())
    read = site.load_plain(files, clone)
    found = tab_steps.find_tab_steps(read) if tabs else variants.find_steps(read)
    return [step for step in found if SIZES[0] <= len(step.pages) <= SIZES[1]]


def places(paths: Sequence[Path]) -> Counter[Place]:
    """How often each line of some pages has a finding, or is a related place of one, by rule and whether it is loud."""
    out: Counter[Place] = Counter()
    for finding in api.lint(paths, isolated=True):
        is_loud = finding.severity.value in ("error", "warning")
        for span in (finding.span, *(related.span for related in finding.related)):
            out[span.path, span.source.get_position(span.start).line, finding.rule, is_loud] += 1
    return out


def main() -> None:
    """Change, lint, and print the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--most", type=int, default=10, help="sets that are changed in each clone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repo", nargs="*", help="some repositories, as owner/name, or owner/name:folder")
    parser.add_argument("--tabs", action="store_true", help="tabs of a page instead of pages")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    found: Counter[str] = Counter()
    hinted: Counter[str] = Counter()
    made: Counter[str] = Counter()
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for repo in options.repo or sorted(path.name.replace("+", "/", 1) for path in options.clones.iterdir()):
        name, _, folder = repo.partition(":")
        clone = options.clones / name.replace("/", "+")
        for change, rule, hints in judge(clone, folder, options):
            size = "pair" if change.others == 1 else "several"
            for key in (change.kind, f"{change.kind}, {size}"):
                made[key] += 1
                found[key] += bool(rule)
                hinted[key] += not rule and bool(hints)
            rules[change.kind].update(rule or hints)
            if options.verbose and not rule:
                seen = "only a hint for" if hints else "missed"
                print(f"  {seen} {change.kind}: {change.path} -> {change.new!r} ({change.others} others)")
    for kind in sorted(made):
        by = ", ".join(f"{rule} {count}" for rule, count in rules[kind].most_common(4))
        share = f"{found[kind]:4} of {made[kind]:4} ({found[kind] / made[kind]:.0%})"
        print(f"{kind:20} {share}, {hinted[kind]} more as hints  {by}")


def judge(
    clone: Path, folder: str, options: argparse.Namespace
) -> Iterator[tuple[Change, Sequence[str], Sequence[str]]]:
    """Each change of a clone, with the rules that report it loudly, and those that do as a hint."""
    chance = random.Random(options.seed)
    steps = list(steps_of(clone, folder, tabs=options.tabs))
    chance.shuffle(steps)
    chosen = steps[: options.most]
    if not chosen:
        return
    texts = {page.path: page.plain for page in chosen[0].whole_site.pages}
    wanted = [change for step in chosen for change in changes(step, chance)]
    rounds: list[list[Change]] = []
    for change in wanted:
        home = next((done for done in rounds if all(other.path != change.path for other in done)), None)
        if home is None:
            rounds.append([change])
        else:
            home.append(change)
    with tempfile.TemporaryDirectory() as temporary:
        root, here = Path(temporary).resolve(), Path.cwd()
        os.chdir(root)
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        before = places([root])
        for done in rounds:
            for change in done:
                text = texts[change.path]
                (root / change.path).write_text(
                    text[: change.start] + change.new + text[change.end :], encoding="utf-8"
                )
            new = places([root])
            for change in done:
                line = change.line(texts[change.path])
                covered = {at for at in new if at[0] == change.path and (at[1] == line or not change.new)}
                told = [at for at in covered if new[at] > before[at]]
                yield change, sorted({at[2] for at in told if at[3]}), sorted({at[2] for at in told if not at[3]})
                (root / change.path).write_text(texts[change.path], encoding="utf-8")
        os.chdir(here)


if __name__ == "__main__":
    main()
