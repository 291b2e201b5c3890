"""Pages about the rules, made from what the code declares."""
