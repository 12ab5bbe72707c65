"""Lists the output formats of ``verify``, and calls the module of one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict

OUTPUT_FORMATS = ("text", "json", "junit")


def render(output_format: str, verdict: Verdict) -> str:
    """Return a report in ``json`` or ``junit``; ``text`` is written while the stages run (``text.py``)."""
    text: str = import_module(f"tslint.verify.reports.{output_format}").render(verdict)
    return text
