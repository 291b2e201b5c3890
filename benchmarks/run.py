"""Measures our tool and its peers side by side, in one run, and writes what came of it.

    python benchmarks/run.py             # everything, about an hour
    python benchmarks/run.py --quick     # small sizes, two runs each: some minutes
    python benchmarks/run.py --only lint --only one
    python benchmarks/run.py --tree adjust=DIR    # real pages: a clone, by the name that the results give it

Tools are installed once, into `.bench/` beside this repository's files, from PyPI and npm. A tool that cannot be
installed, fails or finds nothing is named, and left out of the tables.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import corpora, measuring, serving
from benchmarks.measuring import Cost
from benchmarks.peers import NODE_PEERS, PYTHON_PEERS, ROOT, SITE_PEERS, Installed, Tool, linters
from benchmarks.report import Row, merged, plot, table, write

LINTED = 567
"""Pages of the corpus on which all linters are compared."""
SIZES = (24, 240, 2_400)
GROWTH = (24, 240, 2_400, 20_000)
REFERENCE = "tutorial-tool"
ON_TREES = (REFERENCE, "rumdl", "markdownlint-cli2")
PAGE_SUFFIXES = (".md", ".mdx")
HEAD = """\
# Results

Written by `python benchmarks/run.py`. A ratio says how many times our CPU a tool took, at the same work in the same
run. The spread is from the cheapest run to the dearest. What a tool found or wrote shows that it did the work; tools
look for different things.
"""


class Bench:
    """One run of all that was asked for."""

    def __init__(self, installed: Installed, folder: Path, runs: int, sizes: range) -> None:
        self.installed, self.folder, self.runs, self.asked = installed, folder, runs, sizes
        self.rows: list[Row] = []

    def sizes(self, all_: Sequence[int]) -> Sequence[int]:
        return [size for size in all_ if size in self.asked]

    def measure(
        self, work: str, tool: str, package: str, pages: int, once: Callable[[], Cost], done: Callable[[Cost], str]
    ) -> None:
        """Measures some runs of one tool, and keeps them if it did the work."""
        costs = [once() for _ in range(self.runs)]
        best = measuring.cheapest(costs)
        told = done(best)
        print(
            f"{work:28} {pages:>6} {tool:22} {best.cpu:8.3f} s  {told or 'DID NOTHING: ' + best.out[-200:]}", flush=True
        )
        if told:
            version = self.installed.version(package)
            most = max(cost.cpu for cost in costs)
            self.rows.append(Row(work, tool, version, pages, best.cpu, most, best.wall, best.memory, told))

    # Linting

    def lint(self) -> None:
        pages = min(LINTED, self.asked.stop - 1)
        root = self.folder / "plain"
        faulty = corpora.plain(root, pages)
        print(f"{pages} pages, of which {faulty} have faults that are known", flush=True)
        for tool in linters(self.installed):
            self._lint("lint, cold", tool, root, pages, warm=False)
            if tool.warm:
                self._lint("lint, nothing changed", tool, root, pages, warm=True)
                self._lint("lint, one page changed", tool, root, pages, warm=True, edited=next(root.rglob("*.md")))

    def one(self) -> None:
        root = self.folder / "one"
        corpora.plain(root, 1)
        for tool in linters(self.installed):
            self._lint("lint, one page", tool, root, 1, warm=False)

    def _lint(self, work: str, tool: Tool, root: Path, pages: int, *, warm: bool, edited: Path | None = None) -> None:
        command = tool.called(root)
        if tool.name == REFERENCE and not warm:
            command += ["--no-cache"]

        def once() -> Cost:
            if edited:
                edited.write_text(edited.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
            if not warm:
                for name in (".tutorial-tool-cache", ".rumdl_cache", ".cspellcache"):
                    path = root / name
                    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            return measuring.run(command, root)

        def done(cost: Cost) -> str:
            count = tool.found(cost.out)
            return f"{count:,} findings" if count else ""

        if warm:
            once()
        self.measure(work, tool.name, tool.package, pages, once, done)

    def tree(self, name: str, original: Path) -> None:
        """Real pages: cold, unchanged, one page edited, and as CI has them, elsewhere with new times and ten edits."""
        root = self.folder / "tree"
        shutil.rmtree(root, ignore_errors=True)
        left_out = shutil.ignore_patterns(".git", "node_modules")
        shutil.copytree(original, root, ignore=left_out, ignore_dangling_symlinks=True)
        pages = [path for path in sorted(root.rglob("*.md*")) if path.suffix in PAGE_SUFFIXES and path.is_file()]
        ten, middle = pages[:: max(len(pages) // 10, 1)][:10], pages[len(pages) // 2]
        for tool in linters(self.installed):
            if tool.name not in ON_TREES:
                continue
            tool = replace(tool, command=tuple(word.replace("**/*.md", "**/*.{md,mdx}") for word in tool.command))
            self._lint(f"{name}, cold", tool, root, len(pages), warm=False)
            if tool.warm:
                self._lint(f"{name}, nothing changed", tool, root, len(pages), warm=True)
                self._lint(f"{name}, one page changed", tool, root, len(pages), warm=True, edited=middle)
            if tool.name == REFERENCE:
                self._lint_resident(f"{name}, one page changed, resident", tool, root, len(pages), middle)
                self._restored(f"{name}, cache restored elsewhere, ten pages changed", tool, root, len(pages), ten)

    def _lint_resident(self, work: str, tool: Tool, root: Path, pages: int, edited: Path) -> None:
        """By the resident process, which the first run starts and the second fills; only the wall time is all of it."""
        resident = replace(tool, command=(*tool.command, "--daemon"))
        sockets = {"XDG_RUNTIME_DIR": str(self.folder)}  # no other run finds it there

        def once() -> Cost:
            edited.write_text(edited.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
            return measuring.run(resident.called(root), root, sockets)

        for _ in range(2):
            once()
            time.sleep(2)
        self.measure(work, tool.name, tool.package, pages, once, lambda cost: f"{tool.found(cost.out):,} findings")

    def _restored(self, work: str, tool: Tool, root: Path, pages: int, edited: Sequence[Path]) -> None:
        numbers = iter(range(1_000))

        def once() -> Cost:
            other = self.folder / f"checkout-{next(numbers)}" / root.name
            shutil.copytree(root, other, copy_function=shutil.copyfile)
            for page in edited:
                copy = other / page.relative_to(root)
                copy.write_text(copy.read_text(encoding="utf-8") + f"\nLine {other}.\n", encoding="utf-8")
            cost = measuring.run(tool.called(other), other)
            shutil.rmtree(other.parent)
            return cost

        self.measure(work, tool.name, tool.package, pages, once, lambda cost: f"{tool.found(cost.out):,} findings")

    def growth(self) -> None:
        for pages in self.sizes(GROWTH):
            root = self.folder / f"copies-{pages}"
            drifted = corpora.copies(root, pages)
            for tool in linters(self.installed):
                if tool.name in (REFERENCE, "rumdl", "codespell", "typos"):
                    command = tool.called(root)
                    if tool.name == REFERENCE:
                        command += ["--no-cache"]

                    def done(cost: Cost, tool: Tool = tool, drifted: int = drifted) -> str:
                        found = cost.out.count("[column-mismatch]")
                        if tool.name == REFERENCE:
                            return f"{found:,} of drift ({drifted} steps)" if found >= drifted else ""
                        return f"{tool.found(cost.out):,} findings" if cost.code in (0, 1, 2, 65) else ""

                    once = partial(measuring.run, command, root)
                    self.measure("lint copies with drift", tool.name, tool.package, pages, once, done)
            shutil.rmtree(root)

    # Building

    def build(self) -> None:
        for pages in self.sizes(SIZES):
            ours, plain = self._sites(pages)
            for name, package, root, command in self._generators(ours, plain):
                self._build(name, package, root, command, pages)

    def _sites(self, pages: int) -> tuple[Path, Path]:
        ours, plain = self.folder / f"site-{pages}", self.folder / f"rendered-{pages}"
        if not ours.exists():
            corpora.templated(ours, pages)
            corpora.rendered(ours, plain)
            shutil.copytree(plain / "docs_src", plain / "content")  # Hugo's names
            (plain / "content/index.md").rename(plain / "content/_index.md")
        return ours, plain

    def _generators(self, ours: Path, plain: Path) -> Iterable[tuple[str, str, Path, list[str]]]:
        tool = self.installed.has
        mkdocs, zensical, hugo = tool("mkdocs"), tool("zensical"), tool("hugo")
        if mkdocs:
            text = (ours / "mkdocs.yml").read_text()
            for name, lint in (("tutorial-tool", "true"), ("tutorial-tool, lint off", "false")):
                file = ours / f"lint-{lint}.yml"
                file.write_text(text.replace("tutorial]", f"tutorial: {{lint: {lint}}}]"))
                yield name, "tutorial-tool", ours, [mkdocs, "build", "-q", "-f", file.name]
            yield "mkdocs", "mkdocs", plain, [mkdocs, "build", "-q"]
            whole = plain / "whole.yml"  # what a site has that sets nothing: the plugin prunes the navigation by itself
            whole.write_text((plain / "mkdocs.yml").read_text().replace(", features: [navigation.prune]", ""))
            yield "mkdocs, navigation whole", "mkdocs", plain, [mkdocs, "build", "-q", "-f", whole.name]
            macros = plain / "macros.yml"
            macros.write_text((plain / "mkdocs.yml").read_text().replace("[search]", "[search, macros]"))
            yield "mkdocs-macros", "mkdocs-macros-plugin", plain, [mkdocs, "build", "-q", "-f", "macros.yml"]
        if zensical:
            yield "zensical", "zensical", plain, [zensical, "build"]
        if hugo:
            (plain / "hugo.toml").write_text('baseURL = "https://example.com/"\ntitle = "Site"\n')
            layouts = plain / "layouts/_default"
            layouts.mkdir(parents=True, exist_ok=True)
            for name in ("single", "list"):
                (layouts / f"{name}.html").write_text("<!doctype html><title>{{ .Title }}</title>{{ .Content }}\n")
            yield "hugo", "hugo", plain, [hugo, "--destination", "site", "--quiet"]

    def _build(self, name: str, package: str, root: Path, command: list[str], pages: int) -> None:
        def once() -> Cost:
            for made in ("site", ".cache", ".tutorial-tool-cache", "resources"):
                shutil.rmtree(root / made, ignore_errors=True)
            return measuring.run(command, root)

        def done(cost: Cost) -> str:
            written = len(list((root / "site").rglob("*.html")))
            return f"{written:,} files of HTML" if cost.code == 0 and written >= pages else ""

        self.measure("build", name, package, pages, once, done)

    def serve(self) -> None:
        for pages in self.sizes(SIZES):
            ours, plain = self._sites(pages)
            mkdocs, zensical = self.installed.has("mkdocs"), self.installed.has("zensical")
            template = ours / "site_templates/steps/step-0.md.j2"
            page = plain / "docs_src/part-0/ios/step-0.md"
            for name, package, root, source, program in (
                ("tutorial-tool", "tutorial-tool", ours, template, mkdocs),
                ("mkdocs", "mkdocs", plain, page, mkdocs),
                ("zensical", "zensical", plain, page, zensical),
            ):
                if program:
                    costs = iter(serving.changes(program, root, source, "part-0/ios/step-0/", self.runs))
                    work = "from saving to the served page"
                    self.measure(work, name, package, pages, partial(next, costs), lambda cost: cost.out)

    def editor(self) -> None:
        for pages in self.sizes(SIZES)[:2]:
            ours, _ = self._sites(pages)
            command = [self.installed.bin / "python", Path(__file__).parent / "key_press.py", ours]
            cost = measuring.run(command, ROOT)
            seconds = [float(part) for part in cost.out.split()] if cost.code == 0 else []
            if seconds:
                work, done, least = "from a key press to findings", f"{len(seconds)} key presses", min(seconds)
                self.rows.append(Row(work, REFERENCE, "", pages, least, max(seconds), least, cost.memory, done))
                print(f"key press, {pages} pages: {min(seconds):.3f} to {max(seconds):.3f} s", flush=True)


def _named_folder(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    if not name or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError("write NAME=DIR")
    return name, Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=WORKS, help="this kind of work; may be given several times")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that everything runs")
    parser.add_argument("--runs", type=int, default=3, help="of each tool at each work; the cheapest counts")
    parser.add_argument("--most", type=int, default=GROWTH[-1], metavar="PAGES", help="leave out larger sizes")
    parser.add_argument("--least", type=int, default=1, metavar="PAGES", help="leave out smaller sizes")
    parser.add_argument(
        "--tree", action="append", type=_named_folder, metavar="NAME=DIR", help="lint the pages of a folder instead"
    )
    given = parser.parse_args()
    installed = Installed(ROOT / ".bench")
    if given.tree:
        installed.python("-e", str(ROOT), "rumdl")
        installed.npm("markdownlint-cli2")
    else:
        installed.python("-e", str(ROOT), *PYTHON_PEERS, *SITE_PEERS)
        installed.npm(*NODE_PEERS)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        sizes = range(given.least, (240 if given.quick else given.most) + 1)
        bench = Bench(installed, Path(folder), 2 if given.quick else given.runs, sizes)
        for name, original in given.tree or ():
            bench.tree(name, original)
        for name in () if given.tree else given.only or WORKS:
            WORKS[name](bench)
    if given.quick:
        print(table(bench.rows, REFERENCE))
        return
    rows = merged(Path(__file__).parent / "results.json", bench.rows)
    write(Path(__file__).parent / "results.md", HEAD + table(rows, REFERENCE))
    if grown := [row for row in rows if row.work == "lint copies with drift"]:
        write(ROOT / "docs_src/assets/speed-growth.svg", plot(grown, "Seconds of CPU to lint copies with drift"))


WORKS: dict[str, Callable[[Bench], None]] = {
    "lint": Bench.lint,
    "one": Bench.one,
    "growth": Bench.growth,
    "build": Bench.build,
    "serve": Bench.serve,
    "editor": Bench.editor,
}

if __name__ == "__main__":
    main()
