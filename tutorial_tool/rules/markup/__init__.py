"""Rules about Markdown itself: what the renderer makes of it."""
