"""Defines the code that replaces a call of the ``forward`` of a torch.nn class in a subclass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from tslint.rulekit.calls import by_keyword
from tslint.rulekit.template import Line, expression, statement
from tslint.util.record import record


@record
class Form:
    """What a ``forward`` does, as a single call.

    Args:
        function: a function of ``torch.nn.functional``, or a method of the instance.
        attributes: attributes of the instance that are passed after the arguments.
        keywords: attributes that are passed by their names.
        arguments: how many arguments ``forward`` has.
        of_instance: whether the function is a method.
        helper: the source of the method, with placeholders; empty if the class of torch has this method.
        copied: whether the helper repeats torch's own lines. Another version of torch may have other lines, so Python
            still runs the original.
    """

    function: str
    attributes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    arguments: int = 1
    of_instance: bool = False
    helper: str = ""
    copied: bool = False

    @property
    def needs_functional(self) -> bool:
        """Return whether the call uses functions of ``torch.nn.functional``."""
        return not self.of_instance or "{F}" in self.helper

    def call(self, itself: str, module: str, values: Iterable[cst.BaseExpression]) -> cst.BaseExpression:
        """Return the call.

        Args:
            itself: the caller's name for its instance.
            module: the file's name for ``torch.nn.functional``.
            values: the arguments of ``forward``.
        """
        call = expression("{of}.{name}()", of=itself if self.of_instance else module, name=self.function)
        return call.with_changes(args=[*map(cst.Arg, values), *self._of_instance(itself)])

    def method(self, itself: str, module: str) -> Line:
        """Return the helper."""
        return statement(self.helper, self=itself, F=module)

    def _of_instance(self, itself: str) -> Iterator[cst.Arg]:
        for name in self.attributes:
            yield cst.Arg(expression("{self}.{name}", self=itself, name=name))
        for name in self.keywords:
            yield by_keyword(name, expression("{self}.{name}", self=itself, name=name))


_BATCH_NORM = """\
def _batch_norm_forward({self}, x):
    {self}._check_input_dim(x)
    factor = 0.0
    if {self}.momentum is not None:
        factor = {self}.momentum
    if {self}.training and {self}.track_running_stats:
        if {self}.num_batches_tracked is not None:
            {self}.num_batches_tracked.add_(1)
            if {self}.momentum is None:
                factor = 1.0 / float({self}.num_batches_tracked)
    mean, var = {self}.running_mean, {self}.running_var
    by_batch = {self}.training or (mean is None and var is None)
    if {self}.training and not {self}.track_running_stats:
        mean, var = None, None
    return {F}.batch_norm(x, mean, var, {self}.weight, {self}.bias, by_batch, factor, {self}.eps)"""
_INSTANCE_NORM = """\
def _instance_norm_forward({self}, x):
    {self}._check_input_dim(x)
    if x.dim() == {self}._get_no_batch_dim():
        return {self}._handle_no_batch_input(x)
    return {self}._apply_instance_norm(x)"""
_SEQUENTIAL = """\
def _sequential_forward({self}, x):
    for module in {self}:
        x = module(x)
    return x"""

_CONV = Form("_conv_forward", ("weight", "bias"), of_instance=True)
_BATCH = Form("_batch_norm_forward", of_instance=True, helper=_BATCH_NORM, copied=True)
_INSTANCE = Form("_instance_norm_forward", of_instance=True, helper=_INSTANCE_NORM, copied=True)
_TRANSPOSED = ("weight", "bias", "stride", "padding", "output_padding", "groups", "dilation")
_POOLED = ("kernel_size", "stride", "padding", "dilation")
_POOLED_HOW = ("ceil_mode", "return_indices")


def _loss(function: str, attributes: tuple[str, ...] = (), keywords: tuple[str, ...] = ()) -> Form:
    return Form(function, attributes, (*keywords, "reduction"), 2)


FORMS: dict[str, Form] = {
    "Linear": Form("linear", ("weight", "bias")),
    "Bilinear": Form("bilinear", ("weight", "bias"), arguments=2),
    "Embedding": Form("embedding", ("weight", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")),
    "Conv1d": _CONV,
    "Conv2d": _CONV,
    "Conv3d": _CONV,
    "ConvTranspose1d": Form("conv_transpose1d", _TRANSPOSED),
    "ConvTranspose2d": Form("conv_transpose2d", _TRANSPOSED),
    "ConvTranspose3d": Form("conv_transpose3d", _TRANSPOSED),
    "LayerNorm": Form("layer_norm", ("normalized_shape", "weight", "bias", "eps")),
    "GroupNorm": Form("group_norm", ("num_groups", "weight", "bias", "eps")),
    "BatchNorm1d": _BATCH,
    "BatchNorm2d": _BATCH,
    "BatchNorm3d": _BATCH,
    "InstanceNorm1d": _INSTANCE,
    "InstanceNorm2d": _INSTANCE,
    "InstanceNorm3d": _INSTANCE,
    "MaxPool1d": Form("max_pool1d", _POOLED, _POOLED_HOW),
    "MaxPool2d": Form("max_pool2d", _POOLED, _POOLED_HOW),
    "MaxPool3d": Form("max_pool3d", _POOLED, _POOLED_HOW),
    "AvgPool2d": Form(
        "avg_pool2d", ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
    ),
    "AdaptiveAvgPool2d": Form("adaptive_avg_pool2d", ("output_size",)),
    "ReLU": Form("relu", keywords=("inplace",)),
    "LeakyReLU": Form("leaky_relu", ("negative_slope", "inplace")),
    "ELU": Form("elu", ("alpha", "inplace")),
    "PReLU": Form("prelu", ("weight",)),
    "Dropout": Form("dropout", ("p", "training", "inplace")),
    "Dropout2d": Form("dropout2d", ("p", "training", "inplace")),
    "Upsample": Form("interpolate", ("size", "scale_factor", "mode", "align_corners"), ("recompute_scale_factor",)),
    "Sequential": Form("_sequential_forward", of_instance=True, helper=_SEQUENTIAL),
    "MSELoss": _loss("mse_loss"),
    "L1Loss": _loss("l1_loss"),
    "CrossEntropyLoss": Form(
        "cross_entropy", keywords=("weight", "ignore_index", "reduction", "label_smoothing"), arguments=2
    ),
    "NLLLoss": _loss("nll_loss", keywords=("weight", "ignore_index")),
    "BCELoss": _loss("binary_cross_entropy", keywords=("weight",)),
    "BCEWithLogitsLoss": _loss("binary_cross_entropy_with_logits", ("weight",), ("pos_weight",)),
}
