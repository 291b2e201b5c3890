"""`tutorial-tool explain`: prints the documentation of rules."""

from __future__ import annotations

import shutil
import sys

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import uses_color


@click.command("explain")
@click.argument("rule", metavar="[RULE]", required=False, shell_complete=names.RULE)
def command(rule: str | None) -> None:
    """Print the documentation of a RULE, or list the rules of a group, or all rules.

    In a terminal, long output opens in the pager.

    \b
    Examples:
      tutorial-tool explain
      tutorial-tool explain tables
      tutorial-tool explain misspelling
    """
    text = _format_documentation(rule)
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text, color=uses_color(sys.stdout))
    else:
        click.echo(text, nl=False, color=uses_color(sys.stdout))


def _format_documentation(rule: str | None) -> str:
    from tutorial_tool.config.settings import COPIES, is_tool_name
    from tutorial_tool.core.diagnostics import format_suggestion
    from tutorial_tool.docs import explain as room
    from tutorial_tool.rules import GROUPS, get_rules

    rules = get_rules()
    if rule is None or rule in (*GROUPS, COPIES):
        return room.format_list(rules, [rule] if rule else GROUPS)
    if rule in rules or ("/" in rule and is_tool_name(rule)):
        return room.format_rule(rules[rule])
    hint = format_suggestion(rule, [*rules, *GROUPS, COPIES]) or "; `tutorial-tool explain` lists them"
    raise click.UsageError(f"unknown rule or group `{rule}`{hint}")
