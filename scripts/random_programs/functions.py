"""Random functions: parameters and statements."""

from __future__ import annotations

import random
from collections.abc import Callable

from random_programs.expressions import Expressions
from random_programs.grammar import COMMON, TYPES

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
ITERABLE = {
    "List[int]": "int",
    "List[float]": "float",
    "List[str]": "str",
    "List[Tensor]": "Tensor",
    "List[List[int]]": "List[int]",
    "Tensor": "Tensor",
    "str": "str",
    "Dict[str, int]": "str",
    "Dict[str, Tensor]": "str",
    "Dict[int, float]": "int",
}
BASE = {
    "Optional[Tensor]": "Tensor",
    "Optional[int]": "int",
    "Optional[str]": "str",
    "Optional[List[int]]": "List[int]",
}


# What the compiler cannot read as an annotation, or reads as more than it says.
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
# What leaves a name without a value, or with one that is hard to use.
NOTHINGS = ["None", "[]", "{}", "print(1)", "torch", "nn.Linear", "len", "()"]
COMMENTS = ["int", "ignore", "List[int]", "str"]


class Body(Expressions):
    """Draws the statements of one function.

    Args:
        helpers: the functions that it can call: a name, the types of its parameters, its result's.
    """

    def __init__(
        self, draw: random.Random, rate: float, helpers: list[tuple[str, list[str], str]], returns: str | None
    ) -> None:
        super().__init__(draw, rate)
        self.helpers = helpers
        self.returns = returns
        self.count = 0
        self.loops = 0
        self.fixed: set[str] = set()
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
        ]

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def block(self, depth: int, most: int = 3) -> list[str]:
        """Statements; what they bind stays in scope."""
        lines: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            lines += self.statement(depth)
        return lines

    def inner(self, depth: int, most: int = 2) -> tuple[list[str], dict[str, str]]:
        """Statements of a nested block, and what was bound in it (which is out of scope afterwards)."""
        before = dict(self.scope)
        lines = self.block(depth, most)
        bound = {name: type_ for name, type_ in self.scope.items() if name not in before}
        self.scope = before
        return ["    " + line for line in lines], bound

    def statement(self, depth: int) -> list[str]:
        """One statement, maybe of many lines."""
        if self.slips(0.25):
            return self.mistake(depth)
        weights = [weight for weight, _, _ in self.statements]
        _, construct, make = self.draw.choices(self.statements, weights)[0]
        if depth <= 0 and construct in ("if", "for", "while", "refinement", "with", "isinstance branch"):
            construct, make = "assignment", self.assign
        self.used.add(construct)
        return make(depth)

    def bind(self, type_: str) -> str:
        name = self.fresh()
        self.scope[name] = type_
        return name

    def assign(self, depth: int) -> list[str]:
        type_ = self.draw.choice(COMMON)
        names = [one for one, has in self.scope.items() if has == type_]
        if names and self.draw.random() < 0.4:
            return [f"{self.draw.choice(names)} = {self.expression(type_, 3)}"]
        text = self.expression(type_, 3)
        return [f"{self.bind(type_)} = {text}"]

    def annotated(self, depth: int) -> list[str]:
        type_ = self.draw.choice(COMMON)
        text = self.expression(type_)
        if self.slips():
            self.used.add("annotation of another type")
            return [f"{self.bind(type_)}: {self.draw.choice(TYPES)} = {text}"]
        name = self.bind(type_)
        if type_.startswith("List") and self.draw.random() < 0.3:
            text = "[]"
        if type_.startswith("Dict") and self.draw.random() < 0.3:
            text = "{}"
        return [f"{name}: {type_} = {text}"]

    def augmented(self, depth: int) -> list[str]:
        choices = [
            (name, type_)
            for name, type_ in self.scope.items()
            if type_ in ("Tensor", "int", "float", "str", "List[int]")
        ]
        if not choices:
            return self.assign(depth)
        name, type_ = self.draw.choice(choices)
        operators = {
            "Tensor": "+ - * / ** %",
            "int": "+ - * % | & ^ << >>",
            "float": "+ - * / **",
            "str": "+",
            "List[int]": "+",
        }
        operator = self.draw.choice(operators[type_].split())
        if self.slips():
            operator = self.draw.choice(["//", "@", "+", "-", "*", "/", "%", "**", "|", "&"])
        value = self.expression(self.draw.choice([type_, "float", "int"]) if type_ in ("Tensor", "float") else type_)
        return [f"{name} {operator}= {value}"]

    def retype(self, depth: int) -> list[str]:
        """The same block gives a name another type: allowed there, not in a nested one."""
        if not self.scope or (self.fixed and not self.slips()):
            return self.assign(depth)
        name = self.draw.choice([one for one in self.scope if "." not in one] or [self.fresh()])
        if self.loops or len(self.fixed):
            if not self.slips():
                return self.assign(depth)
        type_ = self.draw.choice(COMMON)
        text = self.expression(type_)
        self.scope[name] = type_
        return [f"{name} = {text}"]

    def unpack(self, depth: int) -> list[str]:
        kind = self.draw.randrange(8)
        if kind == 0:
            value = self.expression("Tuple[int, int]")
            return [f"{self.bind('int')}, {self.bind('int')} = {value}"]
        if kind == 1:
            value = self.expression("Tuple[Tensor, Tensor]")
            return [f"{self.bind('Tensor')}, {self.bind('Tensor')} = {value}"]
        if kind == 2:
            value = self.expression("Tensor", 1)
            return [f"{self.bind('int')}, {self.bind('int')} = ({value}).shape"]
        if kind == 3:
            value = self.expression("Tuple[int, float, bool]")
            return [f"({self.bind('int')}, {self.bind('float')}, {self.bind('bool')}) = {value}"]
        if kind == 4:
            value = self.expression(self.draw.choice(["List[int]", "List[int]", "List[str]"]))
            return [f"{self.fresh()}, {self.fresh()} = {value}"]
        if kind == 5:
            first, second = self.expression("int"), self.expression("Tensor")
            return [f"{self.bind('int')}, {self.bind('Tensor')} = {first}, {second}"]
        if kind == 6:
            value = self.expression("Tuple[Tensor, List[int]]")
            return [f"{self.bind('Tensor')}, {self.fresh()} = {value}"]
        if self.slips(3):
            target = self.draw.choice(["a, b, c", "a, (b, c)", "a, *b", "*a, b", "a, b", "a, b.c"])
            return [f"{target} = {self.expression('*')}"]
        value = self.expression("Tuple[int, str]")
        return [f"_, {self.bind('str')} = {value}"]

    def condition(self) -> str:
        return self.expression(self.draw.choice(["bool"] * 6 + ["Tensor", "int", "str", "List[int]", "float"]))

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:"]
        self.fixed.add("if")
        body, bound = self.inner(depth - 1)
        lines += body
        branches = [bound]
        while self.draw.random() < 0.2:
            lines.append(f"elif {self.condition()}:")
            self.used.add("elif")
            body, bound = self.inner(depth - 1, 1)
            lines += body
            branches.append(bound)
        if self.draw.random() < 0.6:
            lines.append("else:")
            body, bound = self.inner(depth - 1)
            lines += body
            branches.append(bound)
            if self.draw.random() < 0.6:
                self.used.add("bound in every branch")
                lines, name, type_ = self.join(lines)
                self.scope[name] = type_
        if self.slips(1.5):
            # A name that only one branch binds, or that branches bind differently.
            self.used.add("bound in one branch")
            for bound in branches:
                self.scope.update(bound)
        self.fixed.discard("if")
        return lines

    def join(self, lines: list[str]) -> tuple[list[str], str, str]:
        """Every branch ends in an assignment to the same new name."""
        name, type_ = self.fresh(), self.draw.choice(COMMON)
        out: list[str] = []
        for i, line in enumerate(lines):
            ends_block = i + 1 == len(lines) or not lines[i + 1].startswith("    ")
            out.append(line)
            if ends_block:
                chosen = type_ if not self.slips(2) else self.any_type()
                out.append(f"    {name} = {self.expression(chosen, 1)}")
        return out, name, type_

    def optional(self) -> tuple[str, str] | None:
        found = [(name, type_) for name, type_ in self.scope.items() if type_ in BASE]
        return self.draw.choice(found) if found else None

    def refine(self, depth: int) -> list[str]:
        chosen = self.optional()
        if chosen is None:
            type_ = self.draw.choice(list(BASE))
            name = self.fresh()
            first = [f"{name}: {type_} = {self.expression(type_, 1)}"]
            self.scope[name] = type_
        else:
            (name, type_), first = chosen, []
        kind = self.draw.randrange(7)
        if kind == 0:
            self.scope[name] = BASE[type_]
            body, _ = self.inner(depth - 1)
            self.scope[name] = type_
            return [*first, f"if {name} is not None:", *body]
        if kind == 1:
            value = self.expression(BASE[type_], 1)
            self.scope[name] = BASE[type_]
            return [*first, f"if {name} is None:", f"    {name} = {value}"]
        if kind == 2:
            self.scope[name] = BASE[type_]
            return [*first, f"assert {name} is not None"]
        if kind == 3:
            self.scope[name] = BASE[type_]
            inner = self.expression("bool", 1)
            body, _ = self.inner(depth - 1)
            self.scope[name] = type_
            return [*first, f"if {name} is not None and {inner}:", *body]
        if kind == 4:
            self.scope[name] = BASE[type_]
            return [*first, f"if {name} is None:", f"    raise ValueError({self.expression('str', 1)})"]
        if kind == 5:
            body, _ = self.inner(depth - 1)
            self.scope[name] = BASE[type_]
            other, _ = self.inner(depth - 1)
            self.scope[name] = type_
            return [*first, f"if {name} is None:", *body, "else:", *other]
        self.scope[name] = BASE[type_]
        value = self.expression(BASE[type_], 1)
        self.scope[name] = type_
        other = self.expression(BASE[type_], 1)
        return [*first, f"{self.bind(BASE[type_])} = {value} if {name} is not None else {other}"]

    def instance_branch(self, depth: int) -> list[str]:
        names = [one for one in self.scope if "." not in one]
        if not names:
            return self.assign(depth)
        name = self.draw.choice(names)
        type_ = self.draw.choice(["int", "float", "str", "Tensor", "List[int]", "bool"])
        kept = self.scope[name]
        self.scope[name] = type_ if kept.startswith(("Optional", "Any", "Union")) else kept
        body, _ = self.inner(depth - 1)
        self.scope[name] = kept
        return [f"if isinstance({name}, {type_}):", *body]

    def loop(self, depth: int) -> list[str]:
        kind = self.draw.randrange(6)
        before = dict(self.scope)
        name = self.fresh()
        if kind <= 1:
            arguments = ", ".join(self.expression("int", 1) for _ in range(self.draw.choice([1, 1, 2, 3])))
            head, self.scope[name] = f"for {name} in range({arguments}):", "int"
        elif kind == 2:
            type_ = self.draw.choice(list(ITERABLE))
            head = f"for {name} in {self.expression(type_, 1)}:"
            self.scope[name] = ITERABLE[type_]
        elif kind == 3:
            type_ = self.draw.choice(list(ITERABLE))
            index = self.fresh()
            start = ", 1" if self.draw.random() < 0.2 else ""
            head = f"for {index}, {name} in enumerate({self.expression(type_, 1)}{start}):"
            self.scope[index], self.scope[name] = "int", ITERABLE[type_]
        elif kind == 4:
            one, two = self.draw.choice(list(ITERABLE)), self.draw.choice(list(ITERABLE))
            other = self.fresh()
            head = f"for {name}, {other} in zip({self.expression(one, 1)}, {self.expression(two, 1)}):"
            self.scope[name], self.scope[other] = ITERABLE[one], ITERABLE[two]
        else:
            type_ = self.draw.choice(["Dict[str, int]", "Dict[str, Tensor]", "Dict[int, float]"])
            key, value = type_[5:-1].split(", ")
            other = self.fresh()
            head = f"for {name}, {other} in ({self.expression(type_, 1)}).items():"
            self.scope[name], self.scope[other] = key, value
        self.loops += 1
        body, bound = self.inner(depth - 1)
        body += ["    " + line for line in self.leave_loop()]
        self.loops -= 1
        loop_names = {k: v for k, v in self.scope.items() if k not in before}
        self.scope = before
        if self.slips(1.0):
            self.used.add("loop variable after the loop")
            self.scope.update(bound)
            self.scope.update(loop_names)
        return [head, *body]

    def leave_loop(self) -> list[str]:
        if self.draw.random() < 0.3:
            word = self.draw.choice(["break", "continue"])
            self.used.add(word)
            return [f"if {self.condition()}:", f"    {word}"] if self.draw.random() < 0.85 else [word]
        return []

    def while_loop(self, depth: int) -> list[str]:
        head = f"while {self.condition()}:"
        self.loops += 1
        body, _ = self.inner(depth - 1)
        body += ["    " + line for line in self.leave_loop()]
        self.loops -= 1
        return [head, *body]

    def set_item(self, depth: int) -> list[str]:
        targets = {
            "Tensor": [
                "[<int>] = <float>",
                "[:, <int>] = <Tensor>",
                "[<Tensor>] = <int>",
                "[<int>:] = <Tensor>",
                "[<int>] += <int>",
            ],
            "List[int]": ["[<int>] = <int>", "[<int>] += <int>", "[0] *= <int>"],
            "List[Tensor]": ["[<int>] = <Tensor>"],
            "List[float]": ["[<int>] = <float>"],
            "Dict[str, int]": ["[<str>] = <int>", "[<str>] += <int>"],
            "Dict[str, Tensor]": ["[<str>] = <Tensor>"],
            "List[List[int]]": ["[<int>][<int>] = <int>"],
            "List[str]": ["[<int>] = <str>"],
        }
        choices = [(name, type_) for name, type_ in self.scope.items() if type_ in targets]
        if not choices:
            return self.assign(depth)
        name, type_ = self.draw.choice(choices)
        if self.slips():
            name = self.draw.choice(list(self.scope))
        return [self.filled(name + self.draw.choice(targets[type_]), 1)]

    def mutate(self, depth: int) -> list[str]:
        calls = {
            "List[int]": [
                "append(<int>)",
                "extend(<List[int]>)",
                "sort()",
                "reverse()",
                "clear()",
                "insert(<int>, <int>)",
                "remove(<int>)",
                "pop()",
                "sort(reverse=<bool>)",
            ],
            "List[Tensor]": ["append(<Tensor>)", "extend([<Tensor>])", "insert(0, <Tensor>)", "reverse()"],
            "List[str]": ["append(<str>)", "sort()", "extend(<List[str]>)"],
            "List[float]": ["append(<float>)", "sort()"],
            "Dict[str, int]": ["update(<Dict[str, int]>)", "clear()", "pop(<str>)", "setdefault(<str>, <int>)"],
            "Dict[str, Tensor]": ["update({<str>: <Tensor>})", "update(<Dict[str, Tensor]>)", "popitem()"],
            "Counter": ["up(<int>)", "count"],
            "Tensor": ["add_(<Tensor>)", "zero_()", "clamp_(min=<float>)", "backward()"],
        }
        choices = [(name, type_) for name, type_ in self.scope.items() if type_ in calls]
        if not choices:
            return self.assign(depth)
        name, type_ = self.draw.choice(choices)
        if self.slips():
            name = self.draw.choice(list(self.scope))
        return [self.filled(f"{name}.{self.draw.choice(calls[type_])}", 1)]

    def return_line(self) -> str:
        if self.returns is None:
            return f"return {self.expression('Tensor')}"
        if self.returns == "None":
            return "return" if not self.slips() else f"return {self.expression('*')}"
        return f"return {self.expression(self.returns)}"

    def early_return(self, depth: int) -> list[str]:
        if self.returns is None and not self.slips(2):
            return self.assign(depth)
        lines = [f"if {self.condition()}:", f"    {self.return_line()}"]
        if self.draw.random() < 0.2:
            lines += ["else:", f"    {self.return_line()}"]
        return lines

    def assertion(self, depth: int) -> list[str]:
        message = f", {self.expression('str', 1)}" if self.draw.random() < 0.5 else ""
        return [f"assert {self.condition()}{message}"]

    def raising(self, depth: int) -> list[str]:
        error = self.draw.choice(["ValueError", "RuntimeError", "NotImplementedError", "KeyError", "Exception"])
        line = self.filled(
            f"raise {error}({self.draw.choice(['<str>', '<str>', '', '<*>', 'f_name'])})".replace("f_name", "'x'"), 1
        )
        if self.slips():
            line = self.draw.choice(
                [f"raise {error}", "raise", "raise 'text'", f"raise {error}('a') from None", "raise Thing()"]
            )
        return [f"if {self.condition()}:", f"    {line}"]

    def printing(self, depth: int) -> list[str]:
        return [self.filled(self.draw.choice(["print(<*>)", "print(<str>, <int>)", "print()", "print(f'{<int>}')"]), 1)]

    def deletion(self, depth: int) -> list[str]:
        names = [n for n, t in self.scope.items() if t in ("List[int]", "Dict[str, int]", "Dict[str, Tensor]")]
        if names and self.draw.random() < 0.6:
            name = self.draw.choice(names)
            return [self.filled(f"del {name}[<{'int' if self.scope[name] == 'List[int]' else 'str'}>]", 1)]
        locals_ = [name for name in self.scope if name.startswith("v")]
        if not locals_ or self.loops or self.fixed:
            return ["pass"]
        name = self.draw.choice(locals_)
        if not self.slips(3):
            self.scope.pop(name)
        return [f"del {name}"]

    def context(self, depth: int) -> list[str]:
        manager = self.draw.choice(
            ["torch.no_grad()", "torch.no_grad()", "torch.autograd.profiler.record_function('a')"]
        )
        if self.slips(3):
            manager = self.draw.choice(
                [
                    "torch.enable_grad()",
                    "open('f')",
                    "torch.inference_mode()",
                    "torch.set_grad_enabled(False)",
                    f"{manager} as c",
                    self.expression("*", 1),
                ]
            )
        before = dict(self.scope)
        body, bound = self.inner(depth - 1)
        self.scope = before | bound
        return [f"with {manager}:", *body]

    def call_helper(self, depth: int) -> list[str]:
        if not self.helpers:
            return self.assign(depth)
        name, parameters, result = self.draw.choice(self.helpers)
        arguments = [self.expression(one, 1) for one in parameters]
        if self.slips():
            self.used.add("wrong number of arguments")
            arguments = arguments[:-1] if self.draw.random() < 0.5 else [*arguments, self.expression("*", 1)]
        call = f"{name}({', '.join(arguments)})"
        if result == "None":
            return [call]
        return [f"{self.bind(result)} = {call}"]

    def chained(self, depth: int) -> list[str]:
        type_ = self.draw.choice(COMMON)
        text = self.expression(type_)
        return [f"{self.bind(type_)} = {self.bind(type_)} = {text}"]

    def mistake(self, depth: int) -> list[str]:
        """A statement that is no TorchScript."""
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


def parameters(body: Body, most: int = 4) -> tuple[str, list[str]]:
    """A parameter list, and the types that a caller gives; the names come into scope."""
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
    """The lines of a function, the types that it takes, the type that it gives, and what was used."""
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
    head = ", ".join(one for one in (receiver, text) if one)
    return [f"def {name}({head}){arrow}:", *("    " + line for line in lines)], types, returns, body
