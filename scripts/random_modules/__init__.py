"""Generates random modules that tslint has fixes for, and checks the effects of the fixes."""
