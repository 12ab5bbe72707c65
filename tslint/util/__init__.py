"""Helpers for processes, files, recursion and ``ast`` that all packages use."""
