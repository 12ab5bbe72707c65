"""Computes digests of contents."""

from __future__ import annotations

try:
    # Not through hashlib, which loads OpenSSL first: a cached run is over before that.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

UNREADABLE = ""


def digest(data: bytes) -> str:
    """Return a unique identifier for ``data``."""
    return blake2b(data, digest_size=16).hexdigest()
