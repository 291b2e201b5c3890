"""The parts of `unparsed-markup`, by kind of markup.

`signs` of Markdown, `boxes`, `directives` between colons, Hugo's `shortcodes`, `liquid`, `mdx`; and what
Python-Markdown does not read: `extensions` that are off, `raw_blocks`, markup from `elsewhere`.
"""
