"""The index: imports, classes and functions of every module, and definitions of names across files."""
