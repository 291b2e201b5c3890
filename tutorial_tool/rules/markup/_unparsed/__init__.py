"""The parts of `unparsed-markup`, by kind of markup.

`signs` are Markdown characters, `boxes` admonitions, `directives` are between colons, then Hugo's `shortcodes`,
`liquid`, `mdx`; and what Python-Markdown does not parse: `extensions` that are off, `raw_blocks`, markup from
`elsewhere`.
"""
