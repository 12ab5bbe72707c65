"""Types: what calls take, what joins and returns agree on, what can be unpacked, indexed and set (TS3xx)."""
