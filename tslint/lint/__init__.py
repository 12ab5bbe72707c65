"""Files in, findings out: load, analyse, suppress, select, report."""
