"""Finds code that compiles but is wrong, while tslint's model of the compiler reads the code.

Nothing here changes a value or a type. ``values`` looks at expressions as the interpreter emits them, ``calls`` at
calls that prevent saving or running, ``functions`` at a whole function after it is compiled, ``branches`` at
``is_scripting()``, ``modules`` at classes, and ``shipping`` at what files do with compiled modules.
"""
