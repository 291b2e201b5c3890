"""`tutorial-tool explain`: the manuals of the rules."""

from __future__ import annotations

import sys

import click

from tutorial_tool.cli.shell import colored
from tutorial_tool.finding import did_you_mean


@click.command("explain")
@click.argument("rule", required=False)
def command(rule: str | None) -> None:
    """Print the manual of a RULE, or the list of all rules.

    \b
    Example:
      tutorial-tool explain misspelling
    """
    from tutorial_tool import explain as room
    from tutorial_tool.rules import all_rules

    rules = all_rules()
    if rule is not None and rule not in rules:
        raise click.UsageError(f"there is no rule '{rule}'{did_you_mean(rule, rules)}")
    text = room.rule_page(rules[rule]) if rule else room.listing(rules)
    click.echo(text, nl=False, color=colored(sys.stdout))
