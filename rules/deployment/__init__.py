"""Rules about code that compiles, but cannot be saved, or cannot be loaded or called elsewhere."""
