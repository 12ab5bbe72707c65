"""Terminals are made with ``pty``, which Windows does not have."""

from __future__ import annotations

import sys

collect_ignore = ["test_terminal.py"] if sys.platform == "win32" else []
