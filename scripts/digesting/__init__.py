"""Digests of what tslint finds and fixes in whole corpora; see ../digests.py."""
