"""Generates random control flow."""

from __future__ import annotations

from random_programs.grammar import COMMON
from random_programs.scope import Scope

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


class Flow(Scope):
    """Generates branches, loops and jumps."""

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
            # A name that only one branch binds, or that the branches bind to different types.
            self.used.add("bound in one branch")
            for bound in branches:
                self.scope.update(bound)
        self.fixed.discard("if")
        return lines

    def join(self, lines: list[str]) -> tuple[list[str], str, str]:
        """Add an assignment to the same new name at the end of every branch."""
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

    def return_line(self) -> str:
        if self.returns is None:
            return f"return {self.expression('Tensor')}"
        if self.returns == "None":
            return "return" if not self.slips() else f"return {self.expression('*')}"
        if self.draw.random() < 0.12:
            self.used.add("returned ternary")
            first, second = self.expression(self.returns), self.expression(self.returns)
            if self.returns.startswith("Optional") or self.slips(2):
                second = "None"
            elif self.returns.startswith(("List", "Dict")):
                second = self.draw.choice([second, "[]" if self.returns.startswith("List") else "{}"])
            sides = self.draw.sample([first, second], 2)
            return f"return ({sides[0]}) if ({self.condition()}) else ({sides[1]})"
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
