"""Adopts tslint in a project: surveys it, and writes the files."""
