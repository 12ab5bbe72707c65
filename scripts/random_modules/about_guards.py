"""Statements that need one guard of the fixes: without the guard, the fix would change what the statements compute."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 4 called where a name is hidden
<=k:I> = <I>
def <+f>(t):
    return t * <k>
<=a:LT> = [<f>(<T>) + <k> for <k> in range(3)]
## 4 lambda called where a name is hidden
<=k:I> = <I>
<+f> = lambda t: t + <k>
<=a:LT> = [<f>(<T>) * <k> for <k> in range(2)]
## 4 number of a constructor by truth
if self.<.a:rawscale>:
    <@h:T> = <h> * self.<.a:rawscale> + 1
## 4 number of a constructor by truth, not
if not self.<.a:rawscale>:
    <@h:T> = <h> + 1
## 4 two numbers by truth
if self.<.a:rawscale> and self.training is not None:
    <@h:T> = <h> + 2
## 4 a value of a test
<=f:ON> = self.<.a:rawscale> or 2
<@h:T> = <h> * (self.<.a:rawscale> and 3 or 1)
## 4 a list that is cut in the turn
<=a:LT> = [<T>, <T>, <T>]
for <%i:I>, <%t:T> in enumerate(<a>):
    <@h:T> = <h> + self.<.b:layers>[<i>](<t>)
    <a> = <a>[1:]
## 4 a zipped list that is cut in the turn
<=a:LT> = [<T>, <T>, <T>]
for <%m:M>, <%t:T> in zip(self.<.b:layers>, <a>):
    <@h:T> = <h> + <m>(<t>)
    <a> = <a>[1:]
## 8 two lists of different lengths
for <%i:I> in range(len(self.<.a:longlist>)):
    <@h:T> = self.<.a:longlist>[<i>](<h>) + self.<.b:shortlist>[<i>](<h>)
## 8 two lists of different lengths, one after the other
for <%i:I> in range(len(self.<.a:longlist>)):
    <@h:T> = self.<.a:longlist>[<i>](<h>)
    <h> = <h> * self.<.b:shortlist>[<i>](<h>)
## 8 index that is taken away
<=a:LI> = [0, 1]
<@h:T> = self.<.b:layers>[<a>[0]](<h>) * (<a>.pop(0) + 1)
## 16 what a pruned default hides
if <~m:OT> is None:
    <@h:T> = <h> * issubclass(bool, int)
else:
    <h> = <h> + <m>
## 16 what a pruned default hides, and returns
if <~m:OT> is None:
    return <T> * issubclass(bool, int)
<@h:T> = <h> + <m>
## 16 what a pruned default hides, for some
if <~m:OT> is None:
    if self.<.a:normopt> is not None:
        <@h:T> = <h> * issubclass(bool, int)
else:
    <h> = <h> + <m>
## 4 a module in some turns
for <%i:I> in range(<COUNT>):
    if <C>:
        <@h:T> = self.<.a:layers>[<i>](<h>)
    <h> = <h> + 1
## 4 a module in the first turns of more
for <%i:I> in range(4):
    if <i> < 2:
        <@h:T> = self.<.a:layers>[<i>](<h>)
    <h> = <h> + 1
## 4 prints before it takes a module
for <%i:I> in range(<COUNT>):
    print(<i>)
    <@h:T> = self.<.a:layers>[<i>](<h>)
## 4 fails before it takes a module
for <%i:I> in range(3):
    <+y> = torch.zeros(4 + <i> // 2)
    <@h:T> = (<h> + <y>) + self.<.a:layers>[<i>](<h>)
## 4 index after the loop
<=i:I> = 0
for <i> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>)
<h> = <h> * <i>
## 4 index changed with its module
<=k:I> = <I>
<@h:T>, <k> = self.<.a:layers>[<k>](<h>), <k> + 1
<@g:T> = <g> + <k>
## 4 index of a parameter
<@h:T> = self.<.a:layers>[<~stage:I>](<h>)
## 4 number of a call that may be a fraction
<@h:T> = <h> + <~m:N>
## 4 last one by a loop
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i> - 1](<h>)
## 4 a way out of a walk
for <%i:I> in range(3):
    <@h:T> = self.<.a:layers>[<I>](<h>) + <i>
    if <C>:
        break
## 4 a way out behind a module
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>)
    if <C>:
        break
## 4 what a module gives, read later
if <C>:
    <=a:T> = self.<.a:layers>[<~stage:I>](<T>)
    <@h:T> = <h> + <a>
else:
    <a> = <T>
<h> = <h> - <a>
## 4 a size that may be no int
<=a:V> = torch.zeros((1, 2 ** <N>)).sum()
## 4 a size that may be a fraction
<=a:V> = torch.zeros((1, 2 ** (<T>.size(0) - 3))).sum()
## 4 a size that is rounded
<=a:V> = torch.zeros((1, round(<F>, 1))).sum()
## 4 None where nothing raises
if <B>:
    <@h:T> = <h> + 1 if <~m:OT> is None else <h> * <~m:OT>
## 4 None where torch takes it
<=a:T> = <!f:sized_fn>(<T>)
<=b:T> = <!f:sized_fn>(<T>, <OI>)
## 4 None that is given on
<=a:S> = "{}".format(<~m:ON>)
<=b:V> = torch.add(<T>, 1, alpha=<~m:ON>)
## 4 walrus behind a draw
<=a:T> = torch.rand(1, 4) + (<=b:T> := torch.rand(1, 4))
## 4 walrus behind a print
if print(<I>) is None and (<+k> := <I>) > 0:
    <@h:T> = <h> + <k>
## 4 comprehension behind a draw
<=a:T> = torch.rand(1, 4) + len([u for u in <LI> if torch.rand(1) > 0.5])
## 4 comprehension behind a print
<=a:LI> = [print("a") is None, *[v for v in <LI> if print(v) is None]]
## 4 names that a fix might take
<+layer> = <I>
layer = <I>
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>) + layer
## 4 names that a walk might take
place = <I>
<@h:T> = self.<.a:layers>[<~stage:I>](<h>) + place
<h> = <h> * place
## 4 names that a comprehension might take
values = <LI>
<=a:LI> = [v for v in <LI> if v > 1] + values
<=b:I> = len(values)
## 4 a jump by what a module gives
for <%i:I> in range(3):
    <+y> = self.<.a:layers>[<~stage:I>](<@h:T>)
    <h> = <h> + 1
    if <y>.sum() > 0:
        break
    <h> = <h> + <y>
## 4 a jump by what a module of a dict gives
for <%i:I> in range(3):
    <+y> = self.<.a:heads>[<S>](<@h:T>)
    <h> = <h> + 1
    if <y>.sum() > 0:
        break
    <h> = <h> + <y>
## 4 a value of what may be None
<=a:T> = <!f:truth_fn>(<T>)
<=b:T> = <!f:truth_fn>(<T>, <ON>)
## 4 variadic that is rebound on one path
<=a:T> = <!f:_rebinding>(<T>)
## 4 variadic that is rebound on one path of a method
<@h:T> = self.<.a:_spread>(<h>)
## 4 variadic that is counted
<=a:T> = <!f:_counting>(<T>)
## 4 None where a path does not compute with it
<=a:T> = <!f:maybe_scaled>(<T>)
<=b:T> = <!f:maybe_scaled>(<T>, <ON>, <B>)
## 4 None where a path of a module does not compute with it
<@h:T> = <h> * self.<.a:rawscale> if self.training else <h>
## 4 an int, annotated by one caller
<=a:T> = <!f:agree_fn>(<T>, 2)
<=b:T> = <!f:agree_fn>(<T>, <N>)
## 4 a list of what may be None
<=a:T> = <!f:pads_fn>(<T>, [1, 0])
<=b:T> = <!f:pads_fn>(<T>, (0, 1))
## 4 a number or a tensor
<=a:T> = <!f:over_fn>(<T>, <N>)
<=b:T> = <!f:over_fn>(<T>, <T>)
## 4 a count among sizes
<=a:T> = <!f:size_fn>(<T>, 1)
<=b:V> = <!f:size_fn>(<T>, <T>.size(1)).sum()
""")

