"""The pytest plug-in: tests that a model survives script, trace, save and load.

::

    def test_deployable(torchscript):
        torchscript(Net(), torch.rand(1, 3, 224, 224))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict


class TorchScript(Protocol):
    """The ``torchscript`` fixture's type, for annotations."""

    def __call__(self, module: object, *inputs: object, **options: Any) -> Verdict:
        """Verify a module and fail the test if it does not pass.

        Args:
            module: an ``nn.Module``, or a class or function that creates one.
            *inputs: one for each set of inputs: a tuple is an argument list, anything else the only argument.
            **options: as of :func:`tslint.verify.api.verify`.

        Returns:
            The verdict, which has passed.
        """


@pytest.fixture
def torchscript(request: pytest.FixtureRequest) -> TorchScript:
    """Assert that a module passes ``tslint.verify``: ``torchscript(module, inputs)``."""
    name = request.node.name

    def check(module: object, *inputs: object, **options: Any) -> Verdict:
        __tracebackhide__ = True
        # Imported here, so that neither torch nor the pipeline is loaded for tests that do not use the fixture.
        from tslint.verify.api import verify
        from tslint.verify.reports.plain import render

        verdict = verify(module, *inputs, **options)
        if not verdict.passed:
            pytest.fail(f"{name}: the module does not survive TorchScript\n\n{render(verdict.targets, verdict.torch)}")
        return verdict

    return check
