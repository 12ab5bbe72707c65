"""The language server: findings, fixes, types and call paths while the author types.

``positions``, ``documents``, ``imports``, ``settings`` and ``analyst`` only use the protocol's numbers; ``worker`` runs
the analyst in a thread beside the main loop; the rest translates. User code is never imported.
"""

from __future__ import annotations
