"""Paths that lead elsewhere: nothing outside is read, written or published, and each is told once."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import project, started
from tests.test_plugin import ENVIRONMENT
from tutorial_tool import reporters
from tutorial_tool.config.settings import FORMATS, ConfigError
from tutorial_tool.core.diagnostics import Finding, InvalidInput, build_error
from tutorial_tool.core.source import Source
from tutorial_tool.linter import session as run_
from tutorial_tool.linter.config_lookup import LookupOptions

pytestmark = pytest.mark.slow

CANARY = "the canary sings"
posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX files")

ESCAPES = {
    "parents": "../outside/secret.md",
    "many parents": "../../../../../../../../outside/secret.md",
    "absolute": "{outside}/secret.md",
    "UNC": "//host/share/secret.md",
    "UNC with backslashes": "\\\\host\\share\\secret.md",
    "a drive": "C:/outside/secret.md",
    "a drive's own folder": "C:secret.md",
    "backslashes": "..\\outside\\secret.md",
    "encoded": "%2e%2e/outside/secret.md",
    "encoded twice": "%252e%252e/outside/secret.md",
    "an encoded slash": "..%2foutside%2fsecret.md",
    "dots and spaces": ".. /outside/secret.md",
    "a device": "/dev/zero",
    "a device of Windows": "nul.md",
    "NUL": "secret.md\0.md",
    "a line break": "a\n../outside/secret.md",
    "there and back": "docs_src/../../outside/secret.md",
    "a link to a file": "link.md",
    "a link to a folder": "away/secret.md",
}
"""What somebody may write where a path stands."""


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder beside the project, whose text must never be seen, and which must not change."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("secret.md", "secret.png", "secret.yaml", "secret.json", "index.md"):
        (folder / name).write_text(f"# {CANARY}\n\n## {CANARY} {{: #canary }}\n\n{CANARY}: [start:x]\n")
    before = state(folder)
    yield folder
    assert state(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.name not in ("root", "out")) == ["outside"]


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def made(tmp_path: Path, data: str = project.DATA, **files: str) -> Path:
    """A project with links that lead out, beside the folder outside."""
    root = project.write(tmp_path / "root", data)
    for name in ("", "docs_src/", "site_templates/", "site_templates/steps/"):
        (root / f"{name}link.md").symlink_to(tmp_path / "outside/secret.md")
        (root / f"{name}away").symlink_to(tmp_path / "outside")
    for name, text in files.items():
        (root / name).write_text(text)
    return root


def command(root: Path, *arguments: str, program: str = "tutorial_tool") -> subprocess.CompletedProcess[str]:
    done = started.run(program, *arguments, cwd=root, env=ENVIRONMENT)
    assert CANARY not in done.stdout + done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert "internal error" not in done.stderr, done.stderr
    return done


def told(root: Path, *paths: str) -> list[Finding]:
    """What linting finds, or its one error where it could not run. No report of it shows what stands outside."""
    try:
        found = run_.run(run_.Request(LookupOptions(root), tuple(Path(path) for path in paths))).findings
    except (ConfigError, InvalidInput) as problem:
        assert CANARY not in str(problem)  # noqa: PT017 - most runs raise nothing
        return [build_error("invalid-data", str(problem), Source("", "").span(0))]
    for form in FORMATS:
        assert CANARY not in reporters.render(form, found)
    return list(found)


def unseen(folder: Path) -> None:
    """Nothing below a folder has the text of the files outside."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            assert CANARY.encode() not in path.read_bytes(), path


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")


# Data

PLACES = {
    "path": (
        "    title: Guide\n    path: guide/{platform}/{step}\n",
        "    title: Guide\n    path: PATH/{platform}/{step}\n",
    ),
    "images": ("    title: Guide\n", "    title: Guide\n    images: PATH/{platform}/{figure}.png\n"),
    "step": ("      - prepare\n", "      - prepare\n      - PATH\n"),
    "platform": ("groups:\n", "  PATH: {name: New}\ngroups:\n"),
    "code": ("labels: {menu: Swan menu}", "labels: {menu: Swan menu}, code: {start: PATH}"),
    "include": ("platforms:\n", "include: [PATH]\nplatforms:\n"),
}


