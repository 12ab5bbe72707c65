"""Invents arguments for module classes: from names, annotations and layers (imports torch).

A recipe says how to build a module and the arguments of its forward. It consists of expressions, so that it is still
valid after fixes have changed the signatures.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import itertools
import random
import re
import sys
import time
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import running
import torch
from torch import nn

Recipe = dict[str, Any]
"""``make``: the module and the qualified name of a class; ``named``: an expression or a recipe for each argument; and
for a module ``inputs``: an expression for each argument of its forward, by name, or by number for a positional one.
"""

_WIDTH = 16
_NAMES = [
    ("device", "'cpu'"),
    ("dtype", "torch.float32"),
    ("spatial_dims|ndims?|dimensions?|n_dims?|conv_dim", "2|3|1"),
    (".*(n_fft|fft_size|win_length|window_length|frame_length|filter_length)", "64"),
    (".*hop.*", "16"),
    ("sample_rate|sr|fs|sfreq|.*_freq", "8000"),
    (".*(head_dim|dim_head|d_head|d_k|d_v)", "4"),
    (".*heads?", "4|2"),
    (".*(dropout|drop|drop_rate|drop_prob|drop_path).*", "0.1"),
    (".*kernel.*", "3|(3, 3)|[3, 3]"),
    (".*strides?.*", "1|2|(1, 1)|[1, 1]"),
    (".*padding.*|pad", "1|0|(1, 1)|'same'"),
    (".*dilations?.*", "1|(1, 1)|[1, 1]"),
    (".*groups?", "1|4"),
    (".*(expan|ratio|reduction|factor|mult|upscale).*", "2|4|0.5|1.0"),
    (".*(depths|layers|blocks|repeats|stages)", "2|[1, 1, 1, 1]|[1, 1]|1"),
    (".*(depth|layer|num_l|n_l|steps|iters|levels).*", "2|1|[1, 1, 1, 1]"),
    (".*patch.*", "4|(4, 4)|8"),
    (".*(im(g|age)_size|resolution|height|spatial_size|input_shape|in_shape|img_shape).*", "32|(32, 32)|(3, 32, 32)"),
    (".*window.*", "4|8|(4, 4)"),
    (".*(class|label|n_out|num_out).*", "5"),
    (".*(vocab|num_tokens?|codebook|num_emb|n_emb|symbols|num_codes|users|items|nodes).*", "32"),
    (".*(len|context|frames|n_times|n_steps|seq|horizon|chunk|positions).*", "12|16"),
    ("(use|is|has|with|return|do|enable|apply|no)_.*", "False|True"),
    (".*(causal|bias|residual|bidirectional|affine|inplace)", "False|True"),
    (".*(eps|momentum|alpha|beta|gamma|temp|sigma|prob|weight|lambda|margin|tau|slope|thresh|decay|scale|std).*",
     "0.5|1"),
    (".*(dims|channels_list|hidden_units|hidden_sizes|sizes|filters_list|hiddens)", "[D, D]|D|(D, D)|[D, D, D, D]"),
    (".*(dim|chan|hidden|feat|embed|width|model|size|planes|filters|units|ch|inp|oup|in_|out_|c_in|c_out|nf|latent).*",
     "D|[D, D]|nn.Linear(D, D)"),
    (".*(act|nonlin).*", "'relu'|nn.ReLU()|nn.ReLU|torch.relu"),
    (".*norm.*", "nn.LayerNorm|'batch'|nn.LayerNorm(D)|nn.BatchNorm2d|None"),
    (".*pool.*", "'max'|'avg'|nn.AdaptiveAvgPool2d(1)"),
    (".*conv.*", "nn.Conv2d(D, D, 3, padding=1)|nn.Conv2d"),
    (".*(modules|nets|networks|models|fns|branches)", "[nn.Linear(D, D), nn.Linear(D, D)]"),
    (".*(module|net|encoder|decoder|backbone|attn|attention|mlp|ff|fn|func|proj|block|body|transform).*",
     "nn.Linear(D, D)|nn.Identity()|nn.Sequential(nn.Linear(D, D))|torch.relu"),
    (".*(mode|type|method|kind|reduction).*", "'mean'|'bilinear'|'cat'|'linear'|'sum'"),
    (".*(shape|size).*", "(D, D)|(3, 32, 32)"),
    ("n|k|m|c|num|order|(n|num|nb)_.*", "4|2|1"),
]  # fmt: skip
_RULES = [(re.compile(pattern), expressions.split("|")) for pattern, expressions in _NAMES]
_TYPES: dict[Any, list[str]] = {
    int: ["4", "2", "D", "1"],
    float: ["0.5", "1.0"],
    bool: ["False", "True"],
    str: ["'relu'", "'mean'", "'none'", "'linear'"],
    nn.Module: ["nn.Linear(D, D)", "nn.Identity()", "nn.Conv2d(D, D, 3, padding=1)"],
    nn.ModuleList: ["nn.ModuleList([nn.Linear(D, D)])"],
    nn.Sequential: ["nn.Sequential(nn.Linear(D, D))"],
    torch.Tensor: ["torch.randn(D)", "torch.randn(D, D)"],
    torch.dtype: ["torch.float32"],
    dict: ["{}"],
}
_ANY = ["D", "4", "nn.Linear(D, D)", "None", "[D, D]", "'x'"]
# Inputs that need another value than a tensor of the first input's shape.
_INPUTS = [
    (".*(mask|bias)", ["None", "torch.ones(2, 8, dtype=torch.bool)", "torch.ones(8, 8)"]),
    (".*len(gth)?s?|ilens|.*_lens?", ["torch.tensor([8, 8])", "8", "[8, 8]"]),
    ("hx?|hidden|state|states|cache|prev.*|memory|context|cond.*", ["None", "first"]),
    ("edge_index", ["torch.randint(0, 2, (2, 6))"]),
    ("batch", ["torch.zeros(2, dtype=torch.long)", "first"]),
    ("t|time.*|steps?", ["torch.rand(2)", "0.5", "1"]),
    ("target.*|labels?|y", ["first", "torch.randint(0, 2, (2,))"]),
    ("spk.*|.*ids?|tokens?|text", ["torch.randint(0, 4, (2, 8))", "torch.tensor([0, 1])", "None"]),
]
_INPUT_RULES = [(re.compile(pattern), expressions) for pattern, expressions in _INPUTS]
_SHAPES = [
    (2, 8, _WIDTH), (2, _WIDTH), (2, _WIDTH, 8), (2, _WIDTH, 16, 16), (2, 3, 32, 32), (2, 1, 1600), (2, 1600),
    (2, 3, 64, 64), (2, 1, 32, 32), (2, _WIDTH, 8, 8, 8), (2, 1, 16, 16, 16), (2, 4, 8, _WIDTH), (2, 3, 8, 32, 32),
    (2, 8, 5), (4, 4),
]  # fmt: skip
_LIST = re.compile(r"\b[Ll]ist\[(torch\.)?Tensor\]$")


class NoWay(Exception):
    """Raised if no recipe was found."""


def value(expression: str | Recipe, first: Any = None) -> Any:
    """Return the value of an expression or a recipe; the name ``first`` in it is the first input."""
    if isinstance(expression, str):
        return eval(expression, {"torch": torch, "nn": nn, "D": _WIDTH, "first": first})
    module, _, name = expression["make"].partition(":")
    made: Any = importlib.import_module(module)
    for part in name.split("."):
        made = getattr(made, part)
    if "member" in expression:
        return made[expression["member"]]
    return made(**{key: value(each) for key, each in expression["named"].items()})


def built(recipe: Recipe) -> nn.Module:
    """Build the module of a recipe; it is the same each time."""
    running.seed()
    module: nn.Module = value({"make": recipe["make"], "named": recipe["named"]})
    return module.eval()


def inputs(recipe: Recipe) -> running.Call:
    """Return the arguments for the forward of a recipe's module."""
    args: list[Any] = []
    named: dict[str, Any] = {}
    first = None
    for key, expression in recipe["inputs"].items():
        given = value(expression, first)
        first = given if first is None else first
        if key.isdigit():
            args.append(given)
        else:
            named[key] = given
    return tuple(args), named


