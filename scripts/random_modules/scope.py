"""Generates the body of one random function: its variables, and code from templates."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

from random_modules import (
    about_guards,
    about_last,
    about_models,
    about_modules,
    about_odd,
    about_rare,
    about_syntax,
    about_values,
)
from random_modules.expressions import ALSO, EXPRESSIONS, LITERALS
from random_modules.features import DEFAULTS, PARAMETERS
from random_modules.templates import HOLE, Piece, chosen, pieces

if TYPE_CHECKING:
    from random_modules.modules import Class, Text

_POOL = {
    "T": ["out", "h", "feat", "res", "y1"], "V": ["mean", "v", "bias_"], "I": ["k", "num", "idx", "size"],
    "F": ["ratio", "coef", "eps_"], "N": ["total", "amount", "acc"], "B": ["ok", "found"], "S": ["label", "text"],
    "OT": ["prev", "memory_"], "OI": ["where"], "ON": ["best"], "LI": ["sizes_", "ids", "lengths"],
    "LF": ["ratios"], "LT": ["outs", "outputs", "feats_"], "LS": ["labels"], "DT": ["results", "outd"],
    "DI": ["counts"], "P": ["pair"], "M": ["layer", "m", "block", "mod"],
}  # fmt: skip
VARIADICS = pieces(r"""
## 3 first
if args:
    <@h:T> = <h> + args[0]
## 3 all
for arg in args:
    <@h:T> = <h> + arg
## 3 rebound in a branch
if <C>:
    args = args[1:]
for arg in args:
    <@h:T> = <h> + arg
## 2 rebound
args = args + (<T>,)
<=k:I> = len(args)
## 2 rebound, not read
if <C>:
    args = ()
## 2 rebound in a branch by another
if <C>:
    <block>
    args = [<T>]
    <@h:T> = <h> + args[0]
## 2 passed on
<=a:T> = <!f:many_fn>(<T>, *args)
## 2 by number
if len(args) > 1:
    <@h:T> = <h> * args[1]
""")
KEYWORDS = pieces(r"""
## 3 get
<+s> = kwargs.get("scale", <N>)
<@h:T> = <h> * <s>
## 3 in
if "scale" in kwargs:
    <@h:T> = <h> * kwargs["scale"]
## 2 pop
<+s> = kwargs.pop("scale", None)
if <s> is not None:
    <@h:T> = <h> * <s>
## 2 passed on
<=a:T> = <!f:kw_fn>(<T>, **kwargs)
## 2 rebound
if <C>:
    kwargs = {}
<=k:I> = len(kwargs)
## 2 length
<=k:I> = len(kwargs)
## 1 over
for key, value in kwargs.items():
    <@h:T> = <h> + value
