"""Generates random modules for which tslint has fixes, and checks the effects of the fixes."""
