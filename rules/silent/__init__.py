"""Rules about code that compiles, and means something else than in Python (TS6xx)."""
