"""Finds code that compiles but is wrong, while the static model reads the code.

Nothing here changes a value or a type. ``values`` checks expressions while the interpreter emits them. ``calls`` finds
calls that prevent saving or running. ``functions`` checks a whole function after it is compiled, ``branches`` uses of
``is_scripting()``, ``modules`` classes, and ``shipping`` what files do with compiled modules.
"""
