"""Computes digests of findings and fixes in whole corpora; see ../digests.py."""
