"""Transformations of the author's code, by name; rules use them as fixes."""
