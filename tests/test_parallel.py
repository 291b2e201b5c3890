"""A large site is read and written by several processes, and is byte for byte that of one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_crashes import here
from tests.test_plugin import CONFIG, ENVIRONMENT, made

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="one process does all where programs are not copied"),
]

PAGES = 40
_COUNTED = """
import os, signal, sys
from mkdocs.__main__ import cli
from tutorial_tool.cache import workers

told, get, kills = [], workers.PrefetchWorkers.get, "kill" in sys.argv

def counted(self, number):
    if kills and number > 6:
        for other in self._workers:
            os.kill(other.process.pid, signal.SIGKILL)
    done = get(self, number)
    told.append(bool(done))
    return done

workers.PrefetchWorkers.get = counted
workers.count_available = lambda: 3
try:
    cli(["build", "-f", "mkdocs.yml", *[arg for arg in sys.argv[1:] if arg != "kill"]])
finally:
    print(sum(told))
"""


def site(root: Path, options: str = "", config: str = CONFIG) -> Path:
    """A project beside many pages, of which some have something to say."""
    made(root, config.replace("tutorial]", f"tutorial: {{{options}}}]"))
    for number in range(PAGES):
        text = f"---\ntags: [a{number}]\n---\n\n# Page {number}\n\n## Part\n\nSee [that](page-{number // 2}.md#part).\n"
        (root / f"docs_src/page-{number}.md").write_text(text)
    (root / "docs_src/page-7.md").write_text("# Seven\n\nSee [that](gone.md), and [here](page-8.md#gone) `<b>`.\n")
    (root / "docs_src/page-20.md").write_text("# Twenty & more\n\nSee [that](/gone.md)[^1] {{ x }}.\n\n[^1]: Note.\n")
    return root


def ran(root: Path, code: str, *args: str) -> subprocess.CompletedProcess[str]:
    """What a program does in a folder."""
    environment = {**ENVIRONMENT, "SOURCE_DATE_EPOCH": "1700000000"}
    command = [sys.executable, "-c", code, *args]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120, check=False)


def build(root: Path, *args: str) -> tuple[int, str, int]:
    """The exit code of a build, its log, and how many times another process did something."""
    done = ran(root, _COUNTED, *args)
    said, _, told = done.stdout.strip().rpartition("\n")
    log = re.sub(r"built in \S+ seconds|directory: \S+", "", done.stderr + said)
    log = re.sub(r"(?m)^Traceback.*\n(?: .*\n)+", "", log)
    return done.returncode, log.replace(str(root), ""), int(told)


def both(folder: Path, *args: str, config: str = CONFIG, broken: str = "", lint: str = "true") -> tuple[int, str]:
    """What several processes and one both say and write."""
    found = []
    for parallel in ("true", "false"):
        root = site(folder / parallel, f"lint: {lint}, parallel: {parallel}", config)
        if broken:
            (root / "docs_src/page-11.md").write_text(broken)
        code, log, told = build(root, *args)
        assert (told > 0) == (parallel == "true"), log
        found.append((code, log, {} if broken else here(root / "site")))  # a build that fails leaves what it has made
    assert found[0][0] == found[1][0]
    if lint == "true":  # in several processes the linter ends last
        assert sorted(found[0][1].splitlines()) == sorted(found[1][1].splitlines())
    else:
        assert found[0][1] == found[1][1]
    assert found[0][2].keys() == found[1][2].keys()
    assert not [path for path, text in found[0][2].items() if found[1][2][path] != text]
    return found[0][:2]


@pytest.mark.parametrize("theme", ["material", "mkdocs"])
def test_the_site_is_that_of_one_process(tmp_path: Path, theme: str) -> None:
    code, log = both(tmp_path, config=CONFIG.replace("name: material, font: false", f"name: {theme}"))

    assert code == 0
    assert "'page-7.md' contains a link 'gone.md'" in log
    entries = (tmp_path / "true/site/search/search_index.json").read_text()
    assert entries.index("page-1/") < entries.index("page-2/") < entries.index("page-3/")


def test_the_log_is_that_of_one_process(tmp_path: Path) -> None:
    code, log = both(tmp_path, lint="false")

    assert code == 0
    assert log.index("page-20.md") < log.index("page-7.md")


def test_strict_fails_on_what_the_linter_finds(tmp_path: Path) -> None:
    code, log = both(tmp_path, "--strict")

    assert code == 1
    assert "docs_src/page-14.md:9:21: broken-anchor" in log
    assert "findings, and the build is strict" in log


def test_strict_counts_what_is_said(tmp_path: Path) -> None:
    code, log = both(tmp_path, "--strict", lint="false")

    assert code == 1
    assert "in strict mode" in log


def test_a_page_that_fails_is_named(tmp_path: Path) -> None:
    code, log = both(tmp_path, broken="---\ntemplate: gone.html\n---\n\n# Page\n")

    assert code == 1
    assert "Error building page 'page-11.md'" in log


def test_most_pages_are_done_elsewhere_and_killed_processes_are_not_missed(tmp_path: Path) -> None:
    killed = build(site(tmp_path / "killed"), "kill")
    whole = build(site(tmp_path / "whole"))

    assert killed[:2] == whole[:2]
    assert 0 < killed[2] < whole[2] > PAGES
    assert here(tmp_path / "killed/site") == here(tmp_path / "whole/site")


@pytest.mark.parametrize(
    ("wanted", "instead"),
    [
        ("plugins:", "hooks: [hook.py]\nplugins:"),
        ("plugins: [search, ", "plugins: [search, tags, "),
        ("plugins:", "markdown_extensions: [own_tables]\nplugins:"),
        ("font: false", "font: false, custom_dir: asking"),
        ("font: false", "font: false, custom_dir: counting"),
    ],
    ids=["hooks", "plugin", "extension", "template that asks", "template that counts"],
)
def test_what_is_not_known_keeps_one_process(tmp_path: Path, wanted: str, instead: str) -> None:
    root = site(tmp_path, config=CONFIG.replace(wanted, instead))
    (root / "hook.py").write_text("")
    for name, said in {"asking": "page.previous_page if page", "counting": 'config.extra.update({"n": 1})'}.items():
        (root / name).mkdir()
        (root / name / "main.html").write_text(
            '{% extends "base.html" %}{% block footer %}{{ ' + said + " }}{% endblock %}"
        )
    (root / "own_tables.py").write_text("from markdown.extensions.tables import makeExtension\n")

    code, log, told = build(root)

    assert (code, told) == (0, 0), log


@pytest.mark.parametrize("call", ["os.fork", "os.pipe"])
def test_processes_that_cannot_be_had_are_not_missed(tmp_path: Path, call: str) -> None:
    """A limit on processes or open files, as a container has it."""
    code = f"import os\n\ndef refused():\n    raise BlockingIOError(11, 'not now')\n\n{call} = refused\n{_COUNTED}"
    root = site(tmp_path / "refused")
    done = ran(root, code)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr
    assert (root / "site/page-39/index.html").is_file()


def test_a_worker_builds_alone(tmp_path: Path) -> None:
    """Teams build languages and versions at once: workers of `multiprocessing` may have no processes of their own."""
    code = (
        "import multiprocessing\n\ndef build(_):\n    from mkdocs.config import load_config\n"
        "    from mkdocs.commands.build import build\n    config = load_config('mkdocs.yml')\n"
        "    config.plugins.on_startup(command='build', dirty=False)\n    build(config)\n\n"
        "with multiprocessing.get_context('fork').Pool(1) as pool:\n    pool.map(build, [1])\n"
    )
    root = site(tmp_path)
    done = ran(root, code)
    assert done.returncode == 0, done.stderr
    assert (root / "site/page-39/index.html").is_file()


def test_a_file_of_the_theme_stays(tmp_path: Path) -> None:
    config = CONFIG.replace("font: false", "font: false, custom_dir: theme, static_templates: [llms.txt]")
    for parallel in ("true", "false"):
        root = site(tmp_path / parallel, f"parallel: {parallel}", config)
        (root / "theme").mkdir()
        (root / "theme/llms.txt").write_text("Ours.\n")
        code, log, _ = build(root)
        assert (code, (root / "site/llms.txt").read_text()) == (0, "Ours."), log


def test_a_baseline_that_cannot_be_read_ends_a_build_before_it_begins(tmp_path: Path) -> None:
    root = site(tmp_path)
    (root / "tutorial-tool.toml").write_text('baseline = "known.json"\n')
    (root / "known.json").write_text("{")
    code, log, _ = build(root)
    assert code == 1
    assert "known.json:1" in log
    assert not (root / "site").exists()


def test_a_build_that_was_left_is_over(tmp_path: Path) -> None:
    """As Ctrl-C leaves it, of which MkDocs tells nobody."""
    code = (
        "from mkdocs.commands import build as theirs\nfrom mkdocs.config import load_config\n"
        "from tutorial_tool.cache import workers\nworkers.count_available = lambda: 2\n"
        "page, copied = theirs._build_page, theirs.Files.copy_static_files\n\n"
        "def interrupted(*args, **options):\n    raise KeyboardInterrupt\n\n"
        "for copying in (interrupted, copied):\n    theirs.Files.copy_static_files = copying\n"
        "    config = load_config('mkdocs.yml')\n"
        "    config.plugins.on_startup(command='build', dirty=False)\n"
        "    try:\n        theirs.build(config)\n    except KeyboardInterrupt:\n        print('interrupted')\n"
        "assert theirs._build_page is page\n"
    )
    root = site(tmp_path)
    done = ran(root, code)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
    assert (root / "site/page-39/index.html").is_file()
