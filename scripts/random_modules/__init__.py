"""Random modules that tslint has fixes for, and what fixes do to them."""
