"""Tests properties that raise when the compiler reads them: they end the compilation, whichever class defines them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tslint.config import Settings
from tslint.lint.engine import judge, load

CLASSES = """import torch
from torch import nn


class Net(nn.Module):
    {ignored} = ["loss"]

    def __init__(self, given: bool = True):
        super().__init__()
        self._loss = {value}

    {mark}@property
    def loss(self):
        {body}

    def forward(self, x):
        return torch.relu(x)

    def fit(self):
        self._loss = 1.0


scripted = torch.jit.script(Net())
"""
TEST = "if self._loss is None:\n            raise {}\n        return self._loss"


@pytest.mark.parametrize(
    ("body", "value", "severity"),
    [
        ("raise NotImplementedError", "1.0", "error"),
        ('raise ValueError("none")', "1.0", "error"),
        ('raise AttributeError("none")', "1.0", ""),  # the compiler reads it by `getattr` with a default
        (TEST.format("RuntimeError"), "None", "warning"),  # it raises until `fit` has run
        (TEST.format("RuntimeError"), "1.0", ""),
        (TEST.format("RuntimeError").replace("self._loss is None", "not self._loss"), "None", "warning"),
        ('assert self._loss is not None, "no loss yet"\n        return self._loss', "None", "warning"),
        ('assert hasattr(self, "_value"), "no value"\n        return self._loss', "1.0", "error"),
        ('if hasattr(self, "_value"):\n            raise ValueError\n        return self._loss', "1.0", ""),
    ],
)
def test_which_exceptions_of_a_property_are_reported(body: str, value: str, severity: str) -> None:
    text = CLASSES.format(body=body, value=value, mark="", ignored="names")
    assert [each.severity for each in findings(text) if each.code == "TS433"] == ([severity] if severity else [])
    assert the_compiler()(text).ok is not bool(severity)


EXCEPTIONS = """class Own(Exception):
    pass


class Missing(Own, AttributeError):
    pass


class NotFitted(Own):
    pass


"""


@pytest.mark.parametrize(("raised", "ends"), [("Own", True), ("NotFitted('no loss yet')", True), ("Missing", False)])
def test_exceptions_of_the_project_end_the_compilation_unless_they_are_attribute_errors(
    raised: str, ends: bool
) -> None:
    text = EXCEPTIONS + CLASSES.format(body=f"raise {raised}", value="1.0", mark="", ignored="names")
    assert [each.severity for each in findings(text) if each.code == "TS433"] == (["error"] if ends else [])
    assert the_compiler()(text).ok is not ends


@pytest.mark.parametrize(
    ("mark", "ignored", "accepted"),
    [
        ("", "__jit_ignored_attributes__", True),
        ("", "__jit_unused_properties__", False),
        ("@torch.jit.unused\n    ", "names", False),
    ],
)
def test_how_a_property_can_be_excluded(mark: str, ignored: str, *, accepted: bool) -> None:
    text = CLASSES.format(body="raise NotImplementedError", value="1.0", mark=mark, ignored=ignored)
    assert the_compiler()(text).ok is accepted
    assert any(each.code == "TS433" for each in findings(text)) is not accepted


DERIVED = """

class Plain(Net):
    {body}


scripted = torch.jit.script(Plain())
"""


@pytest.mark.parametrize(
    ("body", "accepted"),
    [
        ("@property\n    def loss(self) -> float:\n        return 2.0", True),
        ('__jit_ignored_attributes__ = ["loss"]', False),  # works only for properties of the class itself
    ],
)
def test_only_derived_classes_have_instances(body: str, *, accepted: bool) -> None:
    text = CLASSES.format(body="raise NotImplementedError", value="1.0", mark="", ignored="names")
    text = text.replace("scripted = torch.jit.script(Net())\n", "") + DERIVED.format(body=body)
    if not accepted:  # the test's compiler compiles every class of the text
        assert not the_compiler()(text).ok
    assert any(each.code == "TS433" for each in findings(text)) is not accepted


LIGHTNING = """import lightning as L
import torch


class Lit(L.LightningModule):
    def training_step(self, batch):
        return self.net(batch)
"""
FORWARD = "\n    def forward(self, x: torch.Tensor):\n        return self.net(x)\n"


SUBCLASS = "\n\nclass Tuned(Lit):\n    pass\n"


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        (FORWARD, [5]),
        ("", [5]),  # it inherits a forward
        (SUBCLASS, [10]),  # a base class without forward is not meant to have instances
        (FORWARD + SUBCLASS, [5, 13]),
    ],
    ids=["with forward", "without", "a subclass", "both"],
)
def test_lightning_need_not_be_installed(more: str, rows: list[int]) -> None:
    found = [each for each in findings(LIGHTNING + more) if each.severity != "info"]
    assert [(each.code, each.severity, each.start.row) for each in found] == [("TS433", "warning", row) for row in rows]


LIBRARY = """
import torch

class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self._trainer = None

    @property
    def trainer(self):
        if self._trainer is None:
            raise RuntimeError("no trainer")
        return self._trainer

    def forward(self, *args):
        return super().forward(*args)
"""
TWO = """from pytorch_lightning.core.module import {name}


class First({name}):
    def forward(self, x):
        return x


class Base({name}):
    pass


class Second(Base):
    def __init__(self, **options):
        unknown(self, options)
        super().__init__(**options)
