"""Tests that decide whether a node runs, under the name by which rules know them."""

from tslint.script.dataflow.guards import Guard, blocks, chained, guards, leaves, parents_of

__all__ = ["Guard", "blocks", "chained", "guards", "leaves", "parents_of"]
