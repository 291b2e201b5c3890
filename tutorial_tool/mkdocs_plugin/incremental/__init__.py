"""Incremental builds, byte-identical to full ones.

While serving, `rebuild` builds what a change affects, unless a part of the build is unknown to `known_inputs`: it may
read more than one page for each.
"""
