"""The scenarios of this package. Importing it registers them."""

from catan_env.scenarios import base as base
