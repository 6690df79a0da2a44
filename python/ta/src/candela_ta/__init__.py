"""Technical-analysis indicators and expressions with the numbers of Candela, bit for bit.

`rsi(close, period=14)` takes arrays and columns of numpy, pandas, polars and pyarrow, or a frame with columns such as close.
"""

from . import _accessor, _indicators
from ._compute import compute, compute_all, expression
from ._indicators import *  # noqa: F403
from ._live import Live, live
from ._script import CandelaError

__all__ = ["CandelaError", "Live", "compute", "compute_all", "expression", "live"]
__all__ += _indicators.__all__

_accessor.register()
