"""Rules about tables and the settings in them."""
