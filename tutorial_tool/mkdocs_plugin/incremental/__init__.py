"""Incremental builds, byte-identical to full ones.

`stored` checks whether there is anything to build, and `again` rebuilds changes while serving. Each is loaded alone: if
there is nothing to build, loading the other would take longer than the check.
"""