FEATURES: dict[str, list[str]] = {
    "rawscale": ["self.{a} = <ctor:ON>"],
    "longlist": ["self.{a} = nn.ModuleList([nn.Linear(4, 4) for _ in range(<ctor:I>)])"],
    "shortlist": [
        "self.{a} = nn.ModuleList([nn.Linear(4, 4), nn.Tanh()])",
        "self.{a} = nn.ModuleList([nn.Linear(4, 4) for _ in range(<ctor:I> - 1)])",
    ],
}

GLOBALS = """
## sized_fn
def sized_fn(t, dim: Optional[int] = None):
    return t + torch.tensor(t.size(dim)).sum()
## agree_fn
def agree_fn(t, k):
    return t.repeat(k, 1)[:1] * k if isinstance(k, int) and k > 0 else t * k
## truth_fn
def truth_fn(t, m: Optional[float] = None):
    n = m and 3
    return t * len(str(n))
## _rebinding
def _rebinding(t, *rest):
    if t.dim() > 1:
        rest = (t,)
    for each in rest:
        t = t + each
    return t
## _counting
def _counting(t, *rest, **more):
    return t * len(rest) + len(more)
## maybe_scaled
def maybe_scaled(t, m: Optional[float] = None, on: bool = False):
    return t * m if on else t
## pads_fn
def pads_fn(t, pads):
    return F.pad(t, pads)[:, :4]
## over_fn
def over_fn(t, by):
    return t / (by + 2)
## size_fn
def size_fn(t, k):
    return t.reshape(-1, k).sum(0, keepdim=True)
"""
