"""A small shape language: one description validates data with spans and generates its JSON Schema."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutorial_tool import data
from tutorial_tool.core.diagnostics import CLEAR_TYPO, Finding, build_error, find_nearest, format_suggestion
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Node, Scalar


@dataclass(frozen=True)
class Text:
    """A scalar, as written. `pattern` must match all of it; `what` describes it in messages."""

    what: str = "text"
    pattern: str | None = None
    choices: tuple[str, ...] = ()
    empty: bool = True
    reason: bool = False  # Whether it is a reason, so that `true` is not enough
    single: str = ""  # What to use instead of a list of such texts


@dataclass(frozen=True)
class Flag:
    """`true` or `false`."""


@dataclass(frozen=True)
class Anything:
    """Scalars, lists and mappings in any form."""


@dataclass(frozen=True)
class ListOf:
    """A list of one shape."""

    item: Shape
    what: str = "a list"
    empty: bool = True


@dataclass(frozen=True)
class MapOf:
    """A mapping from keys of one shape to values of another."""

    value: Shape
    key: Text = field(default_factory=Text)
    what: str = "a mapping"


@dataclass(frozen=True)
class Field:
    """One key of a record; `doc` is its description in editors."""

    shape: Shape
    doc: str = ""
    required: bool = False


@dataclass(frozen=True)
class Record:
    """A mapping with known keys; `rest` is the shape of other keys, where these are allowed.

    `instead` says what to write instead of a key that people expect here and that is not in `rest`.
    """

    fields: Mapping[str, Field]
    rest: Shape | None = None
    what: str = "a mapping"
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Either:
    """A text or flag, or a list or mapping."""

    text: Text | Flag
    other: ListOf | Record | MapOf


Shape = Text | Flag | Anything | ListOf | MapOf | Record | Either

_WHY = 'say why, in words such as "It has no screens"'
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def parse_boolean(text: str) -> bool | None:
    """Return the boolean of a scalar in YAML 1.2's core schema; None for any other text."""
    return _TRUTH.get(strip_origins(text))


def validate(node: Node, shape: Shape, name: str, root: Shape | None = None) -> Iterator[Finding]:
    """Yield all errors in a node, as findings with spans; `name` is what messages call it.

    `root` is the shape of the whole data, which shows where a key belongs that is known elsewhere only.
    """
    root = root or shape
    match shape:
        case Either():
            yield from validate(node, shape.text if isinstance(node, Scalar) else shape.other, name, root)
        case Text():
            yield from _validate_text(node, shape, name)
        case Flag():
            if not isinstance(node, Scalar) or parse_boolean(node.text) is None:
                yield _build_type_finding(node, "true or false", name)
        case ListOf():
            yield from _validate_list(node, shape, name, root)
        case MapOf() | Record():
            if not isinstance(node, data.Mapping):
                yield _build_type_finding(node, shape.what, name)
            elif isinstance(shape, MapOf):
                yield from _validate_map(node, shape, name, root)
            else:
                yield from _validate_record(node, shape, name, root)


def _validate_text(node: Node, shape: Text, name: str) -> Iterator[Finding]:
    if not isinstance(node, Scalar):
        instead = f"; {shape.single}" if shape.single and isinstance(node, data.Sequence) else ""
        yield _build_type_finding(node, shape.what, name, instead)
    elif not node.text and not shape.empty:
        expected = _WHY if shape.reason else f"be {shape.what}"
        yield build_error("invalid-data", f"{name} is empty; it should {expected}", node.span)
    elif shape.reason and parse_boolean(node.text) is not None:
        yield build_error("invalid-data", f"{name} should {_WHY}, not `{node.text}`", node.span)
    elif shape.choices and node.text not in shape.choices:
        hint = format_suggestion(node.text, shape.choices)
        listed = ", ".join(shape.choices)
        yield build_error("invalid-data", f"{name} should be one of {listed}, not `{node.text}`{hint}", node.span)
    elif node.text and shape.pattern and not re.fullmatch(shape.pattern, node.text):
        message = f"{name} should be {shape.what}, not `{_shorten_text(node.text)}`"
        yield build_error("invalid-data", f"{message}{_suggest_id(node.text, shape.pattern)}", node.span)


def _suggest_id(text: str, pattern: str) -> str:
    """Suggest an id for a text if the pattern is that of an id: from its letters without accents."""
    name = re.sub(r"(?:\.md)?(?:\.j2)?$", "", strip_origins(text).rpartition("/")[2]).replace("ß", "ss")
    name = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    if any(sign.isalpha() and not sign.isascii() for sign in name):
        return ""  # the rest would not be a word
    made = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
    return f"; write `{made}`" if len(made) > 1 and re.fullmatch(pattern, made) else ""


