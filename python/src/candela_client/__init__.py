"""Client of Candela: technical-analysis indicators as frames."""

from ._accessor import configure, register
from ._async_client import AsyncCandela
from ._client import Candela
from ._errors import CandelaError
from ._table import Table

register()

__all__ = ["AsyncCandela", "Candela", "CandelaError", "Table", "configure"]
