"""Contains the version of tslint."""

__version__ = "0.1.0"
