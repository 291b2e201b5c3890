"""Files, git and the watcher of both: nothing else touches the disk or starts git."""
