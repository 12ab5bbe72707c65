"""Replaces modules without parameters by the functions of ``torch.nn.functional`` that they call."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword, passed_on
from tslint.rulekit.match import Match
from tslint.rulekit.template import expression
from tslint.script.dataflow.names import imported_names
from tslint.util.record import record


@record
class Function:
    """A function that is equivalent to a module.

    Args:
        name: its name in ``torch.nn.functional``.
        keywords: arguments of the class that the function accepts under the same name.
        positional: how many of ``keywords``, from the first, may be passed by position: their order is the same in
            class and function.
        tensors: how many tensors the module is called with.
        required: an argument that must be passed to the class, because without it the class and the function differ.
        mode: the mode of the function ``pad``.
        sides: how many sides the class pads; an int stands for all of them.
    """

    name: str
    keywords: tuple[str, ...] = ()
    positional: int = 0
    tensors: int = 1
    required: str = ""
    mode: str = ""
    sides: int = 0


def _activation(name: str, *keywords: str) -> Function:
    return Function(name, keywords, len(keywords))


def _loss(name: str, *keywords: str) -> Function:
    return Function(name, ("reduction", *keywords), 0, 2)


def _paddings() -> Iterator[tuple[str, Function]]:
    for size in (1, 2, 3):
        for kind, mode in (("Zero", ""), ("Reflection", "reflect"), ("Replication", "replicate")):
            yield f"{kind}Pad{size}d", Function("pad", ("padding",), 1, mode=mode, sides=2 * size)
        settings = ("padding", "value")
        yield f"ConstantPad{size}d", Function("pad", settings, 2, required="value", sides=2 * size)


FUNCTIONS: dict[str, Function] = {
    "ReLU": _activation("relu", "inplace"),
    "ReLU6": _activation("relu6", "inplace"),
    "LeakyReLU": _activation("leaky_relu", "negative_slope", "inplace"),
    "ELU": _activation("elu", "alpha", "inplace"),
    "CELU": _activation("celu", "alpha", "inplace"),
    "SELU": _activation("selu", "inplace"),
    "SiLU": _activation("silu", "inplace"),
    "Mish": _activation("mish", "inplace"),
    "GELU": Function("gelu", ("approximate",)),
    "Hardswish": _activation("hardswish", "inplace"),
    "Hardsigmoid": _activation("hardsigmoid", "inplace"),
    "Sigmoid": _activation("sigmoid"),
    "Tanh": _activation("tanh"),
    "LogSigmoid": _activation("logsigmoid"),
    "Softsign": _activation("softsign"),
    "Tanhshrink": _activation("tanhshrink"),
    "Softplus": _activation("softplus", "beta", "threshold"),
    "Softmax": Function("softmax", ("dim",), 1, required="dim"),
    "LogSoftmax": Function("log_softmax", ("dim",), 1, required="dim"),
    "Softmin": Function("softmin", ("dim",), 1, required="dim"),
    "GLU": _activation("glu", "dim"),
    "Hardtanh": _activation("hardtanh", "min_val", "max_val", "inplace"),
    "Dropout": Function("dropout", ("p", "inplace"), 1),
    "CosineSimilarity": Function("cosine_similarity", ("dim", "eps"), 2, 2),
    "Upsample": Function("interpolate", ("size", "scale_factor", "mode", "align_corners"), 4),
    "MaxPool1d": Function("max_pool1d", ("kernel_size", "stride", "padding", "dilation"), 4),
    "MaxPool3d": Function("max_pool3d", ("kernel_size", "stride", "padding", "dilation"), 4),
    "AvgPool3d": Function("avg_pool3d", ("kernel_size", "stride", "padding"), 3),
    "AdaptiveAvgPool1d": Function("adaptive_avg_pool1d", ("output_size",), 1),
    "AdaptiveAvgPool3d": Function("adaptive_avg_pool3d", ("output_size",), 1),
    "AvgPool2d": Function("avg_pool2d", ("kernel_size", "stride", "padding"), 3),
    "MaxPool2d": Function("max_pool2d", ("kernel_size", "stride", "padding", "dilation"), 4),
    "AdaptiveAvgPool2d": Function("adaptive_avg_pool2d", ("output_size",), 1),
    "PixelShuffle": Function("pixel_shuffle", ("upscale_factor",), 1),
    "MSELoss": _loss("mse_loss"),
    "L1Loss": _loss("l1_loss"),
    "SmoothL1Loss": _loss("smooth_l1_loss", "beta"),
    "CrossEntropyLoss": _loss("cross_entropy", "weight", "ignore_index", "label_smoothing"),
    "NLLLoss": _loss("nll_loss", "weight", "ignore_index"),
    "BCELoss": _loss("binary_cross_entropy", "weight"),
    "BCEWithLogitsLoss": _loss("binary_cross_entropy_with_logits", "weight", "pos_weight"),
    "KLDivLoss": _loss("kl_div", "log_target"),
    **dict(_paddings()),
}

_FLOATS = {"interpolate": ("scale_factor",), "pad": ("value",)}


def functional_module(match: Match) -> tuple[str, tuple[Edit, ...]]:
    """Return the file's name for ``torch.nn.functional``, and the edits that import it if needed."""
    # If a name is imported several times, the last import counts.
    names = {full: name for name, full in imported_names(match.file.tree).items()}
    if names.get("torch.nn.functional"):
        return names["torch.nn.functional"], ()
    if names.get("torch.nn"):
        return f"{names['torch.nn']}.functional", ()
    torch, imports = match.imported("torch")
    return f"{torch}.nn.functional", imports


