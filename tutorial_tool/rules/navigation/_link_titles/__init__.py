"""The parts of `link-title-mismatch`: links that name another page by its `titles`, or another of `hosts`."""
