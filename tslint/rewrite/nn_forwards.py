"""What ``forward`` of classes of torch.nn does, written with what their instances hold: for subclasses that call it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A ``forward`` written out.

    Args:
        text: an expression of ``{self}``, the functional module ``{F}`` and the arguments ``{0}``, ``{1}`` ….
        arguments: how many it takes.
        helper: lines of a method that the expression calls, without indentation; empty where it needs none.
        method: the helper's name.
    """

    text: str
    arguments: int = 1
    helper: str = ""
    method: str = ""


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
_INSTANCE_NORM_FORWARD = """\
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
_CONV = Form("{self}._conv_forward({0}, {self}.weight, {self}.bias)")
_INSTANCE_NORM = Form(
    "{self}._instance_norm_forward({0})", helper=_INSTANCE_NORM_FORWARD, method="_instance_norm_forward"
)
_BATCH = Form("{self}._batch_norm_forward({0})", helper=_BATCH_NORM, method="_batch_norm_forward")


def _conv_transpose(n: int) -> Form:
    return Form(
        f"{{F}}.conv_transpose{n}d({{0}}, {{self}}.weight, {{self}}.bias, {{self}}.stride, {{self}}.padding, "
        "{self}.output_padding, {self}.groups, {self}.dilation)"
    )


def _max_pool(n: int) -> Form:
    return Form(
        f"{{F}}.max_pool{n}d({{0}}, {{self}}.kernel_size, {{self}}.stride, {{self}}.padding, {{self}}.dilation, "
        "ceil_mode={self}.ceil_mode, return_indices={self}.return_indices)"
    )


def _loss(name: str, *keywords: str) -> Form:
    given = ", ".join(f"{word}={{self}}.{word}" for word in (*keywords, "reduction"))
    return Form(f"{{F}}.{name}({{0}}, {{1}}, {given})", 2)


FORMS: dict[str, Form] = {
    "Linear": Form("{F}.linear({0}, {self}.weight, {self}.bias)"),
    "Bilinear": Form("{F}.bilinear({0}, {1}, {self}.weight, {self}.bias)", 2),
    "Embedding": Form(
        "{F}.embedding({0}, {self}.weight, {self}.padding_idx, {self}.max_norm, {self}.norm_type, "
        "{self}.scale_grad_by_freq, {self}.sparse)"
    ),
    "Conv1d": _CONV,
    "Conv2d": _CONV,
    "Conv3d": _CONV,
    "ConvTranspose1d": _conv_transpose(1),
    "ConvTranspose2d": _conv_transpose(2),
    "ConvTranspose3d": _conv_transpose(3),
    "LayerNorm": Form("{F}.layer_norm({0}, {self}.normalized_shape, {self}.weight, {self}.bias, {self}.eps)"),
    "GroupNorm": Form("{F}.group_norm({0}, {self}.num_groups, {self}.weight, {self}.bias, {self}.eps)"),
    "BatchNorm1d": _BATCH,
    "BatchNorm2d": _BATCH,
    "BatchNorm3d": _BATCH,
    "InstanceNorm1d": _INSTANCE_NORM,
    "InstanceNorm2d": _INSTANCE_NORM,
    "InstanceNorm3d": _INSTANCE_NORM,
    "MaxPool1d": _max_pool(1),
    "MaxPool2d": _max_pool(2),
    "MaxPool3d": _max_pool(3),
    "AvgPool2d": Form(
        "{F}.avg_pool2d({0}, {self}.kernel_size, {self}.stride, {self}.padding, {self}.ceil_mode, "
        "{self}.count_include_pad, {self}.divisor_override)"
    ),
    "AdaptiveAvgPool2d": Form("{F}.adaptive_avg_pool2d({0}, {self}.output_size)"),
    "ReLU": Form("{F}.relu({0}, inplace={self}.inplace)"),
    "LeakyReLU": Form("{F}.leaky_relu({0}, {self}.negative_slope, {self}.inplace)"),
    "ELU": Form("{F}.elu({0}, {self}.alpha, {self}.inplace)"),
    "PReLU": Form("{F}.prelu({0}, {self}.weight)"),
    "Dropout": Form("{F}.dropout({0}, {self}.p, {self}.training, {self}.inplace)"),
    "Dropout2d": Form("{F}.dropout2d({0}, {self}.p, {self}.training, {self}.inplace)"),
    "Upsample": Form(
        "{F}.interpolate({0}, {self}.size, {self}.scale_factor, {self}.mode, {self}.align_corners, "
        "recompute_scale_factor={self}.recompute_scale_factor)"
    ),
    "Sequential": Form("{self}._sequential_forward({0})", helper=_SEQUENTIAL, method="_sequential_forward"),
    "MSELoss": _loss("mse_loss"),
    "L1Loss": _loss("l1_loss"),
    "CrossEntropyLoss": Form(
        "{F}.cross_entropy({0}, {1}, weight={self}.weight, ignore_index={self}.ignore_index, "
        "reduction={self}.reduction, label_smoothing={self}.label_smoothing)",
        2,
    ),
    "NLLLoss": Form(
        "{F}.nll_loss({0}, {1}, weight={self}.weight, ignore_index={self}.ignore_index, reduction={self}.reduction)", 2
    ),
    "BCELoss": _loss("binary_cross_entropy", "weight"),
    "BCEWithLogitsLoss": Form(
        "{F}.binary_cross_entropy_with_logits({0}, {1}, {self}.weight, pos_weight={self}.pos_weight, "
        "reduction={self}.reduction)",
        2,
    ),
}
