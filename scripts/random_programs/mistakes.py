"""Generates random statements that are not valid TorchScript."""

from __future__ import annotations

from random_programs.scope import Scope

# Annotations that the compiler cannot read, or reads in another way.
ANNOTATIONS = [
    "list[int]",
    "Set[int]",
    "np.ndarray",
    "Thing",
    "List",
    "Any",
    "Union[int, str]",
    "int | None",
    "dict",
    "Tuple[int, ...]",
    "object",
    "tuple",
    "Optional",
]
# Values that leave a name without a usable value.
NOTHINGS = ["None", "[]", "{}", "print(1)", "torch", "nn.Linear", "len", "()"]
COMMENTS = ["int", "ignore", "List[int]", "str"]


class Mistakes(Scope):
    """Generates code that the compiler rejects, and code that it only seems to accept."""

    def mistake(self, depth: int) -> list[str]:
        """Return a statement that is not valid TorchScript."""
        some, indented = self.expression("int", 1), "    "
        name = self.draw.choice(list(self.scope) or ["v0"])
        options = {
            "try": ["try:", indented + f"{self.fresh()} = {some}", "except ValueError:", indented + "pass"],
            "nested function": ["def inner(v: int) -> int:", indented + "return v"],
            "nested class": ["class Inner:", indented + "pass"],
            "import": ["import math"],
            "global": ["global LIMIT"],
            "for-else": [f"for i in range({some}):", indented + "pass", "else:", indented + "pass"],
            "while-else": [f"while {some} > 1:", indented + "break", "else:", indented + "pass"],
            "yield": [f"yield {some}"],
            "break outside a loop": ["break"] if self.loops else [f"{self.fresh()}: int"],
            "annotation without value": [f"{self.fresh()}: int"],
            "match": [f"match {some}:", indented + "case 1:", indented * 2 + "pass"],
            "unsupported del": [f"del {name}.a"],
            "unknown annotation": [f"{self.fresh()}: {self.draw.choice(ANNOTATIONS)} = {some}"],
            "set attribute": [f"{name}.a = {some}"],
            "undefined variable": [f"{self.fresh()} = undefined_{self.count}"],
            "assignment of nothing": [f"{self.fresh()} = {self.draw.choice(NOTHINGS)}"],
            "slice assignment": [f"{name}[0:1] = {self.expression('*', 1)}"],
            "starred": [f"a, *b = {self.expression('*', 1)}"],
            "type comment": [f"{self.fresh()} = {some}  # type: {self.draw.choice(COMMENTS)}"],
            "assign operands": [f"{name} = {self.expression('*')}"],
        }
        construct = self.draw.choice(list(options))
        self.used.add(construct)
        return options[construct]
