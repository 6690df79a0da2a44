"""Writes the outputs of other libraries into test/vectors: the cases in which a library returns exactly the values of the kernel,
candle by candle and with values at the same candles. A second implementation is marked as such. The other cases keep the
values of the definition.

    python vectors.py            all indicators
    python vectors.py rsi macd   these only
"""

import json
import subprocess
import sys
import warnings

import numpy as np

import agreement
import comparison
import markets
import page

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

folder = markets.project / "test/vectors"


def is_same(ours, theirs):
    """Whether two columns have values at the same candles, equal within the tolerance of the vectors."""
    if len(ours) != len(theirs) or np.any(np.isfinite(ours) != np.isfinite(theirs)):
        return False
    both = np.isfinite(ours)
    scale = np.max(np.abs(ours[both])) if both.any() else 0.0
    limits = comparison.tolerance * np.maximum(np.abs(ours[both]), 1e-3 * scale)
    return bool(np.all(np.abs(ours[both] - theirs[both]) <= limits))


def columns_of(library, function, entry, answer, market, setting):
    """The library's column for each output of an indicator; nothing if one of them is missing."""
    found = library.compute(function, entry, answer["params"], market, setting.get("theirs", {}))
    found = [comparison.shifted(np.asarray(column, dtype=float), setting.get("shift", 0)) for column in found]
    columns = []
    for column in answer["outputs"]:
        ours = np.array([np.nan if value is None else value for value in column], dtype=float)
        same = next((theirs for theirs in found if is_same(ours, theirs)), None)
        if same is None or not np.isfinite(ours).any():
            return []
        columns.append(same)
    return columns


def as_stored(column, stored):
    """A column in the form of the file: booleans if the outputs are true or false."""
    values = [value for value, _ in stored["runs"]] if isinstance(stored, dict) else stored
    is_flag = any(isinstance(value, bool) for value in values)
    return [None if not np.isfinite(x) else bool(x) if is_flag else float(x) for x in column]


def has_texts(stored):
    values = [value for value, _ in stored["runs"]] if isinstance(stored, dict) else stored
    return any(isinstance(value, (str, list, dict)) for value in values)


def taken(entry, vector, answers, functions, settings):
    """The matching library of each case: (source, outputs) or nothing."""
    name = entry["id"]
    found = []
    for case, answer in zip(vector["cases"], answers):
        best = None
        for library, function in functions:
            setting = settings.get(name, {}).get(library.title, {})
            if any(answer["params"].get(key) != value for key, value in setting.get("ours", {}).items()):
                continue
            if any(has_texts(column) for column in case["outputs"].values()):
                break
            try:
                columns = columns_of(library, function, entry, answer, markets.read(case["market"]), setting)
            except Exception:  # noqa: BLE001 a function that refuses its arguments gives no case
                continue
            if columns:
                outputs = {key: as_stored(column, case["outputs"][key]) for key, column in zip(case["outputs"], columns)}
                kind = "second implementation with " if page.is_second(library, name) else ""
                best = {"source": f"{kind}{library.title} {library.version}: {function}", "outputs": outputs}
                break
        found.append(best)
    return found


def main():
    catalogue, settings = agreement.described()
    pairs = agreement.functions_of(catalogue, settings)
    wanted = sys.argv[1:] or list(catalogue)
    vectors = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in wanted}
    calls = [{"id": name, "market": case["market"], "params": case["params"]} for name in wanted for case in vectors[name]["cases"]]
    answers = iter(agreement.ask(calls))
    written = []
    for name in wanted:
        functions = [(each, pairs[name, each.title]) for each in agreement.libraries if (name, each.title) in pairs]
        given = [next(answers) for _ in vectors[name]["cases"]]
        written.append({"name": name, "cases": taken(catalogue[name], vectors[name], given, functions, settings)})
    subprocess.run(["node", "bench/oracles/write-vectors.mjs"], cwd=markets.project, input=json.dumps(written), text=True, check=True)
    of_libraries = [sum(case is not None for case in each["cases"]) for each in written]
    print(f"{sum(of_libraries)} cases of {sum(map(bool, of_libraries))} indicators")


if __name__ == "__main__":
    main()
