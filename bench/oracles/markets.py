"""The markets of the test vectors as columns."""

import csv
import os
from pathlib import Path

import numpy as np

project = Path(__file__).resolve().parents[2]
# The environment that run.sh creates.
environment = Path(os.environ.get("ORACLES", project / "build/oracles"))
columns = ("open", "high", "low", "close", "volume")
names = ("volatile", "penny", "daily", "shapes", "still")


def read(name):
    """The columns of a market as arrays of floats, with its opening times in Unix seconds."""
    with open(project / "test/vectors/markets" / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    market = {column: np.array([float(row[column]) for row in rows]) for column in columns}
    return {**market, "timestamp": np.array([int(row["timestamp"]) for row in rows])}
