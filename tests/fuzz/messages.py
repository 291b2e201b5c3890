"""Messages that an editor might send, and some that none would: sequences for the language server, a message a line.

`$ROOT` stands for the URI of the folder that is open. A line that begins with `!` is no message: the disk changes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.fuzz import shapes
from tests.project import DATA, TEMPLATES

STEP, PAGE, YAML, NOTE = (
    "$ROOT/project/site_templates/steps/prepare.md.j2",
    "$ROOT/project/docs_src/index.md",
    "$ROOT/project/platforms.yaml",
    "$ROOT/tree/note.md",
)
FILES = {
    "project/site_templates/steps/prepare.md.j2": TEMPLATES["steps/prepare.md.j2"],
    "project/docs_src/index.md": "# Home\n",
    "project/platforms.yaml": DATA,
    "tree/note.md": "# Note\n\nSee the [other](other.md#part) note, and teh 🦢 swans.\n",
    "tree/other.md": "# Other\n\n## Part\n\nThe the end.\n",
}
"""What the disk may lose and get back."""
URIS = [
    STEP, STEP, PAGE, PAGE, YAML, YAML, NOTE, NOTE, "$ROOT/tree/other.md", "$ROOT/tree/new.md", "$ROOT/project/new.md.j2",
    "$ROOT/project/tutorial-tool.toml", "$ROOT/project/site_templates/steps/prepare/install.animals.md", "$ROOT/project/mkdocs.yml",
    "$ROOT/tree", "$ROOT/tree/", "$ROOT/tree/note.md/", "$ROOT/tree/note.md/more.md", "$ROOT/tree/note.md?a#b", "$ROOT//tree//note.md",
    "$ROOT/tree/../project/platforms.yaml", "$ROOT/%2e%2e/a.md", "$ROOT/tree/%00.md", "$ROOT/tree/a%0ab.md", "$ROOT/tree/%ff.md", "$ROOT/tree/%",
    "$ROOT/tree/%zz%2", "$ROOT/tree/%2f.md", "$ROOT/tree/\ud800.md", "$ROOT/tree/é🦢.md", f"$ROOT/tree/{'a' * 300}.md", f"$ROOT/{'a/' * 3000}b.md",
    "$ROOT/tree/a\\b.md", "$ROOT/tree/a b.md", "$ROOT/tree/.md", "$ROOT/tree/note.MD", "$ROOT", "untitled:Untitled-1", "untitled:note.md", "", ":", "file:",
    "file://", "file:note.md", "file://[", "file://[::1]/a.md", "file://host/share/a.md", "file://℀/a.md", "file:///C:/a.md", "file:///c%3A/a.md",
    "file:////a.md", "FILE:///a.md", "file:///dev/zero", "file:///dev/null.md", "file:///proc/self/mem", "http://example.com/a.md", "git:/a.md?b",
    "vscode-notebook-cell:/a.md#b", "\ud83d", "a" * 5000, "file:///" + "%25" * 500 + ".md",
]  # fmt: skip
FOLDERS = [
    "$ROOT/project", "$ROOT/tree", "$ROOT/project/docs_src", "$ROOT/nothing", "$ROOT/tree/note.md", *(uri for uri in URIS if "//[" in uri or "%" in uri),
]  # fmt: skip
NUMBERS = [0, 0, 1, 1, 2, 3, 4, 7, 12, 19, 24, 33, 60, -1, 10_000, 2**31 - 1, 2**31, 2**53, 10**30]
ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e300, 10**40, "", "a", "\ud800", [], {}, [[]], {"a": None}, {"jsonrpc": "2.0"}, "$ROOT/tree/note.md", "9" * 50,
]  # fmt: skip
"""What stands where something else should."""
WORDS = [
    "", "swan", "new-name", "a b", "a: b", "'", "🦢", "\ud800", "\0", "../a", "a" * 5000, "{{ x }}", "platforms", "\n", "settings",
]  # fmt: skip


def messages(chance: random.Random) -> str:
    """A sequence, sometimes spoilt: a value of another kind, a letter that is not JSON."""
    lines = [_line(chance, number) for number in range(chance.randint(2, 9))]
    text = "\n".join(lines)
    return shapes.spoilt(chance, text, shapes.JSON_SIGNS) if chance.random() < 0.1 else text


def _line(chance: random.Random, number: int) -> str:
    if chance.random() < 0.08:
        return f"!{chance.choice(('delete', 'write', 'spoil'))} {chance.choice(list(FILES))}"
    name = chance.choice(NAMES)
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": name, "params": _MAKERS[name](chance)}
    if name in REQUESTS:
        message["id"] = chance.choice((number, f"request-{number}", 0, 1, "a"))
    return json.dumps(_wrong(chance, message) if chance.random() < 0.25 else message)


def _wrong(chance: random.Random, message: Any) -> Any:
    """A message with something else in one of its places."""
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
            places.append((node, key))
            walk(node[key])

    walk(message)
    inside, key = chance.choice(places)
    if isinstance(inside, dict) and chance.random() < 0.3:
        del inside[key]
    else:
        inside[key] = deepcopy(chance.choice(ODD))  # what is put in may be changed in its turn
    return chance.choice((message, message, message, message, [message], chance.choice(ODD)))


def _uri(chance: random.Random) -> str:
    return chance.choice(URIS[:8] if chance.random() < 0.6 else URIS)


def _document(chance: random.Random) -> dict[str, Any]:
    return {"uri": _uri(chance)}


def _position(chance: random.Random) -> dict[str, Any]:
    return {"line": chance.choice(NUMBERS), "character": chance.choice(NUMBERS)}


def _range(chance: random.Random) -> dict[str, Any]:
    return {"start": _position(chance), "end": _position(chance)}


def _text(chance: random.Random) -> str:
    make = chance.choice((shapes.markdown, shapes.template, shapes.yaml, shapes.front_matter, shapes.toml, _small))
    text = make(chance)
    if chance.random() < 0.2:
        at = chance.randint(0, len(text))
        text = text[:at] + chance.choice(("\ud83d", "\udd22", "🦢", "\ud83d\ud83d", "\r", "\0", "\u2028")) + text[at:]
    return text


def _small(chance: random.Random) -> str:
    return chance.choice(("", "a", "\n", "# The the 🦢\n", "{{ platform.", "- ", *FILES.values()))


def _place(chance: random.Random) -> dict[str, Any]:
    return {"textDocument": _document(chance), "position": _position(chance)}


def _opened(chance: random.Random) -> dict[str, Any]:
    return {
        "textDocument": {
            **_document(chance),
            "languageId": "markdown",
            "version": chance.choice(NUMBERS),
            "text": _text(chance),
        }
    }


def _changed(chance: random.Random) -> dict[str, Any]:
    changes: list[dict[str, Any]] = [{"text": _text(chance)} for _ in range(chance.choice((0, 1, 1, 1, 2)))]
    for change in changes:
        if chance.random() < 0.3:
            change["range"] = _range(chance)
    return {"textDocument": {**_document(chance), "version": chance.choice(NUMBERS)}, "contentChanges": changes}


def _of_document(chance: random.Random) -> dict[str, Any]:
    return {"textDocument": _document(chance)}


def _watched(chance: random.Random) -> dict[str, Any]:
    return {
        "changes": [
            {"uri": _uri(chance), "type": chance.choice((1, 2, 3, 3, 0, 99))} for _ in range(chance.choice((0, 1, 3)))
        ]
    }


def _folders(chance: random.Random) -> dict[str, Any]:
    def some() -> list[dict[str, Any]]:
        return [{"uri": chance.choice(FOLDERS), "name": "a"} for _ in range(chance.choice((0, 1, 2)))]

    return {"event": {"added": some(), "removed": some()}}


def _references(chance: random.Random) -> dict[str, Any]:
    return {**_place(chance), "context": {"includeDeclaration": chance.random() < 0.5}}


def _actions(chance: random.Random) -> dict[str, Any]:
    shown = [
        {"range": _range(chance), "message": chance.choice(WORDS), "code": chance.choice(("misspelling", 7))}
        for _ in range(chance.choice((0, 1)))
    ]
    only = chance.choice((None, None, ["quickfix"], ["source"], [""], ["source.fixAll.tutorial-tool"]))
    context = {"diagnostics": shown, **({"only": only} if only else {})}
    return {"textDocument": _document(chance), "range": _range(chance), "context": context}


def _resolved(chance: random.Random) -> dict[str, Any]:
    kind = chance.choice(("source.fixAll.tutorial-tool", "source.fixAll.tutorial-tool", "quickfix", ""))
    return {
        "title": "Fix",
        "kind": kind,
        "data": chance.choice(({"uri": _uri(chance)}, {"uri": chance.choice(ODD)}, chance.choice(ODD))),
    }


def _renamed(chance: random.Random) -> dict[str, Any]:
    return {**_place(chance), "newName": chance.choice(WORDS)}


def _cancelled(chance: random.Random) -> dict[str, Any]:
    return {"id": chance.choice((0, 1, 2, 3, 4, "a", "request-1", "nobody", -1))}


def _started(chance: random.Random) -> dict[str, Any]:
    folders = chance.choice((None, [], [{"uri": chance.choice(FOLDERS), "name": "a"}]))
    encodings = chance.choice((None, ["utf-8"], ["utf-32", "utf-16"], ["ebcdic"]))
    general = {"positionEncodings": encodings} if encodings else {}
    return {
        "processId": None,
        "rootUri": chance.choice((None, *FOLDERS)),
        "workspaceFolders": folders,
        "capabilities": {"general": general},
    }


def _any(chance: random.Random) -> Any:
    return chance.choice(ODD)


_MAKERS: dict[str, Callable[[random.Random], Any]] = {
    "textDocument/didOpen": _opened,
    "textDocument/didChange": _changed,
    "textDocument/didClose": _of_document,
    "textDocument/didSave": _of_document,
    "workspace/didChangeWatchedFiles": _watched,
    "workspace/didChangeWorkspaceFolders": _folders,
    "workspace/didChangeConfiguration": lambda chance: {"settings": chance.choice(ODD)},
    "initialized": lambda _: {},
    "$/cancelRequest": _cancelled,
    "$/setTrace": lambda chance: {"value": chance.choice(("off", "verbose", "x"))},
    "window/workDoneProgress/cancel": lambda chance: {"token": chance.choice(("a", 1))},
    "nothing/known": _any,
    "initialize": _started,
    "textDocument/hover": _place,
    "textDocument/definition": _place,
    "textDocument/references": _references,
    "textDocument/documentLink": _of_document,
    "textDocument/codeAction": _actions,
    "codeAction/resolve": _resolved,
    "textDocument/completion": _place,
    "textDocument/prepareRename": _place,
    "textDocument/rename": _renamed,
    "workspace/executeCommand": lambda chance: {"command": chance.choice(WORDS), "arguments": chance.choice(ODD)},
    "textDocument/formatting": _of_document,
    "nothing/asked": _any,
}
REQUESTS = {
    name
    for name in _MAKERS
    if name.startswith(("textDocument/", "codeAction/", "nothing/asked", "workspace/execute")) and "/did" not in name
} | {"initialize"}
NAMES = [*_MAKERS, *(("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose") * 3)]
