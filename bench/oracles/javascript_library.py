"""Client of the JavaScript libraries, through the program in the folder `javascript`."""

import program
from markets import project

oracle = program.Program(["node", "compute.mjs"], project / "bench/oracles/javascript")


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def ask(library, name, market, given, source=None):
    """The columns of a result."""
    columns = program.lists(market)
    if source == "middle":
        columns["close"] = [(high + low) / 2 for high, low in zip(columns["high"], columns["low"])]
        source = "close"
    call = {"library": library, "name": name, "columns": columns, "given": given, "source": source}
    return program.arrays(oracle.ask(call)["outputs"])
