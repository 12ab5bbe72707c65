"""``tslint annotate``: types seen in one run of the model become the annotations that the compiler asks for.

The worker runs the model (``observe.py``; nothing else here imports torch) and counts kinds of values (``kinds.py``);
the parent makes types (``types.py``) and proposals (``propose.py``) of them, and writes with libcst (``writing.py``).
Nothing is ever scripted, so it works on modules that do not compile yet.
"""
