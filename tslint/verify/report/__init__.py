"""``--report F.html``: the verdict as one page that stands alone: no scripts, no network, light and dark."""

from __future__ import annotations

from tslint.verify.report.page import render

__all__ = ["render"]
