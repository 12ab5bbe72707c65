"""Rules about code that compiles, but computes a different result than Python (TS6xx)."""
