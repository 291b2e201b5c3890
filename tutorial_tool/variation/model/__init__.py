"""The variation model: what the variants of a step share, where they vary, and which deviate."""
