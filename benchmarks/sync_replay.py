"""Replays the history of documentation: would `sync` have carried an edit of one copy to a sibling as a person did?

    python benchmarks/sync_replay.py CLONE... [--commits N] [--sets N] [-v]

Each clone needs a work tree, whose sets of copies are replayed, and its history. An edit of one copy was *carried* to a
sibling if the same commit, or a later one, changes similar lines there in a similar way; it was *never taken* if none
did. Of the first, the script counts those for which `sync` proposes something, and those for which it proposes the
person's text, white space aside; of the second, those for which it is silent. Each proposal is applied by `git apply`.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool import site, variants
from tutorial_tool.core.source import Source
from tutorial_tool.fs import git
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.sync.carry import CarriedEdit, RejectedEdit
from tutorial_tool.sync.edits import LineEdit, find_edits, get_first_line
from tutorial_tool.sync.plan import build_edit, carry_edit, find_siblings
from tutorial_tool.variants import Step

SIMILAR = 85
"""How similar the old, and the new, lines of two edits are, of 100, that are one edit carried over."""
UNLIKE = 70
"""How similar they are at most if the edit was not carried over; in between, it is not counted."""
LATER = 40
"""Later commits of a sibling in which an edit is looked for."""
LARGEST = 200_000
"""Characters of a page that is replayed."""


class Edit(NamedTuple):
    """An edit as text: the lines before and after, without white space at their ends."""

    before: str
    after: str


class Clone:
    """A clone, and what it is asked. Files are read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read = cache(self._read)
        self.commits = cache(self._commits)

    def git(self, *arguments: str) -> str:
        run = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, check=False)
        return run.stdout.decode("utf-8", "replace")

    def _read(self, revision: str, path: str) -> str | None:
        text = self.git("show", f"{revision}:./{path}")
        return text if text and len(text) <= LARGEST else None

    def _commits(self, path: str) -> list[str]:
        """The commits that change a path, the oldest first."""
        return self.git("log", "--no-merges", "--reverse", "--format=%H", "--", path).split()

    def steps(self) -> Iterator[Step]:
        for target in targets.find([], LookupOptions(self.folder)):
            if target.layout is None:
                yield from variants.find_steps(target.load(), target.config.variants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=30, help="newest commits of each set")
    parser.add_argument("--sets", type=int, default=40, help="sets of copies of each clone, evenly chosen")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what is not as the person wrote it")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    print("clone".ljust(36), "sets  carried  proposed  equal   never  silent  applies")
    for folder in options.clones:
        counts = replay(Clone(folder.resolve()), options.commits, options.sets, verbose=options.verbose)
        total.update(counts)
        print(_row(folder.name, counts), flush=True)
    print(_row("all", total))


def _row(name: str, counts: Counter[str]) -> str:
    def share(part: str, whole: str) -> str:
        return f"{counts[part] / counts[whole]:.0%}" if counts[whole] else "-"

    return (
        f"{name:<36} {counts['sets']:>5} {counts['carried']:>8} {share('proposed', 'carried'):>9}"
        f" {share('equal', 'carried'):>6} {counts['never']:>7} {share('silent', 'never'):>7}"
        f" {share('applies', 'patches'):>8}  (equal of proposed: {share('equal', 'proposed')})"
    )


