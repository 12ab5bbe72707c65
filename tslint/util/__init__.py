"""Helpers for processes, files, recursion and ``ast``, for all packages."""
