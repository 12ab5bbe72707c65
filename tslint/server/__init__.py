"""The language server: findings, fixes, types and call paths while the author types.

``positions``, ``documents``, ``imports``, ``settings`` and ``analyst`` know nothing of the protocol's messages beyond
their numbers; ``worker`` runs the analyst beside the main loop; the rest translates. User code is never imported.
"""

from __future__ import annotations
