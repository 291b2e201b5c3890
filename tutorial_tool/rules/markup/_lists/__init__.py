"""Helpers of `broken-list-numbering`: which lists are plain, how others are rendered, and their numbers."""
