"""One frame of several symbols and indicators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ._table import Table

_name = re.compile(r"^[a-z0-9_]+$", re.IGNORECASE)


def constructs_of(
    symbols: Sequence[str], indicators: Sequence[str], market: dict[str, Any], window: dict[str, Any]
) -> list[dict[str, Any]]:
    """The constructs of a bulk request: the ids are those of `columns_of` and `symbols_of`."""
    items = [{"id": f"i{at}", **window, **_item(text.strip())} for at, text in enumerate(indicators)]
    return [{"id": f"s{at}", **market, "symbol": symbol, "indicators": items} for at, symbol in enumerate(symbols)]


def _item(text: str) -> dict[str, str]:
    is_name = bool(_name.match(text)) and text not in ("open", "high", "low", "close", "volume")
    return {"indicator": text} if is_name else {"indicator": "expression", "expression": text}


def join(table: Table, symbols: Sequence[str], indicators: Sequence[str]) -> Table:
    """The table of a bulk request with the texts of the indicators as column names and a column of symbols."""
    import pyarrow

    whole = table.to_arrow()
    ids = whole.column("construct").to_pylist()
    names = [_column(name, indicators) for name in whole.column_names]
    renamed = whole.rename_columns(names)
    of_rows = pyarrow.array([symbols[int(each[1:])] for each in ids]).dictionary_encode()
    at = renamed.column_names.index("symbol")
    return Table.of_arrow(renamed.set_column(at, "symbol", of_rows), [table])


def _column(name: str, indicators: Sequence[str]) -> str:
    if name == "construct":
        return "symbol"
    found = re.match(r"^i(\d+)(\..*)?$", name)
    return f"{indicators[int(found[1])]}{found[2] or ''}" if found else name
