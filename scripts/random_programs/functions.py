"""Generates random functions: parameters and statements."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from random_programs.bindings import Bindings
from random_programs.flow import Flow
from random_programs.grammar import COMMON
from random_programs.idioms import Idioms
from random_programs.mistakes import Mistakes

DEFAULTS = {
    "int": "1",
    "float": "0.5",
    "bool": "False",
    "str": "'a'",
    "Optional[Tensor]": "None",
    "Optional[int]": "None",
    "Optional[str]": "None",
    "Tuple[int, int]": "(1, 2)",
    "Optional[List[int]]": "None",
    "List[int]": "[1]",
    "Tensor": "None",
}
# Defaults of another type than the annotation: the compiler converts some of them.
ODD_DEFAULTS = [
    "int = True",
    "int = 0.5",
    "float = 1",
    "float = True",
    "bool = 0",
    "str = None",
    "complex = 1",
    "List[int] = (1, 2)",
    "List[float] = (1, 2)",
    "List[int] = []",
    "Dict[str, int] = {}",
    "Tuple[int, int] = (1, 0.5)",
    "Tuple[int, float] = (1, 2)",
    "Tuple[int, int] = [1, 2]",
    "Optional[int] = 'a'",
    "Optional[float] = 1",
    "Optional[List[int]] = (1, 2)",
    "Union[int, str] = 'a'",
    "Union[int, str] = 0.5",
    "Any = 1",
    "torch.dtype = torch.float32",
    "torch.device = 'cpu'",
    "torch.device = torch.device('cpu')",
    "Color = Color.RED",
    "Color = 1",
    "Point = Point(1, torch.ones(1))",
    "Tensor = torch.ones(1)",
    "Tensor = 1",
    "Counter = Counter(1)",
]
_NESTING = ("if", "for", "while", "refinement", "with", "isinstance branch")


class Body(Bindings, Flow, Idioms, Mistakes):
    """Generates the statements of one function; see :class:`Scope` for the arguments."""

    def __init__(
        self, draw: random.Random, rate: float, helpers: list[tuple[str, list[str], str]], returns: str | None
    ) -> None:
        super().__init__(draw, rate, helpers, returns)
        self.statements: list[tuple[int, str, Callable[[int], list[str]]]] = [
            (10, "assignment", self.assign),
            (4, "annotated assignment", self.annotated),
            (4, "augmented assignment", self.augmented),
            (4, "retyping", self.retype),
            (4, "unpacking", self.unpack),
            (8, "if", self.branch),
            (4, "refinement", self.refine),
            (5, "for", self.loop),
            (2, "while", self.while_loop),
            (3, "item assignment", self.set_item),
            (3, "container statement", self.mutate),
            (2, "early return", self.early_return),
            (1, "assert", self.assertion),
            (1, "raise", self.raising),
            (1, "print", self.printing),
            (1, "del", self.deletion),
            (1, "with", self.context),
            (1, "pass", lambda depth: ["pass"]),
            (1, "expression statement", lambda depth: [self.expression("*")]),
            (4, "helper call", self.call_helper),
            (2, "chained assignment", self.chained),
            (1, "isinstance branch", self.instance_branch),
            (4, "idiom", self.idiom),
        ]

    def statement(self, depth: int) -> list[str]:
        """Return one statement, possibly of many lines."""
        if self.slips(0.25):
            return self.mistake(depth)
        weights = [weight for weight, _, _ in self.statements]
        _, construct, make = self.draw.choices(self.statements, weights)[0]
        if depth <= 0 and construct in _NESTING:
            construct, make = "assignment", self.assign
        self.used.add(construct)
        return make(depth)


def parameters(body: Body, most: int = 4) -> tuple[str, list[str]]:
    """Return a parameter list, and the types of the arguments; add the names to the scope."""
    written, types, optional = [], [], False
    for i in range(body.draw.randint(0, most)):
        name = f"p{i}"
        type_ = body.draw.choice(COMMON)
        untyped = body.draw.random() < 0.15
        if untyped and not body.slips(4):
            type_ = "Tensor"
        text = name if untyped else f"{name}: {type_}"
        if untyped:
            body.used.add("parameter without annotation")
        optional = optional or body.draw.random() < 0.15
        if optional:
            if type_ not in DEFAULTS or (type_ in ("List[int]", "Tensor") and not body.slips(2)):
                type_ = "int"
                text = f"{name}: int"
            text += f" = {DEFAULTS[type_]}"
            body.used.add("default")
        if optional and body.draw.random() < 0.1:
            body.used.add("default of another type")
            text = f"{name}: {body.draw.choice(ODD_DEFAULTS)}"
            type_ = text.partition(": ")[2].partition(" = ")[0]
        written.append(text)
        types.append(type_)
        body.scope[name] = type_
    if body.slips(0.15):
        body.used.add("variable arguments")
        written.append(body.draw.choice(["*rest", "**options", "*, key: int", "*, key: int = 1"]))
    return ", ".join(written), types


def function(
    draw: random.Random,
    rate: float,
    name: str,
    helpers: list[tuple[str, list[str], str]],
    size: int,
    receiver: str = "",
) -> tuple[list[str], list[str], str, Body]:
    """Return the lines of a function, its parameter types, its result type, and the generator of its body."""
    returns = draw.choice([*COMMON, "None", "?", "?", "?"])
    body = Body(draw, rate, helpers, None if returns == "?" else returns)
    text, types = parameters(body)
    body.loops = 0
    arrow = f" -> {returns}" if returns != "?" else ""
    if returns == "?":
        body.used.add("no return annotation")
        returns = "Tensor"
    lines = body.block(2, size)
    if not (body.returns == "None" and draw.random() < 0.5) and not body.slips(0.5):
        lines.append(body.return_line())
    if text and draw.random() < 0.05:
        text, arrow, lines = in_comment(body, text, types, returns, lines)
    head = ", ".join(one for one in (receiver, text) if one)
    return [f"def {name}({head}){arrow}:", *("    " + line for line in lines)], types, returns, body


def in_comment(body: Body, text: str, types: list[str], returns: str, lines: list[str]) -> tuple[str, str, list[str]]:
    """Move the annotations of a function into a type comment."""
    body.used.add("signature in a comment")
    bare = re.sub(r": [^=]*?(?=(, p\d| = |, \*|$))", "", text)
    types = list(types)
    if body.slips(2):
        types = body.draw.choice([types[1:], [*types, "int"], [*types[:-1], "Thing"]])
    arrow = body.draw.choice([f" -> {returns}"] * 4 + ([""] if body.slips(4) else [f" -> {returns}"]))
    return bare, "", [f"# type: ({', '.join(types)}){arrow}", *lines]
