"""The parts of `unparsed-markup`, by kind of markup.

`inline_marks` are Markdown characters, `admonitions` those of Python-Markdown, `directives` containers between colons,
then `shortcodes` of Hugo, `liquid`, `mdx`; and `raw_blocks`, which Python-Markdown does not parse without `extensions`.
"""
