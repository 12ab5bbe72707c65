"""Statements about numbers, lists, dicts and Optional values."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 6 tensor
<=a:T> = <T>
## 5 tensor again
<@a:T> = <T>
## 3 int
<=a:I> = <I>
## 2 float
<=a:F> = <F>
## 2 number
<=a:N> = <N>
## 2 bool
<=a:B> = <C>
## 2 string
<=a:S> = <S>
## 2 another tensor
<=a:V> = <V>
## 3 if
if <C>:
    <block>
## 4 if and else
if <C>:
    <block>
else:
    <block>
## 2 three ways
if <C>:
    <block>
elif <C>:
    <block>
else:
    <block>
## 2 ways by mode
if <S> == "a":
    <@h:T> = <T>
elif <S> == "b":
    <h> = <T>
## 3 ways by mode, undefined in one
if self.<.a:mode> == "a":
    <=h:T> = <T>
elif self.<.a:mode> == "b":
    <h> = <T>
## 3 both branches bind
if <C>:
    <=h:T> = <T>
else:
    <h> = <T>
## 3 other types of one name
if <C>:
    <=h:N> = <I>
else:
    <h> = <F>
## 2 None or a tensor
<=h:OT> = None
if <C>:
    <h> = <T>
## 2 None or a number
<=h:ON> = None
if <C>:
    <h> = <N>
## 2 None or a list
<+h> = None
if <C>:
    <h> = <LT>
if <h> is not None:
    <block>
## 3 optional parameter
if <~m:OT> is not None:
    <@h:T> = <h> + <~m:OT>
## 2 optional parameter made
if <~m:OT> is None:
    <m> = <T>
<@h:T> = <h> * <m>
## 3 number parameter by truth
if <~m:ON>:
    <@h:T> = <h> * <~m:ON>
## 2 number parameter, not
if not <~m:ON>:
    <m> = 1.0
<@h:T> = <h> * <m>
## 1 number parameter or another
<@h:T> = <h> * (<~m:ON> or <N>)
## 2 any parameter
if <~m:X> is not None:
    <@h:T> = <h> + 1
## 1 any parameter by type
if isinstance(<~m:X>, torch.Tensor):
    <@h:T> = <h> + <~m:X>
elif isinstance(<~m:X>, (list, tuple)):
    <h> = <h> + <~m:X>[0]
## 2 loop
for <%i:I> in range(<I>):
    <block>
## 2 loop that adds
<=a:N> = 0
for <%t:T> in <LT>:
    <a> = <a> + <t>.mean().item()
## 2 loop that adds tensors
<=a:V> = 0
for <%t:T> in <LT>:
    <a> = <a> + <t>
## 2 loop that adds numbers
<=a:F> = 0
for <%k:I> in <LI>:
    <a> += <k> * <F>
## 2 loop with else
for <%i:I> in <LI>:
    if <C>:
        <WAY>
    <block>
else:
    <block>
## 2 loop that may not run
for <%i:I> in <LI>:
    <=h:T> = <T>
## 1 loop variable afterwards
for <=i:I> in range(<I14>):
    <@h:T> = <h> + <i>
## 2 while
<=j:I> = <I>
while <j> > 0:
    <j> -= 1
    <block>
## 1 while True
<=j:I> = 0
while True:
    <j> += 1
    if <j> > <I>:
        break
    <@h:T> = <h> * 0.5
## 3 untyped ints
<=a:LI> = []
for <%t:T> in <LT>:
    <a>.append(<t>.size(0))
## 3 untyped tensors
<=a:LT> = []
for <%i:I> in range(<I>):
    <a>.append(<T>)
## 2 untyped list()
<=a:LT> = list()
<a>.append(<T>)
## 2 two of them
<=a:LI>, <=b:LT> = list(), list()
<a>.append(<I>)
<b>.append(<T>)
## 2 two empty ones
<=a:LT>, <=b:LI> = [], []
for <%t:T> in <LT>:
    <a>.append(<t>)
    <b>.append(<I>)
## 2 untyped dict
<=a:DT> = {}
<a>["a"] = <T>
## 2 untyped dict()
<=a:DI> = dict()
for <%k:S> in <LS>:
    <a>[<k>] = <I>
## 1 untyped list in a while
<=a:LI> = []
while len(<a>) < <I14>:
    <a>.append(<I>)
## 1 list of lists
<+a> = []
<a>.append(<LI>)
<=k:I> = len(<a>[0])
## 1 list of any
<+a> = []
if <C>:
    <a>.append(<T>)
else:
    <a>.append(<I>)
## 3 sum of ints
<=k:I> = sum(<@a:LI>)
## 2 sum of tensors
<=h:T> = sum(<@a:LT>)
## 2 sum of tensors by start
<=h:T> = sum(<LT>, <T>)
## 2 average
<=h:T> = sum(<@a:LT>) / len(<a>)
## 2 sum of a comprehension
<=h:V> = sum(t.mean() for t in <LT>)
## 1 sum of a list of numbers
<=k:N> = sum([<N>, <N>])
## 2 mutated
<@a:LT>.append(<T>)
## 2 mutated ints
<@a:LI>.append(<I>)
## 1 alias
<=b:LT> = <@a:LT>
<b>.append(<T>)
## 1 alias of ints
<=b:LI> = <@a:LI>
<b> += [<I>]
## 1 insert and pop
<@a:LT>.insert(0, <T>)
<=h:T> = <a>.pop()
## 1 item assigned
if <@a:LI>:
    <a>[0] = <I>
## 1 in place
<@a:T> += <T>
## 1 in place by a method
<=b:T> = <T>.clone()
<b>.mul_(<F>)
## 1 in place on an alias
<=b:T> = <@a:T>
<b>.add_(1)
## 1 item of a tensor assigned
<=b:T> = <T>.clone()
<b>[0] = <F>
## 2 shape
<=a:I>, <=b:I> = <T>.shape
## 2 size
<=a:I>, <=b:I> = <T>.size()
## 1 rest of a shape
<=a:I>, *<=b:LI> = <T>.shape
## 1 sizes with a star
<=a:T> = <T>.reshape((<T>.size(0), *<T>.shape[1:]))
## 1 sizes in a variable
<+s> = (*<T>.shape[:-1], 4)
<=a:T> = <T>.reshape(<s>) * len(<s>)
<=k:I> = <s>[-1]
## 1 sizes in a variable that is compared
<+s> = (*<T>.shape[:-1], 4)
<=a:T> = <T>.reshape(<s>)
if <s> == (2, 4):
    <@h:T> = <h> + 1
## 1 dimensions
<=a:V> = <T>.sum(dim=tuple(range(1, <T>.dim())), keepdim=True)
## 1 sum of dimensions
<+d> = (0,) + tuple(range(1, <T>.dim()))
<=a:T> = <T>.permute(<d>)
## 1 zeros with grad
<=a:V> = torch.zeros(4, requires_grad=True)
## 1 starred
<=a:T>, *<=b:LT> = <LT>
## 1 starred in the middle
<=a:I>, *<=b:LI>, <=c:I> = [1, 2, 3, <I>]
## 1 list target
[<=a:T>, <=b:T>] = <P>
## 2 unpack
<=a:T>, <=b:T> = <P>
## 1 unpack a tensor
<=a:V>, *<+b> = <T>
## 1 unpack rows
<=a:V>, <=b:V> = torch.stack([<T>.sum(), <T>.mean()])
## 1 chunk
<=a:V>, <=b:V> = <T>.chunk(2, dim=1)
## 1 index by a float
<=a:V> = <T>[:, int(<F>)]
## 1 range of a float
for <%i:I> in range(int(<N>)):
    <@h:T> = <h> + 1
## 1 view
<=a:T> = <T>.view(<T>.size(0), -1)
## 1 view of a float
<=a:T> = <T>.view(-1, 8 // 2)
## 1 membership
if <OI> in <LI>:
    <block>
## 1 default argument of dict
<=h:OT> = <DT>.get("a", None)
## 1 pop
<=h:T> = <@a:DT>.pop("a")
## 1 update
<@a:DT>.update({"d": <T>})
## 1 del
<@a:DT>["e"] = <T>
del <a>["e"]
## 1 setdefault
<@a:DI>.setdefault("a", <I>)
## 2 loop over a dict
for <%k:S> in <@a:DT>:
    <@h:T> = <h> + <a>[<k>]
## 2 loop over items
for <%k:S>, <%t:T> in <DT>.items():
    <@h:T> = <h> + <t> * len(<k>)
## 1 enumerate from one
for <%i:I>, <%t:T> in enumerate(<LT>, 1):
    <@h:T> = <h> + <t> * <i>
## 1 zip of lists
for <%t:T>, <%k:I> in zip(<LT>, <LI>):
    <@h:T> = <h> + <t> * <k>
## 1 tuple that grows
<+a> = ()
for <%t:T> in <LT>:
    <a> = <a> + (<t>,)
<=h:T> = torch.cat(<a>, 1)[:, :4]
## 1 tuple of a list
<+a> = tuple(<LT>)
<=h:T> = <a>[0]
## 1 cat
<=h:T> = torch.cat([<T>, *<LT>], 1)[:, :4]
## 1 annotated
<=a:N>: int = <N>
## 1 annotated optional
<=a:OT>: Optional[Tensor] = None
## 1 annotated list
<=a:LT>: List[Tensor] = <LT>
## 1 annotated without value
<=a:T>: torch.Tensor
<a> = <T>
## 1 type comment
<=a:LI> = []  # type: List[int]
<a>.append(<I>)
## 1 cast
<=a:T> = cast(Tensor, <OT> if <OT> is not None else <T>)
## 1 full
<=a:V> = torch.full((4,), <N>)
## 1 tensor of a number
<=a:V> = torch.tensor(<N>)
## 1 linspace
<=a:V> = torch.linspace(0, 1, 4, dtype=<DTYPE>)
## 1 dtype
<=a:V> = torch.ones(4, dtype=<T>.dtype, device=<T>.device)
## 1 half
<=a:T> = <T>.double().float()
## 1 type of a tensor
<=a:T> = <T>.type(torch.FloatTensor)
## 1 length of a tensor
<=a:I> = len(<T>)
## 1 norm
<=a:V> = <T>.norm(dim=1, keepdim=True)
## 1 norm of a function
<=a:V> = torch.norm(<T>, 2, 1, True)
## 1 assert
assert <I> >= -9, "no"
## 1 raise
if <I> > 7:
    raise ValueError(f"{<I>}")
""")
