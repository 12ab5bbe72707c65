"""Caches findings between runs."""
