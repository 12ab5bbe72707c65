"""Small function bodies, separated by blank lines, that use `x: Tensor`, `l: List[int]`, `d: Dict[str, int]`, `n: int`.

The tests ask the compiler for the verdict on each. A part that begins with ``def`` or ``class`` is used unchanged.
"""

BODIES = '''
y: int

x[0]: Tensor = x

...

y = ...

print(...)

y = x[..., 0]

y = x[...]

y = x[...,]

y = x[[...]]

y = x[...:2]

y = x[0, (..., 1)]

y = x[..., ...]

y = x[Ellipsis]

y = Ellipsis

x[...] = 0

x[...] += 1

x[...][0] = 1

y = (1, ...)

y = n if ... else n

assert n > 1, ...

if n > 0:
    ...

if False:
    ...

y = 1 if torch.jit.is_scripting() else ...

y = True or ...

if torch.jit.is_scripting():
    pass
else:
    y = 99999999999999999999

def f(x):
    return x
    ...

def f(x):
    raise ValueError("a")
    ...

def f(x):
    if torch.jit.is_scripting():
        return x
    ...

def f(x):
    if not torch.jit.is_scripting():
        return x
    ...

def f(x, n: int):
    if n > 1:
        return x
    else:
        return x + 1
    ...

def f(x, n: int):
    if 1 > 2:
        return x
    ...

def f(x):
    with torch.no_grad():
        return x
    ...

def f(x):
    assert False
    ...

def f(x):
    while True:
        return x
    ...

def f(x, n: int):
    while n > 1:
        n -= 1
        break
        ...
    return x

def f(x) -> Tensor: ...

def f(x):
    """doc"""

del l[1:2]

del x[0][1:2]

del l[0], l[1]

del (l[0], l[1])

del [l[0]]

del n, l

del d["a"]

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = 3
    def forward(self, x):
        del self.a
        return x

y = b"abc"

y = 9223372036854775807

y = 9223372036854775808

y = -9223372036854775808

y = l[0:99999999999999999999]

y: int = 99999999999999999999

y = 10**30

y = 99999999999999999999j

y = "\\ud800"

y = f"{n}"

y = f"{n:>3}"

y = f"{n=}"

y = f"{n!r}" "b"

y = f"{n}" + f"{n:d}"

y = [a for a, b in [(1, 2)]]

y = [a for a in l if a]

y = [a + b for a in l for b in l]

y = {a: b for a in l for b in l}

y = {k: 1 for k in l if n}

y = {k: v for k, v in d.items()}

y = {a for a in l if a > 1}

y = sum(a for a in l if a)

y = (a for a in l)

[a, b] = (1, 2)

[a, b], c = (1, 2), 3

y = [a, b] = (1, 2)

for [a, b] in [(1, 2)]:
    pass

y = [a for [a, b] in [(1, 2)]]

a, (b, c) = 1, (2, 3)

a, *b = (1, 2, 3)

(a, *b), c = (1, 2), 3

*a, = (1, 2, 3)

for *a, in [(1, 2)]:
    pass

a, *x[0] = (1, 2, 3)

a = *(1, 2), 3

y = torch.zeros(*(1, 2))

for (a, (b, c)) in [(1, (2, 3))]:
    print(b)

y = z = n

{**d}

y = {"a": 1, **d}

y = dict(**d)

y = n.a(**{}, b=3)

y = (n := 3)

x @= x

n //= 2

x[0] //= 2

n >>= 1

n **= 2

n %= 2

n ^= 1

n |= 1

n &= 1

n <<= 1

n -= 1

n *= 1

n += 1

x /= 2

y = +n

y = -n

y = ~x

y = not n

y = -+1

y = n if n else n

y = n + n - n * n % n // 2

y = n / 2

y = n ** 2

y = n << 1 >> 2 & 3 | 4 ^ 5

y = x @ x

y = n > 1 and n >= 1 or n < 1 or n <= 1 or n == 1 or n != 1

y = n is None or n is not None

y = n in l or n not in l

y = 1 < n < 3

raise

raise ValueError("a") from None

with torch.no_grad() as (a, b):
    pass

with torch.no_grad() as l[0]:
    pass

with torch.no_grad() as y:
    pass

__jit_a = 3

def f(__jit_a):
    return __jit_a

async def f(x):
    return x

def f(x, /, y):
    return x + y

class M(nn.Module):
    def forward(self, x, /):
        return x

class M(nn.Module):
    def forward(self, /, x):
        return x

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = 3
    def forward(self, /, x):
        return x + self.a

x.q.r: int = 3

class M(nn.Module):
    def forward(self, x):
        self.a: Tensor = x
        return x

while n > 1:
    n -= 1
else:
    n = 3

while n > 1:
    n -= 1
    continue

for i in l:
    n -= 1
else:
    n = 3

for i in l:
    if i > 2:
        break

def f(x, *, y: int = 1):
    return x

def f(x, *, y: int):
    return x

def f(x, *args):
    return x

def f(x,
      *args,
      **kwargs):
    return x

def f(x: {1, 2}):
    return x

def f(x) -> (lambda: 1):
    return x

y = lambda: 1

y = {1, 2}

y = x[{1, 2}]

def f(x):
    yield x

def f(x):
    yield from x

def f(x):
    def h(x):
        return x
    return x

class A:
    pass

try:
    pass
except ValueError:
    pass

match n:
    case 1:
        pass

import math

from math import pi

global y

assert n > 1, "a"

return x

y = x[()] if False else n

y: "int" = 3

def f(x):
    # type: (Tensor) -> Tensor
    return x

def f(x):
    y = []  # type: List[int]
    return x

def f(x):
    y = []  # type: List[int]
    z = []  # type: List[int]
    return x

def f(x):
    # type: (Tensor) -> Tensor
    z = []  # type: List[int]
    return x

def f(x):
    # type: (Tensor, int) -> Tensor
    return x

def f(x,  # type: Tensor
      y,  # type: int
      ):
    # type: (...) -> Tensor
    z = []  # type: List[int]
    return x

def f(x):
    y = [] #type: List[int]
    return x

def f(x):
    y = [] # type : List[int]
    return x

def f(x):
    y = [1]  # type: ignore
    return x

def f(x):
    y = [1]  # type: ignore # noqa
    return x

def f(x):
    y = [1]  # type: ignore[a, b]
    return x

def f(x):
    y = [1]  # type: ignore[arg-type]
    return x

def f(x):
    y = [1] #type: ignore
    return x

def f(x):
    """
    # type: something
    """
    return x

def f(x):
    return x
    # type: foo

def f(x):
    return x
# type: foo

def f(x):  # type: (Tensor) -> Tensor
    return x

def f(x):
    # this is a type: thing
    return x

def f(x):
    # type: (Tensor) -> Tensor  # noqa
    return x

def f(x):
    # type: Tensor -> Tensor
    return x

class M(nn.Module):
    def forward(self, x):
        # type: (Tensor) -> Tensor
        return x

class M(nn.Module):
    def forward(self, x, y):
        # type: (M, Tensor, Tensor) -> Tensor
        return x

class M(nn.Module):
    def forward(self, x):
        self.y = x  # type: Tensor
        return x
'''
