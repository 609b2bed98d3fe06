"""What a step of `steepest.mpi` costs: measured on two to four ranks, predicted for many hosts; tables and plot.

python docs/scaling.py        writes scaling.md, and scaling.png where matplotlib is installed
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import scaling_model as model  # noqa: E402
from scaling_model import HUNDRED, TEN, Measured, best_bucket, dense_seconds, rows_seconds  # noqa: E402

PAGE, PICTURE = HERE / "scaling.md", HERE / "scaling.png"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
HOSTS = (2, 4, 8, 16, 64, 256, 1024)
LINKS = (TEN, HUNDRED)
DENSE, COMPUTE = 4e8, 0.5  # bytes of gradients, and the seconds that they take
ROWS, WIDTH, TABLE = 1e5, 64, 1e9  # distinct rows of a rank, their width, and the table's

CONTENDERS = [  # in the file: the job and its kind; then what it is
    ("steepest 1x1", "plain", "steepest, one process"),
    ("steepest 1x2", "plain", "steepest, one process of two threads"),
    ("steepest 2x1", "distributed", "**steepest, two ranks**"),
    ("torch 1x1", "plain", "torch, one process"),
    ("torch 2x1", "ddp", "torch, two ranks, DDP"),
    ("torch 2x1", "zero", "torch, two ranks, DDP and ZeRO"),
]


def shown(seconds: float) -> str:
    """Return a time in ms, with as many digits as it is worth."""
    return f"{seconds * 1e3:,.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]])


# Measured ----------------------------------------------------------------------------------------


def rounds_of(measured: Measured, job: str, kind: str, name: str) -> list[dict[str, Any]]:
    """Return what a contender has measured of a model, round by round."""
    found = (each[job]["models"][name].get(kind) for each in measured.raw["rounds"] if each[job])
    return [entry for entry in found if entry]


def measured_table(measured: Measured, name: str) -> str:
    """Return the table of one model."""
    whole = statistics.median(e["seconds"] for e in rounds_of(measured, "steepest 1x1", "plain", name))
    rows = []
    for job, kind, title in CONTENDERS:
        entries = rounds_of(measured, job, kind, name)
        if not entries or "absent" in entries[0]:
            why = entries[0]["absent"] if entries else "not measured"
            rows.append([title, why, "", "", ""])
            continue
        times = [e["seconds"] for e in entries]
        seconds = statistics.median(times)
        sent = f"{entries[0]['sent'] / 1e6:.2f}" if entries[0]["sent"] else ""
        spread = f"{shown(seconds)} ({shown(min(times))} to {shown(max(times))})"
        rows.append([title, spread, f"{whole / seconds:.2f}", sent, f"{entries[0]['losses'][-1]:.5f}"])
    head = ["", "ms a step", "times as quick as steepest's one process", "MB sent by a rank", "loss of the eighth step"]
    return table(head, rows)


def same_bits(measured: Measured) -> bool:
    """Tell whether two ranks have ended with the bits of one in every round."""
    return all(
        one["digest"] == two["digest"] and one["losses"] == two["losses"]
        for name in measured.raw["models"]
        for one in rounds_of(measured, "steepest 1x1", "distributed", name)
        for two in rounds_of(measured, "steepest 2x1", "distributed", name)
    )


def measured_part(measured: Measured) -> str:
    """Return what is measured of the models."""
    machine, libraries = measured.machine, measured.machine["libraries"]
    versions = ", ".join(f"{name} {version}" for name, version in libraries.items())
    parts = [
        "### Measured: two ranks on one machine",
        f"{machine['processor']}, {machine['processors']} processors ({measured.raw['date']}; {versions}). Medians of "
        f"{len(measured.raw['rounds'])} rounds, with the least and the largest. Everybody takes the same two halves of "
        "a batch in each step, one thread a process where nothing else is said. A loss is the mean over the ranks. Two "
        f"ranks of steepest have ended with the bits of one: {'yes' if same_bits(measured) else 'NO'}.",
    ]
    for name, title in measured.raw["models"].items():
        parts += [f"**{name}**: {title}", measured_table(measured, name)]
    return "\n\n".join(parts)


def constants(measured: Measured) -> str:
    """Return the fitted constants."""
    link, host = measured.link, measured.host
    rows = [
        ["alpha, of a message between two ranks", f"{link.alpha * 1e6:.0f} us"],
        ["beta, of its bytes (shared memory)", f"{1e-9 / link.beta:.1f} GB/s"],
        ["a step of one dense parameter", f"{host.step * 1e6:,.0f} us"],
        ["work on dense gradients", f"{1e-9 / host.byte:.2f} GB/s"],
        ["the same, sent as bfloat16", f"{1e-9 / host.half:.2f} GB/s"],
        ["Adam on the rank's share", f"{1e-9 / host.adam:.2f} GB/s of parameters"],
        ["a step of one table", f"{host.table * 1e6:,.0f} us"],
        ["work on ids and rows", f"{1e-9 / host.row_byte:.2f} GB/s"],
    ]
    return table(["fitted to two ranks", ""], rows)


def check_table(measured: Measured) -> str:
    """Return how far the model is from what two to four ranks take."""
    checks, rows = measured.checks(), []
    for ranks in sorted({ranks for ranks, *_ in checks}):
        errors = sorted(abs(guess / real - 1) for r, _, real, guess in checks if r == ranks)
        worst = max((abs(guess / real - 1), name) for r, name, real, guess in checks if r == ranks)
        what = "fitted" if ranks == 2 else "predicted"
        row = [str(ranks), what, str(len(errors)), f"{statistics.median(errors):.0%}", f"{worst[0]:.0%} ({worst[1]})"]
        for name in ("dense, 4 MB", "dense, 16 MB", "4,066 rows"):
            row += [f"{shown(real)} / {shown(guess)}" for r, n, real, guess in checks if (r, n) == (ranks, name)] or [
                ""
            ]
        rows.append(row)
    each = [f"{name}: ms measured / model" for name in ("4 MB dense", "16 MB dense", "4,066 rows")]
    return table(["ranks", "the model is", "steps", "median error", "largest error", *each], rows)


# Predicted ---------------------------------------------------------------------------------------


def dense_table(measured: Measured) -> str:
    """Return the table of a dense model."""
    rows = []
    for hosts in HOSTS:
        row = [f"{hosts:,}", f"{model.dense_bytes(hosts, DENSE) / 1e6:,.0f}"]
        for link in LINKS:
            bucket = best_bucket(hosts, DENSE)
            plain = dense_seconds(measured.host, hosts, DENSE, link, bucket)
            row += [
                shown(plain),
                shown(dense_seconds(measured.host, hosts, DENSE, link, bucket, half=True)),
                shown(dense_seconds(measured.host, hosts, DENSE, link, model.BUCKET)),
                f"{model.dense_network(hosts, DENSE, link, bucket) / plain:.0%}",
                f"{COMPUTE / (COMPUTE + plain):.0%}",
            ]
        rows.append(row)
    each = ["ms", "ms, bfloat16", "ms, buckets of 8 MiB", "of it network", "useful"]
    return table(["hosts", "MB sent", *(f"{link.name}: {name}" for link in LINKS for name in each)], rows)


def rows_table(measured: Measured) -> str:
    """Return the table of a large embedding."""
    rows = []
    for hosts in HOSTS:
        everywhere = min(TABLE, ROWS * hosts)
        row = [f"{hosts:,}"]
        row += [f"{model.rows_bytes(hosts, ROWS, WIDTH, every) / 1e6:,.0f}" for every in (everywhere, None)]
        for link in LINKS:
            row += [shown(rows_seconds(measured.host, hosts, ROWS, WIDTH, e, link)) for e in (everywhere, None)]
        row.append(f"{TABLE * WIDTH * 4 / hosts / 2**30:,.1f}")
        rows.append(row)
    each = ["ms, replicated", "ms, sharded"]
    head = ["hosts", "MB sent, replicated", "MB sent, sharded"]
    head += [f"{link.name}: {name}" for link in LINKS for name in each]
    return table([*head, "GiB of the table on each"], rows)


def batch_table(measured: Measured) -> str:
    """Return how much of a step is useful work, by the work between two exchanges."""
    hosts, rows = 64, []
    for compute in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0):
        row = [f"{compute:g}"]
        for link in LINKS:
            for half in (False, True):
                cost = dense_seconds(measured.host, hosts, DENSE, link, best_bucket(hosts, DENSE), half)
                row.append(f"{compute / (compute + cost):.0%}")
        rows.append(row)
    head = [f"{link.name}{half}" for link in LINKS for half in ("", ", bfloat16")]
    return table(["s of gradients in a step", *head], rows)


def page() -> str:
    """Return the page with its tables written anew."""
    measured = Measured()
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    parts = [
        measured_part(measured),
        "### The model's constants, and its error\n\n" + constants(measured),
        check_table(measured),
        "### Predicted: dense gradients, 1e8 parameters of float32\n\n" + dense_table(measured),
        "### Predicted: rows, 100,000 distinct rows of 64 numbers on each host, of a table of 1e9\n\n"
        + rows_table(measured),
        "### Predicted: larger batches, 64 hosts, 1e8 parameters\n\n" + batch_table(measured),
    ]
    text = "\n\n".join(parts)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}"


def draw() -> None:
    """Draw the model over what was measured, and what of a step is useful on many hosts."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    measured = Measured()
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2))
    checks = measured.checks()
    for ranks, mark in ((2, "o"), (3, "^"), (4, "s")):
        real = [1e3 * seconds for r, _, seconds, _ in checks if r == ranks]
        guess = [1e3 * seconds for r, _, _, seconds in checks if r == ranks]
        left.plot(real, guess, mark, label=f"{ranks} ranks ({'fitted' if ranks == 2 else 'predicted'})", alpha=0.7)
    ends = [1e3 * min(e[2] for e in checks) / 1.5, 1e3 * max(e[2] for e in checks) * 1.5]
    left.plot(ends, ends, color="gray", linewidth=1)
    left.set(xscale="log", yscale="log", xlabel="ms a step, measured", ylabel="ms a step, model")
    left.set_title(f"One machine of {measured.machine['processors']} processors")
    left.legend()
    hosts = [2**k for k in range(1, 11)]
    for link, style in ((TEN, "-"), (HUNDRED, "--")):
        for half in (False, True):
            cost = [dense_seconds(measured.host, n, DENSE, link, best_bucket(n, DENSE), half) for n in hosts]
            label = f"{link.name}{', bfloat16' if half else ''}"
            useful = [COMPUTE / (COMPUTE + c) for c in cost]
            right.plot(hosts, useful, style, marker="o" if half else "s", markersize=4, label=label)
    right.set(xscale="log", xlabel="hosts", ylabel="part of a step that is gradients", ylim=(0, 1))
    right.set_xticks([2, 8, 32, 128, 1024], ["2", "8", "32", "128", "1,024"])
    right.set_title("1e8 parameters, half a second of gradients (model)")
    right.legend()
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    draw()
