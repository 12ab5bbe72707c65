"""More statements for transformations that tslint rarely offers, and hardly ever for statements of other tables."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 4 gru
self.<.a:gru>.flatten_parameters()
<=a:T> = self.<.a:gru>(<T>)[0]
## 4 dropout of an int
<=a:T> = self.<.a:intdrop>(<T>)
## 4 index by a text
<=a:V> = <!f:by_text>({"points": <T>})
## 4 rows of a method's parameter
<=a:T>, <=b:T> = <!f:two_rows>(<T>[:1].expand(2, 4))
## 4 ends by mode
<=a:T> = <!f:by_mode>(<T>, <S>)
## 4 pruned default of a parameter
if <~m:OT> is None:
    <@h:T> = <h> + 1
else:
    <h> = <h> * 2
## 4 partial of the file's own function
<=a:T> = self.<.a:own_partial>(<T>)
## 4 partial of a function of torch
<=a:T> = self.<.a:torch_partial>(<T>)
## 4 inference mode
with torch.inference_mode():
    <+q> = <T>.sum()
## 4 sparse product
<=a:T> = torch.spmm(torch.eye(<T>.size(0)).to_sparse(), <T>)
## 4 bool and others
<=a:V> = (<T> > 0).bool().float() + <T>.bfloat16().float()
## 4 variadic called with some
<=a:T> = <!f:rest_fn>(<T>, <T>, <T>)
## 4 variadic with a leading one
<=a:T> = <!f:lead_fn>(<T>, <I>)
## 4 result annotated otherwise
<=a:T> = <!f:result_int>(<T>)
## 4 result not annotated
<=a:I> = <!f:plain_result>(<LI>)
## 4 default that is a text
<=a:T> = <!f:text_default>(<T>)
## 4 default that is a list
<=a:T> = <!f:list_default>(<T>)
## 4 annotated as anything
<=a:T> = <!f:any_fn>(<T>)
## 4 two modules given to one function
<=a:T> = <!f:apply_two>(self.<.a:lin>, self.<.b:lin>, <T>)
## 4 module given to a method
<=a:T> = self.<.a:taking>(self.<.b:lin>, <T>)
## 4 module given by keyword
<=a:T> = <!f:through>(t=<T>, module=self.<.a:lin>)
## 4 optional module given
<=a:T> = <!f:maybe_through>(self.<.a:normopt>, <T>)
## 4 flag asked in a test
if self.<.a:flag> and self.<.b:normopt> is not None:
    <@h:T> = self.<.b:normopt>(<h>)
## 4 name bound by a flag
if self.<.a:flag>:
    <+extra> = self.<.b:lin>(<T>)
if self.<.a:flag>:
    <@h:T> = <h> + <extra>
## 4 name bound by a mode
if self.<.a:mode> == "a":
    <+extra> = <T>
elif self.<.a:mode> == "b":
    <extra> = <T>, <T>
if self.<.a:mode> == "a":
    <@h:T> = <h> + <extra>
## 4 None first, a call later
<=a:T> = <T>
<a> = <!f:maybe_none>(<a>, 3)
<@h:T> = <h> + <a>
## 4 nested state
<=a:T> = <!f:nested_state>(((<T>, <T>),))
## 4 container changed through a variable
for <%k:I> in range(len(self.<.a:layers>)):
    <+ls> = self.<.a:layers>
    if len(<ls>) < 4:
        <ls>.append(nn.Identity())
    <@h:T> = self.<.a:layers>[<k>](<h>)
## 4 order after a test for None
if self.<.a:optint> is not None and self.<.a:optint> > self.<.b:n>:
    <+both> = <T>
else:
    <both> = <T>, <T>
## 4 order of what may be None
if self.<.a:flag>:
    if self.<.b:optint> > 1:
        <+both> = <T>
    else:
        <both> = <T>, <T>
## 4 count down, listed
for <%k:I> in list(reversed(range(<I>))):
    <@h:T> = <h> + <k>
## 4 count down, starred
<=a:LI> = list([*reversed(range(<I>))])
## 4 int of a float as an index
<=k:I> = int(<T>.size(1) * 0.5)
<=a:V> = <T>[:, <k>:].sum() + <T>[<T>.size(0) // 2]
## 4 index of a float
<=a:V> = <T>.split(<T>.size(1) / 2 if False else 2, 1)[0].sum()
## 4 debugging by a name that is set in a function
if <!a:VERBOSE>:
    <@h:T> = <h> * 2
    print(<h>.shape)
## 4 distributed only
if torch.distributed.is_initialized():
    torch.distributed.barrier()
## 4 cuda or not
<=a:V> = torch.zeros(4).cuda() if torch.cuda.is_available() else torch.zeros(4)
## 4 cuda or not, as statements
if torch.cuda.is_available():
    <=a:V> = torch.zeros(4).cuda()
else:
    <a> = torch.zeros(4)
## 4 constant read twice
<=a:F> = <F> * <!a:GAIN>
<=b:F> = <F> + <!a:GAIN>
## 4 scale factors
<=a:V> = F.interpolate(<T>.unsqueeze(0).unsqueeze(0), scale_factor=(1, 1), mode="bilinear").sum()
## 4 super of what is not overridden
<@h:T> = super().extra_repr() and <h> or <h>
## 4 keyword in another place
<=a:T> = torch.cat(tensors=[<T>, <T>], dim=1)[:, :4]
## 4 wrapper of the file
<=a:T> = <!f:wrapped_fn>(<T>)
## 4 zip of a list of modules and numbers
for <%m:M>, <%k:I> in zip(self.<.a:seq>, (2, 3)):
    <@h:T> = <m>(<h>) * <k>
## 4 stop in a tuple of modules
for <+m> in (self.<.a:lin>, self.<.b:lin>):
    <@h:T> = <m>(<h>)
    if <C>:
        break
""")

FEATURES: dict[str, list[str]] = {
    "gru": ["self.{a} = nn.GRU(4, 4)", "self.{a} = nn.LSTM(4, 4)"],
    "intdrop": ["self.{a} = nn.Dropout(0)", "self.{a} = nn.Dropout(p=<ctor:I>)"],
    "own_partial": ["self.{a} = partial(<!scaled_by>, k=<ctor:N>)", "self.{a} = partial(<!scaled_by>, k=2)"],
    "torch_partial": [
        "self.{a} = partial(torch.sum, dim=0)", "self.{a} = partial(F.softmax, dim=-1)",
        "self.{a} = partial(torch.add, alpha=<ctor:N>)",
    ],
}  # fmt: skip
