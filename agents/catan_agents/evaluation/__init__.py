"""What a position is worth to a seat, as far as that seat knows: a weighted sum of documented terms.

Each system of rules has its terms in a file of its own here, which is found by being here; systems outside the package
decorate their functions with `measures` wherever they stand. See `terms.py`.
"""

from importlib import import_module
from pkgutil import iter_modules

from catan_agents.evaluation.terms import AVOIDED, UNCERTAIN, Term, avoids, measures, terms_of, uncertain

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["AVOIDED", "UNCERTAIN", "Term", "avoids", "measures", "terms_of", "uncertain"]
