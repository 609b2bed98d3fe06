"""The tables of bench/README.md, of one machine each."""

from __future__ import annotations

from .case import CASES
from .figures import Entry, Figures, number, table
from .measure import OURS


def heading(figures: Figures) -> list[str]:
    """Return a machine's heading: its name, what ran on it, and when."""
    m = figures.machine
    libraries = ", ".join(f"{name} {version}" for name, version in m["libraries"].items())
    dates = sorted({entry.date for entry in figures.entries})
    return [
        f"## {figures.name}",
        "",
        f"Caches {m['caches']}; {m['isa']} kernels. "
        f"Python {m['python']}, {libraries}. {' and '.join(dict.fromkeys([*dates[:1], *dates[-1:]]))}.",
        "",
    ]


def columns(entries: list[Entry]) -> list[str]:
    """Return the contenders of a table: ours, limits and loops, libraries."""
    names = list(dict.fromkeys(name for entry in entries for name in entry.contenders))

    def place(name: str) -> int:
        found = next(e.contenders[name] for e in entries if name in e.contenders)
        if name == OURS or name.startswith(f"{OURS},"):
            return 0
        if name.startswith(OURS):
            return 1
        return 2 if found["roofline"] else 3 if found["runtime"] == "native" else 4

    return sorted(names, key=place)


def with_quartiles(entry: Entry, name: str) -> str:
    found = entry.contenders.get(name)
    if found is None:
        return ""
    low, high = sorted(entry.case.figure(entry.work, s) for s in found["quartiles"])
    return f"{number(entry.figure(name))} ({number(low)} to {number(high)})"


def rows_of(entries: list[Entry]) -> list[str]:
    names = columns(entries)
    across = any(entry.work.across for entry in entries)
    limited = any(entry.rooflines() for entry in entries) and not across
    moving = any(entry.bytes for entry in entries) and not across
    raced = any(entry.rivals() for entry in entries) and not across
    counted = any("nodes" in c for entry in entries for c in entry.contenders.values())
    head = ["work", *([] if across else ["threads"]), *names]
    head += ["MB moved", "GB/s"] * moving + ["steepest / limit"] * limited + ["best library / steepest"] * raced
    head += ["speed-up"] * across + ["nodes"] * counted
    rows = []
    for entry in entries:
        row = [entry.work.label, *([] if across else [str(entry.work.threads)])]
        row += [with_quartiles(entry, n) if n.split(",")[0] == OURS else number(entry.figure(n)) for n in names]
        ours = entry.seconds(OURS)
        if moving:
            known = entry.bytes is not None and ours is not None
            row += [number(entry.bytes / 1e6) if entry.bytes else ""]
            row += [number(entry.bytes / ours / 1e9) if known and entry.bytes and ours else ""]
        if limited:
            limits = entry.rooflines()
            row.append(number(entry.ratio(OURS, limits[0])) if limits else "")
        if raced:
            best = next(iter(entry.rivals()), None)
            row.append("" if best is None or ours is None else f"{number(entry.ratio(best, OURS))} ({best})")
        if across:
            one, *_, most = [n for n in names if n.startswith(f"{OURS},") and n in entry.contenders] or ["", ""]
            row.append(number(entry.ratio(one, most)) if one != most else "1")
        if counted:
            row.append(next((str(c["nodes"]) for c in entry.contenders.values() if "nodes" in c), ""))
        rows.append(row)
    return table(head, rows)


def absences(entries: list[Entry]) -> list[str]:
    found: dict[str, list[str]] = {}
    for entry in entries:
        for name, why in entry.absent.items():
            if not why.endswith("is not installed"):
                found.setdefault(f"{name}: {why}", []).append(entry.work.label)
    return [f"- Not timed: {text} ({len(works)} works, first: {works[0]})" for text, works in found.items()]


def cases(figures: Figures) -> list[str]:
    lines: list[str] = []
    for case in sorted(CASES.values(), key=lambda case: case.order):
        entries = list(figures.of(case.name))
        if not entries:
            continue
        lines += [f"### {case.title}", "", f"{case.unit[0].upper()}{case.unit[1:]}. {case.note}".strip(), ""]
        lines += [*rows_of(entries), ""]
        if missing := absences(entries):
            lines += [*missing, ""]
    return lines


def one_off(figures: Figures) -> list[str]:
    f, rows = figures.one_off, []
    if "full" in f.get("exactness", {}):
        e = f["exactness"]
        rows.append([f"largest distance from the float64 update after {e['steps']:,} steps: full", f"{e['full']:.2e}"])
        rows.append(["the same, deferred", f"{e['deferred']:.2e}"])
    for law, each in f.get("memory", {}).items():
        if law != "error":
            rows.append([f"memory beside table, slots and gradient, {law} ids", f"{each:.0f} bytes an id"])
    for program, seconds in f.get("programs", {}).items():
        if program != "error":
            rows.append([program, f"{seconds:.3f} s"])
    if "differentiated" in f.get("operation", {}):
        o = f["operation"]
        rows.append(["an addition of ten elements", f"{1e6 * o['plain']:.2f} us"])
        rows.append(["the same on the tape", f"{1e6 * o['recorded']:.2f} us"])
        rows.append(["its derivative", f"{1e6 * o['differentiated']:.2f} us"])
    if "restore" in f.get("checkpoint", {}):
        c, size = f["checkpoint"], f"{f['checkpoint']['bytes'] / 2**30:g} GiB"
        rows.append([f"a save of {size}, over writing it and fsync", f"{c['save']:.2f}"])
        rows.append([f"a load of {size} into new memory, over reading it so", f"{c['load']:.2f}"])
        rows.append([f"a restore of {size} in place, over the same", f"{c['restore']:.2f}"])
    errors = [[name, found["error"]] for name, found in f.items() if "error" in found]
    return ["### Besides", "", *table(["what", "measured"], rows + errors), ""] if rows or errors else []
