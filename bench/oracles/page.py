"""The page docs/agreement.md."""

import re

from markets import project

agreeing = ("equal", "fades")


def sources_of():
    """What the docstring of each kernel names as its source."""
    found = {}
    for path in sorted((project / "assembly/kernels").glob("*/*.ts")):
        text = path.read_text(encoding="utf-8")
        match = re.search(r"^ \* Source: (.*?)\n \*(?:/| [A-Z])", text, re.DOTALL | re.MULTILINE)
        if match:
            found[path.stem] = re.sub(r"\s*\n \* ?", " ", match.group(1)).strip().rstrip(".").replace("|", "\\|")
    return found


def cell(function, verdict, setting, entry):
    """A function, its verdict, and under which settings."""
    kind, detail, outputs = verdict
    reason = setting.get("reason")
    if kind == "equal":
        text = f"equal, {detail}" if isinstance(detail, str) else "equal"
    elif kind == "fades":
        text = f"equal after {detail} candles"
    elif kind == "refused":
        text = f"not comparable: {reason or detail}"
    else:
        text = f"different: {reason or 'not examined'}"
    if kind in agreeing:
        given = [f"`{name}={value}` here" for name, value in setting.get("ours", {}).items()]
        given += [f"`{name}={value}` there" for name, value in setting.get("theirs", {}).items()]
        if "shift" in setting:
            given.append(f"{setting['shift']} candles later here")
        if given:
            text += " with " + ", ".join(given)
        if len(outputs) < len(entry["outputs"]):
            text += f" (`{'`, `'.join(outputs)}`)"
        if reason:
            text += f"; {reason}"
    return f"`{function}`: {text}".replace("|", "\\|")


def written(catalogue, libraries, table, held, settings, talib):
    count = sum(len(library.title.split(", ")) for library in libraries)
    lines = [
        "# How the numbers agree with those of other libraries",
        "",
        "Written by `bench/oracles/agreement.py`; do not edit it. Every indicator that has a namesake in one of these libraries is",
        "computed over four markets of the test vectors, candle by candle, with its defaults or with the parameters that are named.",
        "*Equal* means within 1e-9 of the value; a constant between the two, as of per cent, is named. *Equal after n candles*",
        "means that the library starts with another value, whose influence has ended by then. An output counts as the library's column",
        "that is nearest to it; where a library has not all outputs, those that agree are named, the first of them the indicator's first. Several functions in a",
        "cell are put together as the source of the indicator says. Of other differences the reason is named where it was examined. TA-Lib is its crate in Rust, the",
        "newest release, which its authors generate from the definitions of the C library; the newest package for Python has the C library 0.8.1.",
        "",
        f"{len(held)} of {len(catalogue)} indicators are compared candle by candle with {count} libraries: so many agree with at least one.",
        "",
        "| Library | Version | Compared | Equal | Equal after some candles | Different | Not comparable |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for library in libraries:
        kinds = [row[library.title][1].kind for row in table.values() if library.title in row]
        counts = [kinds.count(kind) for kind in ("equal", "fades", "differs", "refused")]
        lines.append(f"| {library.title} | {library.version} | {len(kinds)} | " + " | ".join(map(str, counts)) + " |")
    lines += ["", "| Indicator | Library | Verdict |", "|---|---|---|"]
    for name, row in table.items():
        for title, (function, verdict) in row.items():
            setting = settings.get(name, {}).get(title, {})
            lines.append(f"| {name} | {title} | {cell(function, verdict, setting, catalogue[name])} |")
    sources = sources_of()
    others = [name for name in catalogue if name not in held]
    lines += [
        "",
        "## Indicators that rest on their definition",
        "",
        f"These {len(others)} have no namesake in the libraries above, or differ from it. Their vectors come from a second implementation in",
        "`test/vectors/definitions`, written from this source:",
        "",
        "| Indicator | Source |",
        "|---|---|",
        *(f"| `{name}` | {sources.get(name, '')} |" for name in others),
        *talib,
        "",
    ]
    return "\n".join(lines)
