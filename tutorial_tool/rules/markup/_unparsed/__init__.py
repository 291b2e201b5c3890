"""The parts of `unparsed-markup`, by kind of markup.

`inline_marks` are Markdown characters, `admonitions` those of Python-Markdown, `directives` containers between colons;
`raw_blocks` is Markdown in HTML, which Python-Markdown does not parse without `extensions`.
"""
