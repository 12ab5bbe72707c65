"""Rules about syntax that the Python front end rejects (TS1xx)."""
