"""Modules under their old name, for ``tslint/script``."""

from tslint.project.definitions import Module as Module
