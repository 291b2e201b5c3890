"""Translations of a project: its texts in PO files, and its sources in another language.

The language of the templates and data is the source; untranslated text stays in it.
"""

FOLDER, SUFFIX = "translations", ".po"
