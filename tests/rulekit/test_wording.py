"""Tests types in messages, in the author's terms."""

from __future__ import annotations

import pytest

from tslint.rulekit.wording import LONGEST_MESSAGE, a, fitted, short, shortened_to, with_condition
from tslint.script.types import (
    ANYTHING,
    BOOL,
    DEVICE,
    INFERRED_TENSOR,
    INT,
    NONE,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
    optional,
    union,
)


@pytest.mark.parametrize(
    ("type_", "said"),
    [
        (INFERRED_TENSOR, "a Tensor"),
        (INT, "an int"),
        (BOOL, "a bool"),
        (DictType(STRING, TENSOR), "Dict[str, Tensor]"),
        (union([INT, STRING]), "Union[int, str]"),
        (TupleType((INT, TENSOR), "__torch__.pkg.Point", ("n", "x")), "a Point"),
        (NONE, "None"),
        (DEVICE, "a torch.device"),
        (optional(DEVICE), "Optional[torch.device]"),
        (TupleType((NONE, ANYTHING)), "Tuple[None, …]"),
        (TupleType(()), "Tuple[()]"),
        (ListType(ClassType("__torch__.pkg.Point")), "List[Point]"),
        (ClassType("__torch__.pkg.___torch_mangle_1.Net", "module"), "a Net"),
        (ClassType("__torch__.pkg.Colour", "enum"), "a Colour"),
    ],
)
def test_a_type_in_an_author_s_words(type_: Type, said: str) -> None:
    assert a(type_) == said


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("`x` is a float", "`x` is a float"),
        (
            "`shapes.append(tree.leaves(value))` puts a List[List[int]] into a List[Tensor]: it has no annotation here",
            "`shapes.append(…)` puts a List[List[int]] into a List[Tensor]: it has no annotation here",
        ),
        (
            "`a_variable` is Dict[str, Tuple[int, List[int], Optional[Tensor]]] and not List[Tensor], as it is meant",
            "`a_variable` is Dict[str, Tuple[int, List[int], Optional[…]]] and not List[Tensor], as it is meant",
        ),
        (
            "`a_name` is Tuple[Tensor, Tensor, Dict[str, List[int]], int], but it must be Tuple[Tensor, Tensor, int]",
            "`a_name` is Tuple[…, Dict[str, List[int]], int], but it must be Tuple[…, int]",
        ),
        (
            "`a_variable_with_a_name` is List[Tuple[Tensor, Tensor, Dict[str, List[int]], Tensor, Optional[Tensor]]]",
            "`a_variable_with_a_name` is List[Tuple[Tensor, Tensor, Dict[str, List[int]], Tensor, Optional[…]]]",
        ),
        (
            "`self.attention_mask is not None` is always true in TorchScript, which some people may not have expected",
            "`self.attention_mask is not…` is always true in TorchScript, which some people may not have expected",
        ),
        (
            "`a_long_name_of_a_function` of `another_long_name_of_a_method` is of a type that nobody has ever seen",
            "`a_long_name_of_a_function` of `another_long_name_of_a_meth…` is of a type that nobody has ever seen",
        ),
        (
            "TorchScript converts `focal_loss_modification`, a Tensor, to a float: `focal_loss_modification` is one",
            "TorchScript converts `focal_loss_modificati…`, a Tensor, to a float: `focal_loss_modificati…` is one",
        ),
        (
            "`self.pool` takes an int or List[int] for `output_size`, but `[att_size, att_size, 1, 1]` is List[Tensor]",
            "`self.pool` takes an int or List[int] for `output_size`, but `[…]` is List[Tensor]",
        ),
        (
            "`state` is None on line 20433 and cannot become a BaseModelOutputWithPastAndCrossAttentions in an `if`",
            "`state` is None on line 20433 and cannot become a BaseModelOutputWithPastAndCrossAttenti… in an `if`",
        ),
    ],
)
def test_a_message_fits_into_a_hundred_columns(message: str, shown: str) -> None:
    assert fitted(message) == shown
    assert len(shown) <= LONGEST_MESSAGE


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("self.layers[i](x)", "`self.layers[i](x)`"),
        ("torch.autograd.Variable(self.running_mean.clone().detach())", "`torch.autograd.Variable(…)`"),
        (
            "first(second_function_of_the_file(argument_one, argument_two), x)",
            "`first(second_function_of_the_file(…), x)`",
        ),
        ("self.call(')', self.a_long_attribute, self.another_attribute)", "`self.call(…)`"),
        (
            "a_long_name_of_a_function_that_is_called_here_with_no_argument()",
            "`a_long_name_of_a_function_that_is_called_here_w…`",
        ),
        ("[\n    a,\n    b\n]", "`[a, b]`"),
        ("self.q(x)\n    .view(2)", "`self.q(x).view(2)`"),
        (
            "the_first_of_the_names[1] + the_second_of_the_names[2] * 2",
            "`the_first_of_the_names[1]…`",
        ),
    ],
)
def test_code_is_shortened_between_its_brackets(code: str, shown: str) -> None:
    assert short(code) == shown


