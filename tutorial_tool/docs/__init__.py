"""Pages about the rules and the configuration, made from what the code declares."""
