"""Skips tests of terminals on Windows, which has no ``pty``."""

from __future__ import annotations

import sys

collect_ignore = ["test_terminal.py"] if sys.platform == "win32" else []
