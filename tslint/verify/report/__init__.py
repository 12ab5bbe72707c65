"""``--report F.html``: writes the verdict as one self-contained page: no scripts, no network, light and dark."""

from __future__ import annotations

from tslint.verify.report.page import render

__all__ = ["render"]
