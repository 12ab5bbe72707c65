"""``python -m tslint``."""

from __future__ import annotations

import os
import sys

# ``python -m`` searches the working folder first, but a module of the user there may be named like one of ours.
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__" and sys.path and os.path.abspath(sys.path[0]) == os.getcwd() != _HOME:
    del sys.path[0]

from tslint.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
