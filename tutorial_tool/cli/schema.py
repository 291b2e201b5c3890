"""`tutorial-tool schema`: the JSON Schema of platforms.yaml."""

from __future__ import annotations

import json

import click


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of platforms.yaml, for editors.

    \b
    Example:
      tutorial-tool schema > platforms.schema.json
    """
    from tutorial_tool import model

    click.echo(json.dumps(model.json_schema(), indent=2, ensure_ascii=False))
