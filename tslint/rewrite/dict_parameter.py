"""Annotates parameters that are used as dicts of tensors."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rulekit.match import Match
from tslint.script.dataflow.dict_uses import METHODS, used_as_dict

_TYPE = "Dict[str, Tensor]"


def mapping(match: Match, name: str, attribute: str) -> Fix | None:
    """Annotate a parameter as ``Dict[str, Tensor]`` if its function calls a dict's method and only uses string keys."""
    unit = match.event.unit
    argument = used_as_dict(unit.function.node, name) if unit is not None and attribute in METHODS else None
    parameter = match.libcst(argument) if argument is not None else None
    if not isinstance(parameter, cst.Param):
        return None
    return annotate_parameter(match, parameter, wanted=_TYPE, likely=_TYPE)
