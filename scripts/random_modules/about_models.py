"""Statements in the ways of models that people publish: state in attributes, callbacks, dispatch by a name."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 5 optional attribute, stored and read below
if <C>:
    self.<.a:stored> = <T>.detach().mean(0)
if self.<.a:stored> is not None:
    <@h:T> = <h> + self.<.a:stored>
## 5 optional attribute, read, stored and read
if self.<.a:stored> is not None:
    <@h:T> = <h> + self.<.a:stored>
    self.<.a:stored> = <T>.detach().mean(0)
    <h> = <h> * self.<.a:stored>
## 5 optional attribute, stored by a method
if self.<.a:stored> is None:
    self.set_<.a:stored>(<T>)
<@h:T> = <h> + self.<.a:stored>
## 5 optional attribute, stored by a method between
if self.<.a:stored> is not None:
    <@h:T> = <h> + self.<.a:stored>
    self.set_<.a:stored>(<h>)
    <h> = <h> - self.<.a:stored>
## 3 optional attribute, in one statement
<@h:T> = <h> * self.<.a:stored> + self.<.a:stored> if self.<.a:stored> is not None else <h>
self.<.a:stored> = <T>.detach().mean(0)
<h> = <h> + self.<.a:stored>
## 2 optional attribute, removed
<@h:T> = <h> if self.<.a:stored> is None else <h> - self.<.a:stored>
self.<.a:stored> = None
## 3 optional attribute, kept in a variable
<+s> = self.<.a:stored>
if <s> is None:
    <s> = <T>.detach().mean(0)
    self.<.a:stored> = <s>
<@h:T> = <h> + <s>
## 4 carried state
if <~m:OP> is None:
    <=a:T>, <=b:T> = torch.zeros(4), <T>
else:
    <a>, <b> = <~m:OP>
<@h:T> = <h> + <a> * <b>
## 4 carried state of a cell
<+s> = <~m:OP>
for <%t:T> in <LT>:
    <s> = self.<.a:cell>(<t>, <s>)
    <@h:T> = <h> + <s>[0]
## 3 carried state, given or made
<+s> = <~m:OP> or (<T>, <T>)
<@h:T> = <h> + <s>[1]
## 4 skips some modules
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>):
    if <i> in self.<.b:skips>:
        <@h:T> = <m>(<h>) + <h>
    else:
        <h> = <m>(<h>)
## 3 leaves out some modules
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>):
    if <i> in self.<.b:skips>:
        continue
    <@h:T> = <m>(<h>)
## 3 keeps some results
<=r:LT> = []
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>):
    <@h:T> = <m>(<h>)
    if <i> in self.<.b:skips>:
        <r>.append(<h>)
## 3 leaves from a loop over modules
for <%m:M> in self.<.a:layers>:
    <@h:T> = <m>(<h>)
    if <C>:
        <RETURN>
## 3 leaves from a loop
for <%t:T> in <LT>:
    if <t>.sum() > <F>:
        <RETURN>
## 3 helper object
<+q> = <!f:Meter>(<I>)
<@h:T> = <q>.add(<h>) + <q>.k
## 3 helper object of the module
<@h:T> = self.<.a:meter>.add(<h>)
## 2 named result
<+q> = <!f:Split>(<T>, <I>)
<@h:T> = <h> + <q>.first * <q>.count
## 3 method as a callback
<=a:T> = <!f:called_back>(self.<.a:doubled>, <T>)
## 2 method or another
<+f> = self.<.a:doubled> if <C> else self.<.b:doubled>
<=a:T> = <f>(<T>)
## 2 method for each
<=a:LT> = [self.<.a:doubled>(t) for t in <LT>]
## 3 methods by a name
<+f> = {"a": self.<.a:doubled>, "b": self.<.b:doubled>}[self.<.c:mode>]
<@h:T> = <f>(<h>)
## 3 ways by the module's mode
if self.<.c:mode> == "a":
    <=y:T> = self.<.a:doubled>(<T>)
elif self.<.c:mode> == "b":
    <y> = self.<.b:lin>(<T>)
else:
    raise ValueError(self.<.c:mode>)
## 2 modules by their names
for <+k> in ["<.a:lin>", "<.b:lin>"]:
    <@h:T> = getattr(self, <k>)(<h>)
## 3 half of a shape
<=k:I> = <T>.shape[-1] // 2
<@h:T> = torch.cat([<h>[:, <k>:], <h>[:, :<k>]], dim=1)
## 3 rounded up
<=k:I> = math.ceil(<@h:T>.shape[0] / <I14>)
<h> = <h> + torch.arange(<k>).sum()
## 3 part of a shape
<=k:I> = int(<@h:T>.shape[1] * <F01>)
<h> = torch.cat([<h>[:, <k>:], <h>[:, :<k>]], 1)
## 2 windows of a shape
<=k:I> = (<@h:T>.size(1) - 2 + 1) // 2 + 1
<h> = <h>.view(<h>.shape[0], -1, 2).mean(-1).repeat(1, 2) * <k>
## 3 sum over modules
<@h:T> = sum(m(<T>) for m in self.<.a:layers>) + <h>
## 3 all modules at once
<@h:T> = torch.stack([m(<h>) for m in self.<.a:layers>] + [<T>]).mean(0)
## 3 slice stored
<=a:T> = <T>.clone()
<a>[:, :2] = <T>[:, 2:]
<a>[0] += <F>
## 3 in place of an argument
<@h:T>.mul_(<F>)
<h> += <T>
## 2 masked in place
<=a:T> = <T>.clone()
<a>[<a> > <F>] = <F>
## 2 shapes given as a tuple
<=a:T> = <!f:shaped>(<T>, (4,), [1, 2])
## 2 shapes by default
<=a:T> = <!f:shaped>(<T>)
""")

# As in features.py; the attribute's name is also part of the names of its methods.
FEATURES: dict[str, list[str]] = {
    "stored": [
        "self.{a} = None",
        "self.{a}: Optional[Tensor] = None",
        "self.{a} = torch.ones(4) if <ctor:B> else None",
        "if <ctor:B>:\n    self.{a} = torch.ones(4)\nelse:\n    self.{a} = None",
        "self.{a} = None\nif <ctor:I> > 1:\n    self.set_{a}(torch.ones(1, 4))",
        'self.register_buffer("{a}", torch.zeros(4) if <ctor:B> else None)',
    ],
    "cell": ["self.{a} = nn.LSTMCell(4, 4)"],
    "skips": ["self.{a} = [0, 2]", "self.{a} = <ctor:LI>", "self.{a} = (1,)", "self.{a} = {{0, 1}}"],
    "meter": ["self.{a} = <!Meter>(<ctor:I>)"],
    "doubled": ["self.{a}_by = <ctor:N>", "self.{a}_by = 2"],
}
METHODS: dict[str, str] = {
    "stored": "def set_{a}(self, t):\n    self.{a} = t.detach().mean(0)",
    "doubled": "def {a}(self, t):\n    return t * self.{a}_by",
}

GLOBALS = """
## Meter
class Meter:
    def __init__(self, k=1):
        self.k = k
        self.total = 0.0

    def add(self, t):
        self.total += 1.0
        return t * self.k
## Split
class Split(NamedTuple):
    first: Tensor
    count: int
## called_back
def called_back(f, t):
    return f(t) + t
## shaped
def shaped(t, shape=(2, 2), sizes=[1, 1]):
    return t.view(t.shape[0], *shape).flatten(1) * len(sizes) + sum(sizes)
"""
