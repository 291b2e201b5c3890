"""The links of a site: page URLs, anchors, redirects, files, and the targets of links on pages."""

from __future__ import annotations

from tutorial_tool.links.anchors import Anchors
from tutorial_tool.links.references import Reference
from tutorial_tool.links.resolver import Addresses, get_addresses
from tutorial_tool.links.target import Redirect, Target
from tutorial_tool.links.tree import Tree

__all__ = ["Addresses", "Anchors", "Redirect", "Reference", "Target", "Tree", "get_addresses"]
