"""Rules about images."""
