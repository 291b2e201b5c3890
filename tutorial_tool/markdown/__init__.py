"""Markdown text as a tree with places: the parser, its dialects, and what a page is made of."""
