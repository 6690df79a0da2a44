"""The file docs/agreement.json, from which the build makes the page /help/agreement."""

import json

agreeing = ("equal", "fades")


def cell(function, verdict, setting, entry, second):
    """A function, its verdict, and its settings."""
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
    """Whether the formula is a second implementation of ours with parts of a library."""
    return indicator in getattr(library, "written_here", ())


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
    """Up to three names, and the number of others."""
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def written(catalogue, libraries, table, settings, edges):
    """The text of the file: the libraries, the line and the verdicts of each indicator, and the section about TA-Lib's edges."""
    rows = {}
    for name, row in table.items():
        verdicts = {}
        for library in libraries:
            if library.title in row:
                function, verdict = row[library.title]
                setting = settings.get(name, {}).get(library.title, {})
                verdicts[library.title] = cell(function, verdict, setting, catalogue[name], is_second(library, name))
        rows[name] = {"line": line(name, catalogue[name], libraries, row, settings), "verdicts": verdicts}
    titles = [
        {"title": each.title, "version": each.version, "isOurs": bool(getattr(each, "second", False))} for each in libraries
    ]
    return json.dumps({"libraries": titles, "indicators": rows, "edges": edges}, indent=2, ensure_ascii=False) + "\n"
