"""The index: every module's imports, classes and functions, and a name's definition across files."""
