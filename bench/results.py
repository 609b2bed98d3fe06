"""The figures on file: one JSON for each machine, and one for its ranks (`mpi-`), which docs/scaling.py reads."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any

from .case import CASES, Work
from .pool import processors

FOLDER = Path(__file__).parent / "results"


# AMD's generations by family and, up to which, model: virtual machines call all of them "AMD EPYC".
GENERATIONS = {25: [(0x0F, "Zen 3"), (0x1F, "Zen 4"), (0x5F, "Zen 3"), (0xFF, "Zen 4")], 26: [(0xFF, "Zen 5")]}


def processor() -> str:
    """Return the processor's name, with the generation where the name has no number."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().split("\n\n")[0].splitlines() if path.exists() else []
    known = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = known.get("model name") or platform.processor() or platform.machine()
    models = GENERATIONS.get(int(known.get("cpu family", 0)), []) if name == "AMD EPYC" else []
    return name + next((f" ({zen})" for last, zen in models if int(known["model"]) <= last), "")


def file(of: str = "") -> Path:
    """Return this machine's file; ``of``: what the name begins with."""
    slug = re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-")
    return FOLDER / f"{of}{slug}-{len(processors())}.json"


def machine(libraries: dict[str, str]) -> dict[str, Any]:
    import steepest

    config = steepest.config()
    return {
        "processor": processor(),
        "processors": len(processors()),
        "isa": config["isa"],
        "caches": caches(),
        "python": platform.python_version(),
        "libraries": dict(sorted(libraries.items())),
    }


def caches() -> str:
    """Return the sizes of the first processor's caches."""
    sizes = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((index / name).read_text().strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            sizes.append(f"L{level} {size}")
    return ", ".join(sizes)


def load(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text()))


def save(entries: list[dict[str, Any]], one_off: dict[str, Any], libraries: dict[str, str], whole: bool) -> None:
    """Write what was measured; a partial run keeps the other works that are on file, if there still are such works."""
    path = file()
    known = {work.key for case in CASES.values() for work in case.works(False)}
    old = {"works": [], "one_off": {}, "machine": {"libraries": {}}} if whole or not path.exists() else load(path)
    kept = {key: e for e in old["works"] if (key := Work(**e["work"]).key) in known}
    kept.update({Work(**entry["work"]).key: entry for entry in entries})
    FOLDER.mkdir(exist_ok=True)
    lines = ",\n".join("  " + json.dumps(entry) for entry in kept.values())
    head = {"machine": machine({**old["machine"]["libraries"], **libraries}), "one_off": {**old["one_off"], **one_off}}
    path.write_text(
        "{\n" + "".join(f' "{k}": {json.dumps(v)},\n' for k, v in head.items()) + ' "works": [\n' + lines + "\n ]\n}\n"
    )


def pretty(found: dict[str, Any]) -> str:
    """Return JSON with a line for each entry of the lists and dicts in the first level."""
    entries = []
    for key, value in found.items():
        parts = [json.dumps(each) for each in value] if isinstance(value, list) else [json.dumps(value)]
        lines = ",\n  ".join(parts)
        entries.append(f' "{key}": ' + (f"[\n  {lines}\n ]" if isinstance(value, list) else lines))
    return "{\n" + ",\n".join(entries) + "\n}\n"


def files() -> list[Path]:
    """Return the files of `python -m bench`."""
    return sorted(path for path in FOLDER.glob("*.json") if not path.name.startswith("mpi-"))
