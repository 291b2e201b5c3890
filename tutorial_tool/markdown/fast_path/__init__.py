"""Reads the Markdown that nearly all pages consist of without markdown-it, with the same result."""
