"""Rules about the differences between variants of a step."""
