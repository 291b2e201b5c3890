"""Carries an edit of one variant to its siblings: the same edit, with what varies with the platform exchanged."""