def guess(cls: type) -> Recipe:
    """Return a recipe for a class of modules that Python builds and runs.

    Raises:
        NoWay: no recipe was found.
    """
    deadline = time.monotonic() + 12
    for recipe in itertools.islice(_constructions(cls, 0), 60):
        if time.monotonic() > deadline:
            break
        try:
            with running.limit(5):
                module = built(recipe)
        except (Exception, running.TimedOut, SystemExit):
            continue
        for given in itertools.islice(_calls(module), 60):
            if time.monotonic() > deadline:
                break
            whole = {**recipe, "inputs": given}
            try:
                with running.limit(5), torch.no_grad():
                    call = inputs(whole)
                    running.seed()
                    module(*call[0], **call[1])
            except (Exception, running.TimedOut, SystemExit):
                continue
            return whole
    raise NoWay


def _constructions(cls: type, depth: int) -> Iterator[Recipe]:
    """Yield ways to construct a class: the first choice for each argument; then another choice for one argument at a
    time; then any combination.
    """
    choices: dict[str, list[str | Recipe]] = {}
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    scope = vars(sys.modules[cls.__module__])
    for each in parameters:
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) and each.default is each.empty:
            choices[each.name] = _arguments(each.name, each.annotation, scope, depth)
    make = f"{cls.__module__}:{cls.__qualname__}"
    first = {name: found[0] for name, found in choices.items()}
    yield {"make": make, "named": first}
    for name, found in choices.items():
        for other in found[1:]:
            yield {"make": make, "named": {**first, name: other}}
    draw = random.Random(0)
    for _ in range(25 if choices else 0):
        yield {"make": make, "named": {name: draw.choice(found[:4]) for name, found in choices.items()}}


