"""Statements about submodules, parameters and attributes."""

from __future__ import annotations

from random_modules.templates import pieces

STATEMENTS = pieces(r"""
## 6 loop over an index
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>)
## 5 loop over an index with more
for <%i:I> in range(<COUNT>):
    <block>
    <@h:T> = self.<.a:layers>[<i>](<h>) + <i>
    <block>
## 3 two lists by one index
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>) + self.<.b:layers>[<i>](<T>)
## 2 item kept in a name
for <%i:I> in range(<COUNT>):
    <+layer> = self.<.a:layers>[<i>]
    <@h:T> = <layer>(<h>)
    if <C>:
        break
## 2 item kept in a name, with continue
for <%i:I> in range(<COUNT>):
    <+layer> = self.<.a:layers>[<i>]
    if <C>:
        continue
    <@h:T> = <layer>(<h>)
## 4 over the modules
for <%m:M> in self.<.a:layers>:
    <@h:T> = <m>(<h>)
    <block>
## 3 over the modules, with a way out
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>):
    if <C>:
        <WAY>
    <@h:T> = <m>(<h>)
## 2 with an else
for <%m:M> in self.<.a:layers>:
    <@h:T> = <m>(<h>)
    if <C>:
        break
else:
    <h> = <h> + 1
## 3 enumerate and another list
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>):
    <@h:T> = <m>(<h>) + self.<.b:layers>[<i>](<h>)
## 2 enumerate over tensors
for <%i:I>, <%t:T> in enumerate(<LT>):
    <@h:T> = <h> + self.<.a:layers>[<i>](<t>)
## 3 zip
for <%m:M>, <%t:T> in zip(self.<.a:layers>, <LT>):
    <@h:T> = <m>(<t>) + <h>
## 2 zip of modules
for <%m:M>, <%k:M> in zip(self.<.a:layers>, self.<.b:layers>):
    <@h:T> = <k>(<m>(<h>))
## 2 zip with numbers
for <%m:M>, <%k:I> in zip(self.<.a:layers>, <LI>):
    <@h:T> = <m>(<h>) * <k>
## 3 slice
for <%m:M> in self.<.a:layers>[<SLICE>]:
    <@h:T> = <m>(<h>)
## 2 enumerated slice
for <%i:I>, <%m:M> in enumerate(self.<.a:layers>[<SLICE>]):
    <@h:T> = <m>(<h>) + <i>
## 3 backwards
for <%m:M> in reversed(self.<.a:layers>):
    <@h:T> = <m>(<h>)
## 2 backwards by index
for <%i:I> in reversed(range(<COUNT>)):
    <@h:T> = self.<.a:layers>[<i>](<h>)
## 2 down by index
for <%i:I> in range(<COUNT> - 1, -1, -1):
    <@h:T> = self.<.a:layers>[<i>](<h>)
## 3 one by index
<@h:T> = self.<.a:layers>[<I>](<h>)
## 3 one by a parameter
<=h:T> = self.<.a:layers>[<~stage:I>](<T>)
## 2 one kept, by index
<+layer> = self.<.a:layers>[<I>]
<=h:T> = <layer>(<T>)
## 1 one from the end
<=h:T> = self.<.a:layers>[-<I14>](<T>)
## 1 inside an expression
<=h:T> = <T> + self.<.a:layers>[<I>](<T>) if <C> else <T>
## 2 while over an index
<=j:I> = 0
while <j> < <COUNT>:
    <@h:T> = self.<.a:layers>[<j>](<h>)
    <j> += 1
## 2 neighbours
for <%i:I> in range(<COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>)
    if <i> < len(self.<.a:layers>) - 1:
        <h> = F.relu(<h>)
## 1 the one before
for <%i:I> in range(1, <COUNT>):
    <@h:T> = self.<.a:layers>[<i>](<h>) - self.<.b:layers>[<i> - 1](<h>)
## 3 dict by key
<=h:T> = self.<.a:heads>[<S>](<T>)
## 2 dict by the key of a loop
for <%k:S> in <LS>:
    <@h:T> = self.<.a:heads>[<k>](<h>)
## 2 dict by its keys
for <%k:S> in self.<.a:heads>:
    <@h:T> = self.<.a:heads>[<k>](<h>)
## 2 items of a dict
<=r:DT> = {}
for <%k:S>, <%m:M> in self.<.a:heads>.items():
    <r>[<k>] = <m>(<T>)
## 1 dict where it is one
if <S> in self.<.a:heads>:
    <@h:T> = self.<.a:heads>[<S>](<h>)
## 1 dict by a dict
for <%k:S>, <%t:T> in <DT>.items():
    <@h:T> = <h> + self.<.a:heads>[<k>](<t>)
## 2 comprehension over a dict
<=r:DT> = {k: m(<T>) for k, m in self.<.a:heads>.items()}
## 3 getattr of a module
<@h:T> = getattr(self, "<.a:numbered>" + str(<I>))(<h>)
## 3 getattr of modules
for <%i:I> in range(<COUNT>):
    <@h:T> = getattr(self, f"<.a:numbered>{<i>}")(<h>)
## 2 getattr of a module, kept
<+layer> = getattr(self, "<.a:numbered>%d" % <I>)
<=h:T> = <layer>(<T>)
## 3 getattr of a parameter
<=h:T> = <T> * getattr(self, "<.a:numbered_params>" + str(<I>))
## 3 getattr of parameters
for <%i:I> in range(<COUNT>):
    <@h:T> = <h> + getattr(self, f"<.a:numbered_params>{<i>}")
## 1 getattr of a parameter, kept
<=w:T> = <T> + getattr(self, "<.a:numbered_params>{}".format(<I>))
## 1 getattr with a default
<+f> = getattr(self, "<.a:flag>", False)
if <f>:
    <@h:T> = <h> * 2
## 2 parameters of a list
for <%i:I> in range(<COUNT>):
    <@h:T> = <h> + self.<.a:params>[<i>]
## 1 a parameter of a list
<@h:T> = <h> * self.<.a:params>[<I>]
## 1 over the parameters of a list
for <%w:V>  in self.<.a:params>:
    <@h:T> = <h> * <w>
## 2 all modules in a dict
for <%k:S>, <%m:M> in self.named_children():
    <@h:T> = <h> + len(<k>)
## 3 optional module
if self.<.a:normopt> is not None:
    <@h:T> = self.<.a:normopt>(<h>)
## 3 optional module by truth
if self.<.a:normopt>:
    <@h:T> = self.<.a:normopt>(<h>)
## 1 optional module, else
if not self.<.a:normopt>:
    <block>
else:
    <@h:T> = self.<.a:normopt>(<h>)
## 2 module that is there for some
if hasattr(self, "<.a:hasdrop>"):
    <@h:T> = self.<.a:hasdrop>(<h>)
## 1 module behind a flag
if self.<.a:flag>:
    <@h:T> = self.<.b:hasdrop>(<h>)
## 4 number by truth
if self.<.a:scale>:
    <@h:T> = <h> * self.<.a:scale>
## 2 number by truth, not
if not self.<.a:scale>:
    <block>
else:
    <@h:T> = <h> / (1 + abs(self.<.a:scale>))
## 2 number or another
<=f:N> = self.<.a:scale> or <N>
## 2 number if there
<=f:N> = self.<.a:scale> if self.<.a:scale> else <N>
## 2 number is not None
if self.<.a:scale> is not None:
    <@h:T> = <h> + self.<.a:scale>
## 2 optional tensor
if self.<.a:maybe> is not None:
    <@h:T> = <h> + self.<.a:maybe>
## 1 optional int compared
if self.<.a:optint> == <I>:
    <block>
## 1 optional int in
if self.<.a:optint> in (0, 1):
    <block>
## 3 activation
<@h:T> = self.<.a:act>(<h>)
## 3 property
if self.<.a:prop>:
    <block>
## 2 property of an object
if self.<.a:propopt>:
    <@h:T> = <h> + 1
## 1 property of a number
<=f:N> = self.<.a:propnum>
## 2 count calls
self.<.a:count> += 1
## 1 a running total
self.<.a:total> += <F>
## 2 state
if self.<.a:state> is None:
    self.<.a:state> = torch.zeros(4)
<@h:T> = <h> + self.<.a:state>
## 1 state by truth
if self.<.a:state> is not None:
    <@h:T> = <h> + self.<.a:state>
self.<.a:state> = <T>.mean(0).detach()
## 1 cache
self.<.a:cache>["a"] = <T>
## 1 cache, asked first
if "a" not in self.<.a:cache>:
    self.<.a:cache>["a"] = <T>
<=h:T> = <T> + self.<.a:cache>["a"].mean()
## 1 memo
self.<.a:memo>.append(<T>)
## 1 buffer changed
self.<.a:run>.add_(<T>.mean(0))
## 1 buffer replaced
self.<.a:run> = self.<.a:run> * 0.5 + <T>.detach().mean(0)
## 1 requires grad
self.<.a:weight>.requires_grad = False
## 1 data
self.<.a:run>.data = <T>.mean(0).detach()
## 1 constant of the class
<=k:I> = self.<.a:const> + <I>
## 1 sequential by index
<@h:T> = self.<.a:seq>[<I>](<h>)
## 1 over a sequential
for <%i:I>, <%m:M> in enumerate(self.<.a:seq>):
    <@h:T> = <m>(<h>)
    <block>
## 1 list of what modules give
<=r:LT> = []
for <%m:M> in self.<.a:layers>:
    <@h:T> = <m>(<h>)
    <r>.append(<h>)
## 1 modules list called in a comprehension
<=r:LT> = [m(<T>) for m in self.<.a:layers>]
## 1 forward called
<@h:T> = self.<.a:lin>.forward(<h>)
## 1 alias of a module
<+m> = self.<.a:lin> if <C> else self.<.b:lin>
<@h:T> = <m>(<h>)
## 1 loop over pairs of modules
for <+f> in [self.<.a:lin>, self.<.b:lin>]:
    <@h:T> = <f>(<h>)
## 1 loop over a tuple of modules
for <+f> in (self.<.a:lin>, self.<.b:seq>):
    <@h:T> = <f>(<h>)
## 1 modules made when called
<=h:T> = nn.ReLU()(<T>)
## 1 dropout made when called
<=h:T> = nn.Dropout(0.0)(<T>)
## 1 softmax made when called
<=h:T> = nn.Softmax(dim=<I>)(<T>)
## 1 padding made when called
<=h:T> = nn.ConstantPad1d((1, 0), <F>)(<T>)[:, 1:]
## 1 padding of all sides made when called
<=h:T> = nn.ReplicationPad1d(1)(<T>)[:, <I>:][:, :4]
## 2 loss in each branch
if <C>:
    <+f> = nn.MSELoss()
    <@h:T> = <h> + <f>(<T>, <h>)
else:
    <f> = nn.L1Loss(reduction="sum")
    <@h:T> = <h> * <f>(<h>, <T>)
## 1 loss in one branch
<+f> = nn.MSELoss()
if <C>:
    <f> = nn.L1Loss()
<@h:T> = <h> + <f>(<T>, <h>)
""")

# Ends and bounds of loops; whether they match the length of the list is random.
COUNTS = [
    "len(self.<.a:layers>)", "len(self.<.a:layers>)", "len(self.<.a:layers>)", "<~stage:I>", "self.<.a:n>",
    "self.<.a:n> + 1", "self.<.a:n> - 1", "2", "3", "<I>", "len(<LT>)", "min(<I>, len(self.<.a:layers>))",
    "len(self.<.a:layers>) - 1", "len(<LI>)",
]  # fmt: skip
SLICES = [
    "<I>:",
    ":<I>",
    "<I>:<I>",
    "1:",
    ":-1",
    "-<I>:",
    ":-<I>",
    "::2",
    "::-1",
    "self.<.a:n>:",
    ":<~stage:I>",
    "<OI>:",
    ":<OI>",
]
WAYS = ["break", "continue", "continue", "break", "<RETURN>"]
