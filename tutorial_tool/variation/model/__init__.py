"""The variation model: what the variants of a step share, in what they vary, and where one breaks what is expected."""
