"""Position evaluation as a weighted sum of documented terms.

Terms read nothing that is hidden from the seat. The terms of each game system are defined in one module of this
package, and all of its modules are imported automatically. Other packages can register terms with `measures`; see
`terms.py`.
"""

from importlib import import_module
from pkgutil import iter_modules

from catan_agents.evaluation.terms import AVOIDED, UNCERTAIN, Term, avoids, measures, terms_of, uncertain

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["AVOIDED", "UNCERTAIN", "Term", "avoids", "measures", "terms_of", "uncertain"]
