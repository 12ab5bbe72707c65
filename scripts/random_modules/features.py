"""Attributes of random modules: how ``__init__`` sets them, and what they need."""

from __future__ import annotations

# Several ways for each kind; {a} is the attribute's name, <ctor:T> a constructor parameter of a type, {m} creates a
# module whose input and output have the shape (batch, 4).
FEATURES: dict[str, list[str]] = {
    "lin": ["self.{a} = {m}", "self.{a} = nn.Linear(4, 4)", "self.{a} = nn.Linear(4, 4, bias=<ctor:B>)"],
    "seq": ["self.{a} = nn.Sequential({m}, {m})", "self.{a} = nn.Sequential(*[{m} for _ in range(<ctor:I>)])"],
    "weight": ["self.{a} = nn.Parameter(torch.rand(4))", 'self.register_buffer("{a}", torch.rand(4))'],
    "weight44": ["self.{a} = nn.Parameter(torch.rand(4, 4))"],
    "layers": [
        "self.{a} = nn.ModuleList([{m} for _ in range(<ctor:I>)])",
        "self.{a} = nn.ModuleList([{m} for _ in range(<ctor:I> + 1)])",
        "self.{a} = nn.ModuleList({m} for _ in range(max(<ctor:I>, 1)))",
        "self.{a} = nn.ModuleList([{m}, {m}, {m}])",
        "self.{a} = nn.ModuleList([{m}, {m}])",
        "self.{a} = nn.ModuleList()\nfor i in range(<ctor:I>):\n    self.{a}.append({m})",
        "self.{a} = nn.ModuleList([{m}])\nif <ctor:B>:\n    self.{a}.append({m})",
        "layers = []\nfor i in range(<ctor:I>):\n    layers.append({m})\nself.{a} = nn.ModuleList(layers)",
        "self.{a} = nn.ModuleList([{m}, {m} if <ctor:B> else None, {m}])",
        "self.{a} = nn.ModuleList([nn.Identity() for _ in range(<ctor:I>)])",
        "self.{a} = nn.Sequential({m}, {m})",
        "self.{a} = [{m}, {m}]",
        "self.{a} = []\nfor i in range(<ctor:I>):\n    self.{a}.append({m})\nself.{a} = nn.ModuleList(self.{a})",
    ],
    "heads": [
        'self.{a} = nn.ModuleDict({{"a": {m}, "b": {m}}})',
        "self.{a} = nn.ModuleDict({{k: {m} for k in <ctor:LS>}})",
        "self.{a} = nn.ModuleDict()\nfor k in <ctor:LS>:\n    self.{a}[k] = {m}",
        'self.{a} = {{"a": {m}, "b": {m}}}',
        "self.{a} = {{k: {m} for k in <ctor:LS>}}\nself.{a} = nn.ModuleDict(self.{a})",
    ],
    "params": ["self.{a} = nn.ParameterList([nn.Parameter(torch.rand(4)) for _ in range(<ctor:I>)])"],
    "n": ["self.{a} = <ctor:I>", "self.{a} = <ctor:I> + 1", "self.{a} = 2", "self.{a} = len(<ctor:LS>)"],
    "rate": ["self.{a} = <ctor:F>", "self.{a} = 0.5", "self.{a} = <ctor:N>"],
    "num": ["self.{a} = <ctor:N>", "self.{a} = <ctor:N> * 2", "self.{a} = 1"],
    "p": ["self.{a} = <ctor:P01>", "self.{a} = 0.1"],
    "scale": ["self.{a} = <ctor:ON>", "self.{a} = <ctor:ON>", "self.{a} = <ctor:ON> if <ctor:B> else None"],
    "optint": ["self.{a} = <ctor:OI>", "self.{a} = None"],
    "flag": ["self.{a} = <ctor:B>", "self.{a} = <ctor:I> > 1", 'self.{a} = <ctor:S> == "a"', "self.{a} = True"],
    "mode": ["self.{a} = <ctor:S>", 'self.{a} = "a" if <ctor:B> else "b"'],
    "names": ["self.{a} = <ctor:LS>", 'self.{a} = ["a", "b"]', 'self.{a} = ("a", "b")'],
    "sizes": ["self.{a} = [1, 2]", "self.{a} = [<ctor:I>, 2]", "self.{a} = list(range(<ctor:I>))", "self.{a} = []"],
    "maybe": [
        "self.{a} = nn.Parameter(torch.rand(4)) if <ctor:B> else None",
        'self.register_buffer("{a}", None)',
        "self.{a} = None",
        'if <ctor:B>:\n    self.{a} = nn.Parameter(torch.rand(4))\nelse:\n    self.register_parameter("{a}", None)',
    ],
    "normopt": [
        "self.{a} = nn.LayerNorm(4) if <ctor:B> else None",
        "if <ctor:B>:\n    self.{a} = {m}\nelse:\n    self.{a} = None",
        "self.{a} = None\nif <ctor:I> > 0:\n    self.{a} = {m}",
    ],
    "hasdrop": ["if <ctor:B>:\n    self.{a} = {m}", "if <ctor:I> > 1:\n    self.{a} = nn.Dropout(0.0)"],
    "act": [
        "self.{a} = nn.ReLU() if <ctor:B> else torch.tanh",
        "self.{a} = F.relu",
        "self.{a} = lambda t: t * 2",
        "self.{a} = torch.tanh",
        "self.{a} = partial(F.leaky_relu, negative_slope=<ctor:F>)",
        "self.{a} = nn.ReLU()",
        "self.{a} = getattr(F, 'relu')",
        "self.{a} = nn.ReLU() if <ctor:B> else nn.Tanh()",
        'if <ctor:S> == "a":\n    self.{a} = F.relu\nelse:\n    self.{a} = torch.sigmoid',
    ],
    "count": ["self.{a} = 0"],
    "total": ["self.{a} = 0.0", "self.{a} = 0"],
    "state": ["self.{a} = None", "self.{a} = torch.zeros(4)"],
    "cache": ["self.{a} = {{}}", "self.{a} = dict()"],
    "memo": ["self.{a} = []"],
    "run": ['self.register_buffer("{a}", torch.zeros(4))'],
    # Modules and parameters with numbered names; the attribute's name is the prefix.
    "numbered": [
        'for i in range(<ctor:I>):\n    setattr(self, f"{a}{{i}}", {m})',
        'for i in range(3):\n    self.add_module("{a}" + str(i), {m})',
        "self.{a}0 = {m}\nself.{a}1 = {m}\nself.{a}2 = {m}",
    ],
    "numbered_params": [
        'for i in range(3):\n    setattr(self, f"{a}{{i}}", nn.Parameter(torch.rand(4)))',
        "self.{a}0 = nn.Parameter(torch.rand(4))\nself.{a}1 = nn.Parameter(torch.rand(4))",
        'for i in range(<ctor:I>):\n    self.register_parameter("{a}%d" % i, nn.Parameter(torch.rand(4)))',
        'for i in range(3):\n    self.register_buffer("{a}%d" % i, torch.rand(4))',
        "self.{a}0 = nn.Parameter(torch.rand(4))\nself.{a}1 = {m}",
    ],
}
# Names that an author would choose.
NAMES: dict[str, list[str]] = {
    "lin": ["fc", "proj", "lin"], "seq": ["net", "body"], "weight": ["weight", "gain"], "weight44": ["mat"],
    "layers": ["layers", "blocks", "stages", "convs"], "heads": ["heads", "branches"], "params": ["scales", "weights"],
    "n": ["n", "depth", "num_layers"], "rate": ["rate", "eps"], "num": ["gamma", "factor"], "p": ["p", "drop"],
    "scale": ["scale", "temperature", "clip"], "optint": ["limit", "dim"], "flag": ["flag", "use_norm", "residual"],
    "mode": ["mode", "kind"], "names": ["names", "keys"], "sizes": ["sizes", "dims"],
    "maybe": ["bias", "mask", "shift"],
    "normopt": ["norm", "down"], "hasdrop": ["dropout", "extra"], "act": ["act", "nonlin"], "count": ["count", "steps"],
    "total": ["total", "seen"], "state": ["state", "hidden"], "cache": ["cache", "store"], "memo": ["memo", "history"],
    "run": ["running", "mean"], "__private": ["__gain", "__p"], "__hidden": ["__shift"], "scaled": ["head", "tail"],
    "gru": ["rnn"],
    "numbered": ["layer", "conv", "fc_"], "numbered_params": ["w", "alpha"],
}  # fmt: skip
MODULES = [
    "nn.Linear(4, 4)", "nn.Linear(4, 4)", "nn.ReLU()", "nn.Tanh()", "nn.LayerNorm(4)", "nn.Identity()", "Block()",
    "nn.Sequential(nn.Linear(4, 4), nn.ReLU())", "nn.Dropout(0.5)", "nn.Linear(4, 4, bias=False)", "nn.Softmax(dim=-1)",
]  # fmt: skip
# Values of constructor and forward parameters, as Python; `t(seed, …)` is a tensor.
VALUES: dict[str, list[str]] = {
    "I": ["0", "1", "2", "3", "2", "1"],
    "F": ["0.0", "0.5", "2.0", "1.5"],
    "P01": ["0.0", "0.5"],
    "N": ["0", "1", "2", "0.0", "0.5", "1.5"],
    "ON": ["None", "0", "0.0", "0.5", "2", "None"],
    "OI": ["None", "0", "1", "3"],
    "B": ["True", "False"],
    "S": ["'a'", "'b'", "''"],
    "LS": ["['a', 'b']", "['a']", "[]", "['b', 'c']"],
    "LI": ["[1, 2]", "[]", "[0]", "[3, 0, 1]"],
    "LT": ["[t(1, {b}, 4), t(2, {b}, 4)]", "[t(1, {b}, 4)]", "[t(1, {b}, 4), t(2, {b}, 4), t(3, {b}, 4)]"],
    "DT": ["{{'a': t(1, {b}, 4), 'b': t(2, {b}, 4)}}", "{{'a': t(1, {b}, 4)}}", "{{'b': t(1, {b}, 4)}}"],
    "OT": ["None", "t(4, {b}, 4)", "t(5, {b}, 4)"],
    "OP": ["None", "(t(4, {b}, 4), t(5, {b}, 4))"],
    "T": ["t(6, {b}, 4)", "t(7, {b}, 4)"],
    "X": ["None", "1", "0.5", "t(8, {b}, 4)", "'a'", "0", "[t(9, {b}, 4)]"],
}
ANNOTATIONS = {
    "I": "int", "F": "float", "N": "float", "ON": "Optional[float]", "OI": "Optional[int]", "B": "bool", "S": "str",
    "LS": "List[str]", "LI": "List[int]", "LT": "List[Tensor]", "DT": "Dict[str, Tensor]", "OT": "Optional[Tensor]",
    "T": "Tensor", "X": "Any", "P": "Tuple[Tensor, Tensor]",
    "OP": "Optional[Tuple[Tensor, Tensor]]",
}  # fmt: skip
DEFAULTS = {
    "I": ["0", "1", "2"], "F": ["0.5", "1.0", "0"], "N": ["1", "0.5", "0"], "ON": ["None", "None", "0", "1.0"],
    "OI": ["None", "0"], "B": ["False", "True", "None"], "S": ['"a"', "None"], "OT": ["None"], "X": ["None"],
    "LI": ["None", "[]", "[1, 2]", "()"], "LT": ["None"], "DT": ["None"], "LS": ["None"], "T": [], "OP": ["None"],
}  # fmt: skip
PARAMETERS = {
    "I": ["stage", "k", "index", "steps"], "F": ["alpha", "eps"], "N": ["gain", "factor"], "ON": ["scale", "temp"],
    "OI": ["limit", "pos"], "B": ["flag", "return_all", "causal"], "S": ["mode", "name"], "LI": ["sizes", "shape"],
    "LT": ["feats", "xs"], "DT": ["batch", "params"], "OT": ["mask", "memory", "bias"], "X": ["other", "extra"],
    "T": ["y", "z"], "LS": ["names"], "OP": ["hx", "hidden"],
}  # fmt: skip
