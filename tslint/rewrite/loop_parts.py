"""What rules that read the model's nodes still ask for by this name."""

from __future__ import annotations

from tslint.rewrite.spans import compiled_function, parent, place, replace
from tslint.script.dataflow.evaluation import evaluated

__all__ = ["compiled_function", "evaluated", "parent", "place", "replace"]
