"""Queries an installed torch for ``scripts/generate_operators.py``; one module per data file."""
