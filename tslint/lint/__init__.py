"""Turns files into findings: load, analyse, suppress, select, report."""
