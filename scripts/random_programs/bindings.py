"""Generates random statements that assign variables and items."""

from __future__ import annotations

from random_programs.grammar import COMMON, TYPES
from random_programs.scope import Scope


class Bindings(Scope):
    """Generates assignments of all kinds."""

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
        """Assign a value of another type to a name in the same block; that is allowed there, but not in a
        nested block.
        """
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
