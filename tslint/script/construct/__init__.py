"""Interprets constructors over Python values to find the attributes of instances."""

from tslint.script.construct.facts import class_facts

__all__ = ["class_facts"]
