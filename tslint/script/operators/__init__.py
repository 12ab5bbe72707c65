"""Operator and functional signatures (generated data) and overload resolution. Never imports torch."""

from __future__ import annotations

from tslint.script.operators.matching import Arg, Matched, Mismatch, match
from tslint.script.operators.schema import Argument, Schema
from tslint.script.operators.tables import schemas, torch_version

__all__ = ["Arg", "Argument", "Matched", "Mismatch", "Schema", "match", "schemas", "torch_version"]
