"""Gatsby: like Next.js, but with `static` as the folder of static files."""

from __future__ import annotations

from dataclasses import replace

from tutorial_tool.links.generators import next as next_js
from tutorial_tool.links.generators.protocol import Generator

GENERATOR: Generator = replace(
    next_js.GENERATOR,
    name="gatsby",
    title="Gatsby",
    configuration=r"gatsby-config\.\w+",
    read_tree=lambda configuration: next_js.read_tree(configuration, GENERATOR, "static"),
)
