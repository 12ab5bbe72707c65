"""Expressions of random modules, by type."""

from __future__ import annotations

from random_modules.templates import forms

EXPRESSIONS = forms(r"""
T: <T> + <T> | <T> * <F> | <T> + <I> | <T> * <N> | torch.relu(<T>) | F.relu(<T>) | torch.tanh(<T>) | <T> - <V>
T: <T>.clone()
T: self.<.a:lin>(<T>) | self.<.a:seq>(<T>) | torch.sigmoid(<T>) | F.dropout(<T>, <F01>, self.training) | <T>.float()
T: <T> if <C> else <T> | torch.cat([<T>, <T>], 1)[:, :4] | sum([<T>, <T>]) | <T>.masked_fill(<T> > <F>, <F>)
T: <$a:T> | <$a:T> | F.softmax(<T>, dim=-1) | torch.stack([<T>, <T>]).sum(0) | (<T> if <C> else <T>) + <V> | <P>[0]
T: torch.full_like(<T>, <N>) | torch.where(<T> > 0, <T>, <T>) | -<T> | <T>.type_as(<T>)
T: F.linear(<T>, self.<.a:weight44>)
T: sum([<T> for _ in range(<I14>)]) | F.pad(<T>, (1, <I14>))[:, :4] | torch.zeros_like(<T>) | <T>.view(<T>.size(0), -1)
V: <T>.sum() | <T>.mean() | <T>.mean(0) | torch.tensor(<F>) | torch.tensor(<N>) | <T>[0] | <T>.max()
V: torch.ones(4) * <N>
V: <T>.sum(-1, keepdim=True) | torch.zeros(1) | torch.full((4,), <N>) | torch.tensor([<F>, <F>, <F>, <F>])
V: torch.arange(4) * <N> | self.<.a:weight> | <T>.new_zeros(4) | torch.FloatTensor([<F>]) | <T>.new([<F>])
I: <I> + 1 | <I> - 1 | <I> * 2 | <T>.size(0) | <T>.shape[1] | len(<LI>) | len(<LT>) | <I> // 2 | <I> % 3 | <T>.dim()
I: int(<F>)
I: sum(<LI>) | <I> if <C> else <I> | max(<I>, <I>) | self.<.a:n> | self.<.a:n> | <$a:I> | len(self.<.a:layers>)
I: int(<N>)
I: <T>.shape[0] * <I> | np.prod(<T>.shape) | int(np.prod(<T>.size())) | math.ceil(<F>) | abs(<I>) | min(<LI> + [1])
I: <DI>.get("a", 2)
I: <T>.numel() | round(<F>) | int(<B>) | <T>.size()[-1] | +<I> | <!a:LIMIT> | self.<.a:const> | int(math.floor(<F>))
I14: 1 | 2 | 3 | self.<.a:n> + 1 | <T>.size(1) | <T>.size(0)
F: <F> * 2 | <F> + 0.5 | float(<I>) | <I> / 2 | <F> if <C> else <F> | math.sqrt(abs(<F>)) | <T>.mean().item()
F: self.<.a:rate>
F: <I> * <F> | float(<N>) | -<F> | np.sqrt(4.0) | 1.0 / (1 + <I> ** 2) | <I> ** 0.5 | <!a:EPS> | abs(<F>)
F: max(<F>, 0.1) | <T>.shape[1] ** -0.5
F: sum(<LF>) | np.log(abs(<F>) + 1) | math.pi | float(<T>.size(0)) | min(<F>, <F>) | 10 ** <I> | np.exp(-abs(<F>))
F01: 0.5 | 0.0 | self.<.a:p> | 0.25
N: <I> | <F> | <~a:N> | self.<.a:num> | <N> * 2 | <N> if <C> else <N> | sum([<I>, <F>])
B: <C> | not <B> | <I> > <I> | <B> and <B> | <B> or <B> | self.<.a:flag> | self.training | <T>.requires_grad | True
B: False | <~a:B>
S: "a" | "b" | self.<.a:mode> | <S> + "x" | str(<I>) | f"{<I>}" | f"w{<I>}" | <S>.upper() | "%d" % <I> | f"{<F>:.2f}"
S: "{}-{}".format(<I>, <S>)
S: f"{<I>!r}" | f"{<I>:03d}" | <~a:S> | <S> if <C> else <S> | <S> or "z"
OT: None | <T> | <~a:OT> | self.<.a:maybe> | <T> if <C> else None | <DT>.get("a") | <$a:OT>
OI: None | <I> | <~a:OI> | <I> if <C> else None | self.<.a:optint> | <DI>.get("b")
ON: None | <N> | <~a:ON> | self.<.a:scale> | self.<.a:scale>
LI: [<I>, <I>] | [<I>] | [i for i in range(<I>)] | list(range(<I>)) | <LI> + [<I>] | [<I>] * 2 | <LI>[1:]
LI: list(<T>.shape) | sorted(<LI>)
LI: [<T>.size(0), -1] | [v for v in <LI> if v > 0] | <LI>[::-1] | [*<LI>, <I>] | <~a:LI> | self.<.a:sizes>
LI: list(reversed(<LI>))
LI: [i * j for i in range(2) for j in <LI>] | [i for i, v in enumerate(<LI>) if v] | [int(v) for v in <LF>]
LI: [a - b for a, b in zip(<LI>, <LI>)]
LI: list(map(lambda v: v + 1, <LI>)) | [len(<S>)] | list(filter(None, <LI>)) | [v if v else <I> for v in <LI>]
LI: list(<LI>) | <LI>.copy()
LF: [<F>, <F>] | [float(i) for i in <LI>] | [v * 0.5 for v in <LF>] | [<F>] | [<N>, 0.5] | [0, <F>]
LT: [<T>, <T>] | [<T>] | <LT> + [<T>] | [<T> * i for i in range(<I14>)] | <LT>[::-1] | [t + 1 for t in <LT>] | <~a:LT>
LT: [<T> for _ in <LI>]
LT: [layer(<T>) for layer in self.<.a:layers>] | [t for t in <LT> if t.dim() > 1] | list(<DT>.values()) | [*<LT>, <T>]
LT: list(<P>) | [f(<T>) for f in (torch.relu, torch.tanh)]
LT: [self.<.a:layers>[i](<T>) for i in range(<I>)] | list(torch.unbind(torch.stack(<LT>)))
LT: [layer(t) for layer, t in zip(self.<.a:layers>, <LT>)]
LT: [layer(<T>) for i, layer in enumerate(self.<.a:layers>) if i % 2 == 0] | list(reversed(<LT>))
LT: sorted(<LT>, key=lambda t: t.sum().item())
LS: ["a", "b"] | [<S>] | ["a"] | list(self.<.a:names>) | list(<DT>.keys()) | [k for k in <DT>]
DT: {"a": <T>} | {"a": <T>, "b": <T>} | dict(a=<T>) | {**<DT>, "c": <T>} | {k: v * 2 for k, v in <DT>.items()} | <~a:DT>
DT: dict(zip(["a", "b"], [<T>, <T>]))
DT: {k: <T> for k in <LS>} | {k: v for k, v in <DT>.items() if k != "b"} | dict(<DT>) | dict(**<DT>)
DI: {"a": <I>} | {"a": <I>, "b": <I>} | {k: len(k) for k in <LS>} | dict(a=<I>) | dict(a=1, **{"b": <I>})
P: (<T>, <T>) | <T>.chunk(2, 1)[0].repeat(1, 2), <T> | <$a:P> | (<T>, <T>)
C: <I> > <I> | <I> == <I> | <OT> is None | <OT> is not None | <B> | not <LI> | <S> == "a" | <S> in ("a", "b")
C: <S> in ["a", ""] | <ON>
C: <ON> | not <ON> | <ON> is not None | <OI> | not <OI> | <OI> == 0 | <OI> == <I> | <ON> == 0 | <I> in [1, 2]
C: <I> in {0, 1} | <LI> | len(<LT>) > 1
C: self.<.a:flag> | self.training | not self.<.a:flag> | <C> and <C> | <C> or <C> | not <C> | <I> | <F> | <S>
C: isinstance(<X>, int) | isinstance(<OT>, torch.Tensor)
C: self.<.a:normopt> is not None | self.<.a:normopt> | hasattr(self, "<.a:hasdrop>") | self.<.a:prop> | self.<.a:prop>
C: not self.<.a:prop> | <!a:USE>
C: isinstance(<X>, (list, tuple)) | isinstance(<X>, float) | <I> < <I> <= 3 | <S> != self.<.a:mode>
C: <S> in self.<.a:heads> | "a" in <DT> | <DT>.get("a") is not None
C: isinstance(<X>, str) | type(<X>) == int | <T>.is_cuda | any(v > 1 for v in <LI>) | all(<LI>) | any([<B>, <B>])
C: callable(<X>) | <OI> in (None, 0) | <ON> in (0, None)
C: <X> is None | <X> | isinstance(self.<.a:act>, nn.ReLU) | torch.is_tensor(<X>) | <OT> != None | <OT> == None
C: bool(<ON>) | <T>.sum() > <F>
X: <T> | <I> | <F> | <OT> | <ON> | <S> | <LI> | <~a:X> | <~a:ON> | <~a:OT> | <P> | <LT>
""")

