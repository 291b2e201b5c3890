"""Adopts real sets of copies, and measures the templates: conditions, what is written once, and what is saved.

    python -m benchmarks.adopted_sets CLONE... [--sets N] [--least N] [--resolve] [--into DIR]

Only sets whose copies share at least half of their text count; each is adopted alone. `--into` keeps templates, data
and choices of `--resolve`, to be read.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tutorial_tool.adopt import Adoption, AdoptOptions, adopt, base, eligibility, report
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.sets import find

_CONDITION = re.compile(r"\{%[-+]? *(?:if|elif|else)\b|\bif platform\.")
_SENTENCE = re.compile(r"[^\s#|>*-][^\n]*?[.!?](?=\s)")
_WORDS = 4
"""Words of a sentence that counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--sets", type=int, default=10, help="sets of each clone, evenly chosen")
    parser.add_argument("--least", type=int, default=3, help="copies of a set, at least")
    parser.add_argument("--resolve", action="store_true")
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    print("set".ljust(60), "copies shared lines conditions once saved exact choices  saved/possible bytes")
    for clone in options.clones:
        found = find([clone])
        chosen = eligibility.choose_sets(found, base.build_empty())
        sets = [item for item in chosen.sets if len(item.copies) >= options.least]
        for item in sets[:: -(-len(sets) // options.sets) or 1]:
            wishes = AdoptOptions(resolve=options.resolve, root=found.root)
            adoption = adopt([item], base.build_empty(), display=chosen.display, options=wishes)
            counts = _measure(item, adoption)
            total.update(counts)
            print(_row(f"{clone.name} {item}", counts), flush=True)
            if options.into and adoption.project:
                _keep(options.into / clone.name / str(item).replace("/", "+"), adoption)
    print(_row("all", total))


def _measure(copies: CopySet, adoption: Adoption) -> Counter[str]:
    counts = Counter(sets=1, copies=len(copies.copies))
    if adoption.project is None:
        return counts
    files = {path: text for path, text in adoption.project.files.items() if "site_templates/steps" in path}
    template = next(text for path, text in files.items() if path.endswith(".md.j2"))
    shares = adoption.overlaps[str(copies)]
    counts.update(
        adopted=1,
        lines=sum(bool(line.strip()) for line in template.split("\n")),
        conditions=len(_CONDITION.findall(template)),
        possible=shares.common * (shares.copies - 1),
        saved=shares.bytes - sum(len(text.encode()) for text in adoption.project.files.values()),
        common=shares.common * shares.copies,
        total=shares.total,
        choices=sum(choice.winner is not None for choice in adoption.choices),
    )
    everything = " ".join(" ".join(files.values()).split())
    for sentence in _shared_sentences(copies):
        counts["sentences"] += len(sentence)
        counts["once"] += len(sentence) * (everything.count(sentence) <= 1)
    return counts


def _shared_sentences(copies: CopySet) -> Iterator[str]:
    """The sentences that all copies have, and none has twice."""
    texts = [" ".join(copy.text.split()) for copy in copies.copies.values()]
    for match in _SENTENCE.finditer(next(iter(copies.copies.values())).text):
        if len(match[0].split()) >= _WORDS and all(text.count(match[0]) == 1 for text in texts):
            yield match[0]


def _row(name: str, counts: Counter[str]) -> str:
    def share(part: str, whole: str) -> str:
        return f"{counts[part] / counts[whole]:.0%}" if counts[whole] else "-"

    hundred = f"{100 * counts['conditions'] / counts['lines']:.1f}" if counts["lines"] else "-"
    return (
        f"{name[-60:]:<60} {counts['copies']:>6} {share('common', 'total'):>6} {counts['lines']:>5} {hundred:>10}"
        f" {share('once', 'sentences'):>4} {share('saved', 'possible'):>5} {counts['adopted']:>2}/{counts['sets']:<2}"
        f" {counts['choices']:>7}  {counts['saved']}/{counts['possible']}"
    )


def _keep(folder: Path, adoption: Adoption) -> None:
    assert adoption.project is not None
    for path, text in adoption.project.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, newline="")
    kept = replace(adoption, choices=tuple(choice for choice in adoption.choices if choice.winner is not None))
    (folder / "choices.md").write_text(report.render_markdown(kept, []))


if __name__ == "__main__":
    main()
