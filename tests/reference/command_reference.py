"""Write the reference of the command line as Markdown, from the commands themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

BEGIN, END = "<!-- commands: begin -->", "<!-- commands: end -->"


def describe_commands(group: click.Group) -> str:
    """Return a section for each command of a group, in the order of its help."""
    with click.Context(group, info_name="tutorial-tool") as context:
        names = group.list_commands(context)
        return "\n".join(line for name in names for line in _describe(name, group, context))


def _describe(name: str, group: click.Group, parent: click.Context) -> Iterator[str]:
    command, lint = (group.get_command(parent, key) for key in (name, "lint"))
    if command is None or lint is None:
        return
    context = click.Context(command, info_name=name, parent=parent)
    yield f"## `{name}` {{: #{name} }}\n"
    yield f"```text\ntutorial-tool {name} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    yield from _paragraphs(command.help or "")
    options = [option for option in command.params if command is lint or option not in lint.params]  # see `config`
    rows = [record for option in options if (record := option.get_help_record(context)) and record[1]]
    if rows:
        yield "| Option | What it does |\n| --- | --- |"
        for form, text in rows:
            name, _, values = form.removesuffix("]").partition(" [")
            yield f"| `{name}` | {_mark_code(text)}{values and f' One of: {values}.'.replace('|', ', ')} |"
        yield ""


def _paragraphs(text: str) -> Iterator[str]:
    """Return the paragraphs of a help text; its indented lines are commands, and become a block of code."""
    for paragraph in inspect.cleandoc(text).replace("\b\n", "").split("\n\n"):
        lines = paragraph.splitlines()
        prose = [line for line in lines if not line.startswith("  ") and line != "Examples:"]
        code = [line.strip() for line in lines if line.startswith("  ")]
        if prose:
            yield f"{_mark_code(' '.join(prose).replace(chr(8), '').strip())}\n"
        if code:
            yield "```sh\n" + "\n".join(code) + "\n```\n"


def _mark_code(text: str) -> str:
    """Return a sentence of a help text with its options marked as code."""
    return re.sub(r"(?<![`\w-])(--[a-z][\w-]*|\*\.\w+|\S+\*\*\S*)", r"`\1`", text).replace("<", "&lt;")