def test_an_end_is_never_shortened() -> None:
    assert (
        shortened_to(40, "`f(argument_one, argument_two)` is None", " (when `x` is 1)")
        == "`f(…)` is None (when `x` is 1)"
    )
    assert shortened_to(20, "`f(argument_one, argument_two)` is None", " (when `x` is 1)") is None


TUPLES = "`a_function` takes Tuple[Tensor, Tensor, Tensor] for `x`, but `value` is Tuple[Tensor, Tensor, int]"
LISTS = "`a_function` takes List[Tuple[Tensor, float]] for `values`, but `x` is List[Tuple[Tensor, int]]"


@pytest.mark.parametrize(
    ("message", "condition", "certain", "shown", "help"),
    [
        ("`x` is None", "`mode` is 'a'", False, "`x` is None (when `mode` is 'a')", "Help."),
        (
            "`x` is None",
            "`mode` is 'a'",
            True,
            "`x` is None (when `mode` is 'a')",
            "Help. In all other cases, the module does not compile either, for another reason.",
        ),
        (
            f"`x` is None, {'which ' * 9}",
            "`isinstance(sizes, (list, tuple, set))` is true",
            False,
            f"`x` is None, {'which ' * 9} (when `isinstance(…)` is true)",
            "This happens when `isinstance(sizes, (list, tuple, set))` is true. Help.",
        ),
        (
            TUPLES,
            "`mode` is 'a'",
            False,
            "`a_function` takes Tuple[…, Tensor] for `x`, but `value` is Tuple[…, int] (when `mode` is 'a')",
            "Help.",
        ),
        (
            LISTS,
            "`mode` is 'a'",
            False,
            "in some cases, `a_function` takes List[Tuple[…, float]] for `values`, but `x` is List[Tuple[…, int]]",
            "This happens when `mode` is 'a'. Help.",
        ),
        (
            f"`x` is None, {'which ' * 10}",
            "`self.config.ffn.kind` is neither 'linear' nor 'conv'",
            False,
            f"`x` is None, {'which ' * 10} (depends on `kind`)",
            "This happens when `self.config.ffn.kind` is neither 'linear' nor 'conv'. Help.",
        ),
        (
            "`self.indices` starts as Dict[str, Tensor] and cannot be set to `new_indices`, Dict[Tensor, int]",
            "`vocab` is None",
            False,
            "`self.indices` starts as Dict[str, Tensor] and cannot be set to `new_indices`, Dict[Tensor, int]",
            "This happens when `vocab` is None. Help.",
        ),
        (
            "`-` does not work on `y` (None)",
            "`y` is None",
            False,
            "`-` does not work on `y` (None), when `y` is None",
            "Help.",
        ),
        (
            f"{'which ' * 11}`y` (None)",
            "`self.config.ffn.kind` is neither 'linear' nor 'conv'",
            False,
            f"{'which ' * 11}`y` (None), depending on `kind`",
            "This happens when `self.config.ffn.kind` is neither 'linear' nor 'conv'. Help.",
        ),
    ],
)
def test_a_condition_is_at_the_end(message: str, condition: str, certain: bool, shown: str, help: str) -> None:
    assert with_condition(message, "Help.", condition, certain=certain) == (shown, help)