def _validate_map(node: data.Mapping, shape: MapOf, name: str, root: Shape) -> Iterator[Finding]:
    for key, value in node.items:
        yield from _validate_text(key, shape.key, f"a key of {name}")
        yield from validate(value, shape.value, f"`{key.text}`", root)


def _report_id_as_key(node: data.Mapping, settings: data.Mapping, name: str) -> Finding:
    key = node.items[0][0]
    known_keys = "`, `".join(inner.plain for inner, _ in settings.items) if settings is not node else ""
    place = f", and `{known_keys}` beside it" if known_keys else ""
    title = "; a title belongs in the template" if settings is node else ""
    message = f"{name} has `{key.text}` as a key: write `id: {key.text}`{place}{title}"
    return build_error("invalid-data", message, key.span)


def _validate_list(node: Node, shape: ListOf, name: str, root: Shape) -> Iterator[Finding]:
    if not isinstance(node, data.Sequence):
        yield _build_list_finding(node, shape, name)
        return
    if not node.items and not shape.empty:
        yield build_error("invalid-data", f"{name} is empty", node.span)
    for item in node.items:
        yield from validate(item, shape.item, f"an entry of {name}", root)


def _suggest_key(key: Scalar, value: Node, shape: Record, root: Shape) -> str:
    """Return a hint for an unknown key: the similar key, or where it belongs."""
    if message := shape.instead.get(key.plain):
        return f"; {message}"
    near = find_nearest(key.text, shape.fields)
    is_sure = near and find_nearest(key.text, [near], CLEAR_TYPO)
    hint = "" if is_sure else _suggest_other_place(key.plain, value, root)
    return f"; did you mean `{near}`?" if near and not hint else hint or _suggest_section(value, shape, root)


def _validate_record(node: data.Mapping, shape: Record, name: str, root: Shape) -> Iterator[Finding]:
    if settings := _find_named_settings(node, shape):
        yield _report_id_as_key(node, settings, name)
        return
    intended = ""
    for key, value in node.items:
        if known := shape.fields.get(key.plain):
            yield from validate(value, known.shape, f"`{key.text}`", root)
        elif shape.rest is not None and isinstance(value, data.Mapping) and (near := _guess_mapping(key, shape)):
            yield build_error("invalid-data", f"`{key.text}` has keys of its own; did you mean `{near}`?", key.span)
        elif shape.rest is not None and key.plain not in shape.instead:
            yield from validate(value, shape.rest, f"`{key.text}`", root)
        else:
            hint = _suggest_key(key, value, shape, root)
            intended += hint
            hint = hint or f"; it takes {', '.join(shape.fields)}"
            yield build_error("invalid-data", f"unknown key `{_shorten_text(key.text)}` in {name}{hint}", key.span)
    for missing in [k for k, f in shape.fields.items() if f.required and node.get(k) is None]:
        if f"`{missing}`" not in intended:  # otherwise the misspelled key is already reported
            yield build_error("invalid-data", f"{name} lacks `{missing}`", node.span.cut(0, 1))


def _guess_mapping(key: Scalar, shape: Record) -> str | None:
    """Return the mapping field that a key is close to, where other keys hold texts."""
    fields = [name for name, known in shape.fields.items() if isinstance(known.shape, MapOf | Record)]
    return find_nearest(key.text, fields, CLEAR_TYPO) if isinstance(shape.rest, Text) else None


def _suggest_other_place(key: str, value: Node, root: Shape) -> str:
    """Return where a key is allowed with such a value, if anywhere."""
    known = _find_homes(key, root, "the top of the file")
    homes = list(dict.fromkeys(home for home, shape in known if not any(validate(value, shape, key))))
    return f"; it belongs to {' or '.join(homes[:2])}" if homes else ""


def _suggest_section(value: Node, shape: Record, root: Shape) -> str:
    """Return the section that a top-level value belongs to, if its form shows that."""
    if shape is not root or not isinstance(value, data.Mapping) or not value.items:
        return ""
    for name, known in shape.fields.items():
        entry = known.shape.value if isinstance(known.shape, MapOf) else None
        if isinstance(entry, Record) and not any(validate(value, entry, name)):
            return f"; write it below `{name}`"
    return ""


def _find_homes(key: str, shape: Shape, name: str) -> Iterator[tuple[str, Shape]]:
    """Yield the records that know a key, as messages call them, and its shape there."""
    match shape:
        case Record():
            if key in shape.fields:
                yield name, shape.fields[key].shape
            for inner, known in shape.fields.items():
                yield from _find_homes(key, known.shape, f"`{inner}`")
        case ListOf():
            yield from _find_homes(key, shape.item, f"an entry of {name}")
        case MapOf():
            yield from _find_homes(key, shape.value, f"an entry of {name}")
        case Either():
            yield from _find_homes(key, shape.other, name)