""")
STATEMENTS = {
    "modules": about_modules.STATEMENTS,
    "values": about_values.STATEMENTS,
    "syntax": about_syntax.STATEMENTS,
    "rare": about_rare.STATEMENTS,
    "odd": [*about_odd.STATEMENTS, *about_last.STATEMENTS],
    "guards": about_guards.STATEMENTS,
    "models": about_models.STATEMENTS,
}
_OWN = re.compile(r"\bself\b|<\.|<~|Net\.")
FUNCTION_STATEMENTS: dict[str, list[Piece]] = {
    name: [each for each in found if not _OWN.search(each.text)] for name, found in STATEMENTS.items()
}


class Parameter(NamedTuple):
    """A parameter of a random function; ``default`` is None if it has none."""

    name: str
    type: str
    default: str | None


class Scope:
    """The state that the statements of one function share.

    Args:
        text: the text of the module.
        owner: the class of the method, or None.
        returns: the result type.
        nested: how deep the call of the function is nested, which limits its own calls.
    """

    def __init__(self, text: Text, owner: Class | None, returns: str, nested: int) -> None:
        self.text, self.owner, self.returns, self.nested = text, owner, returns, nested
        self.draw: random.Random = text.draw
        self.parameters: list[Parameter] = []
        self.variables: dict[str, str] = {}
        self.taken: set[str] = set()
        self.used: set[str] = set()
        self.variadic = self.keywords = False
        weights = [3, 3, 3, 3, 5, 3, 4] if owner else [0, 3, 3, 3, 5, 3, 2]
        self.families = [*(STATEMENTS if owner else FUNCTION_STATEMENTS).values()]
        self.weights = [weight * self.draw.choice([0.3, 1, 3]) for weight in weights]

    def fresh(self, type_: str, bind: bool = True) -> str:
        """Return a new name, or sometimes an existing one."""
        names = _POOL.get(type_, ["f", "q", "u"])
        name = self.draw.choice(names)
        if self.draw.random() > 0.07 or name in ("x", "self"):
            i = 1
            while name in self.taken or name in self.text.names:
                i += 1
                name = f"{self.draw.choice(names).rstrip('_')}_{i}"
        self.taken.add(name)
        return name

    def parameter(self, type_: str, default: bool = True) -> str:
        """Return the name of a parameter of the type, an existing or a new one; a value if there are too many."""
        for each in self.parameters:
            if each.type == type_ and self.draw.random() < 0.8:
                return each.name
        names = [name for name in PARAMETERS[type_] if name not in self.taken]
        if not names or len(self.parameters) > 5:
            same = [each.name for each in self.parameters if each.type == type_]
            return same[0] if same else LITERALS[type_][0] if type_ in LITERALS else "None"
        name = self.draw.choice(names)
        self.taken.add(name)
        values = DEFAULTS[type_]
        needs = default or any(each.default is not None for each in self.parameters)
        chance = self.draw.random() < (0.6 if self.parameters else 0)
        if not values:
            given: str | None = "None" if needs and any(each.default is not None for each in self.parameters) else None
        else:
            must = any(each.default is not None for each in self.parameters)
            given = self.draw.choice(values) if must or chance or type_[0] == "O" else None
        self.parameters.append(Parameter(name, type_, given))
        self.variables[name] = type_
        return name

    def expression(self, type_: str, depth: int = 2) -> str:
        """Return an expression of a type."""
        if type_ == "FREE":
            type_ = self.draw.choice(["N", "I", "F", "T"])
        if type_ == "COUNT":
            return self.line(self.draw.choice(about_modules.COUNTS if self.owner else ["2", "<I>"]), {}, [], 1)
        if type_ == "SLICE":
            return self.line(self.draw.choice(about_modules.SLICES), {}, [], 1)
        if type_ == "DTYPE":
            return self.draw.choice(about_syntax.DTYPES)
        if type_ == "RETURN":
            return f"return {self.result()}"
        if type_ == "WAY":
            return self.line(self.draw.choice(about_modules.WAYS), {}, [], 1)
        names = [name for name, other in self.variables.items() if other in ALSO.get(type_, [type_])]
        if names and self.draw.random() < (0.45 if depth > 0 else 0.85):
            # The newest variable is used most often.
            name = names[-1] if self.draw.random() < 0.4 else self.draw.choice(names)
            self.used.add(name)
            return name
        if depth <= 0 or (type_ not in EXPRESSIONS) or self.draw.random() < 0.2:
            if type_ == "T" and "x" not in self.variables:
                return names[0] if names else "torch.ones(2, 4)"
            literal = self.draw.choice(LITERALS.get(type_, ["None"]))
            return literal if "x" in self.variables else literal.replace("x", "torch.ones(2, 4)")
        for _ in range(10):
            form = self.draw.choice(EXPRESSIONS[type_])
            if not self.owner and _OWN.search(form):
                continue
            written = self.line(form, {}, [], depth - 1)
            simple = written.isidentifier() or written.replace(".", "").isalnum() or written[0] in "([{\"'"
            spaced = " " in written and not _closed(written)
            return f"({written})" if spaced and not simple and depth < 2 else written
        return LITERALS[type_][0]

    def result(self) -> str:
        """Return the returned expression."""
        if self.returns == "T" and self.draw.random() < 0.06:
            return self.draw.choice(["None", self.expression("P"), self.expression("OT"), self.expression("I")])
        return self.expression(self.returns, 2)

    def line(
        self, line: str, names: dict[str, str], before: list[str], depth: int, new: dict[str, str] | None = None
    ) -> str:
        """Return a template line with its holes filled.

        Args:
            line: the template.
            names: the variables that the labels of holes stand for.
            before: collects the lines that must come before this one.
            depth: how deep its expressions may be.
            new: collects the variables that the line creates.
        """
        done, at = "", 0
        for hole in HOLE.finditer(line):
            done += line[at : hole.start()]
            text = self.hole(hole[1], hole[2], hole[3], names, before, depth, new)
            at = hole.end()
            if line[at : at + 1] in (".", "[") and not _is_assumption(text):
                text = f"({text})"
            if 'f"' in done and done.count('"') % 2:
                text = "2" if "{" in text or "\\" in text else text.replace('"', "'")
            done += text
        return done + line[at:]

    def hole(
        self, sign: str, label: str, type_: str | None, names: dict[str, str], before: list[str], depth: int,
        new: dict[str, str] | None,
    ) -> str:  # fmt: skip
        """Return the text for one hole; labels of attributes and definitions are separate from those of variables."""
        if sign and sign in ".!":
            label = sign + label
        if label in names:
            return names[label]
        if not sign:
            return self.expression(label, depth)
        if sign == "+":
            names[label] = self.fresh("?", False)
        elif sign == ".":
            assert type_ is not None
            names[label] = self.owner.attribute(type_) if self.owner else "nothing"
        elif sign == "~":
            assert type_ is not None
            if self.owner is None:
                return self.expression(type_, 0)
            names[label] = self.parameter(type_)
            if not names[label].isidentifier() or names[label] == "None":
                names[label] = self._made(type_, before)
        elif sign == "!":
            assert type_ is not None
            names[label] = self.text.glob(type_)
        elif sign == "$":
            assert type_ is not None
            return self.text.call(self, type_, depth)
        elif sign == "@":
            assert type_ is not None
            have = [name for name, other in self.variables.items() if other == type_ and not name.startswith("self")]
            names[label] = self.draw.choice(have) if have else self._made(type_, before)
        else:
            assert type_ is not None
            names[label] = self.fresh(type_)
            if new is not None:
                new[names[label]] = type_ if sign == "=" else "%" + type_
        return names[label]

    def _made(self, type_: str, before: list[str]) -> str:
        name = self.fresh(type_)
        before.append(f"{name} = {self.expression(type_, 1)}")
        self.variables[name] = type_
        return name

    def rare(self) -> list[str]:
        """Return one of the statements that are drawn most rarely, each with the same probability."""
        found = STATEMENTS["rare"] + STATEMENTS["odd"] + STATEMENTS["guards"] + STATEMENTS["models"]
        return self.written(self.draw.choice(found), 1)

    def statement(self, depth: int) -> list[str]:
        """Return one statement, possibly of many lines."""
        options: list[list[Piece]] = [*self.families]
        weights = [*self.weights]
        if self.variadic:
            options.append(VARIADICS)
            weights.append(3)
        if self.keywords:
            options.append(KEYWORDS)
            weights.append(3)
        while True:
            piece = chosen(self.draw, self.draw.choices(options, weights)[0])
            if depth > 0 or "<block>" not in piece.text:
                break
        return self.written(piece, depth)

    def written(self, piece: Piece, depth: int) -> list[str]:
        """Return a filled statement of the grammar."""
        self.text.drawn.add(piece.name)
        before: list[str] = []
        lines: list[str] = []
        names: dict[str, str] = {}
        inside: list[str] = []
        for line in piece.text.splitlines():
            margin = line[: len(line) - len(line.lstrip())]
            if line.strip() == "<block>":
                lines += [margin + each for each in self.block(depth - 1)]
                continue
            new: dict[str, str] = {}
            lines.append(self.line(line, names, before, 2, new))
            for name, type_ in new.items():
                self.variables[name] = type_.lstrip("%")
                if type_[0] == "%":
                    inside.append(name)
        for name in inside:
            if self.draw.random() < 0.93:
                self.variables.pop(name, None)
        return [*before, *lines]

    def block(self, depth: int, most: int = 2) -> list[str]:
        """Return statements of a nested block; their variables are usually not read after it."""
        known = dict(self.variables)
        lines: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            lines += self.statement(depth)
        if self.draw.random() < 0.9:
            self.variables = {name: type_ for name, type_ in self.variables.items() if name in known or type_ == "?"}
        return lines


def _is_assumption(text: str) -> bool:
    """Return whether ``.name`` or ``[…]`` can follow a text without brackets around it: a dotted name, or a call."""
    return text.replace(".", "").isidentifier() or bool(re.fullmatch(r"[\w.]+\([^()]*\)", text))


def _closed(text: str) -> bool:
    """Return whether an expression is one pair of brackets, or a call."""
    return text.endswith((")", "]", "}", '"')) and text[0] in '([{"' and text.count("(") == text.count(")") == 1
