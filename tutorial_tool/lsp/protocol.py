"""The protocol as pygls speaks it, but for what makes no sense: each request is answered, if only with an error."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """A client that waits for an answer would wait for ever: pygls tells nobody which request it could not read."""

    def structure_message(self, data: Any) -> Any:
        """Leaves each object as it is: it is asked of every one, and only `handle_message` knows the outermost."""
        return data

    def handle_message(self, message: Any) -> None:
        """Hands a message on. Raises JsonRpcException for one that cannot be read, after its answer."""
        try:
            read = self._read(message)
        except JsonRpcException as problem:
            id_ = message.get("id") if isinstance(message, dict) and "method" in message else None
            if isinstance(id_, str | int):
                self._send_response(id_, error=problem.to_response_error())
            raise
        super().handle_message(read)

    def _read(self, message: Any) -> Any:
        if not isinstance(message, dict) or "jsonrpc" not in message:
            raise JsonRpcInvalidRequest("a message is an object that says which JSON-RPC it is")
        return super().structure_message(message)
