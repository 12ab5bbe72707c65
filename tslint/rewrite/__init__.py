"""Transformations of the author's code. Rules use them as fixes."""
