"""Rules about types: of arguments, of returned values and of variables after a branch (TS3xx)."""
