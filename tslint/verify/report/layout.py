"""Places the boxes of a graph: in layers from top to bottom, ordered so that few arrows cross."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tslint.util.record import record

_GAP_X = 22.0
_GAP_Y = 34.0
_SWEEPS = 6


@record
class Layout:
    """Positions of boxes and the points of arrows, in pixels.

    Args:
        width, height: the size of the whole drawing.
        centers: the centers of the boxes.
        routes: for each edge, the points from the bottom of one box to the top of the other.
    """

    width: float
    height: float
    centers: list[tuple[float, float]]
    routes: list[list[tuple[float, float]]]


def arrange(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Layout:
    """Lay out boxes.

    Args:
        sizes: the width and height of each box.
        edges: pairs of the boxes' numbers, without cycles.
    """
    net = _Net([width for width, _ in sizes], _layers(len(sizes), edges))
    chains = [net.chain(start, end) for start, end in edges]
    rows = net.ordered()
    x = _columns(rows, net)
    heights = [max((sizes[n][1] for n in row if n < len(sizes)), default=0.0) for row in rows]
    tops = [sum(heights[:number]) + _GAP_Y * number for number in range(len(rows))]
    centers = [(x[n], tops[net.layer[n]] + heights[net.layer[n]] / 2) for n in range(len(sizes))]
    routes = []
    for chain in chains:
        start, end = chain[0], chain[-1]
        points = [(x[start], centers[start][1] + sizes[start][1] / 2)]
        for number in chain[1:-1]:
            layer = net.layer[number]
            points += [(x[number], tops[layer]), (x[number], tops[layer] + heights[layer])]
        routes.append([*points, (x[end], centers[end][1] - sizes[end][1] / 2)])
    width = max((x[n] + net.width[n] / 2 for n in x), default=0.0)
    return Layout(width, tops[-1] + heights[-1] if rows else 0.0, centers, routes)


def _layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the layer of each box: the length of the longest path that leads to it. A box that no arrow leads to is
    placed directly above the first box that uses it.
    """
    after: dict[int, list[int]] = defaultdict(list)
    missing = [0] * count
    for start, end in edges:
        after[start].append(end)
        missing[end] += 1
    layer = [0] * count
    ready = [number for number in range(count) if not missing[number]]
    order = []
    while ready:
        number = ready.pop()
        order.append(number)
        for other in after[number]:
            layer[other] = max(layer[other], layer[number] + 1)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    has_before = {end for _, end in edges}
    for number in range(count):
        if number not in has_before and after[number]:
            layer[number] = max(0, min(layer[other] for other in after[number]) - 1)
    return layer


@dataclass
class _Net:
    """The boxes, with the bends of long edges as narrow boxes."""

    width: list[float]
    layer: list[int]
    before: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    after: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def chain(self, start: int, end: int) -> list[int]:
        """Return the boxes of an edge: its start, a new narrow box in every layer that it crosses, and its end."""
        chain = [start]
        for layer in range(self.layer[start] + 1, self.layer[end]):
            self.width.append(4.0)
            self.layer.append(layer)
            chain.append(len(self.layer) - 1)
        chain.append(end)
        for one, other in pairwise(chain):
            self.after[one].append(other)
            self.before[other].append(one)
        return chain

    def ordered(self) -> list[list[int]]:
        """Return the boxes of each layer, in an order in which each is near the middle of its neighbours."""
        rows: list[list[int]] = [[] for _ in range(max(self.layer, default=-1) + 1)]
        for number, layer in enumerate(self.layer):
            rows[layer].append(number)
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            place = {number: index for row in rows for index, number in enumerate(row)}
            for row in rows if down else reversed(rows):
                near = self.before if down else self.after
                key = {n: _mean([float(place[other]) for other in near[n]], float(place[n])) for n in row}
                row.sort(key=lambda n: key[n])
                place.update({number: index for index, number in enumerate(row)})
        return rows


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _columns(rows: list[list[int]], net: _Net) -> dict[int, float]:
    """Return the x coordinate of the middle of every box: near those of its neighbours, without overlaps."""
    x: dict[int, float] = {}
    for row in rows:
        at = 0.0
        for number in row:
            x[number] = at + net.width[number] / 2
            at += net.width[number] + _GAP_X
    for sweep in range(_SWEEPS * 2):
        down = sweep % 2 == 0
        near = net.before if down else net.after
        for row in rows if down else reversed(rows):
            wanted = {number: _mean([x[other] for other in near[number]], x[number]) for number in row}
            _spread(row, wanted, net, x)
    left = min((x[n] - net.width[n] / 2 for n in x), default=0.0)
    return {number: value - left for number, value in x.items()}


def _spread(row: list[int], wanted: dict[int, float], net: _Net, x: dict[int, float]) -> None:
    """Move the boxes of a layer as near to their wanted positions as their order allows.

    Each position is the mean of two passes: one pushes boxes to the right, the other to the left.
    """

    def apart(one: int, other: int) -> float:
        return (net.width[one] + net.width[other]) / 2 + _GAP_X

    right: list[float] = []
    for index, number in enumerate(row):
        right.append(max(wanted[number], right[-1] + apart(row[index - 1], number)) if index else wanted[number])
    left = list(right)
    for index in range(len(row) - 1, -1, -1):
        goal = wanted[row[index]]
        left[index] = min(goal, left[index + 1] - apart(row[index], row[index + 1])) if index + 1 < len(row) else goal
    for index, number in enumerate(row):
        x[number] = (right[index] + left[index]) / 2
