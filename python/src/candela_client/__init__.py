"""Client of Candela: technical-analysis indicators as frames."""

from . import types
from ._accessor import configure, register
from ._async_client import AsyncCandela
from ._client import Candela
from ._errors import CandelaError
from ._table import Table
from .types import Subscription

register()

__all__ = ["AsyncCandela", "Candela", "CandelaError", "Subscription", "Table", "configure", "types"]
