"""The index: imports, classes and functions of every module, and the definitions of names across files."""