@posix
@pytest.mark.parametrize("place", PLACES)
def test_paths_in_data(place: str, tmp_path: Path, outside: Path) -> None:
    before, after = PLACES[place]
    assert before in project.DATA
    root = made(tmp_path)
    for name, path in ESCAPES.items():
        value = quoted(path.format(outside=outside))
        inner = after.replace("PATH/{", value[:-1] + "/{").replace("PATH", value)
        inner = f'{inner}"\n'.replace('\n"\n', '"\n') if "/{" in inner and inner.count('"') % 2 else inner
        (root / "platforms.yaml").write_text(project.DATA.replace(before, inner, 1))
        found = [finding for finding in told(root) if finding.rule in TELLING]
        inside = place in ("path", "images") and name.startswith(
            "a link"
        )  # of the docs folder: what is written is below
        assert len(found) == 1 or inside, (name, list(map(str, found)))
        if not inside:
            assert found[0].span.path in ("platforms.yaml", "site_templates/steps/prepare.md.j2"), name


TELLING = ("unsafe-path", "invalid-data", "undefined-name", "unreadable-file", "invalid-template")


# Pages

FORMS = (
    "[x](<{}#canary>)", "![x](<{}>)", '<img src="{}" alt="x">', '<a href="{}#canry">x</a>', '--8<-- "{}"\n\n[x](#canary)', "[x]: <{}#canry>\n\n[x]",
    "```\n--8<-- \"{}\"\n```", "{{% include '{}' %}}", "{{!{}!}}", "--8<--\n{}\n--8<--\n\n[y](#canry)",
)  # fmt: skip


@posix
@pytest.mark.parametrize(
    "configuration",
    [
        "",
        "markdown_extensions: [pymdownx.snippets, attr_list]",
        "markdown_extensions: [{pymdownx.snippets: {base_path: [.., docs, /]}}]",
    ],
)
def test_paths_in_pages(configuration: str, tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "docs/link.md").symlink_to(outside / "secret.md")
    (root / "docs/away").symlink_to(outside)
    (root / "mkdocs.yml").write_text(f"site_name: Example\n{configuration}\n")
    for name, path in ESCAPES.items():
        if "\0" in path or "\n" in path:
            continue
        named = path.format(outside=outside)
        (root / "docs/index.md").write_text("# Home\n\n" + "\n\n".join(form.format(named) for form in FORMS) + "\n")
        assert all(finding.span.path.startswith("docs/") for finding in told(root)), name
        for finding in told(root):
            assert CANARY not in finding.span.source.text + "".join(
                related.span.source.text for related in finding.related
            )


@posix
@pytest.mark.parametrize(
    "front", ["redirect_from: [{}]", "image: {}", "template: {}", "next: {}", "aliases: [{}]", "slug: {}"]
)
def test_paths_in_front_matter(front: str, tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for path in ESCAPES.values():
        (root / "a.md").write_text(
            f"---\ntitle: A\n{front.format(quoted(path.format(outside=outside)))}\n---\n\nText.\n"
        )
        told(root)


# The configuration

SETTINGS = (
    "docs",
    "templates",
    "output-file",
    "baseline",
    "inventory",
    "vocabulary-file",
    "vocabularies",
    "ui-strings",
)


@posix
@pytest.mark.parametrize("setting", SETTINGS)
def test_paths_in_the_configuration(setting: str, tmp_path: Path, outside: Path) -> None:
    (tmp_path / "out").mkdir()
    root = made(tmp_path)
    for name, path in ESCAPES.items():
        value = quoted(path.format(outside=outside)).replace("\0", "\\u0000")
        value = {"vocabularies": f"[{value}]", "ui-strings": f"{{ALL = [{value}]}}"}.get(setting, value)
        (root / "tutorial-tool.toml").write_text(f"{setting} = {value}\n")
        found = told(root)
        assert any(finding.rule in TELLING and "tutorial-tool.toml:1:" in str(finding) for finding in found), (
            name,
            list(map(str, found)),
        )


@posix
def test_a_report_is_not_written_outside(tmp_path: Path, outside: Path) -> None:
    root = made(tmp_path)
    (tmp_path / "out").mkdir()
    for path in ("../outside/new.txt", f"{outside}/new.txt", "away/new.txt"):
        (root / "tutorial-tool.toml").write_text(f"output-file = {quoted(path)}\n")
        assert command(root, "lint").returncode == 2, path
    assert command(root, "lint", "--isolated", "-o", str(tmp_path / "out/new.txt")).returncode < 2, (
        "who types a path means it"
    )


# Files that are not what they seem


@posix
@pytest.mark.timeout(60)
def test_files_that_are_not_what_they_seem(tmp_path: Path, outside: Path) -> None:
    root = made(tmp_path)
    for folder in ("docs_src", "site_templates/steps", "site_templates/steps/prepare"):
        os.mkfifo(root / folder / "pipe.md")
        (root / folder / "device.md").symlink_to("/dev/zero")
        (root / folder / "loop.md").symlink_to("loop.md")
        (root / folder / "around").symlink_to(".")
        (root / folder / "nothing.md").symlink_to("missing.md")
        (root / folder / "folder.md").mkdir()
    told(root)
    told(root, "docs_src/pipe.md", "docs_src/device.md", "docs_src/loop.md")
    for name in ("platforms.yaml", "tutorial-tool.toml", "mkdocs.yml"):
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)
        told(root)
        (root / name).unlink()
        (root / name).symlink_to(outside / "secret.yaml")
        told(root)
        (root / name).unlink()


