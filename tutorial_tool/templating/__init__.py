"""The Jinja environment, what templates can call, and the limits that they run in."""
