"""`tutorial-tool schema`: prints the JSON Schemas of platforms.yaml and of the configuration."""

from __future__ import annotations

import click

from tutorial_tool.reporters.as_json import format_json


@click.command("schema")
@click.option("--config", "of_config", is_flag=True, help="The schema of tutorial-tool.toml and [tool.tutorial-tool].")
def command(of_config: bool) -> None:
    """Print the JSON Schema of platforms.yaml, or of the configuration, for editors.

    \b
    Examples:
      tutorial-tool schema > platforms.schema.json
      tutorial-tool schema --config > tutorial-tool.schema.json
    """
    from tutorial_tool.config import settings
    from tutorial_tool.data.model import shapes
    from tutorial_tool.rules import get_rules

    rules = {rule.name: rule.group for rule in get_rules().values()}
    schema = settings.build_json_schema(rules) if of_config else shapes.build_json_schema()
    click.echo(format_json(schema), nl=False)
