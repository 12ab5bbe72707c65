"""Draws a graph as SVG, coloured by the page's style sheet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tslint.verify.report.layout import arrange
from tslint.verify.report.markup import Markup, join, tag, text

_CHARACTER = 7.3
_PADDING = 12.0
_LINE = 17.0
_MARGIN = 8.0


def picture(drawing: Mapping[str, Any], name: str) -> Markup:
    """Return the drawing that :func:`tslint.verify.graphs.drawing` describes.

    Args:
        drawing: nodes and edges.
        name: the description of the picture, unique on the page.
    """
    nodes = drawing["nodes"]
    lines = [[line for line in (node["label"], node["detail"]) if line] for node in nodes]
    sizes = [
        (max(len(line) for line in each) * _CHARACTER + 2 * _PADDING, len(each) * _LINE + 11.0)
        for each in (each or [" "] for each in lines)
    ]
    layout = arrange(sizes, [(start, end) for start, end, _ in drawing["edges"]])
    width, height = layout.width + 2 * _MARGIN, layout.height + 2 * _MARGIN
    arrows = [
        tag("path", class_=f"edge {kind}", d=_curve(route), marker_end="url(#arrow)")
        for (_, _, kind), route in zip(drawing["edges"], layout.routes)
    ]
    boxes = [_box(node, each, size, center) for node, each, size, center in zip(nodes, lines, sizes, layout.centers)]
    svg = tag(
        "svg",
        tag("title", f"graph of {name}"),
        tag("g", *arrows, *boxes, transform=f"translate({_MARGIN:g} {_MARGIN:g})"),
        role="img",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
    )
    left_out = drawing["left_out"]
    more = tag("p", f"{left_out} more operators are not drawn.", class_="note") if left_out else None
    return join([tag("div", svg, class_="graph", tabindex="0", role="region", aria_label=f"graph of {name}"), more])


def arrow_head() -> Markup:
    """Return the arrow head that all arrows on a page share."""
    head = tag("path", d="M0 0 L8 4 L0 8 z", class_="head")
    marker = tag(
        "marker", head, id="arrow", viewBox="0 0 8 8", refX="7", refY="4", markerWidth="7", markerHeight="7",
        orient="auto",
    )  # fmt: skip
    return tag("svg", tag("defs", marker), width="0", height="0", class_="defs", aria_hidden="true")


def _curve(points: list[tuple[float, float]]) -> str:
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for number, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
        if number % 2:  # beside the boxes of a layer, the arrow is a straight line
            parts.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            parts.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
    return " ".join(parts)


def _box(node: Mapping[str, Any], lines: list[str], size: tuple[float, float], center: tuple[float, float]) -> Markup:
    width, height = size
    x, y = center
    rounded = height / 2 if node["kind"] in ("input", "output") else 5
    box = tag(
        "rect", x=f"{x - width / 2:.1f}", y=f"{y - height / 2:.1f}", width=f"{width:.1f}", height=f"{height:.1f}",
        rx=f"{rounded:g}",
    )  # fmt: skip
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    words = [
        tag("text", line, x=f"{x:.1f}", y=f"{first + number * _LINE:.1f}", class_="detail" if number else None)
        for number, line in enumerate(lines)
    ]
    where = node["place"]
    title = tag("title", text(f"{node['label']} {node['detail']}".strip() + (f" ({where})" if where else "")))
    return tag("g", title, box, *words, class_=f"node {node['kind']}")
