"""Data flow of a file: which types a parameter can have, what is read later, who calls a function."""
