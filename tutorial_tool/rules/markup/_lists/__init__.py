"""What `broken-list-numbering` asks: which lists are plain, how others are published, and their numbers."""
