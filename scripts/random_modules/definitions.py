"""Definitions at module level that statements refer to by name."""

from __future__ import annotations

import re

from random_modules import about_guards, about_models

# Definitions that other definitions need.
NEEDS = {"twice_defined": ["EPS"]}
_TABLE = r"""
## LIMIT
LIMIT = 2
## EPS
EPS = 0.25
## USE
USE = True
## TABLE
TABLE = {"a": 1, "b": 2}
## STEPS
STEPS = [1, 2]
## logger
logger = logging.getLogger(__name__)
## helper_fn
def helper_fn(t, k=1):
    if k:
        return t * k
    return t
## helper_opt
def helper_opt(t, scale=None, shift=0):
    if scale:
        t = t * scale
    return t + shift
## first_of
def first_of(items, default):
    for item in items:
        if item:
            return item
    return default
## twice_defined
if EPS > 0.5:
    def twice_defined(t):
        return t + 1
else:
    def twice_defined(t):
        return t * 2
## bound_fn
bound_fn = partial(torch.clamp, min=0.1)
## many_fn
def many_fn(*args):
    out = args[0]
    for arg in args[1:]:
        out = out + arg
    return out
## kw_fn
def kw_fn(t, **kwargs):
    factor = kwargs.get("factor", 2)
    return t * factor
## plain_fn
def traced(f):
    return f

@torch.no_grad()
def plain_fn(t):
    return t * 2
## halves
def halves(t):
    yield t / 2
    yield t / 4
## again
def again(t, n):
    if n <= 0:
        return t
    return again(t + 1, n - 1)
## Pair
class Pair:
    def __init__(self, first, n):
        self.first = first
        self.n = n
## Kind
class Kind(Enum):
    A = 1
    B = 2
## maybe_end
def maybe_end(t, k: int) -> Tensor:
    if k > 0:
        return t * k
## maybe_none
def maybe_none(t, k: int) -> Optional[Tensor]:
    if k > 1:
        return t * k
## no_result
def no_result(t) -> Tensor:
    t.clone().add_(1)
## union_fn
def union_fn(t, k: Union[int, float]):
    return t * k + k
## union_list
def union_list(t: Union[Tensor, List[Tensor]]):
    if isinstance(t, list):
        t = t[0]
    return t + 1
## of_pair
def of_pair(pair: Tuple[Tensor]):
    return pair[0] + pair[1]
## of_nested
def of_nested(pair: Tuple[Tuple[Tensor], Tensor]):
    return pair[0][0] + pair[1]
## decorated_fn
def doubling(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2

    return wrapper

@doubling
def decorated_fn(t, k):
    return t + k
## checked_fn
def checking(f):
    def wrapper(t):
        assert t is not None
        return f(t)

    return wrapper

@checking
def checked_fn(t):
    return t * 3
## swap_fn
def swap_fn(pair):
    a, b = pair
    return b, a
## kwonly_fn
def kwonly_fn(t, *, k=1):
    return t * k
## posonly_fn
def posonly_fn(t, /, k=2):
    return t * k
## Twice
class Twice(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, t):
        return t * self.k
## Point
class Point(NamedTuple):
    left: Tensor
    n: int = 1
## bump
COUNTER = 0

def bump():
    global COUNTER
    COUNTER += 1
## ScaledLinear
class ScaledLinear(nn.Linear):
    def forward(self, t):
        return super().forward(t) * 2
## ScaledNorm
class ScaledNorm(nn.LayerNorm):
    def forward(self, t):
        y = nn.LayerNorm.forward(self, t.float())
        return y.type_as(t)
## ScaledSeq
class ScaledSeq(nn.Sequential):
    def forward(self, t):
        for m in self:
            t = m(t) + t
        return t
## ScaledDrop
class ScaledDrop(nn.Dropout):
    def forward(self, t):
        return super(ScaledDrop, self).forward(t) + 1
## through
def through(module, t):
    return module(t)
## through_all
def through_all(modules, t):
    for m in modules:
        t = m(t)
    return t
## wrong_default
def wrong_default(t, k: int = None, p: float = 1):
    if k is not None:
        t = t * k
    return t * p
## Keeper
class Keeper:
    def __init__(self, n: int):
        self.n = n
        self.last = None

    def add(self, t):
        self.last = t
        return t + self.n
## to_gpu
def to_gpu(t):
    if torch.cuda.is_available():
        t = t.cuda()
    return t
## DEBUG
DEBUG = False
## SEEN
SEEN = []
## OPTIONS
OPTIONS = {"on": True}
## GAIN
GAIN = 2
## SHIFT
SHIFT = -0.5
## np_tensor
def np_tensor(t: Tensor):
    return float(np.sqrt(4.0)) + t.size(0)
## np_unary
def np_unary(t: Tensor) -> Tensor:
    return t + np.exp(t.detach())
## pruned_fn
def pruned_fn(t, m=None):
    if m is None:
        return t
    return t + m
## wrong_tensor
def wrong_tensor(t, k: Tensor):
    for _ in range(k):
        t = t + 1
    return t
## wrong_int
def wrong_int(t: int):
    return t * 2
## float_local
def float_local(t, k: int):
    f: float = k
    return t * f
## float_back
def float_back(k: int) -> float:
    return k * 2
## float_branch
def float_branch(k: int, b: bool) -> float:
    v = k if b else 0.5
    return v
## counted_fn
def counting(f):
    def inner(t, *args, **kwargs):
        return f(t + 1, **kwargs)

    return inner

@counting
def counted_fn(t, k=2):
    return t * k
## options_fn
def optional(f):
    def inner(t, **kwargs):
        t = t * 2
        return f(t, **kwargs)

    return inner

@optional
def options_fn(t, k=2):
    return t * k
## needs_tensor
def needs_tensor(t, m):
    if m is not None:
        return t + m
    return t
## takes_none
def takes_none(t: Tensor, m):
    if m is None:
        return t
    return t * m
## of_states
def of_states(states: List[Tuple[Tensor]]):
    return states[0][0] + states[1][1]
## of_tuple
def of_tuple(pair: Tuple[Tensor, ...]):
    return pair[0] * pair[1]
## union_times
def union_times(t, k: Union[int, float, Tensor]):
    t = t * k
    return t
## union_add
def union_add(k: Union[int, float]):
    k2 = k + 1
    return k2
## wrong_result
def wrong_result(t) -> int:
    return t * 2
## pair_or_one
def pair_or_one(t, both: bool) -> Tuple[Tensor, Tensor]:
    if both:
        return t, t
    return t
## ignored_fn
@torch.jit.ignore
def ignored_inner(t: Tensor, k: int = 2) -> Tensor:
    return t * k

def ignored_fn(t):
    return ignored_inner(t)
## none_int
def none_int(t, k: int = None):
    if k is None:
        k = 2
    return t * k
## take_row
def take_row(t, i):
    return t[i % t.size(0)] if isinstance(i, int) else t[0]
## unpacked_fn
def unpacked_fn(pair):
    first, second = pair
    return first - second
## by_key
def by_key(table, key):
    return table[key]
## many_kw
def many_kw(t, **kwargs):
    for name in kwargs:
        t = t + kwargs[name]
    return t
## by_text
def by_text(batch):
    return batch["points"] * 2
## two_rows
def two_rows(pair: Tensor):
    a, b = pair
    return a + b, a - b
## by_mode
def by_mode(t: Tensor, mode: str) -> Tensor:
    if mode == "a":
        return t * 2
    elif mode == "b":
        return t / 2
## scaled_by
def scaled_by(t, k=1):
    return t * k
## rest_fn
def rest_fn(t, *others):
    return t + others[0] + others[1]
## lead_fn
def lead_fn(*args):
    t, k = args
    return t * k
## result_int
def result_int(t: Tensor) -> List[Tensor]:
    return t * 2
## plain_result
def plain_result(items: List[int]):
    return len(items)
## text_default
def text_default(t, mode: int = "a"):
    return t * 2 if mode == "a" else t
## list_default
def list_default(t, sizes: int = [1, 2], scale: int = 0.5):
    return t * len(sizes) * scale
## any_fn
def any_fn(t: Any):
    return torch.relu(t) + 1
## apply_two
def apply_two(first, second, t):
    return second(first(t))
## maybe_through
def maybe_through(module, t):
    if module is not None:
        t = module(t)
    return t
## nested_state
def nested_state(state: Tuple[Tuple[Tensor]]):
    return state[0][0] + state[0][1]
## VERBOSE
VERBOSE = False

def be_verbose():
    global VERBOSE
    VERBOSE = True
## wrapped_fn
def wrapping(f):
    def inner(t, k=2):
        return f(t + k)

    return inner

@wrapping
def wrapped_fn(t):
    return t * 2
"""


def _read() -> dict[str, str]:
    parts = re.split(r"^## (\w+)\n", _TABLE + about_guards.GLOBALS[1:] + about_models.GLOBALS[1:], flags=re.MULTILINE)[
        1:
    ]
    return {name: text.rstrip("\n") for name, text in zip(parts[::2], parts[1::2])}


GLOBALS = _read()
