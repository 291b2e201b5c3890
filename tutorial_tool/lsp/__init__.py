"""The language server: what the linter finds, and what the project knows of its own names, in an editor.

It needs the extra `lsp`: `serving` and what it imports speak the protocol. `lint` imports nothing of it.
"""
