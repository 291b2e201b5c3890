"""The parts of `unparsed-markup`, by kind of markup.

`inline_marks` are Markdown characters, `admonitions` those of Python-Markdown, `directives` containers between colons;
what Python-Markdown does not parse without `extensions`: `raw_blocks` of HTML, and markup of `other_generators`.
"""
