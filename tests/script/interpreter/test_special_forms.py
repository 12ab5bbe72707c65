"""Tests constructs that the compiler itself handles, and Futures: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

TEXT = """
class Pair(NamedTuple):
    a: int


@torch.jit.script
class Opened:
    def __init__(self):
        self.n = 1

    def __enter__(self):
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any):
        pass


@torch.jit.script
class Few:
    def __init__(self):
        self.n = 1

    def __enter__(self):
        return self

    def __exit__(self):
        pass


@torch.jit.script
class Typed:
    def __init__(self):
        self.n = 1

    def __enter__(self):
        return self

    def __exit__(self, kind: int, value: Any, traceback: Any):
        pass


def twice(n: int, m: int = 2):
    return n * m


@torch.jit.script
def f(x: Tensor, n: int, pair: Pair, numbers: Tuple[int, int]):
    {}
"""
CODES = {
    "return torch.jit.wait(torch.jit.fork(twice, n)) + 1": "",
    "return torch.jit.wait(torch.jit.fork(twice, n, m=3)) + 1": "",
    "return torch.jit.fork(twice, n).wait() + 1": "",
    "return torch.jit.wait(torch.jit.fork(torch.relu, x)).sum()": "",
    "return torch.jit.wait(torch.jit.fork(twice, n)) + 'a'": "operator-mismatch",
    "return torch.jit.fork(twice, n).wait() + 'a'": "operator-mismatch",
    "return torch.jit.fork(twice, 'a')": "call-mismatch",
    "return torch.jit.fork(twice)": "call-mismatch",
    "return torch.jit.fork(x)": "not-callable",
    "return torch.jit.fork()": "form-arguments",
    "for _ in zip(): pass": "form-arguments",
    "return torch.jit.fork(twice, n).then(n)": "no-such-member",
    "return torch.jit.wait(x)": "operator-mismatch",
    "futures: List[torch.jit.Future[int]] = []\n    futures.append(torch.jit.fork(twice, n))": "",
    "futures: List[torch.jit.Future[str]] = []\n    futures.append(torch.jit.fork(twice, n))": "list-element",
    "return isinstance(x, Tensor)": "",
    "return isinstance(x)": "form-arguments",
    "return isinstance(x, 3)": "unreadable-annotation",
    "return isinstance(x, [int, float])": "unreadable-annotation",
    "return isinstance(x, (int, 1))": "unreadable-annotation",
    "return hasattr(pair, 'a')": "",
    "return hasattr(x)": "form-arguments",
    "return hasattr(numbers, 'a')": "hasattr-of-value",
    "return getattr(x, 'shape')": "",
    "return getattr(x, 'shapes', 1)": "hasattr-of-value",
    "pair.a = n": "no-such-member",
    "with Opened() as opened:\n        return opened.n": "",
    "with Few() as opened:\n        return opened.n": "with-item",
    "with Typed() as opened:\n        return opened.n": "with-item",
    "return zip(numbers, numbers).index": "unsupported-external-attribute",
    "return [a for a, in zip(*(numbers, ))]": "starred-unknown-length",
    "return [i for i, a in enumerate(*([n],))]": "starred-unknown-length",
    "return list(*([n],))": "starred-unknown-length",
    "return tuple(*(numbers,))": "starred-unknown-length",
    "return [i for i in range(*numbers)]": "",
    "return max(*numbers)": "",
    "return range(n).start": "unsupported-external-attribute",
    "return 2j[n]": "not-subscriptable",
    "return x.__getitem__(x)": "",
    "return x.__getitem__(n)": "no-tensor-member",
    "return x.__getitem__()": "form-arguments",
    "d: Dict[str, Optional[int]] = {w: None for w in ['a']}": "",
    "d: Dict[str, Optional[int]] = {w: n for w in ['a']}": "",
    "d: Dict[str, float] = {w: n for w in ['a']}": "annotation-mismatch",
    "raise NotImplementedError": "",
    "raise NotImplemented": "raised-value",
    "raise torch.relu": "raised-value",
    "raise twice": "raised-value",
}


@pytest.mark.parametrize("code", CODES)
def test_special_forms(code: str) -> None:
    agree(CODES[code], f"from typing import Any, NamedTuple\n\n{TEXT.format(code)}")


RNN = "from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence"
SEQUENCES = {
    "x: Tensor, n: Tensor": {
        "return x.permute(list(range(x.dim())))": "",
        "return x.permute(tuple(range(x.dim())))": "starred-unknown-length",
        "return x.permute((1, 0) + tuple(range(2, x.dim())))": "starred-unknown-length",
        "return x.sum(tuple(zip([1], [2])))": "starred-unknown-length",
        "a, b = range(2)\n    return a": "not-a-tuple",
        "a, b = zip([1, 2], [3, 4])\n    return a": "not-a-tuple",
        "return pad_packed_sequence(pack_padded_sequence(x, n))[0]": "",
        "return pack_padded_sequence(x, n).lengths": "no-such-member",
    },
    "x: PackedSequence": {
        "return x.data": "",
        "return x.to('cpu')": "no-such-member",
        "a, b, c, d = x\n    return a": "",
        "return PackedSequence(x.data, x.batch_sizes, x.sorted_indices, x.unsorted_indices).data": "",
        "return PackedSequence(x.data, x.batch_sizes).data": "operator-mismatch",
        "return pad_packed_sequence(x)": "",
    },
    "x: Union[Tensor, PackedSequence]": {
        "if isinstance(x, PackedSequence):\n        a, b, c, d = x\n        return a\n    return x": "",
        "p = isinstance(x, PackedSequence)\n    if p:\n        a, b, c, d = x\n        return a\n    return None":
            "not-a-tuple",
        "return x.data": "no-such-member",
    },
}  # fmt: skip


@pytest.mark.parametrize(("parameters", "code"), [(each, code) for each in SEQUENCES for code in SEQUENCES[each]])
def test_ranges_and_packed_sequences(parameters: str, code: str) -> None:
    agree(SEQUENCES[parameters][code], f"{RNN}\n\n\n@torch.jit.script\ndef f({parameters}):\n    {code}\n")


NO_TYPES = ["torch", "nn.functional", "torch.distributions", "torch.cuda", "math", "print", "any", "F", "F.relu"]


@pytest.mark.parametrize("written", NO_TYPES)
def test_modules_and_functions_are_no_types(written: str) -> None:
    head = "import math\n\nimport torch.nn.functional as F\n\n\n"
    agree("unreadable-annotation", f"{head}@torch.jit.script\ndef f(x: {written}, y: Tensor):\n    return y\n")


FIELDS = {
    "Tensor": "",
    "'Tensor'": "",
    "Optional[Tensor]": "",
    "'Missing'": "unreadable-annotation",
    "Optional['Tensor']": "unreadable-annotation",
    "set": "unreadable-annotation",
    "Tensor = torch.zeros(1)": "mutable-default",
    "Optional[Tensor] = torch.ones(2, dtype=torch.float)": "mutable-default",
    "Optional[Tensor] = None": "",
}


@pytest.mark.parametrize("field", FIELDS)
def test_the_fields_of_a_named_tuple(field: str) -> None:
    text = f"class Pair(NamedTuple):\n    a: Tensor\n    b: {field}\n\n\n"
    head = "from typing import NamedTuple\n\n\n"
    agree(FIELDS[field], f"{head}{text}@torch.jit.script\ndef f(x: Pair):\n    return x.a.relu()\n")
    if field != "set":
        agree(FIELDS[field], f"{head}{text}@torch.jit.script\ndef f(x: Tensor):\n    return Pair(x, x).a\n")


MODULE = """
class Net(nn.Module):
    def __init__(self):
        {init}

    def forward(self, x: Tensor):
        return x

    {method}
