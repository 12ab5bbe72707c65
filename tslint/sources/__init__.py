"""Selects files, reads and writes their exact bytes, and finds suppression comments."""
