"""Applies fixes in rounds, proves them by runs of a target, and writes the files."""
