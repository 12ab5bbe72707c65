"""Code that compiles but is wrong, found while the model compiles.

Nothing here changes a value or a type. ``values`` looks at expressions as the interpreter emits them, ``calls`` at
calls that stand in the way of saving or running, ``functions`` at a whole function once it is compiled, ``branches``
at ``is_scripting()``, ``modules`` at classes, and ``shipping`` at what files do with compiled modules.
"""