def _arguments(name: str, annotation: Any, scope: dict[str, Any], depth: int) -> list[str | Recipe]:
    by_name = next((found for pattern, found in _RULES if pattern.fullmatch(name.lower())), [])
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, {**vars(typing), **scope})
        except Exception:
            annotation = inspect.Parameter.empty
    by_type = _annotated(annotation, name, scope, depth)
    if by_type is None:
        return [*by_name, *(each for each in _ANY if each not in by_name)]
    kind = annotation if annotation in (int, float, bool, str) else None
    fitting = [each for each in by_name if kind is not None and type(value(each)) is kind]
    return [*fitting, *(each for each in by_type if each not in fitting)]


def _annotated(annotation: Any, name: str, scope: dict[str, Any], depth: int) -> list[str | Recipe] | None:
    """Return candidates for an annotated argument, or None if the annotation does not help."""
    if isinstance(annotation, typing.Hashable) and annotation in _TYPES:
        return list(_TYPES[annotation])
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return [repr(each) for each in parts]
    if origin in (typing.Union, types.UnionType):
        some = [each for part in parts if part is not type(None) for each in _arguments(name, part, scope, depth)]
        return [*some[:5], *(["None"] if type(None) in parts else [])]
    called = getattr(origin, "__name__", "")
    if origin in (list, tuple) or annotation in (list, tuple) or called in ("Sequence", "Iterable"):
        inner = _arguments(name.rstrip("s"), parts[0] if parts else int, scope, depth)
        one = next((each for each in inner if isinstance(each, str)), "D")
        number = len(parts) if origin is tuple and Ellipsis not in parts else 0
        brackets = "({},)" if origin is tuple or annotation is tuple else "[{}]"
        return [brackets.format(", ".join([one] * times)) for times in ([number] if number else [2, 4, 3, 1])]
    if origin is type or called == "Callable" or annotation is Callable:
        return ["nn.ReLU", "torch.relu", "nn.LayerNorm", "nn.Linear(D, D)", "nn.Identity"]
    if isinstance(annotation, type) and annotation is not inspect.Parameter.empty and depth < 2:
        return _of_class(annotation, depth)
    return None


