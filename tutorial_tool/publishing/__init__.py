"""Publishing: page features for readers, for any site generator."""
