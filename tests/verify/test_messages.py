"""Tests parsing the compiler's messages, without the compiler."""

from __future__ import annotations

import pytest

from tslint.verify.messages import Underlined, headline, runtime_error, underlined
from tslint.verify.outcome import one_line

CALLED = """

undefined value foo:
  File "a dir/net.py", line 39
def free(x):
    return x + \\
      foo(x)
      ~~~ <--- HERE
'free' is being compiled since it was called from 'Net.forward'
  File "a dir/net.py", line 42
    def forward(self, x):
        return free(x)
               ~~~~~~ <--- HERE
"""


def test_where_it_stopped_comes_first_then_the_calls() -> None:
    assert underlined(CALLED) == [
        Underlined("a dir/net.py", 39, 6, 39, 9),
        Underlined("a dir/net.py", 42, 15, 42, 21),
    ]
    assert headline(CALLED) == "undefined value foo"


def test_an_underline_over_two_lines() -> None:
    text = 'm:\n  File "n.py", line 21\n        f(\n            [x,\n            ~~~\n             1],\n'
    text += "             ~ <--- HERE\n"
    assert underlined(text) == [Underlined("n.py", 21, 12, 22, 14)]


def test_a_place_without_an_excerpt() -> None:
    assert underlined('m:\n  File "n.py", line 21\n') == [Underlined("n.py", 21, 0, 21, 0)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ""),
        ("\n  try blocks aren't supported:\n  File", "try blocks aren't supported"),
        (
            "Could not export Python function call 'D'. Remove calls to Python functions before export. Did you forget",
            "Could not export Python function call 'D'",
        ),
        (
            'Compiled functions can\'t take variable number of arguments:\n  File "n.py", line 2\n'
            "def scaled(x, **by):\n              ~~~~ <--- HERE\n",
            "Compiled functions can't take variable number of arguments: **by of scaled",
        ),
        (
            'Compiled functions can\'t take variable number of arguments:\n  File "n.py", line 2\n'
            "def scaled(x, **by):\n               ~~~ <--- HERE\n",
            "Compiled functions can't take variable number of arguments: **by of scaled",
        ),
        (
            'Compiled functions can\'t take variable number of arguments:\n  File "n.py", line 2\n'
            "def scaled(x, *, by: bool = False):\n                            ~~~~~ <--- HERE\n",
            "Compiled functions can't take variable number of arguments: by: bool = False of scaled",
        ),
        (
            "Can't redefine method: forward on class: X (of Python compilation unit at: 0x55c8e9)",
            "Can't redefine method: forward on class: X",
        ),
        (
            "Arguments for call are not valid.\nThe following variants are available:\n  f(int a)\n"
            "  Expected a value of type 'int'.\nThe original call is:\n",
            "Arguments for call are not valid. Expected a value of type 'int'.",
        ),
        (
            "scaled(Tensor x, float by=1.) -> Tensor:\nExpected a value of type 'float' for argument 'by' but instead "
            "found type 'int'.\n:\n  File",
            "scaled: Expected a value of type 'float' for argument 'by' but instead found type 'int'.",
        ),
        ("a\x1b[31mb", "a?[31mb"),
    ],
)
def test_the_headline(text: str, said: str) -> None:
    assert headline(text) == said


def test_a_runtime_error_names_the_innermost_line() -> None:
    text = (
        "The following operation failed in the TorchScript interpreter.\n"
        "Traceback of TorchScript, serialized code (most recent call last):\n"
        '  File "code/__torch__/net.py", line 9, in forward\n    x\n    ~ <--- HERE\n\n'
        "Traceback of TorchScript, original code (most recent call last):\n"
        '  File "net.py", line 32, in forward\n        return x.view(3, 7)\n               ~~~~~~ <--- HERE\n'
        "RuntimeError: shape '[3, 7]' is invalid\n"
    )
    assert runtime_error(text, "/torch") == "RuntimeError: shape '[3, 7]' is invalid (net.py:32)"
    assert runtime_error("ValueError: something else", "/torch") is None


def test_a_traces_traceback_begins_with_the_innermost_line() -> None:
    text = (
        "Traceback of TorchScript (most recent call last):\n/torch/nn/functional.py(9): linear\nnet.py(4): forward\n"
        "/torch/nn/modules/module.py(1768): _slow_forward\nnet.py(10): forward\nRuntimeError: wrong\n"
    )
    assert runtime_error(text, "/torch") == "RuntimeError: wrong (net.py:4)"


def test_advice_for_developers_of_torch_is_left_out() -> None:
    said = (
        "Could not run 'aten::addmm' with arguments from the 'SparseMeta' backend. This could be because the operator "
        "doesn't exist for this backend, or was omitted during the build. 'aten::addmm' is only available for:\nCPU"
    )
    assert one_line(said) == "Could not run 'aten::addmm' with arguments from the 'SparseMeta' backend"
