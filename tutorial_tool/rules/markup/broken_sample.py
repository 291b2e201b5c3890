"""Samples that nothing can read: a comma too many in JSON, a bracket not closed, strings in the wrong quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.brackets import Unpaired, find_unpaired
from tutorial_tool.markdown.document import CodeBlock
from tutorial_tool.rules import rule
from tutorial_tool.rules.markup._quoted_strings import quoted_strings
from tutorial_tool.site import Page, PageFix


class _Fault(NamedTuple):
    """What is wrong in a sample, and where in its text; `new` mends it, put in its place."""

    start: int
    end: int
    message: str
    fix: str = ""
    new: str = ""


_LANGUAGE = lazy_re.compile(r"[{.]*(json|ya?ml)(?![\w-])", re.IGNORECASE)
_SHELL = lazy_re.compile(r"[{.]*(?:sh|bash|zsh|shell|console)(?![\w-])", re.IGNORECASE)
_GOES_ON = lazy_re.compile(r"(?<![\s\\])[ \t]+(\\)\s*\Z")  # A command that goes on where its sample ends
_SIGN = r'"(?:[^"\\\n]|\\.)*+"|-?\d[\d.eE+-]*+(?![\w.])|(?:true|false|null)(?!\w)|[{}\[\],:]'
_TOKEN = lazy_re.compile(_SIGN, re.ASCII)
_NOTHING_ELSE = lazy_re.compile(rf"(?>(?:{_SIGN}|[ \t\n])*)", re.ASCII)
_LENIENT = lazy_re.compile(r"[jt]sconfig|compilerOptions|vscode|settings\.json|launch\.json|devcontainer|deno|wrangler")
"""Files of JSON whose readers take a comma before a closing bracket."""
_PAIRS = {"}": "{", "]": "["}
_NESTED = lazy_re.compile(
    r"^(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.-]+):[ ]+(?![#&*!|>{\[\"'%@`])[^\s{}\"'#][^\n{}\"'#]*\n+"
    r"(?P<indent>[ ]+)(?:- +)?(?P<inner>[\w.-]+):(?=[ \n]|\Z)",
    re.MULTILINE,
)
_KEY = lazy_re.compile(r"^(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.\"'-]+):(?=[ \n]|\Z)", re.MULTILINE)
_TAB = lazy_re.compile(r"^ *\t[ \t]*(?=[\w-]+:|- )", re.MULTILINE)
_LARGEST = 10_000  # Characters of a sample of YAML: brackets in brackets keep its parser busy for long
_COMPUTED = ("{{", "{%", "<%", "...", "…")


@rule("markup", Severity.WARNING, needs="code")
def check(page: Page) -> Iterator[Finding]:
    for block in page.document.code_blocks:
        language, strings = quoted_strings(block)
        if strings:
            yield _quoted(page, block, language, strings)
        if _SHELL.match(block.info) and block.closed and (open_ := _GOES_ON.search(block.text)):
            yield _unfinished(page, block.content_start + open_.start(1))
        if block.closed and (bracket := find_unpaired(block.text, block.info)):
            yield _unpaired_in_code(page, block, bracket)
        match = _LANGUAGE.match(block.info)
        if match is None or not block.closed:
            continue
        fault = _in_json(block) if match[1].lower() == "json" else _in_yaml(block.text)
        if fault:
            place = block.content_start + fault.start, block.content_start + fault.end
            fix = PageFix(fault.fix, ((*place, fault.new),)) if fault.fix else None
            yield page.flag(place, fault.message, fix=fix)


def _quoted(page: Page, block: CodeBlock, language: str, strings: list[tuple[int, int]]) -> Finding:
    """One finding for a block, as who takes one quote for the other does so everywhere in it."""
    first, *others = [(block.content_start + start, block.content_start + end) for start, end in strings]
    message = f"{language} puts strings in double quotes; `'` is for a single character"
    return page.flag(first, message, related=[(page, place, "also here") for place in others])


def _unfinished(page: Page, at: int) -> Finding:
    """A command whose last line says that another one follows."""
    fix = PageFix("delete it", ((at, at + 1, ""),), safe=False)
    return page.flag((at, at + 1), "no line follows this `\\`, so the shell waits for more input", fix=fix)


def _unpaired_in_code(page: Page, block: CodeBlock, bracket: Unpaired) -> Finding:
    sign, at = block.text[bracket.at], block.content_start + bracket.at
    if bracket.opener is None:
        return page.flag((at, at + 1), f"`{sign}` is never {'closed' if sign in '([' else 'opened'}")
    opened = block.content_start + bracket.opener
    message = f"`{sign}` doesn't match `{block.text[bracket.opener]}`, which is still open here"
    return page.flag((at, at + 1), message, related=[(page, (opened, opened + 1), "opened here")])


# JSON


def _in_json(block: CodeBlock) -> _Fault | None:
    """The first mistake of a sample that is whole: nothing is left out of it, and nothing said beside it."""
    text = block.text
    ends = text.strip(" \t\n")
    if not ends or ends[0] not in "{[" or ends[-1] not in "}]" or _is_json(text):
        return None
    if not _NOTHING_ELSE.fullmatch(text):
        return None
    fault = _first_fault(text)
    is_lenient = fault and fault.fix == _TAKE_OUT and (_LENIENT.search(block.info) or _LENIENT.search(text))
    return None if is_lenient else fault


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_TAKE_OUT = "delete the comma"


def _first_fault(text: str) -> _Fault | None:
    """What stands between the tokens of JSON that cannot; several documents in a row can."""
    opened: list[re.Match[str]] = []
    before: re.Match[str] | None = None
    is_member_value = False  # whether the token before is a value behind a colon
    for token in _TOKEN.finditer(text):
        sign, last = token[0], before[0] if before else ""
        if sign in _PAIRS:
            if fault := _closing_fault(token, before, opened):
                return fault
            opened.pop()
        elif sign not in ",:" and before and opened and last not in ("{", "[", ",", ":"):
            return _lacking(text, before, token, opened, is_said=is_member_value or last in ("}", "]"))
        elif sign == "{" and last in ("{", ",") and _is_in_object(opened):
            return _Fault(*token.span(), "missing key in a JSON object; write a list between `[` and `]`")
        elif sign in ("{", "["):
            opened.append(token)
        before, is_member_value = token, last == ":"
    return _Fault(*opened[-1].span(), f"unclosed `{opened[-1][0]}`") if opened else None


def _is_in_object(opened: list[re.Match[str]]) -> bool:
    return bool(opened) and opened[-1][0] == "{"


def _closing_fault(token: re.Match[str], before: re.Match[str] | None, opened: list[re.Match[str]]) -> _Fault | None:
    """What is wrong with a closing bracket: a comma before it, or no bracket that it closes."""
    if before and before[0] == ",":
        return _Fault(before.start(), before.end(), f"trailing comma before `{token[0]}` in JSON", _TAKE_OUT)
    is_paired = opened and opened[-1][0] == _PAIRS[token[0]]
    return None if is_paired else _unpaired(token, opened)


def _lacking(
    text: str, before: re.Match[str], token: re.Match[str], opened: list[re.Match[str]], *, is_said: bool
) -> _Fault | None:
    """A comma that is missing; nothing where it may be a colon, or anything else."""
    is_member = re.match(r"\s*:", text[token.end() : token.end() + 20]) is not None
    is_on_one_line = "\n" not in text[before.end() : token.start()] and not (is_said and is_member)
    if is_on_one_line or is_member is not _is_in_object(opened):
        return None
    return _Fault(before.end(), before.end(), "a comma is missing here in JSON", "add a comma", ",")


def _unpaired(token: re.Match[str], opened: list[re.Match[str]]) -> _Fault:
    if not opened:
        return _Fault(*token.span(), f"unmatched `{token[0]}`")
    return _Fault(*opened[-1].span(), f"unclosed `{opened[-1][0]}` before `{token[0]}`")


# YAML


def _in_yaml(text: str) -> _Fault | None:
    """A tab that indents, or keys below a key that has a value: what else may be wrong may be meant, too."""
    if len(text) > _LARGEST:
        return None
    if any(sign in text for sign in _COMPUTED):
        return None
    likely = [fault for look in _LOOKS if (fault := look(text))]
    line = _failing_line(text) if likely else None
    return next((fault for fault in likely if text.count("\n", 0, fault.end) == line), None)


def _tab(text: str) -> _Fault | None:
    match = _TAB.search(text) if "\t" in text else None
    at = text.index("\t", match.start()) if match else 0
    return _Fault(at, at + 1, "tab in the indentation; YAML allows only spaces") if match else None


def _nested(text: str) -> _Fault | None:
    for match in _NESTED.finditer(text):
        if len(match["indent"]) > len(match["lead"]):
            message = f"`{match['key']}` has a value, so YAML allows nothing nested below it; check the indentation"
            return _Fault(*match.span("inner"), message)
    return None


def _uneven(text: str) -> _Fault | None:
    """A key that stands further left than the one above it, and further right than the one that this belongs to."""
    indents: list[int] = []
    for match in _KEY.finditer(text):
        indent = len(match["lead"])
        if indents and min(indents) < indent < indents[-1] and indent not in indents:
            message = "indented less than the key above, but more than its parent; check the indentation"
            return _Fault(match.end("lead"), match.end("key"), message)
        while indents and indents[-1] > indent:
            indents.pop()
        indents += [len(match["lead"].partition("-")[0]), indent] if "-" in match["lead"] else [indent]
    return None


_LOOKS = (_tab, _nested, _uneven)


def _failing_line(text: str) -> int | None:
    """The line that YAML reads no further than, counted from 0; None where it reads all."""
    import yaml

    try:
        for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # events: no depth harms it
            pass
    except yaml.MarkedYAMLError as error:
        return error.problem_mark.line if error.problem_mark is not None else None
    except (yaml.YAMLError, RecursionError):
        pass
    return None
