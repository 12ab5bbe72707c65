# ruff: noqa: E501 (a table: one kind of expression a line)
"""Defines the possible expressions: a table of templates by their type.

``<T>`` in a template stands for an expression of type ``T``, ``<*>`` for one of any type. The first word of an entry is
the construct as which it is counted.
"""

from __future__ import annotations

LITERALS: dict[str, list[str]] = {
    "Tensor": ["torch.ones(2)", "torch.rand(3, 4)", "torch.tensor(1.5)", "torch.zeros([2])", "torch.tensor([1, 2])"],
    "int": ["0", "1", "2", "-1", "3", "7"],
    "float": ["0.5", "1.0", "2.5", "-1e-3"],
    "bool": ["True", "False"],
    "str": ["'a'", "'sum'", "'mean'", "''", "'k v'"],
    "complex": ["2j", "complex(1, 2)"],
    "None": ["None"],
    "List[int]": ["[1, 2]", "[0]", "[3, -1, 2]"],
    "List[float]": ["[0.5]", "[1.0, 2.0]"],
    "List[bool]": ["[True]", "[True, False]"],
    "List[str]": ["['a', 'b']", "['k']"],
    "List[Tensor]": ["[torch.ones(1)]", "[torch.ones(2), torch.zeros(2)]"],
    "List[List[int]]": ["[[1], [2, 3]]"],
    "Dict[str, int]": ["{'a': 1}", "{'a': 1, 'b': 2}"],
    "Dict[str, Tensor]": ["{'a': torch.ones(1)}"],
    "Dict[int, float]": ["{1: 0.5}"],
    "Optional[Tensor]": ["torch.jit.annotate(Optional[Tensor], None)"],
    "Optional[int]": ["torch.jit.annotate(Optional[int], None)", "torch.jit.annotate(Optional[int], 3)"],
    "Optional[str]": ["torch.jit.annotate(Optional[str], 'a')"],
    "Optional[List[int]]": ["torch.jit.annotate(Optional[List[int]], None)"],
    "Tuple[int, int]": ["(1, 2)", "(0, 3)"],
    "Tuple[Tensor, Tensor]": ["(torch.ones(1), torch.zeros(1))"],
    "Tuple[int, str]": ["(1, 'a')"],
    "Tuple[Tensor, List[int]]": ["(torch.ones(2), [1])"],
    "Tuple[int, float, bool]": ["(1, 0.5, True)"],
    "torch.device": ["torch.device('cpu')"],
    "torch.dtype": ["torch.float32", "torch.long", "torch.bool"],
    "Point": ["Point(1, torch.ones(1))", "Point(x=2, y=torch.ones(1))"],
    "Color": ["Color.RED", "Color.BLUE"],
    "Counter": ["Counter(1)"],
}
TYPES = list(LITERALS)
# The relative frequency of each type for parameters and new variables.
COMMON = (
    ["Tensor"] * 12
    + ["int"] * 8
    + ["float"] * 5
    + ["bool"] * 4
    + ["str"] * 4
    + ["List[int]"] * 4
    + ["List[Tensor]"] * 3
    + ["Optional[Tensor]"] * 4
    + ["Optional[int]"] * 2
    + ["Dict[str, Tensor]"] * 2
    + ["Dict[str, int]"] * 2
    + ["Tuple[int, int]"] * 2
    + ["Tuple[Tensor, Tensor]"] * 2
    + [one for one in TYPES if one not in ("None", "torch.dtype")]
)

