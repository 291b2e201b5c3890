"""Bytes that are not the UTF-8 that everybody hopes for: a finding that says what and where, and no byte is lost."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from tests import project, started
from tests.fuzz import messages, session
from tests.test_plugin import CONFIG, ENVIRONMENT
from tutorial_tool import cli, reporters
from tutorial_tool.config.settings import FORMATS, ConfigError
from tutorial_tool.linter import session as run_
from tutorial_tool.linter.config_lookup import LookupOptions

pytestmark = pytest.mark.slow

Spoil = Callable[[str], bytes]


def ends(*line_ends: str) -> Spoil:
    """Each line with the next of some ends."""

    def made(text: str) -> bytes:
        lines = text.split("\n")
        return (
            "".join(line + line_ends[number % len(line_ends)] for number, line in enumerate(lines[:-1])).encode()
            + lines[-1].encode()
        )

    return made


def inside(data: bytes) -> Spoil:
    """Some bytes in the midst of the text, behind a letter."""

    def made(text: str) -> bytes:
        at = next(
            (match.end() for match in re.finditer(r"[a-z]{3}(?=[a-z])", text) if match.end() > len(text) / 3), len(text)
        )
        return text[:at].encode() + data + text[at:].encode()

    return made


FINE: dict[str, Spoil] = {
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "line ends of Windows": ends("\r\n"),
    "line ends of old": ends("\r"),
    "mixed line ends": ends("\r\n", "\n", "\r"),
    "a mark and line ends": lambda text: b"\xef\xbb\xbf" + ends("\r\n")(text),
}
WRONG: dict[str, Spoil] = {
    "UTF-16, little": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16, big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "Latin-1": inside("ä".encode("latin-1")),
    "Windows-1252": inside("’".encode("cp1252")),
    "NUL": inside(b"\0"),
    "an overlong slash": inside(b"\xc0\xaf"),
    "an overlong NUL": inside(b"\xc0\x80"),
    "a surrogate": inside(b"\xed\xa0\x80"),
    "a pair of surrogates": inside(b"\xed\xa0\xbd\xed\xb8\x80"),
    "beyond Unicode": inside(b"\xf4\x90\x80\x80"),
    "half a character": inside(b"\xe2\x82"),
    "a picture": lambda _: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff",
}
ODD: dict[str, Spoil] = {
    "a second mark": lambda text: b"\xef\xbb\xbf\xef\xbb\xbf" + text.encode(),
    "a mark within": inside(b"\xef\xbb\xbf"),
    "a form feed": inside(b"\x0c"),
    "a line separator": inside("\u2028".encode()),
    "an escape": inside(b"\x1b[31m"),
    "text that runs backwards": inside("\u202e".encode()),
    "the last character": inside("\U0010ffff".encode()),
    "a character that is none": inside("\ufffe".encode()),
    "nothing": lambda _: b"",
    "a byte order mark alone": lambda _: b"\xef\xbb\xbf",
    "white space": lambda _: b" \t\r\n\x0b\x0c",
}
"""UTF-8, and yet: a finding or none, but never a traceback."""
ALL: dict[str, Spoil] = {**FINE, **WRONG, **ODD}

SETTINGS = 'vocabulary-file = "words.txt"\nbaseline = "known.json"\ninventory = "published.json"\nui-strings = {ALL = ["strings.json"]}\n'
KNOWN = json.dumps({"version": 1, "files": {"docs_src/index.md": []}}, indent=1)
PUBLISHED = json.dumps({"version": 1, "pages": [{"url": "guide/", "title": "Guide", "anchors": []}]}, indent=1)
FILES = {
    "docs_src/index.md": "# Home\n\nWelcome to the tutorial.\n\nIt has several steps.\n",
    "site_templates/steps/finish.md.j2": project.TEMPLATES["steps/finish.md.j2"],
    "site_templates/steps/prepare/install.animals.md": project.TEMPLATES["steps/prepare/install.animals.md"],
    "site_templates/steps/prepare/start.swan.py": "if True:\n    print('hello there')\n",
    "platforms.yaml": "include: [more.yaml]\n" + project.DATA,
    "more.yaml": "groups:\n  others: [otter]\n",
    "tutorial-tool.toml": SETTINGS,
    "words.txt": "swan-kit\nsomething\n",
    "known.json": KNOWN,
    "published.json": PUBLISHED,
    "strings.json": '{"menu": "The menu of swans"}\n',
}


def made(root: Path) -> Path:
    project.write(root)
    for name, text in FILES.items():
        (root / name).write_text(text, newline="")
    return root


READING = ("unreadable-file", "unsafe-path", "invalid-data", "invalid-template", "front-matter")
ASKING = ("misspelling", "removed-url", "unknown-ui-label")
"""Rules that ask for the files that the configuration names: nobody else reads those."""


def told(root: Path, *rules: str) -> list[str]:
    """Each finding as a line, or the lines of the error that kept the run from its end."""
    given = (("select", rules),) if rules else ()
    try:
        found = run_.run(run_.Request(LookupOptions(root, overrides=given))).findings
    except ConfigError as problem:
        return list(problem.problems)
    for form in FORMATS:
        reporters.render(form, found).encode()
    return [f"{finding}" for finding in found]


@pytest.mark.parametrize("name", FILES)
def test_line_ends_and_marks_change_nothing(name: str, tmp_path: Path) -> None:
    root = made(tmp_path)
    before = told(root, *READING, "text")
    for spoil in FINE.values():
        (root / name).write_bytes(spoil(FILES[name]))
        assert told(root, *READING, "text") == before


@pytest.mark.parametrize("name", FILES)
def test_what_is_not_utf_8_is_told_at_its_place(name: str, tmp_path: Path) -> None:
    root = made(tmp_path)
    for what, spoil in WRONG.items():
        (root / name).write_bytes(data := spoil(FILES[name]))
        lines = [line for line in told(root, *READING, *ASKING) if re.search(r"UTF-|binary|NUL", line)]
        assert len(lines) == 1, (what, lines)
        assert Path(name).name in lines[0], what
        if "(0x" in lines[0]:  # the place is that of the byte
            at = int(lines[0].split("byte ")[1].split()[0])
            assert f"line {data[:at].count(10) + 1})" in lines[0]
            assert data[at] == int(lines[0].split("(0x")[1][:2], 16)


@pytest.mark.parametrize(
    "name", ["docs_src/index.md", "site_templates/steps/finish.md.j2", "platforms.yaml", "tutorial-tool.toml"]
)
def test_what_is_odd_is_read(name: str, tmp_path: Path) -> None:
    root = made(tmp_path)
    for spoil in ODD.values():
        (root / name).write_bytes(spoil(FILES[name]))
        told(root)


ESCAPES = {
    "platforms.yaml": [project.DATA.replace("swan-kit", f'"a{escape}b"') for escape in ("\\ud800", "\\udfff", "\\ud83d\\ude00", "\\U00110000", "\\0", "\\uD83D")],
    "docs_src/index.md": [f'---\ntitle: "a{escape}b"\n---\n\nText.\n' for escape in ("\\ud800", "\\ud83d\\ude00", "\\0", "\\uffff")],
    "tutorial-tool.toml": [f'vocabulary = ["a{escape}"]\n' for escape in ("\\ud800", "\\U00110000", "\\u0000", "\\udfff")],
    "known.json": [KNOWN.replace("index.md", f"{escape}.md") for escape in ("\\ud800", "\\udfff\\ud800", "\\u0000")],
    "published.json": [PUBLISHED.replace("Guide", escape).replace("guide", escape) for escape in ("\\ud800", "\\u0000", "\\udfff")],
    "strings.json": ['{"menu": "a\\ud800b"}', '{"\\ud800": "\\udfff"}'],
    "site_templates/steps/finish.md.j2": [
        f"---\ntitle: Finish\n---\n\n## Check {{: #check }}\n\n{{{{ '{escape}' }}}}\n" for escape in ("\\ud800", "\\udfff\\ud800", "\\x00", "\\U0010ffff")
    ] + ["---\ntitle: Finish\n---\n\n## Check {: #check }\n\n{{ '%c'|format(55296) }} {{ '\\ud800'|upper|tojson }} {{ '%E0%A4%A'|urlencode }}\n"],
}  # fmt: skip


@pytest.mark.parametrize("name", ESCAPES)
def test_half_a_pair_of_surrogates_is_no_text(name: str, tmp_path: Path) -> None:
    root = made(tmp_path)
    for text in ESCAPES[name]:
        (root / name).write_text(text)
        told(root)


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff"])
@pytest.mark.parametrize("name", ["platforms.yaml", "site_templates/steps/finish.md.j2"])
def test_half_a_pair_is_told_and_never_written(name: str, escape: str, tmp_path: Path) -> None:
    text = project.DATA.replace("swan-kit", f'"a{escape}b"')
    if name != "platforms.yaml":
        text = f"---\ntitle: Finish\n---\n\n## Check {{: #check }}\n\n{{{{ '{escape}' }}}}\n"
    root = project.write(tmp_path / "root")
    (root / name).write_text(text)
    assert sum(line.startswith(name) for line in told(root) if "unused" not in line) == 1
    assert command(root, "render", "../out").returncode == 2
    assert not (tmp_path / "out").exists()


# Commands


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: bytes
    stderr: bytes


def command(root: Path, *arguments: str, data: bytes = b"") -> Done:
    """One of our commands, in this process: the same code as in its own, without the second that a start takes."""
    with chdir(root):
        result = CliRunner().invoke(cli.main, arguments, input=data, prog_name="tutorial-tool")
    return unharmed(Done(result.exit_code, result.stdout_bytes, result.stderr_bytes))


def built(root: Path) -> Done:
    done = started.run("mkdocs", "build", "-q", cwd=root, env=ENVIRONMENT)
    return unharmed(Done(done.returncode, done.stdout.encode(), done.stderr.encode()))


def unharmed(done: Done) -> Done:
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"internal error" not in done.stderr, done.stderr.decode()
    return done


COMMANDS = {
    "render": ["render", "../out"], "compare": ["compare"], "inventory": ["inventory"], "where": ["where", "menu"], "build": [],
    "adopt": ["adopt", "docs_src"], "lint": ["lint"],
}  # fmt: skip


@pytest.mark.parametrize("spoil", ["Latin-1", "NUL"])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_which_file_it_cannot_read(name: str, spoil: str, tmp_path: Path) -> None:
    root = made(tmp_path / "root")
    (root / "mkdocs.yml").write_text(
        CONFIG.replace("material, font: false, features: [content.action.edit, navigation.footer]", "mkdocs")
    )
    (root / "docs_src/index.md").write_bytes(WRONG[spoil](FILES["docs_src/index.md"]))
    done = built(root) if name == "build" else command(root, *COMMANDS[name])
    assert done.returncode in ((0, 1) if name == "where" else (2,) if name not in ("build", "lint") else (1,)), done
    assert name == "where" or b"index.md" in done.stdout + done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "spoil", ["UTF-16, little", "Latin-1", "NUL", "a surrogate", "an escape", "a second mark", "nothing", "white space"]
)
def test_standard_input(spoil: str, tmp_path: Path) -> None:
    data = {**WRONG, **ODD}[spoil]("# Title\n\nOpen the the door and go in.\n")
    done = command(tmp_path, "lint", "--stdin-filename", "a.md", data=data)
    assert done.returncode in (0, 1)
    assert (b"unreadable-file" in done.stdout) == (spoil in WRONG)
    fixed = command(tmp_path, "lint", "--fix", "--stdin-filename", "a.md", data=data)
    assert spoil not in WRONG or fixed.stdout == data, "what cannot be read comes back as it is"


@pytest.mark.parametrize("spoil", FINE)
def test_a_fix_keeps_marks_and_line_ends(spoil: str, tmp_path: Path) -> None:
    text = "# Title\n\nOpen the the door.\n\nClose the the window.\n"
    (tmp_path / "a.md").write_bytes(FINE[spoil](text))
    assert command(tmp_path, "lint", "--fix", "a.md").returncode == 0
    expected = FINE[spoil](text.replace("the the", "the"))
    assert (tmp_path / "a.md").read_bytes() == expected


@pytest.mark.parametrize("spoil", FINE)
def test_adopting_gives_back_marks_and_line_ends(spoil: str, tmp_path: Path) -> None:
    for name in ("Swan", "Otter"):
        folder = tmp_path / "docs" / name.lower()
        folder.mkdir(parents=True)
        text = f"# Start\n\nOpen the {name} app.\n\nThen wait.\n\nAnd see what comes.\n"
        (folder / "start.md").write_bytes(FINE[spoil](text))
    done = command(tmp_path, "adopt", "docs", "--step", "start", "--into", "new")
    if spoil == "mixed line ends":
        assert (done.returncode, b"line endings" in done.stderr) == (2, True)
    else:
        assert done.returncode == 0, done.stderr
        assert b"byte" in done.stdout


# A site that gets a tutorial, names, and an editor

CONFIGURED = "site_name: An example\n# What takes part\nplugins:\n  - search\n"


@pytest.mark.parametrize("spoil", ALL)
def test_a_tutorial_in_a_site_of_any_encoding(spoil: str, tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_bytes(data := ALL[spoil](CONFIGURED))
    done = command(tmp_path, "init", ".", "--yes")
    assert done.returncode == 0, done
    left = (tmp_path / "mkdocs.yml").read_bytes()
    if spoil in FINE:
        assert left.replace(b"  - tutorial", b"").rstrip() == data.rstrip()
        assert left.count(b"\r\n") == data.count(b"\r\n") + (spoil != "line ends of old" and b"\r\n" in data)
        assert left.startswith(b"\xef\xbb\xbf") is data.startswith(b"\xef\xbb\xbf")
    elif spoil in WRONG:
        assert left == data, "what cannot be read is left as it is"
        assert b"save it as UTF-8" in done.stdout or b"mkdocs.yml" in done.stdout


@pytest.mark.parametrize("option", ["--title", "--platform", "--step"])
@pytest.mark.parametrize("text", ["a\udcffb", "\ud800", "a\0b", "\ufeffa", "a\rb", "\u202ea", "\x1b[31ma"])
def test_a_project_is_named_in_any_encoding(option: str, text: str, tmp_path: Path) -> None:
    done = command(tmp_path, "init", "new", "--yes", option, text)
    assert done.returncode in (0, 2)
    for path in (tmp_path / "new").rglob("*"):
        assert path.name.isprintable()
        assert not path.is_file() or "\0" not in path.read_text(encoding="utf-8")
    assert done.returncode or command(tmp_path, "lint", "new").returncode in (0, 1)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names there are text")
def test_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    assert command(tmp_path, "init", "a\udcffb", "--yes").returncode == 0
    assert command(tmp_path, "lint", "a\udcffb").returncode in (0, 1)
    (tmp_path / "a\udcffb/docs_src/c\udcff.md").write_text("# The the page\n")
    assert b"unsafe-path" in command(tmp_path / "a\udcffb", "lint", "docs_src").stdout


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["tree/note.md", "project/platforms.yaml", session.STEP])
async def test_an_editor_beside_files_of_any_encoding(name: str, tmp_path: Path) -> None:
    root, text = session.written(tmp_path), messages.FILES[name]
    async with session.here(root) as editor:
        uri = f"{editor.uri}/{name}"
        for spoil in ALL.values():
            (root / name).write_bytes(spoil(text))
            editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": uri, "type": 2}])
            await editor.ask("textDocument/documentLink", textDocument={"uri": uri})
            told = spoil(text).decode("utf-8", "replace")
            editor.tell(
                "textDocument/didOpen", textDocument={"uri": uri, "languageId": "x", "version": 1, "text": told}
            )
            editor.tell("textDocument/didClose", textDocument={"uri": uri})
        await editor.sequence("")  # which looks whether all is well
