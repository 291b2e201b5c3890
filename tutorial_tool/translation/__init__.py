"""Translations of a project: its texts in PO files, and its sources as they are in another language.

The language of the templates and data is the source; what has no translation stays in it.
"""

FOLDER, SUFFIX = "translations", ".po"
