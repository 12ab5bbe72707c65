"""Annotations that are missing, or that the compiler cannot read (TS5xx)."""