def _find_named_settings(node: data.Mapping, shape: Record) -> data.Mapping | None:
    """Return the settings of `NAME: {…}`, written where a record with `id: NAME` belongs; None for others.

    For `NAME: text`, the whole node is returned.
    """
    required = {name for name, known in shape.fields.items() if known.required}
    if len(node.items) != 1 or required != {"id"}:
        return None
    key, value = node.items[0]
    if find_nearest(key.text, shape.fields):
        return None
    if isinstance(value, Scalar) and key.plain not in shape.instead:
        return node
    return value if isinstance(value, data.Mapping) else None


def _build_type_finding(node: Node, expected: str, name: str, instead: str = "") -> Finding:
    kinds = {data.Mapping: "a mapping", data.Sequence: "a list"}
    scalar = f"`{_shorten_text(node.text)}`" if isinstance(node, Scalar) and node.text else "nothing"
    text = kinds.get(type(node), scalar)
    start = node.span if isinstance(node, Scalar) else node.span.cut(0, 1)
    is_dashed = isinstance(node, data.Sequence) and node.span.text.startswith("-")
    hint = "; write `KEY: VALUE` without the dashes" if expected.startswith("a mapping") and is_dashed else instead
    message = f"{name} should be {expected}, not {text}{hint}"
    return build_error("invalid-data", message, start)


def _build_list_finding(node: Node, shape: ListOf, name: str) -> Finding:
    wrong = _build_type_finding(node, shape.what, name)
    if isinstance(node, data.Mapping):
        return replace(wrong, message=f"{wrong.message}; write each as `- NAME`")
    item = shape.item.text if isinstance(shape.item, Either) else shape.item
    if not isinstance(node, Scalar) or not node.text or not isinstance(item, Text):
        return wrong
    words = re.split(r"\s*[,;]\s*|\s+", _shorten_text(node.text))
    are_ids = item.pattern is not None and all(re.fullmatch(item.pattern, word) for word in words)
    listed = ", ".join(words) if are_ids else _shorten_text(node.text)
    return replace(wrong, message=f"{wrong.message}; write `[{listed}]`")


def _shorten_text(text: str) -> str:
    line = strip_origins(text).split("\n")[0]
    return line if len(line) <= 40 and line == text else f"{line[:40]}…"


# JSON Schema. An editor's YAML parser types `1.10` and `true`, which we read as text: all scalars are valid.
_SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
_FILLED: dict[str, Any] = {"type": ["string", "number", "boolean"]}


def build_json_schema(shape: Shape) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a shape."""
    match shape:
        case Text():
            return _build_text_schema(shape)
        case Flag():
            return {"type": "boolean"}
        case Anything():
            return {}
        case ListOf():
            return _build_list_schema(shape)
        case MapOf():
            return _build_map_schema(shape)
        case Either():
            return {"anyOf": [build_json_schema(shape.text), build_json_schema(shape.other)]}
        case Record():
            return _build_record_schema(shape)


def _build_list_schema(shape: ListOf) -> dict[str, Any]:
    least = {} if shape.empty else {"minItems": 1}
    return {"type": "array", "items": build_json_schema(shape.item), **least}


def _build_map_schema(shape: MapOf) -> dict[str, Any]:
    pattern = f"^(?:{shape.key.pattern})$"
    keys = {"propertyNames": {"type": "string", "pattern": pattern}} if shape.key.pattern else {}
    return {"type": "object", "additionalProperties": build_json_schema(shape.value), **keys}


def _build_text_schema(shape: Text) -> dict[str, Any]:
    if shape.choices:
        return {"enum": list(shape.choices)}
    out = dict(_SCALAR if shape.empty else _FILLED)
    if shape.pattern:
        out["pattern"] = f"^(?:{shape.pattern})$"
    if not shape.empty:
        out["minLength"] = 1
    if shape.reason:
        out["not"] = {"enum": [True, False, *_TRUTH]}
    return out


def _build_record_schema(shape: Record) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, entry in shape.fields.items():
        described = {"description": entry.doc} if entry.doc else {}
        properties[name] = {**described, **build_json_schema(entry.shape)}
    if shape.rest is not None:
        properties |= dict.fromkeys(shape.instead, False)
    required = [name for name, entry in shape.fields.items() if entry.required]
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": build_json_schema(shape.rest) if shape.rest is not None else False,
        **({"required": required} if required else {}),
    }