"""
INITS = {
    "super().__init__()": "",
    "nn.Module.__init__(self)": "",
    "self.n = 2": "uninitialized-module",
    "pass": "uninitialized-module",
}


@pytest.mark.parametrize("init", INITS)
def test_constructors_with_and_without_super(init: str) -> None:
    agree(INITS[init], MODULE.format(init=init, method=""))


EXPORT = "super().__init__()\n        self.n = 1"
SETS = "@torch.jit.export\n    def __setstate__(self, state{}):\n        self.n = state[0]"
GETS = "\n\n    @torch.jit.export\n    def __getstate__(self):\n        return (self.n, self.training)"


def test_state_has_the_type_that_is_saved() -> None:
    agree("state-without-type", MODULE.format(init=EXPORT, method=SETS.format("")))
    agree("", MODULE.format(init=EXPORT, method=SETS.format(": Tuple[int, bool]")))
    agree("", MODULE.format(init=EXPORT, method=SETS.format("") + GETS))


def test_a_redefined_class_has_its_latest_meaning() -> None:
    box = "@torch.jit.script\nclass Box:\n    def __init__(self):\n        self.{0} = 1\n\n\n"
    use = "@torch.jit.script\ndef {0}(box: Box):\n    return box.{1}\n\n\n"
    # The test's compiler only compiles the end of a file, so only the static model is asked.
    assert events(box.format("a") + use.format("f", "a") + box.format("b") + use.format("g", "b")) == []
    assert len(events(box.format("a") + use.format("f", "b") + box.format("b") + use.format("g", "a"))) == 2


SUM = """
@torch.jit.script
class Sum:
    def __init__(self):
        self.n = 1
{add}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sum = Sum()

    def forward(self, n: int):
        self.sum += n
        return self.sum.n


torch.jit.script(Net())
"""


def test_an_object_in_an_attribute_has_its_own_operators() -> None:
    agree("", SUM.format(add="\n    def __add__(self, n: int):\n        self.n += n\n        return self\n"))
    agree("script-class-member", SUM.format(add=""))
