"""The language server: findings, fixes, types and call paths while the author types.

``analyst`` checks texts, and ``worker`` runs it in a thread beside the main loop; neither uses pygls. The modules that
answer the client's requests convert between tslint and the protocol. User code is never imported.
"""

from __future__ import annotations
