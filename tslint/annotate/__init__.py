"""``tslint annotate``: writes the annotations that the compiler needs, from the types seen in one run of the model.

The worker runs the model (``observe.py``; nothing else here imports torch) and counts kinds of values (``kinds.py``);
the parent makes types (``types.py``) and proposals (``propose.py``) of them, and writes with libcst (``writing.py``).
None of it is scripted, so it works on modules that do not compile yet; only for modules of torch's own that got an int
for a float is the compiler asked (``construct.py``).
"""
