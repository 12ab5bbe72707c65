"""What the Python front end refuses (TS1xx)."""
