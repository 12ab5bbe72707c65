"""Rules about code that compiles, but computes something else than Python (TS6xx)."""
