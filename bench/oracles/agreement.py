"""Compares every indicator with its namesakes in other libraries and writes docs/agreement.md.

    python agreement.py            all libraries
    python agreement.py rsi macd   prints the verdicts of these indicators, writes nothing
    python agreement.py --check    fails where the page is not what would be written
"""

import json
import subprocess
import sys
import warnings
from collections import namedtuple

import numpy as np

import charts_library
import edges
import markets
import page
import pandas_ta_library
import quantwave_library
import risk_library
import science_library
import signals_library
import talib_library
import tulip_library
import vector_ta_library
import wickra_library

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

libraries = (
    talib_library, pandas_ta_library, tulip_library, science_library, risk_library, vector_ta_library,
    quantwave_library, charts_library, signals_library, wickra_library,
)
tolerance = 1e-9
# The longest one, which comes last, lets other starts fade.
compared = ("rare", "volatile", "shapes", "bent")

# How an indicator and a function agree: kind is equal, fades, differs or refused; detail a number or a text; outputs are
# the names of those that agree; events says whether anything but zeros was compared.
Verdict = namedtuple("Verdict", "kind detail outputs")


def ask(calls):
    """What the kernels give for a list of calls; the catalogue for an empty list."""
    answer = subprocess.run(
        ["node", "bench/oracles/values.mjs"],
        cwd=markets.project,
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


def compare(ours, theirs):
    """How two columns agree: ("equal", 0), ("fades", candles), ("fading", difference at the end) where the market is too short
    for another start to end, or ("differs", worst difference in the second half)."""
    both = np.isfinite(ours) & np.isfinite(theirs)
    if both.sum() < 10 or both.sum() < 0.5 * np.isfinite(ours).sum():
        return ("differs", np.inf)
    scale = np.max(np.abs(ours[both]))
    error = np.abs(ours - theirs) / np.maximum(np.abs(ours), 1e-3 * scale)
    error[~both] = 0
    if scale == 0:
        error = np.where(both & (theirs != 0), 1.0, 0.0)
    wrong = np.flatnonzero(error > tolerance)
    if len(wrong) == 0:
        return ("equal", 0.0)
    first = int(np.flatnonzero(both)[0])
    last = int(wrong[-1])
    if last < 0.5 * len(ours) or last < 0.7 * len(ours) and len(wrong) > 0.5 * (last - first):
        return ("fades", last + 1)
    if np.all(np.abs(ours - theirs)[both] <= tolerance * scale):
        return ("equal", "within 1e-9 of the largest value")
    constant = constant_between(ours[both], theirs[both], scale) or codes_between(ours[both], theirs[both])
    if constant:
        return ("equal", constant)
    absolute = np.where(both, np.abs(ours - theirs), 0.0)[first:]
    tenth = max(len(absolute) // 10, 1)
    if np.max(absolute[-tenth:]) < 0.1 * np.max(absolute[: 3 * tenth]):
        return ("fading", float(np.max(error[-tenth:])))
    half = error[len(error) // 2 :]
    return ("differs", float(np.max(half)) if np.max(half) > 0 else float(np.max(error)))


def constant_between(ours, theirs, scale):
    """A text where one column is the other one times a constant, or plus a constant; nothing otherwise."""
    if np.ptp(ours) == 0:
        return ""
    moving = (np.abs(theirs) > 1e-3 * np.max(np.abs(theirs))) & (np.abs(ours) > 1e-3 * scale)
    if moving.sum() > 0:
        factor = float(np.median(ours[moving] / theirs[moving]))
        if np.all(np.abs(ours - factor * theirs) <= tolerance * np.maximum(np.abs(ours), 1e-3 * scale)):
            return f"times {factor:.6g}"
    offset = float(np.median(ours - theirs))
    if np.all(np.abs(ours - theirs - offset) <= tolerance * scale):
        return f"plus {offset:.6g}"
    return ""


def codes_between(ours, theirs):
    """A text where both columns are few codes, and each code of one stands for one of the other."""
    pairs = set(zip(ours.tolist(), theirs.tolist()))
    if 2 <= len(pairs) <= 12 and len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs):
        return "in other codes"
    return ""


rank = {"equal": 0, "fades": 1, "fading": 2, "differs": 3, "refused": 4}


def order(result):
    """By kind, by size; a constant comes after plain equality."""
    kind, value = result[:2]
    return (rank[kind], np.inf if isinstance(value, str) else value)


def shifted(column, count):
    """A column that is moved by so many candles; a negative count moves it to earlier candles."""
    out = np.full(len(column), np.nan)
    if count >= 0:
        out[count:] = column[: len(column) - count]
    else:
        out[:count] = column[-count:]
    return out


def of_market(library, function, entry, answer, market, setting):
    """The result of each output over a market: (kind, detail, name), the best first; how many columns the library has."""
    found = library.compute(function, entry, answer["params"], market, setting.get("theirs", {}))
    found = [np.asarray(column, dtype=float) for column in found]
    found = [shifted(column, setting.get("shift", 0)) for column in found if len(column) == len(market["close"])]
    if not found:
        raise ValueError("no columns")
    if "columns" in setting:
        found = [found[k] for k in setting["columns"]]
    results = []
    for name, column in zip(entry["outputs"], answer["outputs"]):
        ours = np.array([np.nan if value is None else value for value in column], dtype=float)
        if name in setting.get("without", ()) or not np.isfinite(ours).any():
            continue
        best = min((compare(ours, theirs) for theirs in found), key=order)
        results.append((*best, name, bool(np.nanmax(np.abs(ours)) > 0)))
    return sorted(results, key=order), len(found)


def verdict_of(library, function, entry, answers, setting):
    """The verdict over all markets and outputs: for each output the column that is nearest to it counts."""
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
    # On the shorter markets another start may not have faded yet.
    if worst[-1][0] in ("equal", "fades") and all(kind != "differs" for kind, _ in worst):
        return Verdict(*max((each for each in worst if each[0] != "fading"), key=order), outputs)
    kind, detail = max(worst, key=order)
    return Verdict("differs" if kind == "fading" else kind, detail, outputs)


def is_held(verdict, entry):
    """Whether a library agrees, at least with the first output."""
    return verdict.kind in ("equal", "fades") and entry["outputs"][0] in verdict.outputs


def computed(pairs, settings):
    """What the kernels give, by the indicator and the library, for each market."""
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


def main():
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    catalogue, settings = described()
    functions = functions_of(catalogue, settings)
    if arguments:
        functions = {pair: function for pair, function in functions.items() if pair[0] in arguments}
    answers = computed(functions, settings)
    table = {indicator: {} for indicator in catalogue}
    for library in libraries:
        for (indicator, title), function in functions.items():
            if title == library.title:
                setting = settings.get(indicator, {}).get(title, {})
                entry = catalogue[indicator]
                verdict = verdict_of(library, function, entry, answers[indicator, title], setting)
                table[indicator][title] = (function, verdict)
                if arguments:
                    print(indicator, title, function, verdict, flush=True)
    if arguments:
        return
    held = [name for name, row in table.items() if any(is_held(verdict, catalogue[name]) for _, verdict in row.values())]
    text = page.written(catalogue, libraries, table, held, settings, edges.section(catalogue, ask))
    path = markets.project / "docs/agreement.md"
    if "--check" in sys.argv:
        if path.read_text(encoding="utf-8") != text:
            sys.exit("docs/agreement.md is not what would be written")
        return
    path.write_text(text, encoding="utf-8")
    print(f"{len(held)} of {len(catalogue)} agree")


if __name__ == "__main__":
    main()
