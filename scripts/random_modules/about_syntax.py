"""Statements about functions, and about Python syntax that the compiler does not support."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 5 call
<=a:T> = <$b:T>
## 2 call for a number
<=a:N> = <$b:N>
## 2 call for what may be None
<=a:OT> = <$b:OT>
if <a> is not None:
    <block>
## 2 call for two
<=a:T>, <=b:T> = <$c:P>
## 3 nested function
def <+f>(t):
    return t * 2 + <FREE>
<=a:T> = <f>(<T>)
## 2 nested function with a variable of the outside
def <+f>(t, k=<I>):
    return t + k + <T>
<=a:T> = <f>(<T>)
<=b:T> = <f>(<T>, <I>)
## 3 one name in two branches
if <C>:
    def <+f>(t):
        return t + 1
else:
    def <f>(t):
        return t * 3
<=a:T> = <f>(<T>)
## 2 lambda in two branches
if <C>:
    <+f> = lambda t: t + 1
else:
    <f> = lambda t: t * 3
<=a:T> = <f>(<T>)
## 2 defined again
def <+f>(t):
    return t + 1
<=a:T> = <f>(<T>)
def <f>(t):
    return t * 5
<=b:T> = <f>(<T>)
## 1 defined in a loop
for <%i:I> in range(<I14>):
    def <+f>(t):
        return t + <i>
    <@h:T> = <f>(<h>)
## 3 lambda
<+f> = lambda t: t * <F> + 1
<=a:T> = <f>(<T>)
## 1 lambda of two
<+f> = lambda t, k=<I>: t * k
<=a:T> = <f>(<T>)
<=b:T> = <f>(<T>, 2)
## 1 lambda that reads later
<=k:I> = 1
<+f> = lambda t: t * <k>
<k> = <I>
<=a:T> = <f>(<T>)
## 1 nested function that reads later
<=k:T> = <T>
def <+f>(t):
    return t + <k>
<k> = <k> * 2
<=a:T> = <f>(<T>)
## 1 function chosen
<+f> = torch.relu if <C> else torch.tanh
<=a:T> = <f>(<T>)
## 1 functions in a list
for <+f> in (torch.relu, torch.sigmoid):
    <@h:T> = <f>(<h>)
## 1 function in a dict
<=a:T> = {"a": torch.relu, "b": torch.tanh}[<S>](<T>)
## 1 partial
<+f> = partial(torch.clamp, min=<F>)
<=a:T> = <f>(<T>)
## 2 comprehension with a condition
<=a:LI> = [v for v in <LI> if v > <I> and <C>]
## 2 comprehension of two
<=a:LI> = [u + v for u in <LI> for v in range(u)]
## 1 comprehension with a name of the outside
<=k:I> = <I>
<=a:LI> = [<k> for <k> in <LI>]
<=b:I> = <k> + 1
## 2 comprehension of tensors with a condition
<=a:LT> = [t for t in <LT> if t.sum() > <F>]
## 1 comprehension of a comprehension
<+a> = [[i * j for j in range(<I>)] for i in <LI>]
## 2 dict comprehension
<=a:DI> = {k: i for i, k in enumerate(<LS>)}
## 2 dict comprehension with a condition
<=a:DT> = {k: v for k, v in <DT>.items() if k in <LS>}
## 1 set
<=k:I> = len({<I>, <I>})
## 1 set comprehension
<=k:I> = len(set(v for v in <LI>))
## 1 any of
<=b:B> = any(v > <I> for v in <LI>)
## 1 all of
<=b:B> = all([t.dim() == 2 for t in <LT>])
## 1 next
<=k:I> = next((i for i, v in enumerate(<LI>) if v > 1), 0)
## 1 map
<=a:LT> = list(map(torch.relu, <LT>))
## 1 map of a lambda
<=a:LT> = list(map(lambda t: t * <F>, <LT>))
## 1 max by key
<=k:I> = max(<LI> + [1], key=lambda v: -v)
## 1 reversed
for <%k:I> in reversed(<LI>):
    <@h:T> = <h> + <k>
## 1 sorted
<=a:LI> = sorted(<LI>, reverse=True)
## 1 reduce
<=k:I> = reduce(lambda a, b: a * b, <LI>, 1)
## 3 walrus
if (<=k:I> := <I>) > 1:
    <@h:T> = <h> + <k>
## 1 walrus in a while
<=j:I> = 3
while (<=k:I> := <j> - 1) > 0:
    <j> = <k>
## 1 walrus behind and
if <C> and (<+k> := <I>) > 0:
    <@h:T> = <h> * <k>
## 2 match
match <S>:
    case "a":
        <block>
    case "b" | "c":
        <block>
    case _:
        <block>
## 1 match of a number
match <I>:
    case 0:
        <@h:T> = <h> + 1
    case <+k>:
        <h> = <h> * <k>
## 1 match of a list
match <LI>:
    case [<+k>]:
        <@h:T> = <h> * <k>
    case [<k>, *_]:
        <h> = <h> - <k>
## 2 f-string
<=a:S> = f"{<F>:.3f} {<I>}"
## 1 f-string of a name
<=a:S> = f"{<I>=}"
## 1 format
<=a:S> = "{a} {}".format(<I>, a=<S>)
## 1 percent
<=a:S> = "%d %s" % (<I>, <S>)
## 2 try
try:
    <@h:T> = <T>
except RuntimeError:
    <h> = <T>
## 1 try of a key
try:
    <=a:T> = <DT>["b"]
except KeyError:
    <a> = <T>
## 1 try and finally
try:
    <@h:T> = <T>
finally:
    <block>
## 2 print
print(<I>, <S>)
## 1 print with keywords
print(<I>, end="")
## 1 print a tensor
print("size", <T>.shape, sep=" ")
## 1 warn
warnings.warn("careful", UserWarning)
## 1 warn if
if <C>:
    warnings.warn(f"value {<I>}")
## 1 log
logging.getLogger(__name__).debug("x %s", <I>)
## 1 log by a global
<!a:logger>.info("x")
## 1 random
<=a:F> = random.random()
## 1 random branch
if self.training and random.random() < 0.5:
    <@h:T> = <h> * 2
## 1 random int
<=k:I> = random.randint(0, <I14>)
## 1 numpy random
<=a:F> = np.random.rand()
## 1 torch random
<=a:F> = torch.rand(1).item()
## 2 numpy
<=k:I> = int(np.prod(<T>.size()))
## 1 numpy of a size
<=k:I> = np.prod(np.array(<T>.size()[1]))
## 1 numpy sqrt
<@h:T> = <h> / np.sqrt(<I14>)
## 1 numpy of a tensor
<=a:F> = float(np.mean(<T>.detach().numpy()))
## 1 numpy functions
<=a:F> = float(np.ceil(<F>) + np.floor(<F>) + np.abs(<F>) + np.round(<F>))
## 1 numpy max
<=k:N> = np.maximum(<I>, <I>)
## 1 math
<=a:F> = math.log2(<I14>) + math.hypot(<F>, 1.0)
## 1 math of ints
<=k:I> = math.prod(<LI>)
## 1 math of a product
<=k:I> = math.prod(<T>.shape[1:])
## 1 copy
<=a:T> = copy.deepcopy(<T>)
## 1 time
<+a> = time.time()
## 2 no_grad
with torch.no_grad():
    <@h:T> = <h> + <T>
## 1 with a target
with torch.no_grad() as <+g>:
    <@h:T> = <h> * 1
## 1 autocast
with torch.set_grad_enabled(<B>):
    <@h:T> = <h> + <T>
## 2 keywords given
<=a:T> = torch.sum(<T>, **{"dim": 1, "keepdim": True}) + <T>
## 1 keywords by dict
<=a:T> = F.dropout(<T>, **dict(p=0.0, training=self.training))
## 1 keywords kept
<+kw> = {"dim": -1}
<=a:T> = F.softmax(<T>, **<kw>)
## 1 arguments given
<=a:T> = torch.add(*<P>)
## 1 arguments kept
<+args> = [<T>, <T>]
<=a:T> = torch.mul(*<args>)
## 1 axis
<=a:V> = <T>.sum(axis=0)
## 1 axis of a function
<=a:V> = torch.mean(<T>, axis=<I>)
## 1 numpy keywords
<=a:V> = <T>.max(axis=1)[0].unsqueeze(1)
## 1 import
import math as <+m>
<=a:F> = <m>.sqrt(abs(<F>))
## 1 import again
import torch.nn.functional as F
<=a:T> = F.relu(<T>)
## 1 del
<+q> = <T>
del <q>
## 1 del two
<+q>, <+r> = <P>
del (<q>, <r>)
## 1 two targets
<=a:T> = <=b:T> = <T>
## 1 augmented
<@k:I> //= 2
## 1 augmented list
<@a:LI> += <LI>
## 1 augmented float
<@k:I> **= 2
## 1 ellipsis
if <C>:
    ...
## 1 global function
<=a:T> = <!f:helper_fn>(<T>)
## 1 global function by keyword
<=a:T> = <!f:helper_opt>(<T>, scale=<ON>)
## 1 global function of any
<=a:N> = <!f:first_of>(<LI>, <N>)
## 1 global twice
<=a:T> = <!f:twice_defined>(<T>)
## 1 global partial
<=a:T> = <!f:bound_fn>(<T>)
## 1 global table
<=k:I> = <!f:TABLE>["a"]
## 1 global list
for <%k:I> in <!f:STEPS>:
    <@h:T> = <h> + <k>
## 1 global function that takes any number
<=a:T> = <!f:many_fn>(<T>, <T>, <I>)
## 1 global function with keywords
<=a:T> = <!f:kw_fn>(<T>, factor=<N>)
## 1 decorated function
<=a:T> = <!f:plain_fn>(<T>)
## 1 generator
<=a:LT> = list(<!f:halves>(<T>))
## 1 recursive
<=a:T> = <!f:again>(<T>, <I>)
## 1 dataclass-like
<=a:T> = <!f:Pair>(<T>, <I>).first
## 1 enum
if <I> == <!f:Kind>.B.value:
    <block>
## 1 isinstance of a number
<=k:I> = <~m:X> if isinstance(<~m:X>, int) else 2
## 1 early return
if <C>:
    <RETURN>
## 1 early return in a branch
if <C>:
    <block>
    <RETURN>
## 1 slices
<=a:T> = <T>[...][:, :]
## 1 step of a slice
<=a:LI> = <LI>[::-1][:<I>]
## 1 starred index
<=a:T> = <T>[(slice(None), slice(0, 4))]
## 1 chain
<=b:B> = 0 < <I> < 3 < <I>
## 1 string of a string
<=a:S> = "".join([c for c in <S>])
## 1 torch jit
if not torch.jit.is_scripting():
    <block>
## 1 finfo
<=a:F> = torch.finfo(torch.float32).eps
## 1 finfo of a tensor
<=a:F> = torch.finfo(<T>.dtype).min
## 1 int of a tensor
<=k:I> = int(<T>.size(0) * <F>)
## 1 floor of a division
<=k:I> = math.floor(<T>.size(1) / 2)
## 1 tensor by rows
for <%t:V> in <T>:
    <@h:T> = <h> + <t>
## 1 lengths
<=a:LI> = torch.tensor([1, 2]).tolist()
## 1 item
<=k:N> = <T>.argmax().item()
## 1 data of a tensor
<=a:T> = <T>.data + 1
## 1 numpy and back
<=a:T> = torch.from_numpy(<T>.detach().numpy())
## 1 requires grad
<=a:T> = <T>.detach().requires_grad_(True)
## 1 variable
<=a:T> = Variable(<T>)
## 1 tensor again
<=a:V> = torch.Tensor([<F>, <F>, <F>, <F>])
## 1 size made
<=a:V> = torch.zeros(<T>.size())
## 1 interpolate
<=a:T> = F.interpolate(<T>.unsqueeze(1), size=4).squeeze(1)
## 1 pad
<=a:T> = F.pad(<T>, (0, 1))[:, 1:]
## 1 einsum
<=a:T> = torch.einsum("bi,ij->bj", <T>, torch.ones(4, 4))
## 1 meshgrid
<+a> = torch.meshgrid(torch.arange(2), torch.arange(2))
## 1 yield of a comprehension
<=a:T> = torch.stack([t for t in <LT>], dim=0)[0]
## 1 normalize
<=a:T> = F.normalize(<T>, p=<I14>, dim=-1)
## 1 layer norm
<=a:T> = F.layer_norm(<T>, <T>.size()[1:])
## 1 tensor constructors
<=a:V> = torch.LongTensor([<I>, 1, 2, 3]) + torch.arange(<F>, 4)
## 1 bool of a tensor
<=a:T> = <T> * (<T> > 0).float()
## 1 swap
<@a:T>, <@b:T> = <@b:T>, <a>
""")

DTYPES = ["torch.float32", "torch.float", "float", "torch.float64"]
