""" "Did you mean" suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word nearest to ``word``, or an empty string."""
    match = nearest(word, known)
    return f"; did you mean {match!r}?" if match else ""


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the known word that is most similar to ``word``; None if none is similar enough.

    Args:
        word: the misspelt word.
        known: the words to choose from.
        alike: the least similarity according to ``difflib`` (1.0 for the same word).
    """
    from difflib import get_close_matches

    # Sorted, so that of `STFT` and `stft` every process chooses the same one.
    spellings = {candidate.lower(): candidate for candidate in sorted(known)}
    matches = get_close_matches(word.lower(), sorted(spellings), n=1, cutoff=alike)
    return spellings[matches[0]] if matches else None
