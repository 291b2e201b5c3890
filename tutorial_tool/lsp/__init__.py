"""The language server: what the linter finds, and what the project knows of its own names, in an editor.

It needs the extra `lsp`: `server`, `requests` and what they import speak the protocol. `lint` imports nothing of it.
"""
