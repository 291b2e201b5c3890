"""Builds that make only what a change concerns: the files are those of a whole build, byte for byte.

`stored` looks whether there is anything to build, and `again` builds what changed while serving. Each is loaded alone:
where nothing is to be built, loading the other would take longer than the look.
"""
