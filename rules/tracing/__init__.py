"""What traces, and means something else afterwards."""
