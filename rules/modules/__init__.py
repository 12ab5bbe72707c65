"""Attributes and containers of modules (TS4xx)."""
