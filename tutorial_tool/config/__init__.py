"""The configuration: its keys, the options of the plugin, and which site generator publishes a folder."""
