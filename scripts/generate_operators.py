#!/usr/bin/env python3
"""Write ``tslint/script/operators/data/`` from the installed torch. Run it after every upgrade of torch."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent))
from operator_data.attributes import attributes
from operator_data.callables import callables
from operator_data.nn_modules import nn_modules
from operator_data.variants import operator_schemas

DATA = Path(__file__).parent.parent / "tslint" / "script" / "operators" / "data"


def write(name: str, table: dict[str, Any]) -> None:
    """Write one JSON file with one entry per line, so that the changes of a new torch are readable in a diff."""
    lines = [f"{json.dumps('torch')}: {json.dumps(torch.__version__.split('+')[0])}"]
    lines += [f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in sorted(table.items())]
    path = DATA / f"{name}.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{path.name}: {len(table)} entries, {path.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Generate every file."""
    DATA.mkdir(exist_ok=True)
    schemas = operator_schemas()
    core = {name: found for name, found in schemas.items() if name.startswith(("aten::", "prim::"))}
    write("schemas", core)
    write("schemas_other", {name: found for name, found in schemas.items() if name not in core})
    names, aliases = callables()
    write("callables", names)
    write("aliases", aliases)
    write("attributes", attributes())
    write("nn_modules", nn_modules())


if __name__ == "__main__":
    main()