def test_pages_whose_names_differ_in_case_only(tmp_path: Path) -> None:
    data = project.DATA.replace("      - prepare\n", "      - prepare\n      - Prepare\n")
    found = told(
        project.write(
            tmp_path, data, {**project.TEMPLATES, "steps/Prepare.md.j2": project.TEMPLATES["steps/finish.md.j2"]}
        )
    )
    assert [finding.rule for finding in found if finding.rule == "page-collision"] == ["page-collision"] * 2, (
        "one a platform"
    )


# What is written


@posix
@pytest.mark.parametrize("engine", ["mkdocs", "render"])
def test_nothing_outside_is_published(engine: str, tmp_path: Path, outside: Path) -> None:
    root = made(tmp_path)
    (root / "docs_src/link.png").symlink_to(outside / "secret.png")
    (root / "docs_src/index.md").write_text("# Home\n\n![x](link.png) [y](link.md) ![z](away/secret.png)\n")
    for name in ("link.md", "away"):
        (root / "site_templates/steps" / name).unlink()
    if engine == "render":
        assert command(root, "render", str(tmp_path / "out")).returncode in (0, 2)
        unseen(tmp_path / "out")
    else:
        (root / "mkdocs.yml").write_text(
            "site_name: Example\ndocs_dir: docs_src\ntheme: {name: mkdocs}\nplugins: [tutorial]\n"
        )
        command(root, "build", "-q", program="mkdocs")
        unseen(root / "site") if (root / "site").exists() else None


@posix
def test_rendering_does_not_write_through_a_link(tmp_path: Path, outside: Path) -> None:
    root = made(tmp_path)
    out = tmp_path / "out"
    (out / "docs").mkdir(parents=True)
    (out / "docs/guide").symlink_to(outside)
    (out / "mkdocs.yml").symlink_to(outside / "index.md")
    (out / ".tutorial-tool.json").write_text(
        '["../outside/secret.md", "docs/guide/secret.md", "/etc/hostname", "docs/guide/../../../outside/index.md"]'
    )
    assert command(root, "render", str(out)).returncode == 2


@posix
def test_a_fix_does_not_write_through_a_link(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (outside / "typo.md").write_text("Open the the door.\n")
    (root / "docs/typo.md").symlink_to(outside / "typo.md")
    (root / "docs/hard.md").write_text("Open the the door.\n")
    done = command(root, "lint", "--fix", "docs")
    assert (outside / "typo.md").read_text() == "Open the the door.\n"
    assert (root / "docs/hard.md").read_text() == "Open the door.\n"
    assert "points outside the folder" in done.stdout
    (outside / "typo.md").unlink()


@posix
def test_adopting_reads_and_writes_nothing_outside(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    for name in ("swan", "otter"):
        (root / "docs" / name).mkdir(parents=True)
        (root / "docs" / name / "start.md").write_text(
            f"# Start on {name}\n\nOpen the app.\n\n![x](../../../outside/secret.png)\n"
        )
        (root / "docs" / name / "more.md").symlink_to(outside / "secret.md")
    done = command(root, "adopt", "docs", "--step", "start", "--into", "new")
    assert done.returncode == 0, done.stderr
    unseen(root)
    (root / "site_templates").symlink_to(outside)
    assert command(root, "adopt", "docs", "--step", "start", "--into", ".").returncode == 2


@posix
def test_a_baseline_names_nothing_outside(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.md").write_text("# A\n\nOpen the the door.\n")
    entry = {"rule": "repeated-word", "message": "x", "mark": "0123456789ab - - - -"}
    for path in ESCAPES.values():
        (root / "b.json").write_text(json.dumps({"version": 1, "files": {path.format(outside=outside): [entry]}}))
        (root / "tutorial-tool.toml").write_text('baseline = "b.json"\n')
        assert "repeated-word" in [finding.rule for finding in told(root)]
    assert command(root, "lint", "--write-baseline", "b.json").returncode == 0
    assert list(json.loads((root / "b.json").read_text())["files"]) == ["a.md"]


def test_a_page_below_more_folders_than_calls_may_nest(tmp_path: Path) -> None:
    """Nothing asks the folders around a page one inside of the other."""
    done = command(tmp_path, "lint", "--stdin-filename", f"{1500 * 'a/'}b.md")
    assert (done.returncode, done.stderr) == (0, "")
