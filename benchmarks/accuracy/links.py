"""What the rules about addresses say of public trees, and how many breaks that are put into these they report.

    python benchmarks/accuracy/links.py CLONES [--breaks N] [--only NAME ...] [--seed TEXT]
    python benchmarks/accuracy/links.py CLONES --from-docs [--only NAME ...]

`CLONES` is a folder with a clone of each repository, named `owner+name`. Nothing is fetched, and the clones stay as
they are: breaks are put into a copy. A break is one of three: a letter of the last part of a link's path is altered, or
one of its anchor, or a page that links lead to is removed. Only links that lead to a page now are broken, and only in
forms of which four fifths lead somewhere, where it is known who publishes them, and not in older versions, which are
not linted. Five are put into a copy at a time, as many of one form are a doubt about the whole site. A break is
reported where an error or a warning that was not there before begins on its line, or, for a removed page, on the line
of a link to it. Files that are empty in a clone are skipped, and so are pages that the same site has in its main
language, which many sites show where a translation lacks one.

`--from-docs` compares what is found from the root of a tree with what is found from each of its folders of pages.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tutorial_tool import links
from tutorial_tool.core import language
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.engine import SAME_PROBLEM
from tutorial_tool.site import Page

AT_ONCE = 5  # Breaks in one copy
RULES = ("broken-link", "broken-anchor", "broken-redirect", "missing-image", "broken-list-numbering")
KINDS = ("inline", "definition", "html", "component")
"""Links as people type them."""
Finding = dict[str, Any]
Line = tuple[str, int]


class Break(NamedTuple):
    """A break: its kind, the file that it changes, and the lines on which it may be reported.

    `span` is what is replaced by `text`; none where the whole file goes.
    """

    kind: str
    path: str
    lines: frozenset[Line]
    span: tuple[int, int] | None = None
    text: str = ""


def loaded(tree: Path) -> tuple[Addresses, frozenset[Page]]:
    """The addresses of a tree, and its pages of older versions, which are not linted."""
    target = targets.find([tree], LookupOptions(tree))[0]
    of, old = links.get_addresses(target.load()), {path.as_posix() for path in target.old_version_paths}
    return of, frozenset(page for page in of.site.pages if of.pages.get_file(page) in old)


def found(tree: Path) -> list[Finding]:
    """What the rules find in a tree, as a new user would run them."""
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--no-cache", "--output-format", "json", "--select"]
    done = subprocess.run([*command, ",".join(RULES)], cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{tree.name}: {done.stderr.strip()[-500:]}")
    findings: list[Finding] = json.loads(done.stdout)
    told = (finding for finding in findings if not finding["message"].endswith("is empty"))
    return [one for finding in told for one in (finding, *_at_other_places(finding))]


def _at_other_places(finding: Finding) -> Iterator[Finding]:
    """The same where a finding is told of several places at once."""
    too = (place for place in finding["related"] if place["message"] == SAME_PROBLEM)
    return (finding | {"path": place["path"], "line": place["line"]} for place in too)


# Breaks


def candidates(of: Addresses, old: frozenset[Page]) -> list[Break]:
    """All breaks that may be put into a tree."""
    out, leading = list[Break](), dict[Page, set[Line]]()
    for page in of.site.pages:
        if page in old or page.source.text != page.source.raw or not of.is_published(page):
            continue
        for reference, target in of.get_links(page):
            if target.page is None or target.redirected or reference.is_image or reference.kind not in KINDS:
                continue
            line = page.path, page.source.text.count("\n", 0, reference.place.start) + 1
            if target.kind == "page" and target.page is not page and of.is_proven(page, "page", reference):
                leading.setdefault(target.page, set()).add(line)
                out += _of_path(of, page, reference, line)
            is_there = target.fragment and of.has_anchor(target.page, target.fragment)
            if is_there and of.is_proven(page, "anchor", reference):
                out += _of_anchor(of, page, target.page, reference, line)
    paths = frozenset(page.path for page in of.site.pages)
    removed = (to for to in leading if to not in old and not _has_main_twin(to.path, paths))
    return [*out, *(Break("page", to.path, frozenset(leading[to])) for to in removed)]


def _has_main_twin(path: str, paths: frozenset[str]) -> bool:
    """Tell whether the page of a translation is there in English, or in the language that has no folder."""
    code = language.find_language_folder(path)
    inner = path.partition("/docusaurus-plugin-content-docs/current/")[2]
    others = (f"docs/{inner}", *(f"/{path}".replace(f"/{code}/", main, 1)[1:] for main in ("/en/", "/")))
    return bool(code) and any(other != path and other in paths for other in others)


def _of_path(of: Addresses, page: Page, reference: Reference, line: Line) -> Iterator[Break]:
    path = reference.href.partition("#")[0].partition("?")[0]
    stem = path.rstrip("/").rpartition("/")[2].partition(".")[0]
    if len(stem) > 2 and stem.isascii():
        at = path.rindex(stem)
        altered = _altered(stem)
        href = path[:at] + altered + reference.href[at + len(stem) :]
        if of.resolve_href(page, href, raw=reference.is_raw).kind not in ("page", "file"):
            yield _replaced(page, reference, href, line, "path")


def _of_anchor(of: Addresses, page: Page, to: Page, reference: Reference, line: Line) -> Iterator[Break]:
    path, _, fragment = reference.href.partition("#")
    altered = _altered(fragment)
    if len(fragment) > 2 and fragment.isascii() and not of.has_anchor(to, altered):
        yield _replaced(page, reference, f"{path}#{altered}", line, "anchor")


def _altered(word: str) -> str:
    """A word with another letter in its midst."""
    at = len(word) // 2
    at = next((i for i in (*range(at, len(word)), *range(at)) if word[i].isalpha()), at)
    return word[:at] + ("q" if word[at] != "q" else "z") + word[at + 1 :]


def _replaced(page: Page, reference: Reference, href: str, line: Line, kind: str) -> Break:
    return Break(kind, page.path, frozenset((line,)), (reference.place.start, reference.place.end), href)


def chosen(of: Addresses, old: frozenset[Page], many: int, seed: str) -> list[Break]:
    """As many breaks of a tree, the three kinds in turn, none near another."""
    dice = random.Random(seed)
    by_kind: dict[str, list[Break]] = {"path": [], "anchor": [], "page": []}
    for candidate in candidates(of, old):
        by_kind[candidate.kind].append(candidate)
    for breaks in by_kind.values():
        dice.shuffle(breaks)
    out, files, lines = list[Break](), set[str](), set[Line]()
    while len(out) < many and any(by_kind.values()):
        for breaks in by_kind.values():
            one = breaks.pop() if breaks else None
            if one is None or len(out) == many:
                continue
            touched = {one.path} | {path for path, _ in one.lines}
            if not touched & files and not one.lines & lines:
                out.append(one)
                files |= touched
                lines |= one.lines
    return out


def broken(tree: Path, breaks: list[Break]) -> Iterator[Break]:
    """The breaks that are reported, put into a copy of a tree, a few at a time."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, tree.name)
        shutil.copytree(tree, copy, symlinks=True, ignore=lambda at, _: [".git"] if Path(at) == tree else [])
        is_clone = (tree / ".git").is_dir()  # git knows which pages that it is told to leave aside were committed
        (copy / ".git").write_text(f"gitdir: {tree / '.git'}") if is_clone else (copy / ".git").mkdir()
        before = {_place(finding) for finding in found(copy) if finding["severity"] != "hint"}
        for some in (breaks[at : at + AT_ONCE] for at in range(0, len(breaks), AT_ONCE)):
            texts = {copy / one.path: (copy / one.path).read_bytes() for one in some}
            for one in some:
                _put(copy / one.path, one)
            told = {_place(finding) for finding in found(copy) if finding["severity"] != "hint"} - before
            yield from (one for one in some if any((path, line) in one.lines for path, line, _ in told))
            for file, text in texts.items():
                file.write_bytes(text)


