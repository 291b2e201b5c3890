"""The parts of `link-title-mismatch`: links whose text is another page's title, or another host's URL."""