_TABLE = """
arithmetic Tensor: <Tensor> + <Tensor> | <Tensor> - <int> | <float> * <Tensor> | <Tensor> / <Tensor> | -<Tensor> | <Tensor> ** <int> | <Tensor> // <int> | <Tensor> % <int> | <Tensor> @ <Tensor> | ~<Tensor> | <int> - <Tensor> | <Tensor> & <Tensor> | <Tensor> ^ <int> | <Tensor> << <int> | <bool> * <Tensor>
arithmetic int: <int> + <int> | <int> - <int> | <int> * <int> | <int> // <int> | <int> % <int> | -<int> | <int> & <int> | <int> << <int> | ~<int> | <int> ^ <int>
arithmetic float: <float> + <float> | <int> / <int> | <float> * <int> | <float> - <float> | <int> ** <int> | -<float> | <float> ** <float> | <float> % <float> | <float> // <float> | <int> + <float>
arithmetic complex: <complex> + <complex> | <complex> * <float> | <int> + <complex>
comparison bool: <int> > <int> | <int> <= <float> | <float> == <float> | <str> == <str> | <int> != <int> | <bool> == <bool> | <List[int]> == <List[int]> | <str> != <str> | <str> < <str> | <Tuple[int, int]> == <Tuple[int, int]> | <torch.device> == <torch.device> | <Tensor> is <Tensor> | <Color> == <Color> | <torch.dtype> == <torch.dtype> | <List[str]> == <List[str]> | <List[Tensor]> == <List[Tensor]>
comparison Tensor: <Tensor> > <Tensor> | <Tensor> >= <int> | <Tensor> == <float> | <int> < <Tensor> | <Tensor> != <Tensor>
chained-comparison bool: <int> < <int> < <int> | <float> <= <float> < <float> | <int> == <int> == <int>
membership bool: <int> in <List[int]> | <str> in <Dict[str, int]> | <str> in <List[str]> | <str> not in <Dict[str, Tensor]> | <str> in <str> | <float> in <List[float]> | <int> not in <List[int]> | <int> in <Dict[int, float]> | <int> in <Tuple[int, int]> | <Tensor> in <List[Tensor]> | <int> in <Tensor>
boolean bool: <bool> and <bool> | <bool> or <bool> | not <bool> | not <int> | not <Tensor> | <int> and <bool> | <bool> or <Tensor> | not <str> | not <List[int]> | <Tensor> and <Tensor> | <int> or <int>
is-none bool: <Optional[Tensor]> is None | <Optional[int]> is not None | <Optional[str]> is None | <Tensor> is None | <Optional[Tensor]> == None | <int> is not None
isinstance bool: isinstance(<*>, int) | isinstance(<*>, Tensor) | isinstance(<*>, (int, float)) | isinstance(<*>, str) | isinstance(<*>, list) | isinstance(<Optional[int]>, int) | isinstance(<*>, torch.Tensor) | isinstance(<*>, List[int])
ternary Tensor: <Tensor> if <bool> else <Tensor> | <Tensor> if <Tensor> else <Tensor>
ternary int: <int> if <bool> else <int>
ternary str: <str> if <bool> else <str>
ternary float: <float> if <int> else <float>
ternary List[int]: <List[int]> if <bool> else <List[int]>
ternary Optional[Tensor]: <Tensor> if <bool> else None | None if <bool> else <Tensor>
cast int: int(<float>) | int(<Tensor>) | int(<bool>) | int(<int>) | int(<str>) | int()
cast float: float(<int>) | float(<Tensor>) | float(<bool>) | float(<str>) | float('inf')
cast bool: bool(<int>) | bool(<Tensor>) | bool(<float>) | bool(<str>) | bool(<List[int]>) | bool(<Dict[str, int]>)
cast str: str(<int>) | str(<*>) | str(<float>) | str(<Tensor>)
cast List[int]: list(<List[int]>) | list(range(<int>)) | list(<Tuple[int, int]>)
cast List[str]: list(<str>) | list(<Dict[str, int]>)
cast complex: complex(<float>, <float>) | complex(<int>)
cast List[Tensor]: list(<Tensor>)
cast Tensor: <Tensor>.to(<torch.dtype>) | <Tensor>.to(<torch.device>) | <Tensor>.float() | <Tensor>.long() | <Tensor>.type_as(<Tensor>) | <Tensor>.to(<Tensor>) | <Tensor>.to(<torch.device>, <torch.dtype>) | <Tensor>.to(dtype=<torch.dtype>) | <Tensor>.bool() | <Tensor>.to(<str>) | <Tensor>.type(<torch.dtype>) | <Tensor>.double() | <Tensor>.half()
builtin int: len(<List[int]>) | len(<str>) | len(<Dict[str, int]>) | len(<Tensor>) | abs(<int>) | max(<int>, <int>) | min(<int>, <int>) | sum(<List[int]>) | max(<List[int]>) | ord(<str>) | len(<Tuple[int, int]>) | min(<List[int]>) | math.floor(<float>) | math.ceil(<float>) | divmod(<int>, <int>)[0] | len(<List[Tensor]>) | math.gcd(<int>, <int>) | hash(<str>)
builtin float: abs(<float>) | max(<float>, <float>) | math.sqrt(<float>) | math.exp(<int>) | sum(<List[float]>) | round(<float>) | math.pow(<float>, <int>) | math.log(<float>) | min(<float>, <int>) | pow(<float>, <float>) | math.pi | math.sin(<Tensor>) | math.fabs(<float>) | math.atan2(<float>, <float>) | math.log(<float>, <float>)
builtin str: chr(<int>) | hex(<int>) | bin(<int>) | oct(<int>)
builtin Tensor: abs(<Tensor>) | round(<Tensor>) | max(<Tensor>, <Tensor>) | pow(<Tensor>, <int>) | sum(<List[Tensor]>) | min(<Tensor>)
builtin List[int]: sorted(<List[int]>) | sorted(<List[int]>, reverse=True)
builtin List[str]: sorted(<List[str]>)
builtin bool: all(<List[bool]>) | any(<List[bool]>) | any([<bool>, <bool>]) | all([<int> > 0 for i in <List[int]>]) | math.isnan(<float>)
method Tensor: <Tensor>.sum() | <Tensor>.sum(<int>) | <Tensor>.mean(dim=<int>) | <Tensor>.view(<int>, <int>) | <Tensor>.view(<List[int]>) | <Tensor>.reshape(-1) | <Tensor>.unsqueeze(<int>) | <Tensor>.transpose(<int>, <int>) | <Tensor>.permute(<int>, <int>) | <Tensor>.clamp(min=<float>) | <Tensor>.clamp(<int>, <int>) | <Tensor>.max() | <Tensor>.argmax(dim=<int>) | <Tensor>.expand(<int>, -1) | <Tensor>.expand_as(<Tensor>) | <Tensor>.squeeze() | <Tensor>.masked_fill(<Tensor>, <float>) | <Tensor>.add_(<Tensor>) | <Tensor>.mul(<float>) | <Tensor>.contiguous() | <Tensor>.detach() | <Tensor>.t() | <Tensor>.flatten(<int>) | <Tensor>.sum(dim=<List[int]>, keepdim=<bool>) | <Tensor>.norm(<int>) | <Tensor>.std() | <Tensor>.repeat(<int>, <int>) | <Tensor>.gather(<int>, <Tensor>) | <Tensor>.index_select(<int>, <Tensor>) | <Tensor>.new_zeros(<int>) | <Tensor>.new_ones([<int>, <int>]) | <Tensor>.fill_(<float>) | <Tensor>.pow(<int>) | <Tensor>.size() | <Tensor>.narrow(<int>, <int>, <int>) | <Tensor>.sum(<Tuple[int, int]>) | <Tensor>.requires_grad_() | <Tensor>.cuda() | <Tensor>.flip(<int>) | <Tensor>.roll(<int>, <int>) | <Tensor>.unflatten(<int>, <List[int]>) | <Tensor>.sub(<Tensor>, alpha=<int>) | <Tensor>.copy_(<Tensor>)
method int: <Tensor>.size(<int>) | <Tensor>.dim() | <Tensor>.numel() | <Tensor>.stride(<int>) | <Tensor>.shape[<int>] | <Tensor>.ndim | <Tensor>.element_size()
method List[int]: <Tensor>.size() | <Tensor>.shape | <Tensor>.shape[1:] | <Tensor>.stride() | <Tensor>.size()[:<int>]
method bool: <Tensor>.is_floating_point() | <Tensor>.requires_grad | <Tensor>.is_cuda | <Tensor>.is_contiguous() | <Tensor>.equal(<Tensor>) | torch.equal(<Tensor>, <Tensor>)
method float: float(<Tensor>.item()) | <Tensor>.mean().item()
method List[Tensor]: <Tensor>.chunk(<int>) | <Tensor>.split(<int>) | <Tensor>.unbind(<int>) | <Tensor>.split([<int>, <int>], dim=<int>) | <Tensor>.chunk(<int>, dim=<int>)
method Tuple[Tensor, Tensor]: <Tensor>.max(<int>) | <Tensor>.topk(<int>) | <Tensor>.sort() | <Tensor>.min(dim=<int>) | <Tensor>.sort(descending=<bool>) | torch.max(<Tensor>, <int>) | torch.topk(<Tensor>, <int>, dim=<int>)
method torch.device: <Tensor>.device
method torch.dtype: <Tensor>.dtype
torch Tensor: torch.cat(<List[Tensor]>) | torch.cat([<Tensor>, <Tensor>], dim=<int>) | torch.stack(<List[Tensor]>, <int>) | torch.relu(<Tensor>) | torch.sum(<Tensor>, <int>) | torch.matmul(<Tensor>, <Tensor>) | torch.where(<Tensor>, <Tensor>, <Tensor>) | torch.zeros(<int>, <int>) | torch.zeros(<List[int]>, device=<torch.device>) | torch.full([<int>], <float>) | torch.arange(<int>) | torch.arange(<int>, <float>) | torch.tensor(<float>) | torch.tensor(<List[int]>) | torch.zeros_like(<Tensor>) | torch.clamp(<Tensor>, <float>, <float>) | torch.sigmoid(<Tensor>) | torch.max(<Tensor>, <Tensor>) | torch.einsum('ij,jk->ik', <Tensor>, <Tensor>) | torch.bmm(<Tensor>, <Tensor>) | torch.ones(<Tuple[int, int]>) | torch.softmax(<Tensor>, dim=<int>) | torch.linspace(<float>, <float>, <int>) | torch.norm(<Tensor>) | torch.randn(<int>, dtype=<torch.dtype>) | torch.cat((<Tensor>, <Tensor>), <int>) | torch.where(<Tensor>, <Tensor>, <float>) | torch.zeros(<Tensor>.shape) | torch.addmm(<Tensor>, <Tensor>, <Tensor>) | torch.mean(<Tensor>, dim=<List[int]>) | torch.pow(<Tensor>, <float>) | torch.eye(<int>) | torch.cumsum(<Tensor>, <int>) | torch.full_like(<Tensor>, <int>) | torch.randint(<int>, (<int>,)) | torch.as_tensor(<float>) | torch.empty(<int>) | torch.flatten(<Tensor>, <int>) | torch.floor_divide(<Tensor>, <int>) | torch.tensor(<List[List[int]]>) | torch.tensor(<bool>) | torch.as_strided(<Tensor>, <List[int]>, <List[int]>) | torch.zeros(2, <int>, <float>)
torch List[Tensor]: torch.split(<Tensor>, <int>) | torch.chunk(<Tensor>, <int>) | torch.unbind(<Tensor>) | torch.meshgrid([<Tensor>, <Tensor>]) | torch.broadcast_tensors(<Tensor>, <Tensor>) | torch.split(<Tensor>, <List[int]>, <int>)
functional Tensor: F.relu(<Tensor>) | F.dropout(<Tensor>, <float>, <bool>) | F.softmax(<Tensor>, dim=<int>) | F.pad(<Tensor>, [<int>, <int>]) | F.pad(<Tensor>, <List[int]>, value=<float>) | F.linear(<Tensor>, <Tensor>) | F.interpolate(<Tensor>, scale_factor=<float>) | F.cross_entropy(<Tensor>, <Tensor>, reduction=<str>) | F.mse_loss(<Tensor>, <Tensor>) | F.max_pool2d(<Tensor>, <int>) | F.conv2d(<Tensor>, <Tensor>, stride=<int>) | F.layer_norm(<Tensor>, [<int>]) | F.leaky_relu(<Tensor>, <float>) | F.normalize(<Tensor>, p=<float>, dim=<int>) | F.avg_pool2d(<Tensor>, (<int>, <int>)) | F.gelu(<Tensor>) | F.one_hot(<Tensor>, <int>) | F.log_softmax(<Tensor>, <int>) | F.embedding(<Tensor>, <Tensor>) | F.batch_norm(<Tensor>, None, None) | F.interpolate(<Tensor>, size=<List[int]>, mode=<str>) | F.elu(<Tensor>, inplace=<bool>) | F.unfold(<Tensor>, <int>) | F.l1_loss(<Tensor>, <Tensor>, reduction=<str>) | F.adaptive_avg_pool2d(<Tensor>, <int>) | F.glu(<Tensor>, <int>) | F.threshold(<Tensor>, <float>, <float>) | F.cosine_similarity(<Tensor>, <Tensor>, <int>) | F.hardtanh(<Tensor>, <float>) | F.softplus(<Tensor>) | F.sigmoid(<Tensor>) | F.tanh(<Tensor>) | F.pixel_shuffle(<Tensor>, <int>)
indexing Tensor: <Tensor>[<int>] | <Tensor>[:, <int>] | <Tensor>[<int>:<int>] | <Tensor>[..., <int>] | <Tensor>[None, :] | <Tensor>[<Tensor>] | <Tensor>[::<int>] | <Tensor>[<int>, :<int>] | <Tensor>[<List[int]>] | <Tensor>[:, None, ...] | <Tensor>[<bool>] | <Tensor>[<Tensor>, <int>] | <Tensor>[-1] | <Tensor>[<Tuple[int, int]>] | <Tensor>[<Optional[Tensor]>] | <Tensor>[<int>, <int>]
indexing int: <List[int]>[<int>] | <Dict[str, int]>[<str>] | <Tuple[int, int]>[0] | <List[List[int]]>[<int>][<int>] | <Tuple[int, int]>[-1] | <List[int]>[-1] | <Tuple[int, str]>[0]
indexing Tensor: <List[Tensor]>[<int>] | <Dict[str, Tensor]>[<str>] | <Tuple[Tensor, Tensor]>[1] | <Tuple[Tensor, List[int]]>[0]
indexing float: <List[float]>[<int>] | <Dict[int, float]>[<int>] | <Tuple[int, float, bool]>[1]
indexing str: <List[str]>[<int>] | <str>[<int>] | <str>[<int>:<int>] | <Tuple[int, str]>[1]
indexing List[int]: <List[int]>[<int>:] | <List[int]>[:-1] | <List[List[int]]>[<int>] | <List[int]>[::<int>]
indexing List[Tensor]: <List[Tensor]>[1:] | <List[Tensor]>[:<int>]
indexing Tuple[int, int]: <Tuple[int, float, bool]>[:2]
display List[int]: [<int>, <int>] | [<int>] | [<int>] * <int> | <List[int]> + <List[int]> | [*<List[int]>, <int>] | torch.jit.annotate(List[int], [])
display List[Tensor]: [<Tensor>, <Tensor>] | [<Tensor>] + <List[Tensor]> | [<Tensor>] * <int> | [] | torch.jit.annotate(List[Tensor], [])
display List[str]: [<str>, <str>]
display List[float]: [<float>, <float>]
display List[bool]: [<bool>, <int> > <int>]
display List[List[int]]: [<List[int]>, <List[int]>]
display Tuple[int, int]: (<int>, <int>) | <int>, <int>
display Tuple[Tensor, Tensor]: (<Tensor>, <Tensor>)
display Tuple[int, str]: (<int>, <str>)
display Tuple[Tensor, List[int]]: (<Tensor>, <List[int]>) | (<Tensor>, <Tensor>.shape)
display Tuple[int, float, bool]: (<int>, <float>, <bool>) | (*<Tuple[int, int]>, <bool>)
display Dict[str, int]: {<str>: <int>} | {<str>: <int>, 'z': <int>} | dict(a=<int>)
display Dict[str, Tensor]: {<str>: <Tensor>} | {} | dict()
display Dict[int, float]: {<int>: <float>}
comprehension List[int]: [i + <int> for i in <List[int]>] | [i for i in range(<int>)] | [len(s) for s in <List[str]>] | [int(v) for v in <List[float]>] | [i * j for i, j in zip(<List[int]>, <List[int]>)] | [k for k in <Dict[int, float]>.keys()] | [t.size(0) for t in <List[Tensor]>] | [i for i in <List[int]> if i > 0] | [i for row in <List[List[int]]> for i in row]
comprehension List[Tensor]: [t * <int> for t in <List[Tensor]>] | [torch.relu(t) for t in <List[Tensor]>] | [<Tensor>[i] for i in range(<int>)] | [t for t in <Tensor>] | [<Dict[str, Tensor]>[k] for k in <List[str]>]
comprehension List[float]: [float(i) for i in <List[int]>] | [v * 2 for v in <List[float]>]
comprehension List[str]: [s + <str> for s in <List[str]>] | [c for c in <str>] | [str(i) for i in range(<int>)]
comprehension Dict[str, int]: {k: len(k) for k in <List[str]>} | {k: v + 1 for k, v in <Dict[str, int]>.items()}
comprehension Dict[str, Tensor]: {k: v + <Tensor> for k, v in <Dict[str, Tensor]>.items()}
string str: <str> + <str> | <str> * <int> | <str>.upper() | <str>.replace(<str>, <str>) | '{} {}'.format(<int>, <str>) | '%d' % <int> | '%s-%s' % (<str>, <*>) | <str>.join(<List[str]>) | f'{<int>}a' | f'{<Tensor>} {<*>}' | <str>.strip() | <str>.lower() | <str>.format(<*>) | <str>.title() | <str>.zfill(<int>) | <str>.center(<int>) | '{a}'.format(a=<int>) | f'{<float>:.2f}' | f'{<*>!r}' | <str>.lstrip(<str>)
string bool: <str>.startswith(<str>) | <str>.isdigit() | <str>.endswith(<str>) | <str>.isupper()
string int: <str>.find(<str>) | <str>.count(<str>) | <str>.index(<str>, <int>)
string List[str]: <str>.split(<str>) | <str>.split() | <str>.splitlines() | <str>.split(',', <int>)
container-method int: <List[int]>.pop() | <List[int]>.index(<int>) | <List[int]>.count(<int>) | <Dict[str, int]>.pop(<str>) | <Dict[str, int]>.setdefault(<str>, <int>) | <Dict[str, int]>.get(<str>, <int>) | <List[int]>.pop(<int>)
container-method Optional[Tensor]: <Dict[str, Tensor]>.get(<str>)
container-method Optional[int]: <Dict[str, int]>.get(<str>)
container-method List[str]: list(<Dict[str, int]>.keys()) | <Dict[str, Tensor]>.keys() | <List[str]>.copy()
container-method List[Tensor]: list(<Dict[str, Tensor]>.values()) | <List[Tensor]>.copy()
container-method Dict[str, int]: <Dict[str, int]>.copy()
optional Optional[Tensor]: <Tensor> | None
optional Optional[int]: <int> | None
optional Optional[str]: <str> | None
optional Optional[List[int]]: <List[int]> | None
unwrap Tensor: torch.jit._unwrap_optional(<Optional[Tensor]>)
unwrap int: torch.jit._unwrap_optional(<Optional[int]>)
namedtuple int: <Point>.x | <Point>[0]
namedtuple Tensor: <Point>.y | <Point>[1] + <Tensor> | <Point>.z
namedtuple Point: Point(<int>, <Tensor>) | Point(y=<Tensor>, x=<int>) | Point(<int>)
enum Color: Color.RED | Color.GREEN
enum int: <Color>.value
enum str: <Color>.name
script-class Counter: Counter(<int>) | Counter()
script-class int: <Counter>.count | <Counter>.up(<int>) | <Counter>.down()
annotate int: torch.jit.annotate(int, <int>)
annotate Tensor: torch.jit.annotate(Tensor, <Tensor>)
annotate List[float]: torch.jit.annotate(List[float], <List[float]>)
device torch.device: torch.device(<str>) | torch.device('cpu', <int>)
type-conversion int: <Tensor> | <bool>
type-conversion float: <Tensor> | <int>
type-conversion List[int]: <Tuple[int, int]>
"""

