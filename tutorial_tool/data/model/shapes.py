"""The shape of `platforms.yaml`, which validates data and provides the schema for editors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tutorial_tool.data import schema_types
from tutorial_tool.data.model import STRINGS
from tutorial_tool.data.schema_types import Anything, Either, Field, Flag, ListOf, MapOf, Record, Text

_ID = Text("an id of letters, digits, - and _", r"[A-Za-z0-9][A-Za-z0-9_-]*", empty=False)
_FILLED = Text("text", empty=False)
_NEEDS = ListOf(_ID, "a list of features", empty=False)
_COLUMN = Either(
    Text(),
    Record(
        {
            "heading": Field(Text(), "What readers see above the column.", required=True),
            "needs": Field(_NEEDS, "The features (`can`) that a platform must have to show the column."),
        },
        what="a heading, or a mapping such as {heading: …, needs: […]}",
        instead=dict.fromkeys(("title", "name"), "write `heading`"),
    ),
)
_HEADINGS = "a mapping of ids and headings, such as `{setting: Setting}`"
_ROLES = "a mapping of roles and words, such as `{menu: Settings}`"
_DRAFT = Either(Flag(), ListOf(_ID, "true, or a list of platforms and groups", empty=False))
_UPKEEP = {
    "owners": Field(ListOf(_FILLED, empty=False), "Who looks after it, such as a team: `todo` names them."),
    "review-after": Field(
        Text("a date such as 2027-03-01", r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", empty=False),
        "From this day on, `lint` and `todo` report that a review is due.",
    ),
}
_REASON = Text("text", empty=False, reason=True)
_NUMBERING = Record(
    {
        "steps": Field(Flag(), "Write the step's number before its title."),
        "sections": Field(Flag(), "Write section numbers, and ids for headings without one."),
    },
    what="a mapping with `steps` and `sections`",
)
_STEP = Record(
    {
        "id": Field(_ID, "The step's id: the name of its template, and its part of the URL.", required=True),
        "numbered": Field(Flag(), "false: the step has no number, and those after it count without it."),
        "only": Field(ListOf(_ID), "The platforms and groups that have this step."),
        "not-on": Field(
            MapOf(_REASON, _ID, what="a mapping of platforms and reasons, such as `{server: It has no screens}`"),
            "The platforms and groups without this step, each with the reason for readers.",
        ),
        "needs": Field(_NEEDS, "The features (`can`) that a platform must have to get this step."),
        "draft": Field(_DRAFT, "Not published yet: true, or the platforms and groups on which it is a draft."),
        **_UPKEEP,
        "numbering": Field(_NUMBERING, "Overrides the tutorial's numbering."),
        "files": Field(
            MapOf(
                Record(
                    {
                        "newline": Field(
                            Text("lf, crlf or cr", choices=("lf", "crlf", "cr")), "Line ends of the page."
                        ),
                        "bom": Field(Flag(), "Whether the page starts with a byte order mark."),
                        "final-newline": Field(Flag(), "false: the page's last line has no line end."),
                    }
                ),
                _ID,
            ),
            "How the rendered pages are written, by platform or group.",
        ),
    },
    what="a step's id, or a mapping",
    instead={
        "name": "a step is named by its `id`",
        "title": "write it into the front matter of the step's template, or into `titles` for one platform",
        "description": "write it into the front matter of the step's template",
        "template": "the step's `id` is the name of its template: site_templates/steps/ID.md.j2",
        "path": "`path` of the tutorial says where a step is",
        "platforms": "write `only`",
        "on": "write `only` or `not-on`",
        **dict.fromkeys(("except", "exclude", "without", "skip", "omit"), "write `not-on`, with a reason for readers"),
    },
)
_TUTORIAL_ON = Record(
    {
        "steps": Field(ListOf(_ID), "The steps here, in this order."),
        "titles": Field(MapOf(_FILLED, _ID), "Other titles, by step."),
        "path": Field(_FILLED, "Paths of the pages here."),
        "images": Field(_FILLED, "Paths of the images here."),
    }
)
_TUTORIAL = Record(
    {
        "title": Field(_FILLED, "What readers see.", required=True),
        "path": Field(_FILLED, "The path of a page, and so its URL; may use {tutorial}, {platform} and {step}."),
        "images": Field(
            _FILLED, "The path of an image; may use {tutorial}, {platform}, {step}, {figure} and {number}."
        ),
        "steps": Field(ListOf(Either(_ID, _STEP), empty=False), "The steps, in order.", required=True),
        "platforms": Field(
            ListOf(_ID, empty=False), "The platforms and groups that have this tutorial; all if omitted."
        ),
        "on": Field(MapOf(_TUTORIAL_ON, _ID), "What differs, by platform or group."),
        "numbering": Field(_NUMBERING, "Whether steps and sections are numbered; both are if omitted."),
        "combined": Field(
            Flag(), "true: each step also has one page for all platforms, at its path without {platform}."
        ),
    },
    instead={"name": "write `title`", "only": "write `platforms`"},
)
_OVERRIDE = Record(
    {
        "omit": Field(_REASON, "The row does not exist here; say why."),
        "because": Field(_REASON, "Why this differs: makes the difference intended."),
    },
    rest=Text(),
    what="a mapping such as {description: …, because: …}",
    instead={
        "only": "write it beside `on`",
        "needs": "write it beside `on`",
        "draft": "write `draft: [PLATFORM]` beside `on`",
    },
)
_ROW = Record(
    {
        "only": Field(ListOf(_ID, empty=False), "The platforms and groups that have this row."),
        "needs": Field(_NEEDS, "The features (`can`) that a platform must have to get this row."),
        "on": Field(MapOf(_OVERRIDE, _ID), "What differs, by platform or group."),
        "draft": Field(_DRAFT, "Not published yet: true, or the platforms and groups on which the row is a draft."),
    },
    rest=Text(),
)
_TABLE = Record(
    {
        "columns": Field(MapOf(_COLUMN, _ID, what=_HEADINGS), "The columns, in order: id and heading.", required=True),
        "values": Field(
            MapOf(ListOf(Text()), _ID),
            "The only words for a column. Numbers may be there, too, unless some are listed.",
        ),
        "rows": Field(MapOf(_ROW, _ID), "The rows, in order, by id.", required=True),
    }
)
_ONE = replace(_ID, single="a platform extends one other; a group holds what several have in common")
_PLATFORM = Record(
    {
        "name": Field(_FILLED, "What readers call it.", required=True),
        "draft": Field(Flag(), "true: a build leaves the platform out; `mkdocs serve` shows what is missing."),
        "section": Field(_FILLED, "The heading for it in the menu of the platform switcher."),
        "icon": Field(_FILLED, "An image in the docs folder that the platform switcher shows next to the name."),
        **_UPKEEP,
        "extends": Field(_ONE, "The platform whose labels, values, features and overrides apply here, too."),
        "labels": Field(MapOf(_FILLED, what=_ROLES), "What the screens of your product call it, by role."),
        "values": Field(MapOf(Anything()), "Free values for templates."),
        "can": Field(ListOf(_ID), "Features that templates test."),
        "code": Field(
            MapOf(Either(_FILLED, ListOf(_FILLED))),
            "Code in a sample app: a file, or file#region, relative to the project.",
        ),
    },
    what="a mapping, such as {name: Web}",
    instead={
        "id": "its key is its id",
        "title": "write `name`",
        **dict.fromkeys(("inherits", "parent", "base"), "write `extends`"),
        **dict.fromkeys(("abilities", "capabilities", "features"), "write `can`"),
        "needs": "a platform has features, in `can`; a step, row or column needs them",
        "groups": "a group names its platforms, in `groups`",
        "tables": "what differs belongs in the table, below `on` of a row",
    },
)

ROOT = Record(
    {
        "include": Field(ListOf(_FILLED), "Other files of this shape, as glob patterns relative to this file."),
        "platforms": Field(MapOf(_PLATFORM, _ID), "The platforms, in the order that readers see."),
        "groups": Field(MapOf(ListOf(_ID, empty=False), _ID), "Names for several platforms."),
        "tutorials": Field(MapOf(_TUTORIAL, _ID), "The tutorials, by id."),
        "tables": Field(MapOf(_TABLE, _ID), "Settings tables, by id."),
        "states": Field(
            Record(
                {
                    "on": Field(ListOf(_FILLED), "Words that mean that a setting is on."),
                    "off": Field(ListOf(_FILLED), "Words that mean that it is off, in the order of their opposites."),
                },
                what="a mapping such as {on: [Ein], off: [Aus]}",
            ),
            "Words for on and off in tables, in your language, in addition to the English ones.",
        ),
        "strings": Field(
            Record({name: Field(Text(), f"Instead of “{text}”.") for name, text in STRINGS.items()}),
            "The fixed words that the tool prints.",
        ),
    }
)
"""The shape of `platforms.yaml` and of each file that it includes."""


def build_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of `platforms.yaml`, for editors."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "platforms.yaml"}
    return {**head, **schema_types.build_json_schema(ROOT)}
