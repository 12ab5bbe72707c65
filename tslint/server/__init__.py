"""The language server: findings, fixes, types and call paths while the author types.

``positions``, ``documents``, ``imports``, ``settings`` and ``analyst`` do not use pygls; ``worker`` runs the analyst in
a thread beside the main loop; the other modules convert between tslint and the protocol. User code is never imported.
"""

from __future__ import annotations
