"""Builds that make only what a change concerns: the files are those of a whole build, byte for byte."""

from __future__ import annotations

from tutorial_tool.rebuild.again import Host, Shortcut
from tutorial_tool.rebuild.known import unknown
from tutorial_tool.rebuild.notice import notified
from tutorial_tool.rebuild.stored import once

__all__ = ["Host", "Shortcut", "notified", "once", "unknown"]
