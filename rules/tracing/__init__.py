"""Rules about code that can be traced, but whose trace computes something else."""
