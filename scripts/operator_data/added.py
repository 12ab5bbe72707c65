"""Lists the operators that were added to torch after 1.13: ``python -m scripts.operator_data.added FOLDER``.

The folder contains ``<version>.txt.gz`` for some versions, each with the schemas of
``torch._C._jit_get_all_schemas()``, one per line. Writes the operators of ``aten`` and ``prim`` that the generated
tables have and the oldest version lacks, by the first version that has them.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

DATA = Path(__file__).parents[2] / "tslint" / "script" / "operators" / "data"


def names(file: Path) -> set[str]:
    """Return the names of one version's operators, without overload names."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return {line.partition("(")[0].partition(".")[0] for line in lines}


def key(version: str) -> tuple[int, ...]:
    """Return the sort key of a version."""
    return tuple(int(part) for part in version.split("."))


def main(folder: Path) -> None:
    """Write ``added.json``."""
    table = json.loads((DATA / "schemas.json").read_text(encoding="utf-8"))
    newest = ".".join(table.pop("torch").split(".")[:2])
    files = {path.name.removesuffix(".txt.gz"): path for path in folder.glob("*.txt.gz")}
    oldest, *later = sorted(files, key=key)
    missing = set(table) - names(files[oldest])
    added: dict[str, list[str]] = {}
    for version in later:
        here = missing & names(files[version])
        missing -= here
        if here:
            short = min(".".join(version.split(".")[:2]), newest, key=key)
            added[short] = sorted(here)
    lines = [f"{json.dumps(version)}: {json.dumps(found)}" for version, found in added.items()]
    (DATA / "added.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
