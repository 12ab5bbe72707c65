"""``python -m tslint``."""

from __future__ import annotations

import os
import sys

# ``python -m`` looks for modules in the working folder first: there they are the user's, whatever they are called.
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__" and sys.path and os.path.abspath(sys.path[0]) == os.getcwd() != _HOME:
    del sys.path[0]

from tslint.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
