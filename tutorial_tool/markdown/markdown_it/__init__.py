"""markdown-it as a parser of pages: our own extensions of its grammar, and where its tokens stand in the text."""