def replay(clone: Clone, most_commits: int, most_sets: int, *, verbose: bool) -> Counter[str]:
    """Count what happened to the edits of a clone's copies."""
    counts: Counter[str] = Counter()
    steps = list(clone.steps())
    for step in steps[:: max(1, len(steps) // most_sets)][:most_sets]:
        paths = {name: page.path for name, page in step.pages.items()}
        commits = clone.git("log", "--no-merges", f"-{most_commits}", "--format=%H", "--", *paths.values()).split()
        counts["sets"] += bool(commits)
        for commit in commits:
            _replay_commit(clone, step, paths, commit, counts, verbose=verbose)
    return counts


def _replay_commit(
    clone: Clone, step: Step, paths: Mapping[str, str], commit: str, counts: Counter[str], *, verbose: bool
) -> None:
    old = {name: text for name, path in paths.items() if (text := clone.read(f"{commit}^", path))}
    new = {name: text for name, path in paths.items() if (text := clone.read(commit, path))}
    edited = [name for name in old if name in new and old[name] != new[name]]
    if len(old) < 2 or not edited:
        return
    with tempfile.TemporaryDirectory() as folder:
        before = _build(step, old, paths, Path(folder))
        for name in edited:
            for sibling in find_siblings(before, name):
                results = carry_edit(before, name, new[name], sibling)
                case = _Case(clone, paths, commit, name, sibling, old, new)
                _check_patch(Path(folder), paths[sibling], old[sibling], results, counts)
                case.count(results, counts, verbose=verbose)


def _build(step: Step, texts: Mapping[str, str], paths: Mapping[str, str], folder: Path) -> Step:
    for name, text in texts.items():
        path = folder / paths[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    read = site.load_plain([folder / paths[name] for name in texts], folder)
    pages = {page.path: page for page in read.pages}
    by_name = {name: pages[paths[name]] for name in texts if paths[name] in pages}
    return Step(step.id, step.pattern, by_name, {name: step.variants[name] for name in by_name}, read)


def _check_patch(
    folder: Path, path: str, text: str, results: Sequence[CarriedEdit | RejectedEdit], counts: Counter[str]
) -> None:
    carried = [result for result in results if isinstance(result, CarriedEdit)]
    if not carried:
        return
    source = Source(path, text)
    patch = git.write_patch(
        f"a/{path}", f"b/{path}", text, source.apply(build_edit(source, change) for change in carried)
    )
    run = subprocess.run(
        ["git", "apply", "--check", "-"], cwd=folder, input=patch.encode(), capture_output=True, check=False
    )
    counts["patches"] += 1
    counts["applies"] += run.returncode == 0


class _Case:
    """An edit of one copy in one commit, and a sibling."""

    def __init__(
        self,
        clone: Clone,
        paths: Mapping[str, str],
        commit: str,
        name: str,
        sibling: str,
        old: Mapping[str, str],
        new: Mapping[str, str],
    ) -> None:
        self.clone, self.commit = clone, commit
        self.is_first = name < sibling
        self.path = paths[sibling]
        self.old, self.new = old[name].split("\n"), new[name].split("\n")
        self.sibling = old[sibling].split("\n")
        self.other = {" ".join(line.split()) for line in self.sibling}
        self.same_commit = _edits(old[sibling], new.get(sibling, ""))
        self.own_edits = find_edits(self.sibling, new[sibling].split("\n")) if sibling in new else []
        self.where = f"{commit[:10]} {paths[name]} -> {self.path}"

    def count(self, results: Sequence[CarriedEdit | RejectedEdit], counts: Counter[str], *, verbose: bool) -> None:
        by_line = {result.line: result for result in results}
        for edit in find_edits(self.old, self.new):
            text = _as_text(edit, self.old, self.new)
            if text.before == text.after or self._is_there(text):
                continue
            result = by_line.get(get_first_line(edit, self.new))
            taken = _similar(text, self.same_commit)
            if taken and not self.is_first:
                continue  # counted from the other side
            taken = taken or _similar(text, self._later())
            if taken:
                self._count_carried(text, taken, result, counts, verbose=verbose)
            elif self._lives_on and not self._may_be_taken(text, result):
                is_proposed = isinstance(result, CarriedEdit) and not self._is_contested(result)
                counts["never"] += 1
                counts["silent"] += not is_proposed
                if verbose and is_proposed and isinstance(result, CarriedEdit):
                    print(f"NOT SILENT {self.where}\n- {text.before}\n+ {text.after}\n= {_joined(result.lines)}")

    def _count_carried(
        self, text: Edit, taken: Edit, result: CarriedEdit | RejectedEdit | None, counts: Counter[str], *, verbose: bool
    ) -> None:
        counts["carried"] += 1
        is_proposed = isinstance(result, CarriedEdit)
        is_equal = isinstance(result, CarriedEdit) and _joined(result.lines) == taken.after
        counts["proposed"] += is_proposed
        counts["equal"] += is_equal
        counts[f"why {result.reason}" if isinstance(result, RejectedEdit) else "why -"] += 1
        if verbose and not is_equal:
            shown = _joined(result.lines) if isinstance(result, CarriedEdit) else result
            print(f"NOT EQUAL {self.where}\n- {text.before}\n+ {text.after}\nperson {taken}\ntool = {shown}")

    def _is_contested(self, result: CarriedEdit) -> bool:
        """Whether the commit edits the same lines of the sibling itself, which `sync` leaves alone."""
        end = max(result.end, result.start + 1)
        return any(edit.start < end and result.start < max(edit.end, edit.start + 1) for edit in self.own_edits)

    def _is_there(self, edit: Edit) -> bool:
        """Whether the sibling had the new lines before, so that the edited page caught up."""
        lines = [" ".join(line.split()) for line in edit.after.split("\n") if line.strip()]
        return bool(lines) and all(line in self.other for line in lines)

    def _may_be_taken(self, text: Edit, result: CarriedEdit | RejectedEdit | None) -> bool:
        """Whether the sibling has an edit that is somewhat like one, or does all that is proposed."""
        others = [*self.same_commit, *self._later()]
        proposed = (
            Edit(_joined(self.sibling[result.start : result.end]), _joined(result.lines))
            if isinstance(result, CarriedEdit)
            else None
        )
        is_done = proposed is not None and any(_is_within(proposed, other) for other in others)
        return is_done or _similar(text, others, UNLIKE) is not None

    def _later(self) -> list[Edit]:
        commits = self.clone.commits(self.path)
        since = self.clone.git("rev-list", "--no-merges", f"{self.commit}..HEAD", "--", self.path).split()
        known = set(since)
        later = [commit for commit in commits if commit in known][:LATER]
        return [edit for commit in later for edit in _edits_of(self.clone, commit, self.path)]

    @property
    def _lives_on(self) -> bool:
        """Whether the sibling is still there."""
        return self.clone.read("HEAD", self.path) is not None


@cache
def _edits_of(clone: Clone, commit: str, path: str) -> tuple[Edit, ...]:
    return tuple(_edits(clone.read(f"{commit}^", path) or "", clone.read(commit, path) or ""))


def _edits(old: str, new: str) -> list[Edit]:
    before, after = old.split("\n"), new.split("\n")
    return [_as_text(edit, before, after) for edit in find_edits(before, after)] if old and new else []


def _as_text(edit: LineEdit, old: Sequence[str], new: Sequence[str]) -> Edit:
    return Edit(_joined(old[edit.start : edit.end]), _joined(new[edit.new_start : edit.new_end]))


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(text for line in lines if (text := " ".join(line.split())))


def _is_within(edit: Edit, other: Edit) -> bool:
    """Whether one edit takes out, and puts in, no line that another does not."""
    return all(set(lines.split("\n")) <= set(all_.split("\n")) | {""} for lines, all_ in zip(edit, other, strict=True))


def _similar(edit: Edit, others: Sequence[Edit], least: int = SIMILAR) -> Edit | None:
    """The edit of a sibling that is most like one, if any is like it."""
    scored = [
        (min(fuzz.ratio(edit.before, other.before), fuzz.ratio(edit.after, other.after)), other)
        for other in others
        if bool(edit.before) == bool(other.before) and bool(edit.after) == bool(other.after)
    ]
    best = max(scored, key=lambda item: item[0], default=(0.0, None))
    return best[1] if best[0] >= least else None


if __name__ == "__main__":
    main()