def takes(form: Function, made: cst.Call, call: cst.Call) -> bool:
    """Return whether the function accepts the arguments of the class and of the call of its instance.

    Args:
        form: the function.
        made: the call of the class.
        call: the call of the instance.
    """
    if len(call.args) != form.tensors or any(each.keyword is not None or each.star for each in call.args):
        return False
    positional = sum(each.keyword is None for each in made.args)
    keywords = {each.keyword.value for each in made.args if each.keyword is not None}
    if positional > form.positional or any(each.star for each in made.args) or keywords - set(form.keywords):
        return False
    if form.required and form.required not in keywords | set(form.keywords[:positional]):
        return False
    # In compiled code, the function does not accept an int for a float, so the numbers must be known.
    floats = [value for name, value in _settings(form, made) if name in _FLOATS.get(form.name, ())]
    padding = dict(_settings(form, made)).get("padding")
    written_out = not form.sides or (padding is not None and _sides(padding, form.sides) is not None)
    return _in_range(form, made) and all(_number(each) is not None for each in floats) and written_out


def called(form: Function, module: str, made: cst.Call, call: cst.Call) -> cst.Call:
    """Return the call of the function that is equivalent to creating an instance of the class and calling it.

    Args:
        form: the function.
        module: the file's name for ``torch.nn.functional``.
        made: the call of the class.
        call: the call of the instance.
    """
    settings = _padding(form, made) if form.sides else _converted(form, made)
    function = expression("{module}.{name}", module=module, name=form.name)
    return call.with_changes(func=function, args=passed_on([*call.args, *settings]))


def _converted(form: Function, made: cst.Call) -> Iterator[cst.Arg]:
    for each, (name, value) in zip(made.args, _settings(form, made)):
        number = _number(value) if name in _FLOATS.get(form.name, ()) else None
        yield each if number is None else each.with_changes(value=cst.Float(repr(float(number))))


def _padding(form: Function, made: cst.Call) -> Iterator[cst.Arg]:
    """Yield the arguments of ``pad`` that differ from its defaults."""
    settings = dict(_settings(form, made))
    sides, number = _sides(settings["padding"], form.sides), _number(settings.get("value", cst.Integer("0")))
    if sides is not None:
        yield cst.Arg(sides)
    if form.mode or number:
        name, value = ("mode", f'"{form.mode}"') if form.mode else ("value", repr(float(number or 0)))
        yield by_keyword(name, expression(value))


def _settings(form: Function, made: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the arguments of the class, by name."""
    names = iter(form.keywords)
    for each in made.args:
        yield (each.keyword.value if each.keyword is not None else next(names)), each.value


def _sides(value: cst.BaseExpression, sides: int) -> cst.BaseExpression | None:
    """Return the padding for each side; None unless it is an int, or a tuple or list of the right length."""
    if isinstance(value, cst.Integer):
        return cst.Tuple([cst.Element(value)] * sides)
    if not isinstance(value, (cst.Tuple, cst.List)) or len(value.elements) != sides:
        return None
    return None if any(isinstance(each, cst.StarredElement) for each in value.elements) else value


def _in_range(form: Function, made: cst.Call) -> bool:
    """Return whether the arguments are in the range that the class accepts: its constructor may check more than the
    function does.
    """
    if form.name != "hardtanh":
        return True
    limits: dict[str, float | None] = {"min_val": -1.0, "max_val": 1.0}
    limits.update({name: _number(value) for name, value in _settings(form, made) if name in limits})
    low, high = limits["min_val"], limits["max_val"]
    return low is not None and high is not None and low < high


def _number(node: cst.BaseExpression) -> float | None:
    """Return the value of a number literal; None for other expressions."""
    if isinstance(node, cst.UnaryOperation) and m.matches(node.operator, m.Minus()):
        inner = _number(node.expression)
        return None if inner is None else -inner
    return node.evaluated_value if isinstance(node, (cst.Integer, cst.Float)) else None
