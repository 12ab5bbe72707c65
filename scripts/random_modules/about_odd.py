"""Statements for the transformations that tslint offers most rarely; it has a fix for each statement."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 4 static method with a module
<=a:T> = <!f:through>(self.<.a:lin>, <T>)
## 4 annotated twice
<=a:OT>: Optional[Tensor] = None
if <C>:
    <a>: Optional[Tensor] = <T>
## 4 annotated twice, the same
<=a:I>: int = 0
for <%t:T> in <LT>:
    <a>: int = <a> + 1
## 4 default of another type
<=a:T> = <!f:wrong_default>(<T>)
## 4 default of another type given
<=a:T> = <!f:wrong_default>(<T>, <N>)
## 4 test of a constant
if self.<.a:mode> == "a":
    <=h:T> = <T>
else:
    <h> = None
if <h> is not None:
    <@g:T> = <g> + <h>
## 4 return of another type by a flag
if self.<.a:flag>:
    return <T>, <T>
## 4 attribute by a flag
if self.<.a:flag> and <B>:
    <@h:T> = self.<.b:hasdrop>(<h>)
## 4 module passed on
<=a:T> = <!f:through>(self.<.a:act>, <T>)
## 4 list of modules passed on
<=a:T> = <!f:through_all>(self.<.a:layers>, <T>)
## 6 apply
self.apply(lambda m: None)
## 6 requires_grad_
self.requires_grad_(True)
## 6 module method with a use
self.<.a:seq>.train(<B>)
## 6 script class with None
<=a:T> = <!f:Keeper>(<I>).add(<T>)
## 5 zip with tuples of the same types
for <%m:M>, <%t:T>, <%u:T> in zip(self.<.a:seq>, (<T>, <T>), (<T>, <T>)):
    <@h:T> = <m>(<t>) + <u>
## 5 enumerate a tuple of tensors
for <%i:I>, <%t:T> in enumerate((<T>, <T>)):
    <@h:T> = <h> + <t> * <i>
## 5 zip of unknown length and a tuple
for <%t:T>, <%k:I> in zip(<@b:LT>, (1, 2)):
    <@h:T> = <h> + <t> * <k>
## 5 zip of tuples
for <%t:T>, <%k:I> in zip((<T>, <T>), (<I>, 2)):
    <@h:T> = <h> + <t> * <k>
## 4 cuda is there
if torch.cuda.is_available():
    <@h:T> = <h>.cuda()
## 4 cuda in a function
<=a:T> = <!f:to_gpu>(<T>)
## 4 distributed
if torch.distributed.is_available() and torch.distributed.is_initialized():
    <@h:T> = <h> * 2
## 4 checkpoint
<@h:T> = torch.utils.checkpoint.checkpoint(self.<.a:lin>, <h>, use_reentrant=False)
## 4 checkpoint or not
if self.training:
    <@h:T> = torch.utils.checkpoint.checkpoint(self.<.a:lin>, <h>, use_reentrant=False)
else:
    <h> = self.<.a:lin>(<h>)
## 4 debugging by a global
if <!a:DEBUG>:
    print(<T>.shape)
## 4 debugging by a global that ends
if <!a:DEBUG>:
    return <T>
## 4 debugging by a global, else
if <!a:DEBUG>:
    <@h:T> = <T>
else:
    <h> = <T>
## 4 global of a list asked
if len(<!a:SEEN>) > 0:
    <block>
## 4 global dict
if <!a:OPTIONS>["on"]:
    <@h:T> = <h> + 1
## 4 flag of the module tree
if isinstance(self.<.a:lin>, nn.Linear):
    <block>
## 4 hasattr of a submodule
if hasattr(self.<.a:lin>, "bias"):
    <block>
## 4 new without arguments
<@h:T> = <h> + <T>.new().numel()
## 4 new of two numbers
<=a:V> = <T>.new(1, 4).zero_()
## 4 new tensor of a tensor given
<=a:V> = <@b:T>.new_tensor(<@c:T>)
## 4 new tensor of an attribute
<=a:V> = <@b:T>.new_tensor(self.<.a:sizes>).sum()
## 4 tensor of floats
<=a:V> = torch.Tensor([1.0, 2.0, 0.5, 4.0])
## 4 tensor of sizes
<=a:V> = torch.Tensor(1, 4).zero_()
## 4 float tensor of sizes
<=a:V> = torch.FloatTensor(<I14>, 4).fill_(<F>).sum()
## 4 enable_grad
with torch.autograd.no_grad():
    <@h:T> = <h> + 1
## 4 torch typename of isinstance
if torch.is_storage(<T>):
    <block>
## 4 numpy of a tensor that is annotated
<=a:N> = <!f:np_tensor>(<T>)
## 4 numpy of a tensor parameter
<=a:T> = <!f:np_unary>(<T>)
## 4 numpy rounding
<=a:N> = np.rint(<@b:F>)
## 4 numpy rounding of an int
<=a:N> = np.around(<@b:I>)
## 4 numpy logarithm
<=a:F> = np.log2(<@b:I> + 1.0)
## 4 numpy logarithm of a number
<=k:I> = int(np.log2(<T>.size(1)))
## 4 numpy root of a size
<@h:T> = <h> / np.sqrt(<h>.size(1))
## 4 numpy floor and ceil
<=k:I> = int(np.ceil(<T>.size(1) / 3)) + int(np.floor(<@b:F>))
## 4 dtype of Python
<=a:V> = torch.zeros(4, dtype=float)
## 4 dtype of Python int
<=a:V> = torch.ones(4, dtype=int)
## 4 type of a tensor by name
<=a:T> = <T>.type("torch.FloatTensor")
## 4 same number of elements
<=k:I> = <T>.nelement() + <T>.ndimension()
## 4 cast
<=a:V> = <T>.float().int() + <T>.long() + <T>.half().float()
## 4 bool of a tensor
<=a:T> = <T> * (<T> > 0).bool()
## 4 numpy-like names
<=a:V> = <T>.nansum() + <T>.shape.numel()
## 4 count down kept
<=a:LI> = list(reversed(range(<I>)))
## 4 count down in enumerate
for <%i:I>, <%k:I> in enumerate(reversed(range(<I>))):
    <@h:T> = <h> + <i> * <k>
## 4 count down starred
<=a:LI> = [*reversed(range(1, <I>))]
## 4 count down from a sum
for <%k:I> in reversed(range(1, <I> + 1)):
    <@h:T> = <h> * <k>
## 4 reversed list of tensors
for <%t:T> in reversed(<@b:LT>):
    <@h:T> = <h> * 0.5 + <t>
## 4 dtype of the parameters
<@h:T> = <h>.to(next(self.parameters()).dtype) + self.<.a:lin>(<T>)
## 4 device of the parameters
<=a:V> = torch.zeros(4, device=next(self.parameters()).device) + self.<.a:lin>(<T>)
## 4 None default that is pruned
<=a:T> = <!f:pruned_fn>(<T>, <OT>)
## 4 None default of a method
<=a:T> = <T> + (1 if <~m:OT> is None else 2)
## 4 match of a name
<=s:S> = <S>
match <s>:
    case "a":
        <@h:T> = <h> + 1
    case "b" | "c":
        <h> = <h> * 2
    case _:
        <h> = <h> - 1
## 4 match with guards
<=s:I> = <I>
match <s>:
    case 0:
        <@h:T> = <h> + 1
    case 1 if <C>:
        <h> = <h> * 2
    case 2 | 3:
        <h> = <h> - 1
## 4 match of None
<+s> = <~m:OI>
match <s>:
    case None:
        <@h:T> = <h> + 1
    case _:
        <h> = <h> + <s>
## 4 floats meant
<=a:V> = torch.nn.functional.interpolate(<T>.unsqueeze(0), scale_factor=(2,)).sum()
## 4 scale by a tuple of ints
<=a:V> = F.interpolate(<T>[None, None], scale_factor=(1, 2)).sum()
## 4 wrong annotation
<=a:T> = <!f:wrong_tensor>(<T>, <I>)
## 4 wrong annotation as a number
<=a:T> = <!f:wrong_int>(<T>)
## 4 float annotation
<=a:T> = <!f:float_local>(<T>, <I>)
## 4 float returned
<=a:F> = <!f:float_back>(<I>)
## 4 float returned in a branch
<=a:F> = <!f:float_branch>(<I>, <B>)
## 4 device by number
<=a:V> = torch.ones(4, device=<T>.get_device())
## 4 decorated in the file
<=a:T> = <!f:counted_fn>(<T>, <I>)
## 4 decorated with keywords
<=a:T> = <!f:options_fn>(<T>, k=<I>)
## 4 packed
<+r> = <T>.unsqueeze(2)
<+n> = torch.full((<r>.size(0),), 4)
<+a> = torch.nn.utils.rnn.pack_padded_sequence(<r>, <n>.tolist(), batch_first=True)
<@h:T> = <h> + <a>.data.sum()
## 4 packed lengths kept
<+r> = <T>.unsqueeze(2)
<+n> = torch.full((<r>.size(0),), 4).tolist()
<+a> = torch.nn.utils.rnn.pack_padded_sequence(<r>, <n>, batch_first=True)
<@h:T> = <h> + <a>.data.sum()
## 4 lengths as a tensor
<=a:LI> = torch.tensor(<T>.shape).tolist()
## 4 None into a function
<=a:T> = <!f:needs_tensor>(<T>, <OT>)
## 4 None into a function that takes it
<=a:T> = <!f:takes_none>(<T>, None)
## 4 nested tuple of a parameter
<=a:T> = <!f:of_states>([(<T>, <T>), (<T>, <T>)])
## 4 tuple of unknown length of a parameter
<=a:T> = <!f:of_tuple>((<T>, <T>))
## 4 union times
<=a:T> = <!f:union_times>(<T>, <N>)
## 4 union of attributes
<=a:N> = <!f:union_add>(<N>)
## 4 wrong result annotation
<=a:T> = <!f:wrong_result>(<T>)
## 4 result by a flag
<=a:T> = <!f:pair_or_one>(<T>, <B>)
## 4 ignored function
<=a:T> = <!f:ignored_fn>(<T>)
## 4 None default written as a type
<=a:T> = <!f:none_int>(<T>)
## 4 None default written as a type, given
<=a:T> = <!f:none_int>(<T>, <I>)
## 4 index by a parameter
<=a:V> = <!f:take_row>(<T>, <I>)
## 4 index that is a float
<=a:V> = <T>[:, <I> / 2 > 1]
## 4 index by a division
<=a:V> = <T>[int(<T>.size(0) / 2)]
## 4 index by a computed float
<=k:F> = <T>.size(1) * 0.5
<=a:V> = <T>[:, int(<k>)].sum() + <T>.narrow(1, 0, 2).sum()
## 4 unpacked parameter
<=a:T> = <!f:unpacked_fn>((<T>, <T>))
## 4 unpacked tensor parameter
<=a:V> = <!f:unpacked_fn>(<T>[:1].expand(2, 4))
## 4 may end without a value
<=a:T> = <T>
<a> = <!f:maybe_none>(<T>, <I>)
<@h:T> = <h> + (<a> if <a> is not None else 0)
## 4 whole float
<=k:I> = <T>.size(0)
if <k> == 1:
    <k> = 2.0
<@h:T> = <h> * <k>
## 4 int then float
<=k:N> = 1
if <C>:
    <k> = 0.5
<@h:T> = <h> * <k>
## 4 int then float in a loop
<=k:N> = 0
for <%t:T> in <LT>:
    <k> = <k> + 0.5
<@h:T> = <h> + <k>
## 4 parameter retyped
if <~m:OI> is None:
    <m> = 1
<@h:T> = <h> + <m>
## 4 parameter retyped by a list
if <~m:LI> is None:
    <m> = [1, 2]
<@h:T> = <h> + len(<m>)
## 4 parameter as a bound
for <%i:I> in range(<~m:I>):
    <@h:T> = <h> + 1
## 4 parameter as a key
<=a:T> = <!f:by_key>({"a": <T>}, "a")
## 4 keyword of a dict
<=a:T> = <~m:DT>["a"] + <T>
## 4 keyword of a dict asked
if "b" in <~m:DT>:
    <@h:T> = <h> + <~m:DT>["b"]
## 4 parameter compared
if <~m:S> == "a":
    <@h:T> = <h> * 2
## 4 parameter in a list
if <~m:S> in ["a", "b"]:
    <@h:T> = <h> * 2
## 4 optional compared
if <~m:OI> == 1:
    <@h:T> = <h> * 2
## 4 optional compared otherwise
if self.<.a:optint> != <I>:
    <@h:T> = <h> * 2
## 4 optional number compared
if self.<.a:scale> == 0:
    <@h:T> = <h> * 2
## 4 set of strings
if <S> in {"a", "b"}:
    <@h:T> = <h> * 2
## 4 plus sign
<=a:T> = +<T> * +<I>
## 4 empty body
if <C>:
    ...
else:
    <block>
## 4 delete in brackets
<+q>, <+r> = <T>, <I>
del (<q>, <r>)
## 4 own partial
<=a:T> = self.<.a:bound>(<T>)
## 4 walk of a slice
for <%m:M> in self.<.a:layers>[<I>:]:
    <@h:T> = <m>(<h>)
## 4 walk of a slice from the front
for <%m:M> in self.<.a:layers>[:self.<.a:n>]:
    <@h:T> = <m>(<h>)
## 4 private method
<@h:T> = self.<.a:__hidden>(<h>)
## 4 move what cannot be compiled
<=a:F> = float(np.median(<T>.detach().numpy()))
## 4 functions that are moved
<=a:T> = torch.tensor(np.sort(<T>.detach().numpy(), axis=1))
## 4 copies
<=a:T> = copy.copy(<T>)
## 4 math of TorchScript's
<=a:F> = math.log1p(<@b:I>) + math.dist([0.0], [1.0])
## 4 warn with a category
warnings.warn("odd", category=RuntimeWarning)
## 4 set attribute's grad flag
self.<.a:weight>.requires_grad = <B>
## 4 import inside
import math
<=a:F> = math.sqrt(4)
## 4 attribute's annotation
self.<.a:total>: float = <F>
## 4 finfo
<=a:F> = torch.finfo(torch.float32).max * 0
## 4 finfo of a dtype
<@h:T> = <h>.masked_fill(<h> > 9, torch.finfo(<h>.dtype).min)
## 4 numbers of a closed-over name
<@h:T> = <h> * <!a:GAIN> + <!b:SHIFT>
## 4 replaced by keywords
<=a:T> = <!f:many_kw>(<T>, a=1, b=<I>)
""")

FEATURES: dict[str, list[str]] = {
    "bound": ["self.{a} = partial(F.leaky_relu, negative_slope=<ctor:F>)", "self.{a} = partial(torch.clamp, min=0.5)"],
}  # fmt: skip
