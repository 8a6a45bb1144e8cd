"""How the pieces, cards and fields of each system look. Every file here is found by lying here."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
