"""Interprets constructors over Python values: what ``__init__`` leaves on the instance."""

from tslint.script.construct.facts import class_facts

__all__ = ["class_facts"]
