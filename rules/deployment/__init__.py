"""Rules about code that compiles here, and cannot be saved, loaded or called elsewhere."""
