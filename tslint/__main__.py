"""``python -m tslint``."""

from __future__ import annotations

from tslint.cli import main

if __name__ == "__main__":
    main()
