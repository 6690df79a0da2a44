"""Compares every indicator with its namesakes in other libraries and writes docs/agreement.json.

    python agreement.py            all libraries
    python agreement.py rsi macd   prints the verdicts of these indicators, writes nothing
    python agreement.py --check    fails where the file is not what would be written
"""

import json
import subprocess
import sys
import warnings

import numpy as np

import charts_library
import edges
import markets
import page
import pandas_ta_library
import quantalib_library
import quantwave_library
import risk_library
import science_library
import signals_library
import smc_library
import talib_library
import tradingview_library
import tulip_library
import vector_ta_library
import wickra_library
from comparison import Verdict, compare, numbers, order, shifted

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

libraries = (
    talib_library, tradingview_library, tulip_library, pandas_ta_library, quantalib_library, risk_library, vector_ta_library,
    quantwave_library, charts_library, signals_library, wickra_library, smc_library, science_library,
)
# The longest one, which comes last, lets other starts fade.
compared = ("rare", "volatile", "shapes", "bent")


def ask(calls):
    """Results of the kernels for a list of calls; the catalogue for an empty list."""
    answer = subprocess.run(
        ["node", "bench/oracles/values.mjs"],
        cwd=markets.project,
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


sources = {
    "hl2": lambda market: (market["high"] + market["low"]) / 2,
    "hlc3": lambda market: (market["high"] + market["low"] + market["close"]) / 3,
}


def of_market(library, function, entry, answer, market, setting):
    """Result of each output over a market: (kind, detail, name), best first, and the number of the library's columns."""
    if "close" in setting:
        market = {**market, "close": sources[setting["close"]](market)}
    found = library.compute(function, entry, answer["params"], market, setting.get("theirs", {}))
    found = [np.asarray(column, dtype=float) for column in found]
    found = [shifted(column, setting.get("shift", 0)) for column in found if len(column) == len(market["close"])]
    if not found:
        raise ValueError("no columns")
    if "columns" in setting:
        found = [found[k] for k in setting["columns"]]
    results = []
    for name, column in zip(entry["outputs"], answer["outputs"]):
        ours = numbers(column)
        if name in setting.get("without", ()) or not np.isfinite(ours).any():
            continue
        best = min((compare(ours, theirs, setting) for theirs in found), key=order)
        results.append((*best, name, bool(np.nanmax(np.abs(ours)) > 0)))
    return sorted(results, key=order), len(found)


def verdict_of(library, function, entry, answers, setting):
    """Verdict over all markets and outputs; the column nearest to each output counts."""
    worst, agreeing, moved = [], None, False
    for name, answer in answers.items():
        try:
            results, count = of_market(library, function, entry, answer, markets.read(name), setting)
        except Exception as error:  # noqa: BLE001 a function that refuses its arguments is a result, too
            return Verdict("refused", str(error).splitlines()[0][:80] if str(error) else type(error).__name__, ())
        if not results:
            continue
        # An output of which the library has no column is not compared.
        counted = results[:count]
        worst.append(counted[-1][:2])
        names = {name for kind, _, name, _ in counted if kind in ("equal", "fades", "fading")}
        agreeing = names if agreeing is None else agreeing & names
        moved = moved or any(events for _, _, _, events in counted)
    outputs = tuple(name for name in entry["outputs"] if name in (agreeing or ()))
    if not worst:
        return Verdict("refused", "no value in the markets", ())
    if not moved:
        return Verdict("refused", "nothing but zeros in the markets", ())
    # On the shorter markets another start may not have faded.
    if worst[-1][0] in ("equal", "fades") and all(kind != "differs" for kind, _ in worst):
        return Verdict(*max((each for each in worst if each[0] != "fading"), key=order), outputs)
    kind, detail = max(worst, key=order)
    return Verdict("differs" if kind == "fading" else kind, detail, outputs)


def computed(pairs, settings):
    """Results of the kernels by indicator and library, for each market."""
    calls, of_pairs = {}, {}
    for indicator, title in pairs:
        setting = settings.get(indicator, {}).get(title, {})
        for market in setting.get("markets", compared):
            call = {"id": indicator, "market": market, "params": setting.get("ours", {})}
            key = json.dumps(call, sort_keys=True)
            calls[key] = call
            of_pairs.setdefault((indicator, title), {})[market] = key
    answers = dict(zip(calls, ask(list(calls.values()))))
    return {pair: {market: answers[key] for market, key in keys.items()} for pair, keys in of_pairs.items()}


def functions_of(catalogue, settings):
    """The function of each pair of an indicator and the title of a library."""
    found = {}
    for library in libraries:
        others = {name: of[library.title]["function"] for name, of in settings.items() if "function" in of.get(library.title, {})}
        for indicator, function in {**library.names(catalogue), **others}.items():
            if indicator in catalogue:
                found[indicator, library.title] = function
    return found


def described():
    """The catalogue and the settings."""
    catalogue = {name: {**entry, "id": name} for name, entry in ask([]).items()}
    path = markets.project / "bench/oracles/settings.json"
    return catalogue, json.loads(path.read_text(encoding="utf-8"))


def verdicts(catalogue, settings, wanted):
    """Function and verdict of each wanted indicator and the title of each library."""
    functions = {pair: function for pair, function in functions_of(catalogue, settings).items() if pair[0] in wanted}
    answers = computed(functions, settings)
    table = {indicator: {} for indicator in wanted}
    for library in libraries:
        if hasattr(library, "verdicts"):
            found = library.verdicts({name: catalogue[name] for name in wanted}, ask)
            for indicator, pair in found.items():
                table[indicator][library.title] = pair
        for (indicator, title), function in functions.items():
            if title == library.title:
                setting = settings.get(indicator, {}).get(title, {})
                verdict = verdict_of(library, function, catalogue[indicator], answers[indicator, title], setting)
                table[indicator][title] = (function, verdict)
    return table


def main():
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    catalogue, settings = described()
    table = verdicts(catalogue, settings, arguments or list(catalogue))
    if arguments:
        for indicator, row in table.items():
            for title, (function, verdict) in row.items():
                print(indicator, title, function, verdict)
        return
    text = page.written(catalogue, libraries, table, settings, edges.section(catalogue, ask))
    path = markets.project / "docs/agreement.json"
    if "--check" not in sys.argv:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        sys.exit("docs/agreement.json is not what would be written")


if __name__ == "__main__":
    main()
