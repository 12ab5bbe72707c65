"""Tests the configuration: how it is read, and the errors for invalid ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tslint.config import ConfigError, Settings, Target, load_file, load_settings
from tslint.util.versions import Specifier

EVERYTHING = """
[tool.tslint]
required-version = ">=0.1"
select = ["TS1", "try-block"]
extend-select = ["ALL"]
ignore = ["TS104"]
fixable = ["TS1"]
unfixable = ["TS104"]
unsafe-fixes = true
exclude = ["old"]
extend-exclude = ["gen"]
target-torch = "2.13"
entry-points = ["pkg.net:Net"]
per-file-ignores = { "tests/*" = ["TS7"] }
mode = "script"
fail-on = "warning"
baseline = "known.json"
jobs = 2
cache-dir = ".cache"
output-format = "json"

[tool.tslint.targets.net]
target = "pkg.net:build"
inputs = ["torch.rand(1)"]
modes = ["script"]
rtol = 1e-3
atol = 0
timeout = 60
memory = 2048
native = true
"""


def test_every_key_is_read(folder: Callable[..., Path]) -> None:
    root = folder({"pyproject.toml": EVERYTHING})
    assert load_settings([]) == Settings(
        root=root,
        source=root / "pyproject.toml",
        select=("TS1", "try-block"),
        extend_select=("ALL",),
        ignore=("TS104",),
        fixable=("TS1",),
        unfixable=("TS104",),
        unsafe_fixes=True,
        exclude=("old",),
        extend_exclude=("gen",),
        target_torch="2.13",
        entry_points=("pkg.net:Net",),
        per_file_ignores={"tests/*": ("TS7",)},
        mode="script",
        fail_on="warning",
        baseline=root / "known.json",
        jobs=2,
        cache_dir=root / ".cache",
        output_format="json",
        targets={
            "net": Target(
                "pkg.net:build", ("torch.rand(1)",), ("script",), 1e-3, 0.0, timeout=60.0, memory=2048, native=True
            ),
        },
    )


def test_the_nearest_file_above_the_first_path(folder: Callable[..., Path]) -> None:
    root = folder(
        {
            "pyproject.toml": '[tool.tslint]\nmode = "trace"\n',
            "a/pyproject.toml": "[project]\n",
            "a/b/net.py": "",
            "c/tslint.toml": 'mode = "script"\n',
            "c/pyproject.toml": "[tool.tslint]\njobs = 1\n",
        }
    )
    assert load_settings([Path("a/b/net.py")]).source == root / "pyproject.toml"
    assert load_settings([Path("a/b"), Path("c")]).mode == "trace"
    assert load_settings([Path("c")]).mode == "script"
    assert load_settings([Path("c/missing/net.py")]).source == root / "c" / "tslint.toml"


def test_isolated_reads_nothing(folder: Callable[..., Path]) -> None:
    folder({"pyproject.toml": "[tool.tslint\n"})
    assert load_settings([Path()], isolated=True).select == ("TS",)


def test_a_byte_order_mark_is_no_broken_toml(folder: Callable[..., Path]) -> None:
    root = folder({"tslint.toml": b"\xef\xbb\xbfjobs = 3\n"})
    assert load_file(root / "tslint.toml").jobs == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("selct = []", "tslint.toml: unknown key selct; did you mean 'select'?"),
        ("qqq = 1", "tslint.toml: unknown key qqq; known keys are baseline, "),
        ('select = "TS"', 'tslint.toml: select: expected a list of strings, not "TS"'),
        ("ignore = [1]", "tslint.toml: ignore: expected a list of strings, not [1]"),
        ("target-torch = 2.13", 'tslint.toml: target-torch: expected a version in quotes, as in "2.13", not 2.13'),
        (
            'target-torch = "1.12"',
            'tslint.toml: target-torch: expected a torch version that tslint knows, 1.13 or 2.0 to 2.15, not "1.12"',
        ),
        ('target-torch = "two"', 'tslint.toml: target-torch: expected a version in quotes, as in "2.13", not "two"'),
        ("jobs = 0", "tslint.toml: jobs: expected a positive whole number, not 0"),
        ("jobs = true", "tslint.toml: jobs: expected a positive whole number, not true"),
        ('mode = "jit"', 'tslint.toml: mode: expected one of "script", "trace", "both", not "jit"'),
        ('entry-points = ["net"]', 'entry-points: expected a list of places such as "package.module:Name", not '),
        ("per-file-ignores = []", "per-file-ignores: expected a table of patterns and lists of rules"),
        ("targets = 1", "tslint.toml: targets: expected tables [targets.NAME], not 1"),
        ("[targets.net]\ninputs = []", "tslint.toml: targets.net: the key target is missing"),
        ('[targets.net]\ntarget = "a:b"\nrtoll = 1', "unknown key targets.net.rtoll; did you mean 'rtol'?"),
        ('[targets.net]\ntarget = "a:b"\ntimeout = -1', "targets.net.timeout: expected a positive number, not -1"),
        ('[targets.net]\ntarget = "a:b"\nmodes = ["both"]', 'expected a list of "script" and "trace", not '),
        ("jobs = ", "tslint.toml: broken TOML: "),
        ('required-version = ">=99"', "required-version: this is tslint 0.1.0, but the file requires >=99"),
        # A version other than this one, which may have other keys.
        ('required-version = "99"\nnew = 1', "required-version: this is tslint 0.1.0, but the file requires 99"),
        (
            'required-version = "new"',
            'required-version: expected a version or a range of them, as in ">=0.1,<0.2", not ',
        ),
        ('unsafe-fixes = "yes"', 'unsafe-fixes: expected true or false, not "yes"'),
        ('extend = "base.toml"', "tslint.toml: extend: there is no file base.toml"),
        ('extend = "tslint.toml"', "tslint.toml: extend: tslint.toml extends this file, too"),
        (b"\xff", "tslint.toml: not UTF-8 text"),
    ],
)
def test_errors_name_file_key_and_form_on_one_line(
    folder: Callable[..., Path], content: str | bytes, message: str
) -> None:
    folder({"tslint.toml": content})
    with pytest.raises(ConfigError) as caught:
        load_settings([])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_errors_in_pyproject_name_the_whole_key(folder: Callable[..., Path]) -> None:
    folder({"pyproject.toml": "[tool.tslint]\nselekt = []\n"})
    with pytest.raises(ConfigError, match=r"pyproject.toml: unknown key tool\.tslint\.selekt; did you mean 'select'"):
        load_settings([])


def test_a_named_file_must_be_there_and_about_tslint(folder: Callable[..., Path]) -> None:
    folder({"pyproject.toml": "[project]\n", "own.toml": "[tool.tslint]\njobs = 4\n"})
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read: No such file"):
        load_settings([], config=Path("none.toml"))
    with pytest.raises(ConfigError, match=r"pyproject\.toml: has no \[tool\.tslint\] table"):
        load_settings([], config=Path("pyproject.toml"))
    assert load_settings([], config=Path("own.toml")).jobs == 4


BASE = """
select = ["TS1", "TS2"]
extend-select = ["TS8"]
ignore = ["TS104", "TS810"]
exclude = ["old"]
extend-exclude = ["gen"]
baseline = "known.json"
mode = "script"
per-file-ignores = { "tests/*" = ["TS7"] }
[targets.net]
target = "net:Net"
[targets.other]
target = "net:Other"
"""


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("", {}),
        ('mode = "trace"', {"mode": "trace"}),
        ('ignore = ["TS2"]', {"ignore": ("TS104", "TS810", "TS2")}),
        ('extend-select = ["TS810"]', {"extend_select": ("TS8", "TS810"), "ignore": ("TS104",)}),
        ('select = ["TS3"]', {"select": ("TS3",), "extend_select": (), "ignore": ()}),
        ('exclude = ["new"]\nextend-exclude = ["more"]', {"exclude": ("new",), "extend_exclude": ("gen", "more")}),
        ('per-file-ignores = { "a.py" = ["TS1"] }', {"per_file_ignores": {"a.py": ("TS1",)}}),
        ('baseline = "own.json"', {"baseline": Path("own/own.json")}),
    ],
)
def test_a_file_extends_another(folder: Callable[..., Path], own: str, expected: dict[str, object]) -> None:
    changed = '[targets.other]\ntarget = "net:Changed"\n'
    root = folder({"base.toml": BASE, "own/tslint.toml": f'extend = "../base.toml"\n{own}\n{changed}'})
    base, found = load_file(root / "base.toml"), load_settings([Path("own")])
    assert (found.root, found.source) == (root / "own", root / "own/tslint.toml")
    assert found.extended == (root / "base.toml",)
    assert {name: target.target for name, target in found.targets.items()} == {"net": "net:Net", "other": "net:Changed"}
    for name in (
        "select",
        "extend_select",
        "ignore",
        "exclude",
        "extend_exclude",
        "mode",
        "per_file_ignores",
        "baseline",
    ):
        value = expected.get(name, getattr(base, name))
        assert getattr(found, name) == (root / value if isinstance(value, Path) else value), name


def test_a_table_of_pyproject_extends_and_is_extended(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "[tool.tslint]\n"
    root = folder({
        "pyproject.toml": table + 'extend = "$BASE/pyproject.toml"\njobs = 2\n',
        "a/pyproject.toml": table + 'extend = "../b.toml"\njobs = 3\nmode = "trace"\n',
        "b.toml": 'fail-on = "info"\n',
    })  # fmt: skip
    monkeypatch.setenv("BASE", str(root / "a"))
    found = load_settings([])
    assert (found.jobs, found.mode, found.fail_on) == (2, "trace", "info")
    assert found.extended == (root / "a/pyproject.toml", root / "b.toml")
    (root / "b.toml").write_text('extend = "pyproject.toml"\n')
    with pytest.raises(ConfigError, match="extends this file, too"):
        load_settings([])


@pytest.mark.parametrize(
    ("wanted", "fit", "unfit"),
    [
        ("0.1.0", ["0.1", "0.1.0", "0.1.0.dev3"], ["0.1.1", "1.0"]),
        (">=0.1,<0.3", ["0.1.0", "0.2.9"], ["0.3.0", "0.0.9"]),
        ("~=0.2.1", ["0.2.1", "0.2.9"], ["0.3.0", "0.2.0"]),
        ("!=0.2", ["0.2.1", "0.3"], ["0.2.0"]),
        (" > 1.9 ", ["1.10"], ["1.9"]),
    ],
)
def test_ranges_of_versions(wanted: str, fit: list[str], unfit: list[str]) -> None:
    assert [version in Specifier(wanted) for version in fit + unfit] == [True] * len(fit) + [False] * len(unfit)


@pytest.mark.parametrize("text", ["", "new", ">=", "=>1", "~=1", "1,,2"])
def test_what_is_no_range_of_versions(text: str) -> None:
    with pytest.raises(ValueError):
        Specifier(text)
