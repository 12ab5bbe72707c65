"""Generates random modules for which tslint has fixes, and checks the effects of the fixes.

A *transformation* is a kind of fix: fixes of one rule whose messages are the same apart from names.
"""
