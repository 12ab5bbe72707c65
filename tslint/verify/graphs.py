"""Converts a TorchScript graph to boxes and arrows for a drawing (worker side).

Constants and attributes have no boxes: they are text in the boxes that use them.
"""

from __future__ import annotations

import re
from typing import Any

from tslint.verify.blame import is_users, place

_MOST_NODES = 120
_LONGEST = 34
# The position of a node, as a scripted graph prints it, and as a trace prints it.
_PLACE = re.compile(
    r'File "(?P<file>[^"]+)", line (?P<row>\d+)|^(?P<traced>/?[^\s():"]+)\((?P<traced_row>\d+)\): ', re.MULTILINE
)
_FOLDED = ("prim::ListConstruct", "prim::TupleConstruct")


def drawing(graph: Any) -> dict[str, Any]:
    """Return the drawing of a method's graph.

    Returns:
        ``{"nodes": [{"label", "detail", "kind", "place"}], "edges": [[from, to, kind]], "left_out": int}``: the kind of
        a node is ``input``, ``output``, ``op``, ``call``, ``python``, ``control`` or ``raise``, that of an edge
        ``data`` or ``control``.
    """
    return _Drawing(graph).result()


class _Drawing:
    def __init__(self, graph: Any) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: dict[tuple[int, int], str] = {}
        self.left_out = 0
        # The boxes that produce a value, or the text of the value, by the unique name of the value.
        self._makers: dict[str, list[int]] = {}
        self._words: dict[str, str] = {}
        for number, value in enumerate(graph.inputs()):
            if number == 0 and str(value.type()).startswith("__torch__"):
                self._words[value.debugName()] = "self"
                continue
            self._makers[value.debugName()] = [self._add(value.debugName(), str(value.type()), "input", "")]
        self._block(graph, None)
        for value in graph.outputs():
            self._connect(self._add("return", str(value.type()), "output", ""), value)

    def result(self) -> dict[str, Any]:
        """Return the drawing as plain containers."""
        edges = [[start, end, kind] for (start, end), kind in self.edges.items()]
        return {"nodes": self.nodes, "edges": edges, "left_out": self.left_out}

    def _add(self, label: str, detail: str, kind: str, where: str) -> int:
        self.nodes.append({"label": _short(label), "detail": _short(detail), "kind": kind, "place": where})
        return len(self.nodes) - 1

    def _connect(self, box: int, value: Any) -> None:
        for maker in self._makers.get(value.debugName(), []):
            if maker != box:
                self.edges.setdefault((maker, box), "data")

    def _block(self, block: Any, owner: int | None) -> None:
        for node in block.nodes():
            if not self._as_words(node):
                self._node(node, owner)

    def _as_words(self, node: Any) -> bool:
        """Return whether a node is a constant, an attribute or a list of these, which is shown as text
        without a box.
        """
        kind = node.kind()
        outputs = list(node.outputs())
        if kind == "prim::Constant":
            self._words[outputs[0].debugName()] = _constant(outputs[0])
        elif kind == "prim::GetAttr":
            owner = self._words.get(next(iter(node.inputs())).debugName(), "")
            self._words[outputs[0].debugName()] = f"{owner}.{node.s('name')}"
        elif kind in _FOLDED and all(value.debugName() in self._words for value in node.inputs()):
            brackets = "[]" if kind == "prim::ListConstruct" else "()"
            inner = ", ".join(self._words[value.debugName()] for value in node.inputs())
            self._words[outputs[0].debugName()] = f"{brackets[0]}{inner}{brackets[1]}"
        else:
            return False
        return True

    def _node(self, node: Any, owner: int | None) -> None:
        inputs, outputs = list(node.inputs()), list(node.outputs())
        makers = sorted({maker for value in inputs for maker in self._makers.get(value.debugName(), [])})
        if len(self.nodes) >= _MOST_NODES:
            self.left_out += 1
            for value in outputs:
                self._makers[value.debugName()] = makers
            for block in node.blocks():
                self._block(block, owner)
            return
        label, kind = self._label(node)
        words = [self._words[value.debugName()] for value in inputs if value.debugName() in self._words]
        words = [word.removeprefix("self.") for word in words if word not in ("None", "self") and word != label]
        box = self._add(label, ", ".join(words), kind, _place(node))
        if owner is not None and not any(maker > owner for maker in makers):
            # A box gets an arrow from its `if` or loop only if no arrow comes from another box inside.
            self.edges[owner, box] = "control"
        for value in inputs:
            self._connect(box, value)
        for value in outputs:
            self._makers[value.debugName()] = [box]
        for block in node.blocks():
            for value in block.inputs():
                self._makers[value.debugName()] = [box]
            self._block(block, box)
            returned = list(block.outputs())
            # The first result of a loop's block is the loop's condition.
            returned = returned[1:] if node.kind() == "prim::Loop" else returned
            for value, result in zip(outputs, returned):
                mine = self._makers.setdefault(value.debugName(), [])
                mine += [maker for maker in self._makers.get(result.debugName(), []) if maker not in mine]

    def _label(self, node: Any) -> tuple[str, str]:
        kind = node.kind()
        inputs = list(node.inputs())
        if kind == "prim::CallMethod":
            owner, name = self._words.get(inputs[0].debugName(), ""), node.s("name")
            return (owner if name == "forward" and owner != "self" else f"{owner}.{name}"), "call"
        if kind == "prim::CallFunction":
            return self._words.get(inputs[0].debugName(), "function"), "call"
        if kind == "prim::PythonOp" or kind.startswith("^"):
            return f"{kind.lstrip('^')} (Python)", "python"
        if kind in ("prim::If", "prim::Loop"):
            return kind.removeprefix("prim::").lower(), "control"
        if kind == "prim::RaiseException":
            return "raise", "raise"
        return kind.removeprefix("aten::").removeprefix("prim::"), "op"


def _constant(value: Any) -> str:
    try:
        node = value.node()
        if "name" in node.attributeNames():  # the callee is a function
            return str(node.s("name"))
        known = value.toIValue()
    except RuntimeError:
        return "constant"
    text = f"tensor{list(known.shape)}" if hasattr(known, "shape") else repr(known)
    return _short(text)


def _place(node: Any) -> str:
    for match in _PLACE.finditer(str(node.sourceRange())):
        filename = match.group("file") or match.group("traced")
        if is_users(filename):
            return place(filename, int(match.group("row") or match.group("traced_row")))
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