def _of_class(cls: type, depth: int) -> list[str | Recipe] | None:
    if issubclass(cls, enum.Enum):
        return [{"make": f"{cls.__module__}:{cls.__qualname__}", "member": each.name} for each in list(cls)[:4]]
    if not (dataclasses.is_dataclass(cls) or issubclass(cls, nn.Module) or "onfig" in cls.__name__):
        return None
    for recipe in itertools.islice(_constructions(cls, depth + 1), 8):
        try:
            value(recipe)
        except Exception:
            continue
        return [recipe]
    return None


def _calls(module: nn.Module) -> Iterator[dict[str, str]]:
    """Yield arguments for calls of a module, by name: a candidate for the first argument, and for each further one a
    copy of the first, or a value that suits its name.
    """
    try:
        parameters = list(inspect.signature(module.forward).parameters.values())
    except (TypeError, ValueError):
        return
    names = [each.name for each in parameters if each.default is each.empty and each.kind in (0, 1, 3)]
    if not names:
        names = [each.name for each in parameters if each.kind in (0, 1)][:1] or (["0"] if parameters else [])
    special = {name: next((found for p, found in _INPUT_RULES if p.fullmatch(name.lower())), []) for name in names[1:]}
    choices = itertools.product(*(found or ["first"] for found in special.values()))
    others = [list(zip(special, each)) for each in itertools.islice(choices, 6)]
    listed = any(_LIST.search(str(each.annotation)) for each in parameters if names[:1] == [each.name])
    for first in dict.fromkeys(_firsts(module)):
        if listed:  # Python would accept a Tensor, and iterate over its rows
            first = f"[{first}, {first}]"
        # Copied, because the module may change `first` in place.
        for other in others:
            more = {name: "first.clone()" if expression == "first" else expression for name, expression in other}
            yield {names[0]: first, **more} if names else {}
        if not names:
            return


def _firsts(module: nn.Module) -> Iterator[str]:
    """Yield candidates for the first input: those that match the first layers, and then some common shapes."""
    seen = 0
    for each in module.modules():
        shapes = list(_fitting(each))
        yield from shapes
        seen += bool(shapes)
        if seen == 2:
            break
    yield from (f"torch.rand({', '.join(map(str, shape))})" for shape in _SHAPES)
    yield "torch.randint(0, 4, (2, 8))"
    yield "[torch.rand(2, D, 16, 16), torch.rand(2, D, 16, 16)]"


def _fitting(layer: nn.Module) -> Iterator[str]:
    if isinstance(layer, nn.Embedding):
        yield f"torch.randint(0, {layer.num_embeddings}, (2, 8))"
    if isinstance(layer, (nn.Linear, nn.LSTM, nn.GRU, nn.RNN)):
        width = layer.in_features if isinstance(layer, nn.Linear) else layer.input_size
        yield from (f"torch.rand({shape}{width})" for shape in ("2, 8, ", "2, ", "2, 4, 8, "))
    if isinstance(layer, nn.LayerNorm) and len(layer.normalized_shape) == 1:
        yield f"torch.rand(2, 8, {layer.normalized_shape[0]})"
    images = ["16, 16", "32, 32", "64, 64"]
    for kind, rest in ((nn.Conv1d, ["32", "8"]), (nn.Conv2d, images), (nn.Conv3d, ["8, 16, 16"])):
        if isinstance(layer, kind):
            yield from (f"torch.rand(2, {layer.in_channels}, {sizes})" for sizes in rest)
    for norm, sizes in ((nn.BatchNorm1d, "8"), (nn.BatchNorm2d, "16, 16"), (nn.BatchNorm3d, "8, 8, 8")):
        if isinstance(layer, norm):
            yield f"torch.rand(2, {layer.num_features}, {sizes})"
