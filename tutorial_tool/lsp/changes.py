"""Answer the requests that change texts: code actions, completion and rename."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tutorial_tool.core.source import Source
from tutorial_tool.lsp import actions, completion, destinations, edits, places, queries, rename
from tutorial_tool.lsp.actions import ActionRequest
from tutorial_tool.lsp.suppression_comments import File
from tutorial_tool.scaffold.data_edits import ScaffoldError

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server

T = TypeVar("T")
REFUSED = -32803  # The protocol's `RequestFailed`: a valid request that cannot be carried out
_KINDS = {
    "rule": types.CompletionItemKind.Constant,
    "variable": types.CompletionItemKind.Variable,
    "function": types.CompletionItemKind.Function,
    "field": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "table": types.CompletionItemKind.Struct,
    "column": types.CompletionItemKind.Field,
    "page": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "part": types.CompletionItemKind.File,
    "code": types.CompletionItemKind.File,
    "figure": types.CompletionItemKind.File,
    "step": types.CompletionItemKind.Reference,
    "section": types.CompletionItemKind.Reference,
}


class RequestRefused(JsonRpcException):
    """The error that the client shows to the author instead of a result."""

    CODE = REFUSED
    MESSAGE = "Request failed"


def register(server: Server) -> None:
    """Register the features that change texts with a server."""
    _register_actions(server)
    _register_completion(server)
    _register_rename(server)


def _register_actions(server: Server) -> None:
    kinds = [types.CodeActionKind.QuickFix, actions.FIX_ALL]
    options = types.CodeActionOptions(kinds, resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    @server.guard_request
    async def list_code_actions(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        pair = await queries.find_text(server, params.text_document.uri)
        path = places.parse_uri(params.text_document.uri)
        if pair is None or path is None:
            return None
        checked, source = pair
        start, end = (
            places.compute_offset(source, position, server.encoding)
            for position in (params.range.start, params.range.end)
        )
        snippets = bool(server.get_capability("workspace", "workspace_edit", "snippet_edit_support"))
        diagnostics = tuple(params.context.diagnostics)
        request = ActionRequest(
            checked, path, source.span(start, end), diagnostics, server.get_uri, server.encoding, snippets
        )
        only = params.context.only
        code_actions = []
        if _is_wanted(types.CodeActionKind.QuickFix.value, only):
            code_actions += await server.runs.run_in_thread(lambda: list(actions.iter_quick_fixes(request)))
        if _is_wanted(actions.FIX_ALL, only) and actions.can_fix_all(checked, path):
            title = "Fix all safe problems in this file"
            code_actions.append(types.CodeAction(title, kind=actions.FIX_ALL, data={"uri": params.text_document.uri}))
        return code_actions

    @server.feature(types.CODE_ACTION_RESOLVE)
    @server.guard_request
    async def resolve_action(action: types.CodeAction) -> types.CodeAction:
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        path, pair = places.parse_uri(uri or ""), await queries.find_text(server, uri or "")
        if path is not None and pair is not None and action.kind == actions.FIX_ALL:
            checked = pair[0]
            fixes = await server.runs.run_in_thread(lambda: actions.fix_all(checked, path))
            action.edit = edits.convert_edits(fixes, checked.target.root, server.get_uri, server.encoding)
        return action


def _is_wanted(kind: str, only: Iterable[str] | None) -> bool:
    """Return whether a client that requests some kinds gets this one: `source` includes `source.fixAll`."""
    requested = [text.value if isinstance(text, types.CodeActionKind) else text for text in only or ()]
    return not requested or any(kind == text or kind.startswith(f"{text}.") for text in requested)


def _register_completion(server: Server) -> None:
    options = types.CompletionOptions(trigger_characters=[".", "'", '"', "#", "[", "/", "("])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    @server.guard_request
    async def complete_text(params: types.CompletionParams) -> types.CompletionList | None:
        """Complete text from the latest findings; wait for the first run only.

        Text that is being typed does not parse yet, so the names of an earlier run are used.
        """
        path = places.parse_uri(params.text_document.uri)
        text = server.open.texts.get(path) if path is not None else None
        if path is None or text is None:
            return None
        snapshot = server.runs.last_snapshot if server.runs.last_snapshot.checked else await server.runs.get_current()
        checked = snapshot.find_checked(path)
        if checked is None:
            return None
        source = Source(checked.get_name(path), text)
        offset = places.compute_offset(source, params.position, server.encoding)
        template = File.from_source(checked, source).template
        site = server.get_rendered_site(checked)
        offer = completion.find_choices(site, source, offset, template=template)
        if offer is None and not template:
            offer = await server.runs.run_in_thread(lambda: destinations.find_choices(site, source, offset))
        if offer is None:
            return None
        starts = (offer.start, offer.start - 1)
        plain, dotted = (places.build_range(source.span(start, offset), server.encoding) for start in starts)
        items = [_build_item(choice, dotted if choice.in_brackets else plain) for choice in offer.choices]
        return types.CompletionList(not offer.is_complete, items)


def _build_item(choice: completion.Choice, range_: types.Range) -> types.CompletionItem:
    """Build the completion item of a choice; one in brackets replaces the dot and is found by name."""
    return types.CompletionItem(
        choice.text,
        kind=_KINDS.get(choice.kind, types.CompletionItemKind.Value),
        detail=choice.detail,
        documentation=choice.doc or None,
        text_edit=types.TextEdit(range_, f"['{choice.text}']" if choice.in_brackets else choice.text),
        filter_text=f".{choice.text}" if choice.in_brackets else None,
    )


def _register_rename(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    @server.guard_request
    async def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        place = await queries.find_place(server, params)
        if place is None:
            return None
        result = await _run_or_refuse(server, lambda: rename.find_place(place.checked, place.source.path, place.offset))
        return types.PrepareRenamePlaceholder(places.build_range(result.span, server.encoding), result.name.word)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    @server.guard_request
    async def apply_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        place = await queries.find_place(server, params)
        if place is None:
            return None
        renames = await _run_or_refuse(
            server, lambda: rename.build_edits(place.checked, place.source.path, place.offset, params.new_name)
        )
        return edits.convert_edits(renames, place.checked.target.root, server.get_uri, server.encoding)


async def _run_or_refuse(server: Server, work: Callable[[], T]) -> T:
    try:
        return await server.runs.run_in_thread(work)
    except ScaffoldError as reason:
        raise RequestRefused(str(reason)) from reason