def _put(file: Path, one: Break) -> None:
    if one.span is None:
        file.unlink()
        return
    text = file.read_bytes().decode()
    file.write_bytes((text[: one.span[0]] + one.text + text[one.span[1] :]).encode())


def differences(tree: Path) -> Iterator[str]:
    """What is found from one of the root of a tree and a folder of its pages, and not from the other."""
    (of, _), whole = loaded(tree), found(tree)
    for folder in dict.fromkeys(Path(of.pages.get_folder(one)) for one in of.pages.trees):
        if folder == tree or not folder.is_relative_to(tree):
            continue
        name = f"{folder.relative_to(tree)}/"
        matches = (finding for finding in whole if finding["path"].startswith(name))
        inside = [finding | {"path": finding["path"].removeprefix(name)} for finding in matches]
        from_root, from_docs = (
            Counter((one["path"], one["line"], one["rule"], one["severity"]) for one in some if one["path"][:2] != "..")
            for some in (inside, found(folder))
        )
        for sign, rest in (("-", from_root - from_docs), ("+", from_docs - from_root)):
            yield from (f"{sign} {tree.name} {name} {one}" for one in rest)


def _place(finding: Finding) -> tuple[str, int, str]:
    return finding["path"], finding["line"], finding["message"]


# The table


def row(tree: Path, many: int, seed: str) -> tuple[str, int, int]:
    """A row of the table, how many breaks were put into the tree, and how many were reported."""
    of, old = loaded(tree)
    engines = " ".join(sorted({one.generator.name or "-" for one in of.pages.trees}))
    counts = Counter(finding["severity"] for finding in found(tree))
    breaks = chosen(of, old, many, f"{seed}:{tree.name}") if many else []
    reported = list(broken(tree, breaks)) if breaks else []
    by_kind = ", ".join(
        f"{kind} {sum(one.kind == kind for one in reported)}/{sum(one.kind == kind for one in breaks)}"
        for kind in ("path", "anchor", "page")
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=tree, capture_output=True, text=True, check=False
    )
    cells = (
        tree.name.replace("+", "/"), commit.stdout.strip(), len(of.site.pages), engines,
        counts["error"], counts["warning"], counts["hint"], by_kind if many else "",
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |", len(breaks), len(reported)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--breaks", type=int, default=0, metavar="N", help="how many breaks to put into each tree")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="owner+name of the trees to look at")
    parser.add_argument("--seed", default="links")
    parser.add_argument("--from-docs", action="store_true", help="compare runs from the root and from the docs folders")
    options = parser.parse_args()
    chosen_trees = sorted(
        tree.resolve()
        for tree in options.clones.iterdir()
        if tree.is_dir() and (not options.only or tree.name in options.only)
    )
    if options.from_docs:
        for tree in chosen_trees:
            print("\n".join(differences(tree)) or f"= {tree.name}", flush=True)
        return
    print("| Tree | Commit | Pages | Engines | Errors | Warnings | Hints | Breaks reported |\n" + "| --- " * 8 + "|")
    put = reported = 0
    for tree in chosen_trees:
        text, of_tree, told = row(tree, options.breaks, options.seed)
        put, reported = put + of_tree, reported + told
        print(text, flush=True)
    if put:
        print(f"\n{reported} of {put} breaks are reported ({reported / put:.1%})")


if __name__ == "__main__":
    main()
