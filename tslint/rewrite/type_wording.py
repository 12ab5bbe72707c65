"""What the last modules that cut text still ask for; it goes with them."""

from __future__ import annotations

from tslint.rewrite.annotate import spelled_text as spelled
from tslint.rewrite.spans import place
from tslint.rewrite.statements import function

__all__ = ["function", "place", "spelled"]