# Code that is not valid TorchScript; each kind is equally frequent among the mistakes.
_MISTAKES = """
lambda: (lambda v: v)(<int>) | sorted(<List[int]>, key=lambda v: -v) | list(map(lambda v: v, <List[int]>))
set-display: {<int>, <int>} | {i for i in <List[int]>} | set(<List[int]>)
walrus: (n := <int>)
unary-plus: +<int> | +<Tensor>
dict-expansion: {**<Dict[str, int]>}
keyword-expansion: torch.sum(<Tensor>, **{'dim': <int>}) | dict(**<Dict[str, int]>)
numpy: np.zeros(<int>) | np.mean(<Tensor>) | <Tensor>.numpy() | np.pi * <float>
unsupported-builtin: next(iter(<List[int]>)) | reversed(<List[int]>) | type(<int>) | callable(<*>) | repr(<int>) | map(str, <List[int]>) | filter(None, <List[int]>) | iter(<List[int]>) | vars(<*>) | input() | open(<str>) | super() | id(<*>) | round(<float>, <int>) | sum(<List[int]>, <int>) | getattr(<Tensor>, 'shape') | hasattr(<Tensor>, <str>) | bytes(<int>) | frozenset(<List[int]>)
undefined-name: undefined | unknown_function(<int>) | SETTINGS | LIMIT + <int> | torch.no_such(<Tensor>) | F.no_such(<Tensor>) | math.log2(<float>) | math.nothing
missing-attribute: <Tensor>.nothing | <*>.value | <Tensor>.grad_fn | <List[int]>.size() | <int>.bit_length() | <str>.casefold() | <Tensor>.new_tensor([<int>]) | <*>.shape | <Dict[str, int]>.length | <Point>.w | <Counter>.nothing
wrong-arguments: torch.relu() | torch.relu(<Tensor>, <Tensor>, <Tensor>) | <Tensor>.sum(axis=<int>) | torch.cat(<Tensor>, <Tensor>) | F.relu(<Tensor>, nope=<int>) | len() | len(<int>) | torch.cat([<Tensor>], axis=<int>) | <Tensor>.view() | F.dropout(<Tensor>, <int>) | <Tensor>.mean(keepdim=<bool>) | torch.zeros() | int(<List[int]>) | float(<List[float]>) | <List[int]>.append() | helper_none() | max(<int>) | min() | range(<float>) | torch.tensor() | <Tensor>.permute() | <Tensor>.expand() | zip(<int>) | enumerate() | <Tensor>.item(<int>) | torch.arange(<str>)
instantiation: nn.Linear(<int>, <int>)(<Tensor>) | nn.ReLU() | nn.functional | torch.nn.Linear | int | Tensor | Thing(<int>)
bad-literal: b'a' | 99999999999999999999 | ... | [<int>, <str>] | {<int>: <int>, <str>: <int>} | {<Tuple[int, int]>: <int>} | [1, 2.5] | [None, <int>] | [<int>, None] | [<Tensor>, <int>] | {<str>: <int>, 'b': <str>} | {<List[int]>: 1} | [[], [<int>]] | [(1, 'a'), (2, 'b')]
bad-operands: <*> + <*> | <*> * <*> | <*> < <*> | <*> == <*> | -<*> | <*> and <*> | not <*> | <*> in <*> | <*>[<*>] | <*> if <*> else <*> | <*> @ <*> | <*> // <*> | <*> - <*> | <*> / <*> | <*> % <*> | <*> ** <*> | <*> is <*> | <*> is not <*> | <*> & <*> | <*>[<*>:<*>] | len(<*>) | abs(<*>) | int(<*>) | float(<*>) | list(<*>) | max(<*>, <*>) | sum(<*>) | min(<*>) | torch.tensor(<*>) | [v for v in <*>] | torch.stack(<*>) | <*>() | sorted(<*>) | bool(<*>) | any(<*>) | tuple(<*>) | dict(<*>) | str(<*>) | enumerate(<*>) | zip(<*>, <*>) | range(<*>) | (<*>, <*>)[<*>]
"""


def _read(text: str) -> list[tuple[str, str, str]]:
    found = []
    for line in text.strip().splitlines():
        head, _, templates = line.partition(": ")
        construct, _, type_ = head.partition(" ")
        for template in templates.split(" | "):
            if "<" in template or template.strip():
                found.append((construct, type_ or "?", template.strip()))
    return found


PRODUCTIONS: dict[str, list[tuple[str, str]]] = {}
for _construct, _type, _template in _read(_TABLE):
    PRODUCTIONS.setdefault(_type, []).append((_construct, _template))
MISTAKES: dict[str, list[str]] = {}
for _construct, _type, _template in _read(_MISTAKES):
    MISTAKES.setdefault(_construct, []).append(_template)
