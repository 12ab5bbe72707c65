"""``tslint annotate``: writes the annotations that the compiler needs, from the types seen in one run of the model.

The worker runs the model and counts the kinds of values (``observe.py`` and ``kinds.py``). The parent makes types
(``types.py``) and proposals (``propose.py``) of them, and writes them with libcst (``writing.py``); it does not import
torch. The model is not scripted, so this works on modules that do not compile yet. The compiler is only asked about
modules of torch that got an int for a float (``construct.py``).
"""
