"""Compares every indicator with its namesakes in other libraries and writes docs/agreement.md.

    python agreement.py            all libraries
    python agreement.py --check    fails where the page is not what would be written
"""

import json
import subprocess
import sys
import warnings

import numpy as np

import markets
import pandas_ta_library
import science_library
import talib_library
import tulip_library
import wickra_library

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

tolerance = 1e-9
# The longest one, which comes last, lets other starts fade.
compared = ("volatile", "shapes", "bent")


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


def talib_columns(function, entry, params, market):
    """TA-Lib's outputs with the parameters of the indicator, as far as both have them."""
    given = {}
    for name, default in talib_library.parameters(function).items():
        value = params.get(entry["talib"].get(name), default)
        given[name] = type(default)(value) if isinstance(value, (int, float)) else default
    if function == "KDJ":
        given["slowd_period"] = params["signal"]
    if function == "STOCHRSI":
        # K here is the mean that is D there.
        given["fastd_period"] = params["kPeriod"]
    return talib_library.compute(function, market, given)


def compare(ours, theirs):
    """How two columns agree: ("equal", 0), ("fades", candles) or ("differs", worst difference in the second half)."""
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
        return ("equal", float(np.max(error)))
    first = int(np.flatnonzero(both)[0])
    last = int(wrong[-1])
    if last < 0.7 * len(ours) and len(wrong) > 0.5 * (last - first):
        return ("fades", last + 1)
    if np.all(np.abs(ours - theirs)[both] <= tolerance * scale):
        return ("equal", "within 1e-9 of the largest value")
    constant = constant_between(ours[both], theirs[both], scale)
    if constant:
        return ("equal", constant)
    half = error[len(error) // 2 :]
    return ("differs", float(np.max(half)) if np.max(half) > 0 else float(np.max(error)))


def constant_between(ours, theirs, scale):
    """A text where one column is the other one times a constant, or plus a constant; nothing otherwise."""
    moving = (np.abs(theirs) > 1e-3 * np.max(np.abs(theirs))) & (np.abs(ours) > 1e-3 * scale)
    if moving.sum() < 10 or np.ptp(ours) == 0:
        return ""
    factor = float(np.median(ours[moving] / theirs[moving]))
    if np.all(np.abs(ours - factor * theirs) <= tolerance * np.maximum(np.abs(ours), 1e-3 * scale)):
        return f"times {factor:.6g}"
    offset = float(np.median(ours - theirs))
    if np.all(np.abs(ours - theirs - offset) <= tolerance * scale):
        return f"plus {offset:.6g}"
    return ""


rank = {"equal": 0, "fades": 1, "differs": 2}


def order(result):
    """By kind, by size; a constant comes after plain equality."""
    kind, value = result
    return (rank[kind], np.inf if isinstance(value, str) else value)


def verdict_of(indicator, function, library_compute, entry, answers):
    """The verdict over all markets and outputs: for each output the column that is nearest to it counts."""
    verdicts = []
    for market_name, answer in answers.items():
        market = markets.read(market_name)
        try:
            found = library_compute(function, entry, answer["params"], market)
        except Exception as error:  # noqa: BLE001 a function that refuses its arguments is a result, too
            return ("refused", str(error).splitlines()[0][:80] if str(error) else type(error).__name__)
        if not found:
            return ("refused", "no columns")
        of_outputs = []
        for column in answer["outputs"]:
            ours = np.array([np.nan if value is None else value for value in column], dtype=float)
            if not np.isfinite(ours).any():
                continue
            results = [compare(ours, np.asarray(theirs, dtype=float)) for theirs in found if len(theirs) == len(ours)]
            of_outputs.append(min(results, key=order, default=("differs", np.inf)))
        # An output of which the library has no column is not compared.
        of_outputs.sort(key=order)
        verdicts.append(max(of_outputs[: len(found)], key=order, default=("equal", 0.0)))
    # On the shorter markets another start may not have faded yet.
    if verdicts[-1][0] == "fades" and all(kind != "differs" or value < 1e-3 for kind, value in verdicts):
        return verdicts[-1]
    return max(verdicts, key=order)


def written(verdict, reason):
    kind, value = verdict
    if kind == "equal":
        return f"equal, {value}" if isinstance(value, str) else "equal"
    if kind == "fades":
        return f"equal after {value} candles"
    if kind == "refused":
        return f"not comparable: {reason or value}"
    return f"different: {reason or 'not examined'}"


def main():
    catalogue = ask([])
    talib_names = {indicator: function for function, indicator in talib_library.functions().items() if indicator in catalogue}
    libraries = [
        ("TA-Lib", talib_library.version, talib_names, talib_columns),
        ("pandas-ta-classic", pandas_ta_library.version, pandas_ta_library.names(catalogue), pandas_ta_library.compute),
        ("Tulip", tulip_library.version, tulip_library.names(catalogue), tulip_library.compute),
        ("numpy, pandas, scipy, statsmodels", science_library.version, science_library.names(), science_library.compute),
        ("Wickra", wickra_library.version, wickra_library.names(catalogue), wickra_library.compute),
    ]
    reasons = json.loads((markets.project / "bench/oracles/reasons.json").read_text(encoding="utf-8"))
    wanted = sorted({indicator for _, _, names, _ in libraries for indicator in names if indicator in catalogue})
    calls = [{"id": indicator, "market": market, "params": {}} for indicator in wanted for market in compared]
    answers = {}
    for call, answer in zip(calls, ask(calls)):
        answers.setdefault(call["id"], {})[call["market"]] = answer
    table = {indicator: {} for indicator in wanted}
    for title, _, names, compute in libraries:
        for indicator, function in sorted(names.items()):
            if indicator in catalogue:
                verdict = verdict_of(indicator, function, compute, catalogue[indicator], answers[indicator])
                table[indicator][title] = (function, verdict)
        print(title, len(names), flush=True)
    write(catalogue, libraries, table, reasons)


def write(catalogue, libraries, table, reasons):
    titles = [title for title, _, _, _ in libraries]
    agrees = ("equal", "fades")
    held = [name for name, row in table.items() if any(verdict[0] in agrees for _, verdict in row.values())]
    lines = [
        "# How the numbers agree with those of other libraries",
        "",
        "Written by `bench/oracles/agreement.py`; do not edit it. Every indicator that has a namesake in one of these libraries is computed with its",
        "defaults over three markets of the test vectors, candle by candle. *Equal* means within 1e-9 of the value; a constant between the two, as of per cent, is named. *Equal after n candles*",
        "means that the library starts with another value, whose influence has ended by then. An output counts as the library's column",
        "that is nearest to it; outputs of which a library has no column are not compared. Of other differences the reason is named where it is known.",
        "",
        f"{len(held)} of {len(catalogue)} indicators agree with at least one of these libraries; {len(table)} have a namesake in one.",
        "",
        "| Library | Version | Compared | Equal | Equal after some candles | Different | Not comparable |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for title, version, _, _ in libraries:
        kinds = [row[title][1][0] for row in table.values() if title in row]
        counts = [kinds.count(kind) for kind in ("equal", "fades", "differs", "refused")]
        lines.append(f"| {title} | {version} | {len(kinds)} | " + " | ".join(str(count) for count in counts) + " |")
    lines += ["", "| Indicator | " + " | ".join(titles) + " |", "|---|" + "---|" * len(titles)]
    for name, row in table.items():
        cells = []
        for title in titles:
            if title not in row:
                cells.append("")
                continue
            function, verdict = row[title]
            reason = reasons.get(name, {}).get(title)
            cells.append(f"`{function}`: {written(verdict, reason)}".replace("|", "\\|"))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    others = [name for name in catalogue if name not in held]
    lines += [
        "",
        "## Indicators that rest on their definition",
        "",
        f"These {len(others)} have no namesake in the libraries above, or differ from it. Their vectors come from a second implementation in",
        "`test/vectors/definitions`, written from the source that the page of the indicator names.",
        "",
        " ".join(f"`{name}`" for name in others),
        "",
    ]
    path = markets.project / "docs/agreement.md"
    text = "\n".join(lines)
    if "--check" in sys.argv:
        if path.read_text(encoding="utf-8") != text:
            sys.exit("docs/agreement.md is not what would be written")
        return
    path.write_text(text, encoding="utf-8")
    print(f"{len(held)} of {len(catalogue)} agree, {len(table)} compared")


if __name__ == "__main__":
    main()
