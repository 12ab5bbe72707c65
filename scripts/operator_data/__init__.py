"""What ``scripts/generate_operators.py`` asks a live torch; one module per data file."""
