"""Jinja's code generator, extended with the spans of everything that runs and prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer

from tutorial_tool.templating.environment.places import LinePosition, get_offset

if TYPE_CHECKING:
    from tutorial_tool.templating.environment import TemplateEnvironment


SpreadsArguments = nodes.Call | nodes.Filter | nodes.Test


class TracingCodeGenerator(CodeGenerator):
    """Jinja's code generator; its output prints through `TemplateEnvironment.emit` and has locations."""

    environment: TemplateEnvironment

    def _output_child_to_const(self, node: nodes.Expr, frame: Any, finalize: Any) -> str:
        raise nodes.Impossible

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(f"environment.emit({self.environment.register_output(self.name, node)}, lambda: ")

    def _output_child_post(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(")")

    def visit_Const(self, node: nodes.Const, frame: Any) -> None:
        if isinstance(node.value, str) and isinstance(node.lineno, LinePosition):
            self.write(f"environment.get_literal({self.environment.register_output(self.name, node)})")
        else:
            super().visit_Const(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Any) -> None:
        self.write("environment.join((")
        for arg in node.nodes:
            self.visit(arg, frame)
            self.write(", ")
        self.write("))")

    def _write_located(self, node: nodes.Node, offset: int, length: int, visit: Callable[[], None]) -> None:
        self.write(f"environment.evaluate({self.environment.register_place(self.name, node, offset, length)}, lambda: ")
        visit()
        self.write(", context)")

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        if not getattr(node, "guarded", False):
            return super().visit(node, *args, **kwargs)
        self.write(f"environment.guard({self.environment.register_tag(self.name, node)}, lambda: ")
        super().visit(node, *args, **kwargs)
        return self.write(")")

    def _write_loading(self, node: nodes.Include | nodes.Extends | nodes.Import | nodes.FromImport) -> None:
        name = node.template
        if isinstance(name, nodes.Const) and isinstance(name.value, str):
            index = self.environment.register_place(self.name, name, 0, len(name.value) + 2)
        elif isinstance(name, nodes.Name):
            index = self.environment.register_place(self.name, name, 0, len(name.name))
        else:
            index = self.environment.register_tag(self.name, name)
        self.writeline(f"environment.record_loading({index})")

    def visit_Include(self, node: nodes.Include, frame: Any) -> None:
        self._write_loading(node)
        super().visit_Include(node, frame)

    def visit_Extends(self, node: nodes.Extends, frame: Any) -> None:
        self._write_loading(node)
        super().visit_Extends(node, frame)

    def visit_Import(self, node: nodes.Import, frame: Any) -> None:
        self._write_loading(node)
        super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Any) -> None:
        self._write_loading(node)
        super().visit_FromImport(node, frame)
        text = self.environment.parsed[self.name or ""].source.text[get_offset(node) :]
        for pair in node.names:
            name, alias = pair if isinstance(pair, tuple) else (pair, pair)
            imported = re.search(rf"\bimport\b[^%]*?\b({re.escape(name)})\b", text)
            assert imported is not None
            index = self.environment.register_place(self.name, node, imported.start(1), len(name))
            self.writeline(f"environment.verify({index}, {frame.symbols.ref(alias)}, context)")

    def visit_Name(self, node: nodes.Name, frame: Any) -> None:
        if node.ctx != "load" or not isinstance(node.lineno, LinePosition):
            super().visit_Name(node, frame)
            return
        self.write(f"environment.verify({self.environment.register_place(self.name, node, 0, len(node.name))}, ")
        super().visit_Name(node, frame)
        self.write(", context)")

    def visit_Getattr(self, node: nodes.Getattr, frame: Any) -> None:
        offset = self.environment.find_name_offset(self.name, node)
        self._write_located(
            node, offset, len(node.attr), lambda: super(TracingCodeGenerator, self).visit_Getattr(node, frame)
        )

    def visit_Getitem(self, node: nodes.Getitem, frame: Any) -> None:
        if isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        offset = get_offset(node.arg) - get_offset(node) if isinstance(node.arg, nodes.Const) else 0
        length = len(repr(node.arg.value)) if isinstance(node.arg, nodes.Const) else 1
        self._write_located(node, offset, length, lambda: super(TracingCodeGenerator, self).visit_Getitem(node, frame))

    def visit_Call(self, node: nodes.Call, frame: Any, forward_caller: bool = False) -> None:
        named = node.node
        name = named.name if isinstance(named, nodes.Name) else named.attr if isinstance(named, nodes.Getattr) else ""
        self._write_located(
            node,
            -len(name),
            len(name) or 1,
            lambda: super(TracingCodeGenerator, self).visit_Call(node, frame, forward_caller=forward_caller),
        )

    def visit_Filter(self, node: nodes.Filter, frame: Any) -> None:
        printed = getattr(node, "printed", None)  # by a filter block
        if printed is not None:
            self.write(f"environment.emit({printed}, lambda: ")
        self._visit_filter(node, frame)
        if printed is not None:
            self.write(")")

    def _visit_filter(self, node: nodes.Filter, frame: Any) -> None:
        if isinstance(node.lineno, LinePosition) and node.name[0] != "_":
            self._write_located(
                node, 0, len(node.name), lambda: super(TracingCodeGenerator, self).visit_Filter(node, frame)
            )
        else:
            super().visit_Filter(node, frame)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Any) -> None:
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self.write(f"environment.emit({self.environment.register_output(self.name, node, whole=True)}, lambda: ")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)


class TemplatePreparer(NodeTransformer):
    """Prepares a template for the code generator.

    It marks what statements compute, for the location of errors; what loops iterate over, to count their rounds; and
    indented includes, so that their text is indented.
    """

    def __init__(self, environment: TemplateEnvironment, name: str) -> None:
        self._environment, self._name = environment, name

    def _mark_guarded(self, node: nodes.Node, *parts: nodes.Node) -> nodes.Node:
        for part in parts:
            if isinstance(part.lineno, LinePosition):
                part.guarded = True  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:
        return self._mark_guarded(node, node.node)

    def visit_If(self, node: nodes.If) -> nodes.Node:
        return self._mark_guarded(node, node.test)

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> nodes.Node:
        node.filter.printed = self._environment.register_output(self._name, node, whole=True)  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def visit_With(self, node: nodes.With) -> nodes.Node:
        return self._mark_guarded(node, *node.values)

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self._mark_guarded(node, node.iter, *([node.test] if node.test else ()))
        if not node.recursive:  # that one calls itself, and its iterables with it
            node.iter = self._wrap_counted(cast("nodes.Expr", node.iter))
        return node

    def _wrap_counted(self, values: nodes.Expr) -> nodes.Expr:
        """Wrap an iterated expression so that each round counts as a step."""
        counted = nodes.Filter(values, "_rounds", [], [], None, None, lineno=values.lineno)
        counted.set_environment(self._environment)
        counted.guarded = True  # type: ignore[attr-defined]
        return counted

    def _visit_spread(self, node: SpreadsArguments) -> nodes.Node:
        self.generic_visit(node)
        if node.dyn_args is not None:
            node.dyn_args = self._wrap_counted(node.dyn_args)
        return node

    visit_Call = visit_Filter = visit_Test = _visit_spread

    def visit_Include(self, node: nodes.Include) -> nodes.Node:
        index = self._environment.register_output(self._name, node, whole=True)
        if not self._environment.outputs[index].indentation:
            return node
        indent = nodes.Filter(None, "_indent_block", [nodes.Const(index)], [], None, None)
        block = nodes.FilterBlock([node], indent)
        indent.set_lineno(int(node.lineno))
        block.lineno = node.lineno
        return block.set_environment(self._environment)
