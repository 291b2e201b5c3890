"""The configuration: its keys, the options of the plugin, and the site generator of a folder."""
