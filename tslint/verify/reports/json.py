"""The format for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict


def render(verdict: Verdict) -> str:
    """Return one object; see the JSON contract of ``tslint verify``."""
    return json.dumps(verdict.to_json(), indent=2) + "\n"
