"""Comparison of two columns."""

from collections import namedtuple

import numpy as np

tolerance = 1e-9

# Agreement of an indicator and a function: kind is equal, fades, differs or refused; detail is a number or a text; outputs
# are the names of the outputs that agree.
Verdict = namedtuple("Verdict", "kind detail outputs")

rank = {"equal": 0, "fades": 1, "fading": 2, "differs": 3, "refused": 4}


def numbers(column):
    """A column of the kernels as an array, NaN where there is no value."""
    return np.array([np.nan if value is None else value for value in column], dtype=float)


def limits(ours, scale):
    """The tolerated difference of each value."""
    return tolerance * np.maximum(np.abs(ours), 1e-3 * scale)


def forms(ours, theirs, setting):
    """The library's column, unchanged and transformed as the settings declare: by a factor, a summand, or another sum level."""
    yield theirs, ""
    if "times" in setting:
        yield theirs * setting["times"], f"times {setting['times']:.6g}"
    if "plus" in setting:
        yield theirs + setting["plus"], f"plus {setting['plus']:.6g}"
    both = np.isfinite(ours) & np.isfinite(theirs)
    if setting.get("level") and both.any():
        yield theirs + np.median((ours - theirs)[both]), "on another level"


def compare(ours, theirs, setting):
    """The best result over the forms of the library's column: ("equal", text), ("fades", candles), ("fading", difference at the
    end) where the market is too short for another start to end, or ("differs", worst difference in the second half)."""
    results = []
    for column, text in forms(ours, theirs, setting):
        kind, detail = compare_plain(ours, column)
        results.append((kind, detail or text if kind == "equal" else detail))
    best = min(results, key=order)
    if best[0] == "differs" and setting.get("codes") and stands_for(*without_gaps(ours, theirs)):
        return ("equal", "in other codes")
    return best


def compare_plain(ours, theirs):
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
        return ("equal", "")
    first = int(np.flatnonzero(both)[0])
    last = int(wrong[-1])
    if last < 0.5 * len(ours) or last < 0.7 * len(ours) and len(wrong) > 0.5 * (last - first):
        return ("fades", last + 1)
    if np.all(np.abs(ours - theirs)[both] <= tolerance * scale):
        return ("equal", "within 1e-9 of the largest value")
    absolute = np.where(both, np.abs(ours - theirs), 0.0)[first:]
    tenth = max(len(absolute) // 10, 1)
    if np.max(absolute[-tenth:]) < 0.1 * np.max(absolute[: 3 * tenth]):
        return ("fading", float(np.max(error[-tenth:])))
    half = error[len(error) // 2 :]
    return ("differs", float(np.max(half)) if np.max(half) > 0 else float(np.max(error)))


def without_gaps(ours, theirs):
    both = np.isfinite(ours) & np.isfinite(theirs)
    return ours[both], theirs[both]


def stands_for(ours, theirs):
    """Whether both columns are few codes, and each code of one stands for one of the other."""
    pairs = set(zip(ours.tolist(), theirs.tolist()))
    return 2 <= len(pairs) <= 12 and len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def order(result):
    """Sort key: by kind, then by size. A text, which names a form, comes after plain equality."""
    kind, value = result[:2]
    return (rank[kind], (0 if value == "" else np.inf) if isinstance(value, str) else value)


def shifted(column, count):
    """A column that is moved by `count` candles; a negative count moves it to earlier candles."""
    out = np.full(len(column), np.nan)
    if count >= 0:
        out[count:] = column[: len(column) - count]
    else:
        out[:count] = column[-count:]
    return out
