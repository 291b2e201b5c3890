"""markdown-it as a page parser: grammar extensions, and the page offsets of its tokens."""
