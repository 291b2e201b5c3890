"""Score what `lint` says of copies kept by hand, and of tabs, against labels that were made before it ran.

    python benchmarks/accuracy/variants.py CLONES [--labels FILE ...] [--apart] [--repo NAME] [--verbose]

`CLONES` is a folder with a clone of each labelled repository, named `owner+name`, at the labelled commit. Nothing is
fetched. A defect is found where an error or a warning covers its line, or names it as a related place; a legitimate
difference is flagged where one begins on its line. Labels with `"apart": true` were kept apart while weights were set:
they are scored with `--apart`, and for nothing else.

A line of a file of labels is a set (`repo`, `rev`, `set`, `files`), or a label: its set, place (`file`, 1-based `line`
and `columns`), whether it is a defect or legitimate, class, severity, `same` where all variants have it, and the tab.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Label = dict[str, Any]
Finding = dict[str, Any]
LOUD = ("error", "warning")


def read_labels(files: Iterable[Path], *, apart: bool) -> list[Label]:
    """The labels of some files: those that were kept apart, or the others. Each gets the files of its set."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    sets = {(row["repo"], row["set"]): row["files"] for row in rows if "files" in row}
    labels = [{**row, "files": sets[row["repo"], row["set"]]} for row in rows if "label" in row]
    return [label for label in labels if bool(label.get("apart")) is apart]


def folder_of(labels: Iterable[Label]) -> str:
    """The folder that a user would lint: that of all labelled files of a repository."""
    folders = [str(Path(file).parent) for label in labels for file in label["files"]]
    return os.path.commonpath(folders) or "."


def run(clone: Path, *options: str) -> str:
    """What the tool prints in a clone."""
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--no-cache", *options]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{clone.name}: {done.stderr.strip()[-500:]}")
    return done.stdout


def discovered(clone: Path, folder: str) -> set[str]:
    """The pages that are taken for variants, or whose tabs are, with paths from the clone's root."""
    lines = (line for line in run(clone, "--show-variants", folder).splitlines() if line.startswith("  "))
    return {os.path.normpath(re.sub(r":\d+$", "", line.strip().split("  ")[0])) for line in lines}


def lines_of(place: Finding) -> Iterator[tuple[str, int]]:
    """The lines that a finding or a related place covers."""
    for line in range(place["line"], (place.get("end_line") or place["line"]) + 1):
        yield os.path.normpath(place["path"]), line


class Score:
    """The counts of one repository."""

    def __init__(self, labels: list[Label], findings: list[Finding]) -> None:
        self.counts: Counter[str] = Counter()
        self.shown: list[str] = []
        self.loud: dict[tuple[str, int], list[Finding]] = defaultdict(list)
        self.starts: dict[tuple[str, int], list[Finding]] = defaultdict(list)
        self.hints: set[tuple[str, int]] = set()
        for finding in findings:
            self._place(finding)
        bad = {(label["file"], label["line"]) for label in labels if label["label"] == "defect"}
        for label in labels:
            if label["label"] == "defect" and label["severity"] in LOUD:
                self._defect(label)
            elif label["label"] == "legit" and (label["file"], label["line"]) not in bad:
                self._legitimate(label)

    def _place(self, finding: Finding) -> None:
        places = [at for place in (finding, *(finding.get("related") or ())) for at in lines_of(place)]
        if finding["severity"] not in LOUD:
            self.hints.update(places)
            return
        for at in places:
            self.loud[at].append(finding)
        self.starts[next(iter(lines_of(finding)))].append(finding)

    def _defect(self, label: Label) -> None:
        at = label["file"], label["line"]
        found, kind = bool(self.loud[at]), "same" if label.get("same") else "one"
        self.counts.update(("defects", f"defects {kind}", f"class {label['cls']}"))
        self.counts.update({"found": found, f"found {kind}": found, "hinted": not found and at in self.hints})
        self.counts[f"class {label['cls']} found"] += found
        rules = ",".join(sorted({finding["rule"] for finding in self.loud[at]}))
        rules = rules or ("(hint)" if at in self.hints else "-")
        self.shown.append(
            f"  {label['id']} {label['severity']:7} {label['cls']:16} {kind:4} {rules:36} {at[0]}:{at[1]}"
        )

    def _legitimate(self, label: Label) -> None:
        found = self.starts[label["file"], label["line"]]
        self.counts.update({"legit": 1, "legit flagged": bool(found)})
        for finding in found:
            place = f"{label['file']}:{label['line']}"
            self.shown.append(f"  {label['id']} legitimate, {finding['rule']} {place}: {finding['message']}")


def percent(part: int, whole: int) -> str:
    """A share as it is printed."""
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none of 0"


def summary(counts: Counter[str]) -> str:
    """One line about a repository, or about all."""
    found = percent(counts["found"], counts["defects"])
    legitimate = percent(counts["legit flagged"], counts["legit"])
    pages = percent(counts["discovered"], counts["pages"])
    return f"found {found}, hints {counts['hinted']}; legitimate flagged {legitimate}; pages discovered {pages}"


def main() -> None:
    """Score all repositories of the labels that are in the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--labels", type=Path, nargs="+", default=sorted((HERE / "labels").glob("*.jsonl")))
    parser.add_argument("--apart", action="store_true", help="the labels that were kept apart, and only these")
    parser.add_argument("--repo", help="one repository, as owner/name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    by_repo: dict[str, list[Label]] = defaultdict(list)
    for label in read_labels(options.labels, apart=options.apart):
        if options.repo in (None, label["repo"]):
            by_repo[label["repo"]].append(label)
    clones = {repo: options.clones / repo.replace("/", "+") for repo in by_repo}

    def judge(repo: str) -> Score | None:
        if not clones[repo].is_dir():
            return None
        folder, labels = folder_of(by_repo[repo]), by_repo[repo]
        score = Score(labels, json.loads(run(clones[repo], "--output-format", "json", folder)))
        files = {file for label in labels for file in label["files"]}
        score.counts.update({"pages": len(files), "discovered": len(files & discovered(clones[repo], folder))})
        return score

    with ThreadPoolExecutor(options.jobs) as pool:
        scores = dict(zip(by_repo, pool.map(judge, by_repo), strict=True))
    total: Counter[str] = Counter()
    for repo, score in scores.items():
        print(f"{repo}: {summary(score.counts) if score else 'no clone'}")
        if score:
            total += score.counts
            print(*(score.shown if options.verbose else ()), sep="\n", end="\n" if options.verbose else "")
    print(f"\nall: {summary(total)}")
    print(f"  in one variant {percent(total['found one'], total['defects one'])}")
    print(f"  the same in all {percent(total['found same'], total['defects same'])}")
    classes = [key for key in total if key.startswith("class ") and not key.endswith(" found")]
    for key in sorted(classes, key=lambda key: -total[key]):
        print(f"  {key[6:]:20} {percent(total[key + ' found'], total[key])}")


if __name__ == "__main__":
    main()
