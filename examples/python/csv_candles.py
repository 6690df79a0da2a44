"""Computes an indicator over the candles of a CSV file.

python3 examples/python/csv_candles.py <file> <indicator> [<parameter>=<value>...]

The columns are timestamp (Unix seconds), open, high, low, close and volume, with a heading, oldest first. One request
takes 500 candles: of a longer file, the newest ones are used.
"""

import csv
import datetime
import sys

import candela

MAX_CANDLES = 500


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, name, *given = sys.argv[1:]
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[-MAX_CANDLES:]
    candles = [
        {column: int(text) if column == "timestamp" else float(text) for column, text in row.items()} for row in rows
    ]
    query = {"results": "max", **dict(each.split("=", 1) for each in given)}
    result = candela.compute(name, candles, **{key: number(text) for key, text in query.items()})
    outputs = [output for output in result if output != "timestamp"]
    print("time", *outputs, sep=",")
    for at, timestamp in enumerate(result["timestamp"]):
        time = datetime.datetime.fromtimestamp(timestamp, datetime.timezone.utc)
        print(f"{time:%Y-%m-%d %H:%M}", *(result[output][at] for output in outputs), sep=",")


def number(text):
    """A number where a text is one: bodies are typed, unlike query strings."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text, text)


candela.run(main)