# Expressions for the deepest level, if there is no variable of the type.
LITERALS = {
    "T": ["x"], "V": ["torch.ones(4)"], "I": ["0", "1", "2", "3"], "F": ["0.5", "2.0", "0.0"], "F01": ["0.5"],
    "I14": ["1", "2", "3"], "N": ["1", "0.5", "0"], "B": ["True", "False"], "S": ['"a"', '"b"'], "OT": ["None"],
    "OI": ["None", "0", "2"], "ON": ["None", "0.0", "2"], "LI": ["[1, 2]", "[0, 3]", "[]"], "LF": ["[0.5, 1.0]"],
    "LT": ["[x, x]", "[x]"], "LS": ['["a", "b"]'], "DT": ['{"a": x}'], "DI": ['{"a": 1}'], "P": ["(x, x)"],
    "C": ["True", "x.size(0) > 1", "self.training"], "X": ["x", "1", "None"],
}  # fmt: skip
# The types as which a variable of each type may be used.
ALSO = {
    "T": ["T"], "V": ["V", "T"], "I": ["I"], "F": ["F"], "N": ["N", "I", "F"], "B": ["B"], "S": ["S"], "OT": ["OT"],
    "OI": ["OI"], "ON": ["ON", "OI"], "LI": ["LI"], "LF": ["LF"], "LT": ["LT"], "LS": ["LS"], "DT": ["DT"],
    "DI": ["DI"], "P": ["P"], "C": ["B", "ON", "OI", "I", "LI"], "X": ["X", "ON", "OT", "T", "I", "LT"],
    "F01": [], "I14": [],
}  # fmt: skip
