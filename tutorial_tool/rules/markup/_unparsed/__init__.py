"""The parts of `unparsed-markup`, by kind of markup.

`inline_marks` are Markdown characters, `admonitions` those of Python-Markdown, `directives` containers between colons,
then Hugo's `shortcodes`, `liquid`, `mdx`; and what Python-Markdown does not parse: `extensions` that are off,
`raw_blocks`, markup of `other_generators`.
"""
