"""Rule documentation, generated from what the code declares."""
