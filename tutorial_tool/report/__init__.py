"""Findings as text for people and machines: each format is a module with one pure `render`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from tutorial_tool.finding import Finding

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")


def render(format_: str, findings: Sequence[Finding], *, color: bool = False) -> str:
    """The findings in one of `FORMATS`, ending with a line end. Only `full` and `concise` use colour."""
    module = import_module(f"{__name__}.{'as_json' if format_ == 'json' else format_}")
    options = {"color": color} if format_ in ("full", "concise") else {}
    text: str = module.render(findings, **options)
    return text
