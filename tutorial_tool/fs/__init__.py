"""Files, git, and the watcher: no other package accesses the disk or starts git."""
