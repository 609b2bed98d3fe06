from typing import Any

from numpy.typing import NDArray

def apply(who: str, rule: str, values: list[float], items: list[Any], hooks: list[Any]) -> int:
    """Update every item in one call; all checks come before the first write."""

def available_processors() -> int:
    """The processors that this process may run on."""

def build_info() -> dict[str, Any]:
    """Instruction sets, and the versions this module was built with."""

def catch_up(ledger: object, rule: str, dtype: int, parameter: NDArray[Any], slots: tuple[NDArray[Any], ...]) -> None:
    """Every row makes the moves that it owes; the ledger is empty afterwards."""

def get_num_threads() -> int:
    """Threads used for large updates."""

def ledger(beta1: float, beta2: float, epsilon: float, rows: int, dtype: int) -> object:
    """A new record of what the rows of one parameter owe to the steps that left them out."""

def norms(who: str, gradients: list[Any]) -> list[float]:
    """Euclidean norms of (dtype, values, indices or None, rows), duplicates summed, accumulated in double."""

def read_rows(
    ledger: object,
    rule: str,
    dtype: int,
    parameter: NDArray[Any],
    slots: tuple[NDArray[Any], ...],
    ids: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """out[k] = row ids[k] as it stands after the moves it owes; nothing else changes."""

def room(ledger: object) -> int:
    """Steps that can be recorded before every row must have caught up."""

def schema() -> dict[str, Any]:
    """Every rule by name: hyper-parameters with default and range, scalars, slots, whether every row moves."""

def set_num_threads(threads: int) -> None:
    """Set the number of threads used for large updates."""

def sum_duplicates(
    who: str, dtype: int, values: NDArray[Any], indices: NDArray[Any], rows: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The unique rows, ascending, and the sums of their values in batch order."""

def transform(dtype: int, gradient: NDArray[Any], out: NDArray[Any], hooks: list[Any]) -> None:
    """out = the gradient clamped or scaled."""
