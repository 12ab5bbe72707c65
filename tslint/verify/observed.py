"""Records the calls and results of functions in one eager run (worker side)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from dis import opname
from types import CodeType, FrameType
from typing import Any, NamedTuple

import torch

from tslint.script.type_text import parsed
from tslint.verify.blame import is_users
from tslint.verify.session import Session, call


class Key(NamedTuple):
    """The identity of a function; all its objects (closures, methods of several classes) share it."""

    filename: str
    row: int
    name: str


@dataclass
class Observed:
    """The record of the user's functions in one eager run.

    Args:
        returns: for each function, the TorchScript type of its results as an annotation; None if TorchScript has no
            such type, or the results have several.
        callers, callees: for each function, those that called it and those that it called, directly or through code
            that is not the user's.
    """

    returns: dict[Key, str | None] = field(default_factory=dict)
    callers: dict[Key, set[Key]] = field(default_factory=dict)
    callees: dict[Key, dict[Key, None]] = field(default_factory=dict)


def key_of(code: CodeType) -> Key:
    """Return the key of a code object."""
    return Key(code.co_filename, code.co_firstlineno, code.co_name)


def observe(session: Session) -> Observed:
    """Run the module in eager on every set of inputs, and record the calls; nothing if ``eager`` has failed."""
    seen = Observed()
    if session.eager is None:
        return seen

    def watch(frame: FrameType, event: str, value: Any) -> None:
        if event not in ("call", "return") or not is_users(frame.f_code.co_filename):
            return
        key = key_of(frame.f_code)
        if event == "return":
            if value is not None or _returns(frame):
                _merge(seen.returns, key, value)
            return
        outer = frame.f_back
        while outer is not None and not is_users(outer.f_code.co_filename):
            outer = outer.f_back
        if outer is not None:
            seen.callers.setdefault(key, set()).add(key_of(outer.f_code))
            seen.callees.setdefault(key_of(outer.f_code), {})[key] = None

    before: Callable[..., Any] | None = sys.getprofile()
    for arguments in session.inputs:
        sys.setprofile(watch)
        try:
            call(session.built, arguments)
        except Exception:
            continue
        finally:
            sys.setprofile(before)
    return seen


def _returns(frame: FrameType) -> bool:
    """Return whether a function that ends with None returns it: for an exception, Python reports None, too."""
    return opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")


def _merge(returns: dict[Key, str | None], key: Key, value: Any) -> None:
    written = spelled(value)
    if key not in returns or returns[key] == written:
        returns[key] = written
        return
    known = returns[key]
    if known is None or written is None:
        returns[key] = None
    elif "None" in (known, written):
        other = known if written == "None" else written
        returns[key] = other if parsed(other).may_be_none else f"Optional[{other}]"
    else:
        returns[key] = known if known == f"Optional[{written}]" else None


def spelled(value: Any) -> str | None:
    """Return a value's type as TorchScript writes it; None if TorchScript has no such type, or the value does not
    determine it.
    """
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if value is None or type(value) in (bool, int, float, complex, str):
        return "None" if value is None else type(value).__name__
    if isinstance(value, torch.Size):
        return "List[int]"
    if type(value) is tuple and value:
        items = [spelled(item) for item in value]
        return None if None in items else f"Tuple[{', '.join(filter(None, items))}]"
    if type(value) is list and value:
        kinds = {spelled(item) for item in value}
        return f"List[{kinds.pop()}]" if len(kinds) == 1 and None not in kinds else None
    if type(value) is dict and value:
        keys, values = {spelled(item) for item in value}, {spelled(item) for item in value.values()}
        alike = len(keys) == len(values) == 1 and None not in keys | values
        return f"Dict[{keys.pop()}, {values.pop()}]" if alike else None
    return None
