"""The guide and the README tell the truth: their files are written, their commands run, their output compared."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests import started

REPOSITORY = Path(__file__).parent.parent
GUIDE = REPOSITORY / "docs_src"
ENVIRONMENT = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
UPDATE = "UPDATE" in os.environ
SKIPPED = ("pip install", "mkdocs serve")
"""Commands that need a network, or do not end."""

_BLOCK = re.compile(r'^(`{3,})(\w+)(?: title="([^"]+)")?\n(.*?)^\1$', re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The fenced blocks of a page: language, title, text."""
    return [(block[2], block[3] or "", block[4]) for block in _BLOCK.finditer(page.read_text(encoding="utf-8"))]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a command does that a reader types."""
    if not set("|<>&;$*") & set(command) and command.startswith(("tutorial-tool ", "mkdocs ")):
        program, *arguments = shlex.split(command)
        return started.run(program.replace("-", "_"), *arguments, cwd=folder, env=ENVIRONMENT)
    scripts = str(Path(sys.executable).parent)
    environment = {**ENVIRONMENT, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown for it."""
    return [
        (part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    ]


def written(page: Path, folder: Path) -> None:
    """The files that a page shows, in a folder."""
    for _, title, text in blocks(page):
        if "/" in title or "." in title:
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(text, encoding="utf-8")


def test_the_start_page_tells_what_happens(tmp_path: Path) -> None:
    """Its commands follow each other, from folder to folder, and what it shows of files stands in them."""
    folder, ran = tmp_path, 0
    written(GUIDE / "how-to/start.md", tmp_path)
    for language, title, text in blocks(GUIDE / "how-to/start.md"):
        if title:
            continue
        for command, output in commands(text) if language == "console" else ():
            if command.startswith("cd "):
                folder = (folder / command.removeprefix("cd ")).resolve()
            elif not command.startswith(SKIPPED):
                done = run(command, folder)
                assert (done.returncode, done.stdout) == (0, output or done.stdout), done.stderr
                ran += 1
        data = folder / "platforms.yaml"
        if language == "jinja":
            assert any(text in path.read_text() for path in folder.glob("site_templates/steps/*.md.j2"))
        elif language == "yaml" and "platforms:" in text:
            assert text in data.read_text()
        elif language == "yaml":
            line = text
            data.write_text(data.read_text().replace("\n\ntutorials:", f"\n{line}\ntutorials:"))
        elif language == "text":
            whole = data.read_text()
            data.write_text(whole.replace(line, re.sub(r", values: .*", "}", line)))
            done = run("tutorial-tool render without", folder)
            assert (done.returncode, done.stderr) == (2, text)
            data.write_text(whole)
    assert ran == 5


OF_OTHERS = ("No matching distribution found for", ": command not found")


def test_the_messages_of_troubleshooting_are_those_that_the_tool_prints() -> None:
    """Each message in the headings, apart from numbers and quoted names, is in the code as it is written there."""
    code = "".join(
        node.value
        for path in (REPOSITORY / "tutorial_tool").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ).replace("`", "")
    headings = re.findall(
        r"^\*\*(.*)\*\*$", (GUIDE / "how-to/troubleshoot.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    messages = [text for heading in headings for _, text in re.findall(r"(`+)(.+?)\1(?!`)", heading)]
    parts = [part for text in messages for part in re.split(r"`[\w-]+`|[\d,]+|…|; |\{#create\}", text)]
    assert len(headings) >= 20
    assert len(messages) >= 18
    assert [
        part for part in parts if not any(said in part for said in OF_OTHERS) and part.strip(" .") not in code
    ] == []


def test_the_commands_of_the_data_page_do_what_it_says(tmp_path: Path) -> None:
    for language, _, text in blocks(GUIDE / "reference/platforms-yaml.md"):
        for command, output in commands(text) if language == "console" else ():
            done = run(command, tmp_path)
            assert (done.returncode, done.stdout) == (0, output), done.stderr


COPY = """# Install the {0} SDK

The {0} SDK sends what your app tells it, and nothing else.

It may take up to five minutes until the first event arrives.

| Setting | Recommended |
| --- | --- |
| Send screen views | {1} |
| Send crash reports | Enabled |
| Upload on Wi-Fi only | Disabled |

Events of {2} show its icon in the list.
"""
COPIES = [("ios", "iOS", "Enabled", "iOS"), ("android", "Android", "Enabled", "iOS"), ("web", "Web", "Disabled", "Web")]


@pytest.mark.parametrize("name", ["how-to/lint.md", "how-to/fix.md", "../README.md"])
def test_the_pages_on_linting_show_what_is_printed(name: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n\nYou donâ€™t see the the data.\n", encoding="utf-8")
    for folder, platform, recommended, event in COPIES:
        path = tmp_path / f"docs/{folder}/install.md"
        path.parent.mkdir(parents=True)
        path.write_text(COPY.format(platform, recommended, event), encoding="utf-8")
    shown = [pair for language, _, text in blocks(GUIDE / name) if language == "console" for pair in commands(text)]
    ran = 0
    for command, output in shown:
        if output:
            done = run(command, tmp_path)
            assert done.stderr + done.stdout == output
            ran += 1
    assert ran


def test_the_links_page_shows_what_is_printed(tmp_path: Path) -> None:
    written(GUIDE / "how-to/links.md", tmp_path)
    shown = [
        pair
        for language, _, text in blocks(GUIDE / "how-to/links.md")
        if language == "console"
        for pair in commands(text)
    ]
    assert shown
    for command, output in shown:
        assert run(command, tmp_path).stdout == output


STORIES = [
    "how-to/adopt.md",
    "how-to/add-platform.md",
    "how-to/move-from-docusaurus-tabs.md",
    "reference/output-formats.md",
    "tutorials/find-the-drift.md",
    "tutorials/one-step.md",
    "how-to/baseline.md",
    "how-to/compare-copies.md",
    "how-to/review.md",
    "how-to/other-linters.md",
    "how-to/vocabulary.md",
    "reference/configuration.md",
    "how-to/restructure.md",
    "how-to/other-generators.md",
    "how-to/translate.md",
]
"""Pages whose files and commands follow each other. `UPDATE=1` rewrites what they print; read the difference."""


def patched(text: str, change: str) -> str:
    """A text after a change that a page shows as a diff, without line numbers."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1, before
    return text.replace(before, after)


def write_block(folder: Path, language: str, title: str, text: str) -> None:
    """Write the file that a block shows, or change it."""
    file = folder / title
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(patched(file.read_text(encoding="utf-8"), text) if language == "diff" else text, encoding="utf-8")


@pytest.mark.parametrize("name", STORIES)
def test_the_pages_that_tell_a_story_show_what_happens(name: str, tmp_path: Path) -> None:
    """Their files and commands follow each other: a file is written again where it changes."""
    folder, page, code = tmp_path, GUIDE / name, 0
    whole_page = page.read_text(encoding="utf-8")
    ran = 0
    for language, title, text in blocks(page):
        if title:
            write_block(tmp_path, language, title, text)
        printed = ""
        for command, output in commands(text) if language == "console" else ():
            printed += f"$ {command}\n"
            if command.startswith("cd "):
                folder = (folder / command.removeprefix("cd ")).resolve()
                continue
            if command.startswith(SKIPPED):
                continue
            done = run(command.replace("$?", str(code)), folder)
            code = done.returncode
            whole, shown = done.stderr + done.stdout, output.removesuffix("…\n")  # `…`: and so on
            printed += output if shown != output else whole
            if not UPDATE:
                assert shown == output == whole or (shown != output and whole.startswith(shown))
            ran += 1
        if UPDATE and printed:
            whole_page = whole_page.replace(f"```console\n{text}```", f"```console\n{printed}```", 1)
    if UPDATE:
        page.write_text(whole_page, encoding="utf-8")
    assert ran


def test_the_configuration_of_the_lint_page_is_good(tmp_path: Path) -> None:
    shown = next(text for language, _, text in blocks(GUIDE / "how-to/lint.md") if language == "toml")
    (tmp_path / "pyproject.toml").write_text(shown)
    (tmp_path / "page.md").write_text("# Page\n")
    done = run("tutorial-tool lint", tmp_path)
    assert (done.returncode, done.stdout) == (0, "Nothing found.\n"), done.stderr


def test_the_python_of_the_lint_page_runs(tmp_path: Path) -> None:
    shown = next(text for language, _, text in blocks(GUIDE / "how-to/lint.md") if language == "python")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("The the page.\n")
    (tmp_path / "run.py").write_text(shown)
    assert run("python run.py", tmp_path).stdout == "docs/page.md:1:1: repeated-word: repeated word `the`\n"


def test_the_data_page_shows_good_data(tmp_path: Path) -> None:
    from tutorial_tool import data
    from tutorial_tool.core.source import Source
    from tutorial_tool.data.model import building

    shown = [text for language, _, text in blocks(GUIDE / "reference/platforms-yaml.md") if language == "yaml"]
    whole = "".join(text for text in shown if not text.startswith(("#", "include")))
    whole = whole.replace("groups:\n", "  web: {name: Web}\n  server: {name: Server}\ngroups:\n")
    source = Source("platforms.yaml", whole)
    loaded = data.load_yaml(source)
    assert not loaded.findings
    assert not building.build_model([(source, loaded.node)]).findings


def test_the_data_page_shows_a_true_finding() -> None:
    from tutorial_tool import data
    from tutorial_tool.core.source import Source
    from tutorial_tool.data.model import building

    wanted = next(
        text for language, _, text in blocks(GUIDE / "reference/platforms-yaml.md") if language == "text"
    ).strip()
    source = Source("platforms.yaml", "platforms:\n  ios:\n    lables: {}\n    name: iOS\n")
    (found,) = building.build_model([(source, data.load_yaml(source).node)]).findings
    assert str(found) == wanted


def test_the_templates_page_shows_a_true_error() -> None:
    wanted = [text for language, _, text in blocks(GUIDE / "reference/template-functions.md") if language == "text"][-1]
    assert re.fullmatch(
        r"site_templates/steps/create-input\.md\.j2:12:18: undefined-name: platform `ios` has no `nmae` "
        r"\(platforms\.yaml:3:3\); did you mean `name`\? \[ios\]\n",
        wanted,
    )


def test_every_call_of_the_templates_page_exists(tmp_path: Path) -> None:
    from tests import project

    text = (GUIDE / "reference/template-functions.md").read_text()
    table = text[text.index("| Call | Gives |") : text.index("A key is always read")]
    calls = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)[2:]
    names = {name for cell in calls for name in re.findall(r"`([\w.]+)", cell)}
    assert len(names) > 12
    data = project.DATA.replace("package: swan-kit", "package: swan-kit, my-key: x")
    templates = {**project.TEMPLATES, "steps/finish.md.j2": "---\ntitle: F\n---\n\n## C {: #check }\n\n"}
    for name in sorted(names):
        templates["steps/finish.md.j2"] += f"{{% if {name} is defined %}}\n{name}\n{{% endif %}}\n"
    page = project.page(project.load(project.write(tmp_path, data, templates)), "swan/finish")
    assert [name for name in sorted(names) if name not in page.text.split("\n")] == []


MOST_WORDS = 18_000
"""Words of the guide that people write: prose, tables, and headings. Code, its output, and generated reference are free."""


def test_the_guide_stays_short() -> None:
    fence = re.compile(r"^( *)(`{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
    free = re.compile(r"\A---\n.*?^---$|<!-- ([\w ]+): begin -->.*?<!-- \1: end -->", re.MULTILINE | re.DOTALL)
    texts = (fence.sub("", free.sub("", page.read_text(encoding="utf-8"))) for page in GUIDE.rglob("*.md"))
    assert sum(len(re.findall(r"[\w'’-]*\w", re.sub(r"\]\([^)]*\)", "]", text))) for text in texts) <= MOST_WORDS


@pytest.mark.slow
def test_the_search_index_stays_small(tmp_path: Path) -> None:
    """Build the site as its publisher does: every reader loads the index with the first search."""
    done = run(f"mkdocs build -q --strict --site-dir {tmp_path}", REPOSITORY)
    assert done.returncode == 0, done.stdout + done.stderr
    index = (tmp_path / "search/search_index.json").read_text(encoding="utf-8")
    assert len(index) <= 250_000
    assert r"\\|" not in index  # Readers would see the backslash: in a table, a pipe in code is `&#124;`
