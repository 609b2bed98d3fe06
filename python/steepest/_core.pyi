from typing import Any

from numpy.typing import NDArray

def apply(who: str, rule: str, values: list[float], items: list[Any], hooks: list[Any]) -> int:
    """Update every item in one call; all checks come before the first write."""

def available_processors() -> int:
    """The processors that this process may run on."""

def build_info() -> dict[str, Any]:
    """Instruction sets, and the versions this module was built with."""

def get_num_threads() -> int:
    """Threads used for large updates."""

def norms(who: str, gradients: list[Any]) -> list[float]:
    """Euclidean norms of (dtype, values, indices or None, rows), duplicates summed, accumulated in double."""

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
