"""Statements for transformations that ordinary code rarely needs."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 3 undefined in one branch
if <S> == "a":
    <=h:T> = <T>
elif <S> == "b":
    <h> = <T>
<@g:T> = <g> + <h>
## 2 undefined without else
if <C>:
    <=k:I> = <I>
<@g:T> = <g> + <k>
## 2 bound in a loop only
for <%i:I> in range(<I>):
    <=h:T> = <T>
<@g:T> = <g> + <h>
## 2 in a loop with a condition
for <%t:T> in <LT>:
    if <C>:
        <+w> = <t> * 2
<@g:T> = <g> + <w>
## 1 end without a result
<=a:T> = <!f:maybe_end>(<T>, <I14>)
## 1 end without a result, may be None
<=a:OT> = <!f:maybe_none>(<T>, <I>)
## 1 nothing returned
<!f:no_result>(<T>)
## 1 union of numbers
<=a:T> = <!f:union_fn>(<T>, <N>)
## 1 union of a list
<=a:T> = <!f:union_list>(<!g:union_list>([<T>]))
## 1 tuple of one
<=a:T> = <!f:of_pair>((<T>, <T>))
## 1 tuple of tuples
<=a:T> = <!f:of_nested>(((<T>, <T>), <T>))
## 1 lengths of a size
<=a:LI> = torch.tensor(<T>.size()).tolist()
## 1 membership with None
if <~m:S> in ("a", None):
    <@h:T> = <h> + 1
## 1 no membership with None
if <~m:OI> not in (None, 0):
    <@h:T> = <h> + 1
## 1 membership of an attribute
if self.<.a:optint> in [None, 1]:
    <block>
## 1 decorated by hand
<=a:T> = <!f:decorated_fn>(<T>, <N>)
## 1 decorated method-like
<=a:T> = <!f:checked_fn>(<T>)
## 1 split by keyword
<=a:V> = torch.split(<T>, split_size_or_sections=4, dim=1)[0]
## 1 split of a tensor by keyword
<=a:V> = <T>.split(split_size=4, dim=1)[0]
## 1 zeros with a default
<=a:V> = torch.zeros(4, requires_grad=False)
## 1 zeros with a default first
<=a:V> = torch.rand(size=(4,), requires_grad=False)
## 1 tensor with grad
<=a:V> = torch.tensor([<F>], requires_grad=False)
## 1 nonzero
<+a> = (<T> > 0).nonzero(as_tuple=False)
## 1 nonzero as a tuple
<+a>, <+b> = torch.nonzero(<T> > 0, as_tuple=True)
<@h:T> = <h> + len(<a>)
## 1 keepdims
<=a:V> = <T>.sum(1, keepdims=True)
## 1 view by a list
<=a:T> = <T>.view(*<T>.shape)
## 1 view by a list and more
<=a:T> = <T>.reshape(*<T>.shape[:-1], 4)
## 1 permute by a list
<=a:T> = <T>.unsqueeze(0).permute(*[1, 0, 2]).squeeze(1)
## 1 zeros by a list
<=a:V> = torch.zeros(*<T>.shape)
## 1 rows of a parameter
<=a:T>, <=b:T> = <~m:LT>
## 1 pair parameter
<=a:T>, <=b:T> = <!f:swap_fn>((<T>, <T>))
## 1 rows of x
<=a:V>, <=b:V> = x[:2].sum(1)
## 1 data changed in place
self.<.a:run>.data += <F>
## 1 data multiplied
self.<.a:run>.data *= 0.5
## 1 data of a local
<=a:T> = <T>.clone()
<a>.data = <a>.data * <F>
## 1 grad asked for
<=a:T> = <T>.detach().clone()
<a>.requires_grad = True
## 1 train
self.train(<B>)
## 1 eval
self.<.a:lin>.eval()
## 1 zero_grad
self.zero_grad()
## 2 private attribute
<@h:T> = <h> * self.<.a:__private>
## 1 private method
<@h:T> = self.<.a:__hidden>(<h>)
## 1 loop over a tuple with break
for <%t:T> in (<T>, <T>):
    <@h:T> = <h> + <t>
    if <C>:
        break
## 1 loop over numbers of a tuple with continue
for <%k:I> in (1, 2, 3):
    if <k> == <I>:
        continue
    <@h:T> = <h> * <k>
## 1 zip with a tuple
for <%m:M>, <%k:I> in zip(self.<.a:layers>, (1, 2, 3)):
    <@h:T> = <m>(<h>) + <k>
## 1 zip with a tuple of the same length
for <%m:M>, <%t:T> in zip(self.<.a:seq>, (<T>, <T>)):
    <@h:T> = <m>(<t>) + <h>
## 1 zip with a range
for <%m:M>, <%i:I> in zip(self.<.a:layers>, range(<I>)):
    <@h:T> = <m>(<h>) + <i>
## 1 enumerate of zip
for <%i:I>, (<%m:M>, <%t:T>) in enumerate(zip(self.<.a:layers>, <LT>)):
    <@h:T> = <m>(<t>) * <i> + <h>
## 1 annotated again
<=a:I>: int = <I>
<a>: int = <a> + 1
## 1 annotated otherwise
<=a:N>: int = <I>
<a>: float = <F>
## 1 attribute annotated
self.<.a:count>: int = <I>
## 1 annotated before branches
<=a:T>: Tensor
if <C>:
    <a> = <T>
else:
    <a> = <T>
## 2 dict copied and added to
<=a:DT> = {**<@b:DT>, "c": <T>}
## 1 dict of two
<=a:DI> = {**<@b:DI>, **<@c:DI>}
## 1 dict behind
<=a:DI> = {"a": <I>, **<@b:DI>}
## 1 starred alone
*<=a:LT>, = <@b:LT>
## 1 starred at the end
<=a:T>, *<=b:LT> = <@c:LT>
## 1 starred at the start
*<=b:LT>, <=a:T> = <@c:LT>
## 2 local function with self
def <+f>(t):
    return self.<.a:lin>(t) + <I14>
<=a:T> = <f>(<T>)
## 1 local function with several lines
def <+f>(t, k=1):
    if k > 1:
        t = t * k
    return t
<=a:T> = <f>(<T>, <I>)
<=b:T> = <f>(<T>, k=<I>)
## 2 local function called in a loop
def <+f>(t):
    return t * <FREE>
for <%t:T> in <LT>:
    <@h:T> = <h> + <f>(<t>)
## 1 lambda with a conditional
<+f> = lambda t: t if <C> else t * 2
<=a:T> = <f>(<T>)
## 1 lambda called twice with side effects
<+f> = lambda t: t + t * 2
<=a:T> = <f>(torch.rand_like(<T>))
## 1 lambda of a popped item
<+f> = lambda t: t + t
<@b:LT>.append(<T>)
<=a:T> = <f>(<b>.pop())
## 2 or as a value
<@k:I> = <@k:I> or <I>
## 1 or as a value of a float
<=a:F> = <@b:F> or <F>
## 1 and as a value
<=k:I> = <@j:I> and <I>
## 1 or of lists
<=a:LI> = <@b:LI> or [<I>]
## 1 or of strings
<=a:S> = <@b:S> or <S>
## 1 own linear
<@h:T> = self.<.a:scaled>(<h>)
## 1 imported constant
<=a:F> = <F> * pi
## 1 imported function
<=a:F> = sqrt(<I14>) + <F>
## 1 constant of the class by name
<=k:I> = type(self).<.a:const> + <I>
## 1 constant of the class by its name
<=k:I> = Net.LIMIT_ + <I>
## 1 dtype of the parameters
<@h:T> = <h>.to(next(self.parameters()).dtype)
## 1 device of a weight
<@h:T> = <h>.to(self.<.a:lin>.weight.device)
## 1 largest constant
<=k:I> = max(-9223372036854775808, <I>)
## 1 keyword only
<=a:T> = <!f:kwonly_fn>(<T>, k=<I>)
## 1 keyword only without
<=a:T> = <!f:kwonly_fn>(<T>)
## 1 position only
<=a:T> = <!f:posonly_fn>(<T>, <I>)
## 1 device of a tensor
<=a:V> = torch.zeros(4, device=<T>.get_device() if <T>.is_cuda else "cpu")
## 1 batch norm by numbers
<=a:V> = torch.randn(4, dtype=torch.float)
## 1 gradient
<=a:T> = torch.autograd.grad(<@h:T>.sum(), <h>, allow_unused=True)[0] if <h>.requires_grad else <T>
## 1 frobenius
<=a:V> = <T>.norm(p="fro")
## 1 normalize by default
<=a:V> = torch.norm(<T>)
## 1 round
<=k:I> = round(<F> * 4)
## 1 size of an interpolation
<=a:V> = F.interpolate(<T>.unsqueeze(0), size=(round(<I14> * 1.5)), mode="nearest").sum()
## 1 pool by a size that is computed
<=a:V> = F.avg_pool1d(<T>.unsqueeze(0), math.ceil(<I14> / 2)).sum()
## 1 clamp by a tuple
<=a:V> = torch.tensor((1, 2, 3, 4)) * <F>
## 1 module made when called, with an argument
<=a:V> = nn.MSELoss()(<T>, <T>)
## 1 loss made when called
<=a:V> = nn.L1Loss(reduction="sum")(<T>, <T>)
## 1 pool made when called
<=a:T> = nn.AdaptiveAvgPool1d(4)(<T>.unsqueeze(0)).squeeze(0)
## 1 own module made when called
<=a:T> = <!f:Twice>(2)(<T>)
## 1 flatten made when called
<=a:T> = nn.Flatten()(<T>)
## 1 gelu made when called
<=a:T> = nn.LeakyReLU(<F>)(<T>)
## 1 string with a field
<=a:S> = "{:.2f} {:>4}".format(<F>, <I>)
## 1 string with braces
<=a:S> = "{{}} {}".format(<I>)
## 1 percent field
<=a:S> = "%.2f %5d" % (<F>, <I>)
## 1 join of a map
<=a:S> = ",".join(map(str, <LI>))
## 1 join of a comprehension
<=a:S> = ",".join(f"{v}" for v in <LI>)
## 1 power of ints
<=k:N> = <I> ** <I>
## 1 mean of ints
<=a:F> = sum(<LI>) / max(len(<LI>), 1)
## 1 unsized new
<=a:V> = <T>.new(4).zero_()
## 1 new of a size
<=a:T> = <T>.new(<T>.size()).fill_(<F>)
## 1 new tensor
<=a:V> = <T>.new_tensor([<F>, 1.0, 2.0, <N>])
## 1 new tensor of a range
<=a:V> = <T>.new_tensor(range(4))
## 1 new tensor of a tensor
<=a:V> = <T>.new_tensor(<T>[0].detach())
## 1 mask by byte
<=a:T> = <T> * (<T> > 0).byte()
## 1 unique
<=k:I> = <T>.unique().numel()
## 1 cuda
<@h:T> = <h>.cuda() if torch.cuda.is_available() else <h>
## 1 cpu by a method
<@h:T> = <h>.cpu().to("cpu")
## 1 sparse
<=a:T> = torch.sparse.mm(torch.eye(<T>.size(0)).to_sparse(), <T>)
## 1 inference
with torch.inference_mode(False):
    <@h:T> = <h> + 1
## 1 grad asked
if torch.is_grad_enabled():
    <block>
## 1 tracing asked
if torch.jit.is_tracing():
    <block>
## 1 version asked
if torch.__version__ >= "1.0":
    <@h:T> = <h> + 1
## 1 typename
if torch.typename(<T>) == "torch.FloatTensor":
    <block>
## 1 storage
if torch.overrides.has_torch_function((<T>,)):
    <block>
## 1 dir
<+names_> = [name for name in self.state_dict()]
<@h:T> = <h> + len(<names_>)
## 1 parameters counted
<=k:I> = sum(p.numel() for p in self.parameters())
## 1 class name
if self.__class__.__name__ == "Net":
    <@h:T> = <h> + 1
## 1 bitwise
<=b:B> = (<I> > 1) & (<I> < 3) | <B>
## 1 xor
<=b:B> = <B> ^ <B>
## 1 conditional assignment in a comprehension
<=a:LT> = [t if <C> else t * 2 for t in <LT>]
## 1 comprehension over a zip
<=a:LT> = [t * k for t, k in zip(<LT>, <LI>)]
## 1 comprehension over a dict
<=a:LT> = [v for k, v in <DT>.items() if k in <LS>]
## 1 nested comprehension of modules
<=a:LT> = [m(t) for m in self.<.a:layers> for t in <LT>]
## 1 sorted items
for <%k:S>, <%t:T> in sorted(<DT>.items()):
    <@h:T> = <h> * 0.5 + <t>
## 1 dict of lists
<+a> = {}
for <%k:S> in <LS>:
    <a>[<k>] = []
    <a>[<k>].append(<T>)
## 1 list of tuples
<+a> = []
for <%i:I> in range(<I>):
    <a>.append((<i>, <T>))
for <%j:I>, <%t:T> in <a>:
    <@h:T> = <h> + <t> * <j>
## 1 list repeated
<+a> = [None] * <I14>
<a>[0] = <T>
<=h:T> = <a>[0] + <T>
## 1 list of None
<=a:LT> = [None for _ in range(2)]
<a>[0], <a>[1] = <P>
## 1 namedtuple
<=a:T> = <!f:Point>(<T>, <I>).left
## 1 min of a generator
<=k:I> = min((v for v in <LI>), default=0)
## 1 max of tensors
<=a:T> = torch.max(<T>, <T>)
## 1 isinstance of a list
if isinstance(<LT>, list) and len(<LT>) > 0:
    <block>
## 1 divmod
<=a:I>, <=b:I> = divmod(<I>, <I14>)
## 1 pow
<=a:N> = pow(<N>, 2)
## 1 slice of a list by variables
<=a:LT> = <LT>[<I>:]
## 1 chained comparison of one name
<=b:B> = <I> == <I> == <I>
## 1 bool as an int
<@h:T> = <h> * (<I> > 1)
## 1 sum of bools
<=k:I> = sum(v > 1 for v in <LI>)
## 1 str of a type
<=a:S> = str(<T>.dtype)
## 1 assert of a type
assert isinstance(<T>, torch.Tensor)
## 1 assert with a tuple
assert <T>.dim() in (2, 3), f"{<T>.dim()}"
## 1 repeat by a list
<=a:V> = torch.ones(1).repeat([4])
## 1 size by a tuple
<=a:T> = <T>.expand(*<T>.size())
## 1 chunks by a loop
for <%t:V> in torch.chunk(<T>, 2, dim=-1):
    <@h:T> = <h> + <t>.sum()
## 1 contextlib
with contextlib.suppress(KeyError):
    <@h:T> = <h> + <DT>["c"]
## 1 global counter
<!a:bump>()
## 1 itertools
for <%i:I>, <%j:I> in itertools.product(range(2), range(<I>)):
    <@h:T> = <h> + <i> - <j>
## 1 hook-like
for <+f> in [lambda t: t + 1, lambda t: t * <F>]:
    <@h:T> = <f>(<h>)
## 1 loss-like
<=a:V> = sum([(<T> ** 2).mean(), 0.1 * <T>.abs().mean()])
""")

FEATURES: dict[str, list[str]] = {
    "scaled": [
        "self.{a} = <!ScaledLinear>(4, 4)", "self.{a} = <!ScaledNorm>(4)", "self.{a} = <!ScaledDrop>(<ctor:P01>)",
        "self.{a} = <!ScaledSeq>({m}, {m})",
    ],
    "__private": ["self.{a} = <ctor:N>", "self.{a} = 2"],
}  # fmt: skip