"""


@pytest.mark.parametrize("name", ["LightningModule", "OtherModule"])
def test_each_class_inherits_the_property_of_an_installed_package(name: str, tmp_path: Path) -> None:
    core = tmp_path / ".venv/lib/python3.11/site-packages/pytorch_lightning/core"
    core.mkdir(parents=True)
    (core.parent / "__init__.py").touch()
    (core / "__init__.py").touch()
    (core / "module.py").write_text(LIBRARY.format(name=name))
    (tmp_path / "net.py").write_text(TWO.format(name=name))
    settings = Settings(root=tmp_path)
    found = judge(load([tmp_path / "net.py"], settings), settings).diagnostics
    assert [each.start.row for each in found if each.code == "TS433"] == [4, 13]


WITHOUT_FORWARD = """import torch
from torch import nn


class Net(nn.Module):
    @property
    def trainer(self):
        raise RuntimeError("no trainer")

    def training_step(self, batch):
        return batch


scripted = torch.jit.script(Net())
"""


def test_the_compiler_reads_properties_without_a_forward() -> None:
    assert the_compiler()(WITHOUT_FORWARD).message.startswith("no trainer")
    assert "TS433" in [each.code for each in findings(WITHOUT_FORWARD)]


@pytest.mark.parametrize(
    ("value", "accepted"), [("undefined_name", False), ("undefined_name.part(1)", False), ("pytest", True)]
)
def test_an_undefined_name_raises_where_the_body_is_left_out(value: str, *, accepted: bool) -> None:
    mark = "@torch.jit.unused\n    "
    text = CLASSES.format(body=f"return {value}", value="1.0", mark=mark, ignored="names")
    text = text.replace("import torch\n", "import torch\nimport pytest\n", 1)
    assert the_compiler()(text).ok is accepted
    assert any(each.code == "TS433" for each in findings(text)) is not accepted


FLOW = """import torch
from torch import nn
from torch.distributions import Distribution, Transform


class Net({bases}):
    {body}

    def __init__(self):
        nn.Module.__init__(self)

    def forward(self, x):
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("bases", "body", "name"),
    [
        ("Transform, nn.Module", "pass", "sign"),
        ("nn.Module, Transform", "bijective = True", "sign"),
        ("Distribution, nn.Module", "arg_constraints = {}", "mean"),
        ("Transform, nn.Module", "sign = 1", ""),  # rejected, too, but in the code of torch
        ("nn.Module", "sign = 1", ""),
    ],
)
def test_a_module_inherits_properties_that_raise_from_a_distribution(bases: str, body: str, name: str) -> None:
    text = FLOW.format(bases=bases, body=body)
    found = [each for each in findings(text) if each.code == "TS433"]
    expected = [f"`Net` inherits `{name}`, a property that raises when the compiler reads it"] if name else []
    assert [each.message for each in found] == expected
    verdict = the_compiler()(text)
    assert verdict.type == "NotImplementedError" if name else verdict.ok is (bases == "nn.Module")


FLAG = TEST.format("RuntimeError").replace("self._loss is None", "{}")


@pytest.mark.parametrize(
    ("test", "value", "condition"),
    [
        ("self._loss", "given", "`given` is true"),  # so it is by default
        ("not self._loss", "given", "`given` is false"),
        ("self._loss is None", "1.0 if given else None", "`given` is false"),
        ("self._loss is not None and not self.training", "given", ""),
        ("self._loss and self.extra", "given", "`given` is true"),
        ("self._loss or self.extra", "given", None),
        ("self._loss and not self.extra", "given", ""),
    ],
)
def test_a_property_may_raise_for_some_arguments_of_the_constructor(
    test: str, value: str, condition: str | None
) -> None:
    body = FLAG.format(test)
    text = CLASSES.format(body=body, value=value, mark="", ignored="names")
    text = text.replace("def fit(self):\n        self._loss", "def fit(self):\n        self._other")
    text = text.replace("super().__init__()", "super().__init__()\n        self.extra = True").replace(
        "Net())", f"Net({condition != '`given` is false'}))"
    )
    found = [each for each in findings(text) if each.code == "TS433"]
    assert [each.condition for each in found] == ([condition] if condition != "" else []), found
    assert the_compiler()(text).ok is (condition == "")


PROPERTIES = """import lightning as L
import numpy as np
import torch


class Net(L.LightningModule):{listed}
    @property
    def example_input_array(self) -> torch.Tensor:
        return np.zeros(3)

    @property
    def small(self) -> torch.Tensor:
        return np.zeros(3)

    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(("listed", "rows"), [("", [13]), ('\n    __jit_unused_properties__ = ["small"]\n', [11])])
def test_lightning_lists_the_properties_that_are_not_compiled(listed: str, rows: list[int]) -> None:
    text = PROPERTIES.format(listed=listed)
    assert [each.start.row for each in findings(text) if each.code == "TS208"] == rows


READ = """import torch
from torch import nn


class Net(nn.Module):
    @property
    def stage(self) -> int:
        return int(torch.get_num_threads())

    @property
    def first(self) -> bool:
        return self.{read} == 1

    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(("read", "marked"), [("stage", False), ("training", True)])
def test_a_property_that_a_property_reads_is_not_marked(read: str, marked: bool) -> None:
    (found,) = [each for each in findings(READ.format(read=read)) if each.code == "TS212"]
    assert (found.fix is not None and "unused" in found.fix.message) is marked
