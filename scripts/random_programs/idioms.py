# ruff: noqa: E501 (a table: one idiom a line)
"""Generates random statements that belong together: a literal with its annotation, a fork with its wait.

A line of a table is a construct, the variables that stay in scope with their types, and the statements. ``{a}`` to
``{c}`` are new names, ``<T>`` is an expression of type ``T``; statements are separated by `` ; ``.
"""

from __future__ import annotations

from random_programs.scope import Scope

_VALID = """
exception as a value | | {a} = ValueError(<str>) ; if <bool>: ;     raise {a}
exception as a value | | {a} = RuntimeError ; if <bool>: ;     raise {a}(<str>)
enum iteration | | for {a} in Color: ;     print({a}.value, {a}.name)
enum iteration | a: List[int] | {a} = [one.value for one in Color]
enum iteration | | {a} = 0 ; for {b} in Color: ;     {a} += {b}.value
fork | b: Tensor | {a} = torch.jit.fork(twice, <Tensor>) ; {b} = torch.jit.wait({a})
fork | b: Tensor | {a}: torch.jit.Future[Tensor] = torch.jit.fork(twice, <Tensor>, by=<int>) ; {b} = {a}.wait()
fork | b: List[Tensor] | {a} = [torch.jit.fork(twice, one, 2) for one in <List[Tensor]>] ; {b} = [torch.jit.wait(one) for one in {a}]
fork | | {a} = torch.jit.annotate(List[torch.jit.Future[Tensor]], []) ; {a}.append(torch.jit.fork(twice, <Tensor>))
display with annotation | a: List[float] | {a}: List[float] = [<float>, <float>]
display with annotation | | {a}: List[Optional[int]] = [<int>, None]
display with annotation | | {a}: List[Any] = [<int>, <str>]
display with annotation | | {a}: List[Union[int, str]] = [<int>, <str>]
display with annotation | | {a}: List[List[int]] = [<List[int]>, []]
display with annotation | a: Optional[List[int]] | {a}: Optional[List[int]] = []
display with annotation | | {a}: Optional[Dict[str, int]] = {} ; assert {a} is not None ; {a}[<str>] = <int>
display with annotation | | {a}: Dict[str, Optional[int]] = {<str>: <int>, 'b': None}
display with annotation | | {a}: Dict[str, Any] = {<str>: <int>, 'b': <str>}
display with annotation | | {a}: Dict[str, List[int]] = {'a': []}
display with annotation | | {a}: Dict[str, List[int]] = {} ; {a}[<str>] = [] ; {a}['k'].append(<int>)
display with annotation | | {a}: Tuple[List[int], int] = ([], <int>)
display with annotation | | {a}: Union[List[int], int] = []
display with annotation | | {a}: Any = [<int>]
display with annotation | a: Dict[str, int] | {a}: Dict[str, int] = dict()
display with annotation | a: Dict[str, int] | {a}: Dict[str, int] = {one: 1 for one in <List[str]>}
display with annotation | | {a}: List[Tuple[int, str]] = [(<int>, <str>)]
display with annotation | | {a}: Tuple[Optional[int], Optional[str]] = (<int>, None)
overload | a: int | {a} = either(<int>)
overload | a: str | {a} = either(<str>)
getattr | a: int | {a} = getattr(<Counter>, 'count')
getattr | a: int | {a} = getattr(<Point>, 'x')
getattr | a: int | {a} = getattr(<Counter>, 'missing', <int>)
hasattr of an object | | {a} = <Counter> ; if hasattr({a}, 'up'): ;     {a}.up(<int>)
hasattr of an object | | {a} = <Counter> ; if hasattr({a}, 'missing'): ;     {a}.missing()
interface | b: Tensor | {a}: Shape = Square(<int>) ; {b} = {a}.area(<Tensor>)
interface | | {a}: List[Shape] = [Square(<int>), Strip()] ; for {b} in {a}: ;     print({b}.area(<Tensor>))
"""
_WRONG = """
del of a slice | | {a}: List[int] = <List[int]> ; del {a}[<int>:<int>]
del of a slice | | {a}: List[Tensor] = <List[Tensor]> ; del {a}[1:]
del of a slice | | {a} = <*> ; del {a}[<*>:<*>]
del of a slice | | {a} = <Tuple[int, int]> ; del {a}[:1]
exception as a value | | {a} = ValueError(<str>) ; raise {a}
exception as a value | | {a} = ValueError ; print({a})
exception as a value | | {a} = ValueError(<*>) ; {b} = [{a}]
exception as a value | | if <bool>: ;     {a} = ValueError(<str>) ; else: ;     {a} = KeyError(<str>) ; raise {a}
enum iteration | | {a} = list(Color)
enum iteration | | {a} = len(Color)
enum iteration | | {a} = Color(<int>)
enum iteration | | {a} = Color[<str>]
enum iteration | | for {a}, {b} in enumerate(Color): ;     print({b}.value + <*>)
fork | | {a}: torch.jit.Future[int] = torch.jit.fork(twice, <Tensor>)
fork | | {a} = torch.jit.wait(<*>)
fork | | {a} = torch.jit.fork(twice, <*>, <*>) ; {b} = torch.jit.wait({a}) + <*>
fork | | {a}: torch.jit.Future = torch.jit.fork(twice, <Tensor>)
fork | | {a} = torch.jit.fork(<Tensor>)
display with annotation | | {a}: List[float] = [<int>, <float>]
display with annotation | | {a}: List[float] = [one for one in <List[int]>]
display with annotation | | {a}: List[Tensor] = [<Tensor>, <int>]
display with annotation | | {a}: List[<T>] = [<*>, <*>]
display with annotation | | {a}: Dict[str, <T>] = {<str>: <*>}
display with annotation | | {a}: Dict[<T>, int] = {<*>: <int>}
display with annotation | | {a}: Tuple[<T>, <T>] = (<*>, <*>)
display with annotation | | {a}: Optional[<T>] = <*>
display with annotation | | {a}: Union[<T>, <T>] = <*>
display with annotation | | {a}: Union[List[int], List[str]] = []
display with annotation | | {a}: Union[List[int], List[str]] = [<*>]
display with annotation | | {a}: Any = {}
display with annotation | | {a}: int = []
display with annotation | | {a}: Dict[str, float] = {one: 1 for one in <List[str]>}
display with annotation | | {a}: Dict[str, int] = dict([('a', <int>)])
display with annotation | | {a}: List[<T>] = [one for one in <*>]
overload | | {a} = either(<*>)
overload | | {a} = either(<int>, <int>)
overload | | {a} = either(<str>) + <*>
getattr | | {a} = getattr(<*>, 'count')
getattr | | {a} = getattr(<*>, <str>, <int>)
hasattr of an object | | {a} = hasattr(<*>, 'count')
hasattr of an object | | {a} = hasattr(<Counter>, <str>)
interface | | {a}: Shape = <*>
interface | | {a}: Shape = Square(<int>) ; {b} = {a}.side
interface | | {a}: Shape = Square(<int>) ; {b} = {a}.area(<*>)
interface | | {a}: Shape = Point(<int>, <Tensor>)
interface | | {a} = [Square(<int>), Strip()]
interface | | {a} = torch.jit.annotate(Shape, Strip()) ; if <bool>: ;     {a} = Square(<int>)
"""
_TYPES = ["int", "float", "str", "Tensor", "bool", "List[int]", "Optional[int]", "Tuple[int, str]", "Any", "Color"]


def _read(text: str) -> list[tuple[str, dict[str, str], list[str]]]:
    found = []
    for line in text.strip().splitlines():
        construct, bound, statements = line.split("|", 2)
        name, _, type_ = bound.strip().partition(": ")
        found.append((construct.strip(), {name: type_} if type_ else {}, statements[1:].split(" ; ")))
    return found


VALID, WRONG = _read(_VALID), _read(_WRONG)


class Idioms(Scope):
    """Generates statements that belong together."""

    def idiom(self, depth: int) -> list[str]:
        """Return the statements of one line of the tables."""
        construct, types, statements = self.draw.choice(WRONG if self.slips(2) else VALID)
        self.used.add(construct)
        names = {key: self.fresh() for key in "abc"}
        lines = []
        for statement in statements:
            template = statement
            for key, name in names.items():
                template = template.replace("{" + key + "}", name)
            while "<T>" in template:
                template = template.replace("<T>", self.draw.choice(_TYPES), 1)
            lines.append(self.filled(template, 1))
        for key, type_ in types.items():
            self.scope[names[key]] = type_
        return lines
