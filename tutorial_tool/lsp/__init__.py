"""Serve the linter's findings and the project's names to an editor, as a language server.

It needs the extra `lsp`: `serving` and what it imports implement the protocol. `lint` imports nothing of it.
"""
