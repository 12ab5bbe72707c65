"""Computes digests of contents."""

from __future__ import annotations

try:
    # Imported directly, because hashlib loads OpenSSL first, which takes longer than a cached run.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

UNREADABLE = ""


def digest(data: bytes) -> str:
    """Return a digest that identifies ``data``."""
    return blake2b(data, digest_size=16).hexdigest()
