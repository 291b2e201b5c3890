"""What people and programs see of the tool, frozen: findings, rendered and adopted files, differences, built sites.

`UPDATE=1 pytest tests/goldens` rewrites the files beside this module. A commit that changes one says why in its body,
and its diff is read line by line: a finding is one line, a file is one line with its digest.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks import corpora
from tests.repository import Repository
from tests.started import run
from tests.test_engine_trees import planted
from tests.test_plugin import ENVIRONMENT, build, made

TESTS = Path(__file__).parents[1]
HERE = Path(__file__).parent
Golden = Callable[[Path, str], None]
TREES = [
    *(folder for folder in sorted((TESTS / "copies").iterdir()) if folder.is_dir()),
    *(folder for folder in sorted((TESTS / "sites").iterdir()) if folder.is_dir()),
]
ARTICLE = re.compile(rb"<article\b.*</article>", re.DOTALL)
GENERATORS = sorted((TESTS / "engines").glob("*.txt"))


def findings(folder: Path, *options: str) -> str:
    """All findings of a folder, hints included, one line of JSON each, with the fields that programs read."""
    output = command("lint", "--no-cache", "--exit-zero", "--output-format", "json", *options, cwd=folder)
    return lines(json.loads(output))


def lines(values: list[object]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n" for value in values)


def command(*arguments: str, cwd: Path) -> str:
    """What a command of ours prints."""
    done = run("tutorial_tool", *arguments, cwd=cwd, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def digests(folder: Path) -> Iterator[str]:
    """One line for each file: its path and the digest of its bytes."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and ".git" not in file.parts:
            yield f"{digest(file.read_bytes())} {file.relative_to(folder).as_posix()}\n"


def copied(tree: Path, folder: Path) -> Path:
    """A copy of a tree that git knows, so that nothing above it is looked at."""
    shutil.copytree(tree, folder, dirs_exist_ok=True)
    (folder / ".git").mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_findings_of_a_folder(tree: Path, tmp_path: Path, golden: Golden) -> None:
    golden(HERE / "lint" / f"{tree.name}.jsonl", findings(copied(tree, tmp_path / tree.name)))


@pytest.mark.parametrize("tree", GENERATORS, ids=lambda tree: tree.stem)
def test_findings_of_a_site(tree: Path, tmp_path: Path, golden: Golden) -> None:
    planted(tree.read_text(encoding="utf-8"), tmp_path, wrong=True)
    golden(HERE / "generators" / f"{tree.stem}.jsonl", findings(tmp_path))


@pytest.mark.parametrize("make", [corpora.plain, corpora.copies], ids=["plain", "copies"])
def test_findings_of_generated_pages(make: Callable[[Path, int], int], tmp_path: Path, golden: Golden) -> None:
    make(tmp_path, 60)
    (tmp_path / ".git").mkdir()
    golden(HERE / "lint" / f"generated-{make.__name__}.jsonl", findings(tmp_path))


def test_findings_of_our_own_project_with_all_rules(tmp_path: Path, golden: Golden) -> None:
    golden(HERE / "lint" / "our-project.jsonl", findings(ours(tmp_path / "ours"), "--select", "ALL"))


def ours(folder: Path) -> Path:
    """The tutorial of this repository, which is its own example, without the guide beside it."""
    shutil.copytree(TESTS.parent / "site_templates", folder / "site_templates")
    shutil.copy(TESTS.parent / "platforms.yaml", folder)
    (folder / "docs_src").mkdir()
    (folder / "docs_src/index.md").write_text("# Home\n", encoding="utf-8")
    (folder / ".git").mkdir()
    return folder


FORMS = {
    "plain": (),
    "hugo": ("--links", "url", "--heading-ids", "hugo", "--index", "_index.md"),
    "bare": ("--no-front-matter", "--heading-ids", "none"),
}


@pytest.mark.parametrize("form", FORMS)
def test_rendered_pages(form: str, tmp_path: Path, golden: Golden) -> None:
    command("render", "out", *FORMS[form], cwd=ours(tmp_path / "ours"))
    golden(HERE / "render" / f"{form}.txt", "".join(digests(tmp_path / "ours" / "out")))


TEMPLATES = {
    "lamp": ["pair-a-lamp"],
    "smart-lock": ["setup"],
    "cloud-providers": ["backup"],
    "payments-sdk": ["install", "native-code", "refunds"],
    "bike-computers": ["pair"],
    "shells": ["completion", "prompt"],
    "television": ["publish"],
}
"""Templates that read as an author would write them: those of a step, by set of copies."""


@pytest.mark.parametrize("name", ["hub", "wearables", *TEMPLATES])
def test_adopted_copies(name: str, tmp_path: Path, golden: Golden) -> None:
    tree = TESTS / "adopt" / name / "copies" if (TESTS / "adopt" / name).is_dir() else TESTS / "copies" / name
    folder = copied(tree, tmp_path / name)
    printed = command("adopt", ".", "--into", "out", cwd=folder)
    golden(HERE / "adopt" / f"{name}.txt", printed + "".join(digests(folder / "out")))
    for step in TEMPLATES.get(name, ()):
        template = folder / "out/site_templates/steps" / f"{step}.md.j2"
        golden(HERE / "adopt" / f"{name}-{step}.md.j2", template.read_text(encoding="utf-8"))


def changed(folder: Path) -> Repository:
    """A project in which one commit changed a template, a value and a row."""
    repository = Repository(folder)
    made(folder)
    repository.commit()
    for path, old, new in (
        ("site_templates/steps/finish.md.j2", "Done.", "You have finished."),
        ("platforms.yaml", "swan-kit", "swan-suite"),
        ("platforms.yaml", "setting: Sound, value: Enabled", "setting: Sound, value: Disabled"),
    ):
        repository.edit(path, old, new)
    repository.commit()
    return repository


def test_what_a_change_does_to_pages(tmp_path: Path, golden: Golden) -> None:
    repository = changed(tmp_path / "project")
    printed = command("diff", "HEAD~1", "--output-format", "json", cwd=repository.folder)
    golden(HERE / "diff.json", json.dumps(json.loads(printed), ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def ours_of(site: Path) -> Iterator[tuple[str, bytes]]:
    """What we write of a built site: whole files, and of pages the article (the theme around it has its own versions)."""
    for file in sorted(file for file in site.rglob("*") if file.is_file()):
        path = file.relative_to(site).as_posix()
        if path.endswith(".html"):
            article = ARTICLE.search(file.read_bytes())
            yield path, article[0] if article else b""
        elif path.startswith(("assets/tutorial-tool/", "images/", "inventory", "llms")) or path.endswith(".md"):
            yield path, file.read_bytes()


def test_a_built_site(tmp_path: Path, golden: Golden) -> None:
    done = build(made(tmp_path), "-q", "-d", "out")
    assert done.returncode == 0, done.stdout + done.stderr
    parts = list(ours_of(tmp_path / "out"))
    assert any(b"<h1" in data for _, data in parts)
    golden(HERE / "site.txt", "".join(f"{digest(data)} {path}\n" for path, data in parts))


def test_every_golden_is_read() -> None:
    """What these tests read is what is written down here: a file that no test reads would say nothing."""
    named = {f"{tree.name}.jsonl" for tree in TREES}
    named |= {"generated-plain.jsonl", "generated-copies.jsonl", "our-project.jsonl"}
    assert {file.name for file in (HERE / "lint").iterdir()} == named
    assert {file.stem for file in (HERE / "generators").iterdir()} == {tree.stem for tree in GENERATORS}
