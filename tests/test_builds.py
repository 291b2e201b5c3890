"""Small sites as their generators published them: no link that works is reported, and each that does not is.

Each file in `builds/` is a site as `=== path` and text, behind the version that built it and the texts of the links that
work in what it published, on a server that finds `x.html` and `x/index.html` for `x`. To record one anew, build the site
and ask for each link of the HTML.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions

SITES = sorted((Path(__file__).parent / "builds").glob("*.txt"))
FILE = re.compile(r"^=== (.+)\n", re.MULTILINE)
LINK = re.compile(r"\[((?:home|guide|anchor|setup)\d+)\]")
RULES = ("broken-link", "broken-anchor")
NOWHERE = re.compile(r"\]\([^()]*nowhere[^()]*\)")
"""What is on no page: links that do not work for another reason may well work on other servers."""


def load(site: Path) -> tuple[frozenset[str], dict[str, str]]:
    """Read the links that work or may be labels to Sphinx, and the files of a site."""
    header, *parts = FILE.split(site.read_text(encoding="utf-8"))
    working, _, labels = header.partition("works:")[2].partition("labels, perhaps:")
    return frozenset((*working.split(), *labels.split())), dict(zip(parts[::2], parts[1::2], strict=True))


def reported_links(files: dict[str, str], folder: Path) -> set[str]:
    """Lint a site, and list the texts of the links that are reported."""
    (folder / ".git").mkdir()
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    found = set[str]()
    for target in targets.find([folder], LookupOptions(folder)):
        for finding in target.lint().findings:
            if finding.rule in RULES:
                line = finding.span.source.text.splitlines()[finding.span.position.line - 1]
                found.update(LINK.findall(line) or [finding.message])
    return found


@pytest.mark.parametrize("site", SITES, ids=[site.stem for site in SITES])
def test_no_link_that_works_is_reported(site: Path, tmp_path: Path) -> None:
    working, files = load(site)
    assert len(working) > 20
    assert not reported_links(files, tmp_path) & working


@pytest.mark.parametrize("site", SITES, ids=[site.stem for site in SITES])
def test_each_link_to_nowhere_is_reported(site: Path, tmp_path: Path) -> None:
    working, files = load(site)
    wanted = set[str]()
    for path, text in files.items():
        lines = []
        for line in text.split("\n"):
            link = LINK.match(line)
            if link and link[1] not in working:
                if not NOWHERE.search(line) or "(/nowhere" in line:
                    continue  # another program may answer at the root
                wanted.add(link[1])
            lines.append(line)
        files[path] = "\n".join(lines)
    assert wanted
    assert reported_links(files, tmp_path) == wanted
