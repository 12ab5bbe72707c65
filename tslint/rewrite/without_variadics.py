"""Removes ``*args`` and ``**kwargs`` from a function, and from the calls in it that pass them on."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst


def without_variadics(function: cst.FunctionDef, new: Sequence[cst.Param]) -> cst.FunctionDef:
    """Remove the variadic parameters of a function, and their names in its calls.

    Args:
        function: a function that only passes these parameters on.
        new: parameters that replace ``*args``.
    """
    found = [function.params.star_arg, function.params.star_kwarg]
    names = {each.name.value for each in found if isinstance(each, cst.Param)}
    body = function.body.visit(_Calls(names, [each.name for each in new]))
    assert isinstance(body, cst.BaseSuite)
    return function.with_changes(params=_parameters(function.params, new), body=body)


def _parameters(params: cst.Parameters, new: Sequence[cst.Param]) -> cst.Parameters:
    positional, only = [*params.params, *new], list(params.kwonly_params)
    star: cst.ParamStar | cst.MaybeSentinel = cst.MaybeSentinel.DEFAULT
    if only and isinstance(params.star_arg, cst.Param):
        comma = params.star_arg.comma
        star = cst.ParamStar(comma) if isinstance(comma, cst.Comma) else cst.ParamStar()
    elif only and isinstance(params.star_arg, cst.ParamStar):
        star = params.star_arg
    kept = only or positional
    last = params.star_kwarg if params.star_kwarg is not None or only else params.star_arg
    if kept and isinstance(last, cst.Param):
        # The comma and white space after the last parameter stay there.
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_param=last.whitespace_after_param)
    return params.with_changes(params=positional, star_arg=star, kwonly_params=only, star_kwarg=None)


class _Calls(cst.CSTTransformer):
    """Removes given names from the unpacked arguments of calls, or replaces them by other names."""

    def __init__(self, names: set[str], new: Sequence[cst.Name]) -> None:
        super().__init__()
        self.names = names
        self.new = new

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        if not any(self._is_gone(each) for each in updated_node.args):
            return updated_node
        args: list[cst.Arg] = []
        for each in updated_node.args:
            if not self._is_gone(each):
                args.append(each)
            elif each.star == "*":
                args += [cst.Arg(name) for name in self.new]
        if args:
            last = updated_node.args[-1]
            args[-1] = args[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        return updated_node.with_changes(args=args)

    def _is_gone(self, argument: cst.Arg) -> bool:
        return bool(argument.star) and isinstance(argument.value, cst.Name) and argument.value.value in self.names
