"""Markdown parsing: the parser, its dialects, and page syntax trees with source offsets."""
