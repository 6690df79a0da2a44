"""The page docs/agreement.md."""

import json
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


def cell(function, verdict, setting, entry, second):
    """A function, its verdict, and under which settings."""
    kind, detail, outputs = verdict
    reason = setting.get("reason")
    if kind == "equal":
        text = f"equal, {detail}" if detail else "equal"
    elif kind == "fades":
        text = f"equal after {detail} candles"
    elif kind == "refused":
        text = f"not comparable: {reason or detail}"
    else:
        text = f"different: {reason or 'not examined'}"
        if isinstance(detail, str):
            text += f" ({detail})"
    if kind in agreeing:
        given = [f"`{name}={value}` here" for name, value in setting.get("ours", {}).items()]
        given += [f"`{name}={value}` there" for name, value in setting.get("theirs", {}).items()]
        if "close" in setting:
            given.append(f"`{setting['close']}` there")
        if setting.get("shift"):
            later = "later" if setting["shift"] > 0 else "earlier"
            given.append(f"{abs(setting['shift'])} candles {later} here")
        if given:
            text += " with " + ", ".join(given)
        if len(outputs) < len(entry["outputs"]):
            text += f" (`{'`, `'.join(outputs)}`)"
        if reason:
            text += f"; {reason}"
    return f"`{function}`: {'second implementation, ' if second else ''}{text}".replace("|", "\\|")


def agrees(verdict, entry):
    """Whether a function agrees, at least with the first output."""
    return verdict.kind in agreeing and entry["outputs"][0] in verdict.outputs


def is_second(library, indicator):
    """Whether the formula is written here a second time, with parts of a library."""
    return indicator in getattr(library, "written_here", ())


def held(catalogue, libraries, table):
    """The indicators with which a program agrees that somebody else wrote, and those with which our second implementation does."""
    others, seconds = [], []
    for name, row in table.items():
        found = [is_second(each, name) for each in libraries if each.title in row and agrees(row[each.title][1], catalogue[name])]
        if False in found:
            others.append(name)
        elif found:
            seconds.append(name)
    return others, seconds


def version_of(library):
    return f"{library.title} {library.version}" if library.title in ("TA-Lib",) else library.title


def line(name, entry, libraries, row, settings):
    """One line about the agreement of an indicator for its page."""
    reasons = settings.get(name, {})
    equal, later, second, different = [], [], False, []
    for library in libraries:
        if library.title not in row:
            continue
        verdict = row[library.title][1]
        if agrees(verdict, entry):
            if is_second(library, name):
                second = True
            else:
                (equal if verdict.kind == "equal" else later).append(version_of(library))
        elif library.title in ("TA-Lib", "TradingView") and verdict.kind == "differs":
            different.append(f"{library.title}: {reasons.get(library.title, {}).get('reason', 'different')}")
    parts = []
    if equal:
        parts.append(f"equal to {listed(equal)}")
    elif later:
        parts.append(f"equal to {listed(later)} once other starts have faded")
    elif second:
        parts.append("equal to a second implementation of ours, to no other program")
    else:
        parts.append("no other program confirms it; it rests on its source")
    return "; ".join(parts + different)


def listed(names):
    """Up to three names, and how many others."""
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def lines_of_indicators(catalogue, libraries, table, settings):
    """The file docs/agreement.json: a line for the page of each indicator."""
    lines = {name: line(name, catalogue[name], libraries, row, settings) for name, row in table.items()}
    return json.dumps(lines, indent=2, ensure_ascii=False) + "\n"


def written(catalogue, libraries, table, settings, talib):
    others, seconds = held(catalogue, libraries, table)
    count = sum(len(library.title.split(", ")) for library in libraries if not getattr(library, "second", False))
    lines = [
        "# How the numbers agree with those of other programs",
        "",
        "For developers; the page of each indicator says it in one line. Written by `bench/oracles/agreement.py`; do not edit it.",
        "",
        "Every indicator that has a namesake in one of these libraries is computed over four markets of the test vectors, candle by candle,",
        "with its defaults or with the parameters that are named. TradingView's values are those of its own exports, over their candles.",
        "",
        "- *Equal*: within 1e-9 of the value. A factor, a summand, another level of a running sum or other codes count only where",
        "  `settings.json` declares them beforehand, and are named; a factor that merely fits confirms nothing.",
        "- *Equal after n candles*: the library starts with another value, whose influence has ended by then.",
        "- *Second implementation*: the formula is written here a second time, with parts of a library. It does not count as agreement.",
        "- *Different*: whose convention is which. An output counts as the library's column that is nearest to it; where not all outputs",
        "  agree, those that do are named, the first of them the indicator's first.",
        "",
        "TA-Lib is its crate in Rust, the newest release, which its authors generate from the definitions of the C library.",
        "",
        f"{len(others)} of {len(catalogue)} indicators agree candle by candle with at least one program that somebody else wrote, out of {count}; {len(seconds)} more agree",
        "with a second implementation of ours only.",
        "",
        "| Library | Version | Compared | Equal | Equal after some candles | Different | Not comparable |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for library in libraries:
        kinds = [row[library.title][1].kind for row in table.values() if library.title in row]
        counts = [kinds.count(kind) for kind in ("equal", "fades", "differs", "refused")]
        title = f"second implementation with {library.title}" if getattr(library, "second", False) else library.title
        lines.append(f"| {title} | {library.version} | {len(kinds)} | " + " | ".join(map(str, counts)) + " |")
    lines += ["", "| Indicator | Library | Verdict |", "|---|---|---|"]
    for name, row in table.items():
        for library in libraries:
            if library.title not in row:
                continue
            function, verdict = row[library.title]
            setting = settings.get(name, {}).get(library.title, {})
            lines.append(f"| {name} | {library.title} | {cell(function, verdict, setting, catalogue[name], is_second(library, name))} |")
    sources = sources_of()
    rest = [name for name in catalogue if name not in others]
    lines += [
        "",
        "## Indicators that rest on their definition",
        "",
        f"With these {len(rest)} no program above agrees that somebody else wrote. Their vectors come from a second implementation, in",
        "`test/vectors/definitions` or with the libraries named above, written from this source:",
        "",
        "| Indicator | Source |",
        "|---|---|",
        *(f"| `{name}` | {sources.get(name, '')} |" for name in rest),
        *talib,
        "",
    ]
    return "\n".join(lines)
