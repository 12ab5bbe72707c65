"""Tests random configuration, suppressions and notebooks; scripts/fuzz/readers.py does the same, guided by coverage."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.readers import read_configuration, read_notebook, read_suppressions

KEYS = st.sampled_from(
    [
        "select",
        "ignore",
        "target-torch",
        "entry-points",
        "per-file-ignores",
        "exclude",
        "mode",
        "fail-on",
        "baseline",
        "jobs",
        "cache-dir",
        "output-format",
        "targets.net.inputs",
        "targets.net",
        "targets",
        '"select"',
        "selct",
        '""',
        "a.b.c",
    ]
)
VALUES = st.recursive(
    st.sampled_from(
        [
            "1",
            "-1",
            "true",
            '"TS"',
            '"TS401"',
            '"2.13"',
            '"é\\n"',
            "1.5",
            "nan",
            "1979-05-27",
            '"../.."',
            '""',
            '"[x"',
            '"\\u0000"',
            "99999999999999999999",
            "'''a\nb'''",
        ]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
        | st.builds("{{ {} = {} }}".format, KEYS, inner)
    ),
    max_leaves=4,
)
TABLES = st.sampled_from(
    ["tool.tslint", "tool.tslint.targets.net", "tool", "tool.tslint.per-file-ignores", "x", "tool.'t'"]
)
CONFIGURATIONS = st.lists(
    st.builds("{} = {}\n".format, KEYS, VALUES)
    | st.builds("[{}]\n".format, TABLES)
    | st.sampled_from(["[[tool.tslint]]\n", "=\n"]),
    max_size=6,
).map(lambda lines: "[tool.tslint]\n" + "".join(lines))
COMMENTS = st.lists(
    st.sampled_from(
        [
            "# tslint:",
            " ignore",
            " off",
            " on",
            "-file",
            "[",
            "]",
            "TS401",
            ",",
            "try-block",
            "#",
            "\n",
            "\r",
            "x = (",
            ")",
            "'",
            '"""',
            " ",
            "\\\n",
            "\u2028",
            "\f",
            "é",
            "ignores",
            "    ",
        ]
    ),
    max_size=25,
).map("".join)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["code", "%%sh\nx", "!ls\nx = 1", "x\n"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "source", "cell_type", "metadata", "language_info", "name", "a"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
CELLS = st.lists(
    st.fixed_dictionaries(
        {"cell_type": st.just("code") | JSON, "source": st.lists(st.text(max_size=9), max_size=3) | JSON}
    )
    | JSON,
    max_size=4,
)
NOTEBOOKS = st.builds(
    lambda cells, indent, ascii: json.dumps({"cells": cells}, indent=indent, ensure_ascii=ascii),
    CELLS,
    st.sampled_from([None, 1, "\t"]),
    st.booleans(),
) | JSON.map(json.dumps)
ONCE = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@ONCE
@given(CONFIGURATIONS)
def test_configurations(tmp_path: Path, text: str) -> None:
    read_configuration(text.encode(), tmp_path / "pyproject.toml")


@ONCE
@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")))
def test_configurations_that_are_anything(tmp_path: Path, data: bytes) -> None:
    read_configuration(data, tmp_path / "tslint.toml")
    read_configuration(b"[tool.tslint]\n" + data, tmp_path / "pyproject.toml")


@given(COMMENTS)
def test_suppressions(text: str) -> None:
    read_suppressions(text.encode())


@ONCE
@given(NOTEBOOKS)
def test_notebooks(text: str) -> None:
    read_notebook(text.encode("utf-8", "surrogatepass"))


@ONCE
@given(NOTEBOOKS, st.data())
def test_notebooks_cut_off(text: str, data: st.DataObject) -> None:
    whole = text.encode("utf-8", "surrogatepass")
    at = data.draw(st.integers(0, len(whole)))
    read_notebook(whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + 1 :])
