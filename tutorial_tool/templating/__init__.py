"""The Jinja environment, template functions, and the limits that templates run in."""
