"""Rules about templates and data."""
