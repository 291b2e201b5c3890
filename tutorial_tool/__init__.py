"""Keep one tutorial true on every platform."""

__version__ = "0.1.0"
