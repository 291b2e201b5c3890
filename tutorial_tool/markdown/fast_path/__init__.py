"""Fast parser for common Markdown: the same result as markdown-it, without loading it."""
