from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from typing_extensions import disjoint_base

CACHE_LIMIT_BYTES: int
DTYPES: tuple[str, ...]
HOOK_KINDS: tuple[str, ...]
PAGE_BYTES: int
SLOT_STEP_BYTES: int
caching_allocator: Any
_Graph: Any

class _Operators:
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any: ...
    def __add__(self, value: Any, /) -> Any: ...
    def __radd__(self, value: Any, /) -> Any: ...
    def __sub__(self, value: Any, /) -> Any: ...
    def __rsub__(self, value: Any, /) -> Any: ...
    def __mul__(self, value: Any, /) -> Any: ...
    def __rmul__(self, value: Any, /) -> Any: ...
    def __truediv__(self, value: Any, /) -> Any: ...
    def __rtruediv__(self, value: Any, /) -> Any: ...
    def __pow__(self, value: Any, mod: Any = None, /) -> Any: ...
    def __rpow__(self, value: Any, mod: Any = None, /) -> Any: ...
    def __mod__(self, value: Any, /) -> Any: ...
    def __rmod__(self, value: Any, /) -> Any: ...
    def __matmul__(self, value: Any, /) -> Any: ...
    def __rmatmul__(self, value: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __getitem__(self, key: Any, /) -> Any: ...

@disjoint_base
class _Primitive:
    fun: Any
    vjps: tuple[Any, ...]
    vjp_argnums: Any
    linear: bool
    needs_result: bool
    name: str
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@disjoint_base
class _Tensor:
    value: Any
    primitive: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any] | None
    owner: Any
    version: int | None
    mark: float
    number: int
    def __init__(self, value: Any, mark: float = ..., owner: Any = None, version: int | None = None) -> None: ...

def allocate(dtype: Any, shape: Sequence[int], colour: int, zero: bool) -> NDArray[Any]:
    """An array at `colour` bytes into a page (-1: at the next place), of huge pages where it is large."""

def allocate_by(handler: Any, users: int = 0) -> Any:
    """Have NumPy allocate its arrays by this handler from now on, in this context; the one before is returned."""

def address(array: NDArray[Any]) -> int:
    """Where an array's first element is."""

def advance(advance: list[Any], changed: list[Any]) -> None:
    """Advance scalars, and mark Variables as changed: all, or on any error none."""

def apply(who: str, jobs: list[Any], items: list[Any], hooks: list[Any], advance: list[Any], changed: list[Any]) -> int:
    """Update every item and advance scalars in one call; all checks come before the first write."""

def measure(who: str, jobs: list[Any], items: list[Any], hooks: list[Any], scale: float) -> list[NDArray[Any]]:
    """Sums of squares that norms of rules with a ratio are made of: (chunks, 2) for each item, elements times scale."""

def available_processors() -> int:
    """The processors that this process may run on."""

def build_info() -> dict[str, Any]:
    """Instruction sets, and the versions this module was built with."""

def apply_pending(
    history: object, rule: str, dtype: int, parameter: NDArray[Any], slots: tuple[NDArray[Any], ...], keep: bool = ...
) -> None:
    """Every row makes its pending moves; the record is empty afterwards, unless it is kept because these are copies."""

def combine_rows(dtype: int, lookups: list[Any], out: NDArray[Any], rows: NDArray[Any]) -> tuple[int, int, int] | None:
    """out = sums of rows of tables, side by side; rows = the ids. None, or (table, position, id) of a bad one."""

def common_norm(who: str, gradients: list[Any]) -> float:
    """The Euclidean norm of all of (dtype, values, indices or None, rows) together, duplicates summed."""

def get_num_threads() -> int:
    """Threads used for large updates."""

def is_counter(step: Any) -> bool:
    """Tell whether this is a step that repeat() can count."""

def cached_bytes() -> int:
    """Bytes of freed memory that are kept for later arrays and calls."""

def register_types(variable: type, slices: type, bags: type) -> None:
    """Say which classes are Variable, IndexedSlices and BagSlices; they must have slots for their attributes."""

def step_history(beta1: float, beta2: float, epsilon: float, rows: int, dtype: int) -> object:
    """A new record of the steps that rows of one parameter have missed."""

def copy_bytes(data: NDArray[Any], out: NDArray[Any]) -> None:
    """Copies an array of bytes, by all threads."""

def crc32(data: NDArray[Any], crc: int = ..., out: NDArray[Any] | None = ...) -> int:
    """The CRC-32 of an array of bytes, after bytes of checksum `crc`; copies them to `out` where it is given."""

def matches(work: Any, pairs: Any, slots: tuple[Any, ...]) -> bool:
    """Tell whether the pairs are the remembered ones, with gradients that kernels take as they are."""

def owner_of(array: NDArray[Any]) -> Any:
    """The object whose life is that of an array's memory: the last base that is an array, or what lies under it."""

def philox_words(key: int, low: int, high: int, blocks: int, skip: int, out: NDArray[Any]) -> None:
    """Fills an array with the words that Philox makes of a key, and of counters in groups."""

def read_rows(
    history: object,
    rule: str,
    dtype: int,
    parameter: NDArray[Any],
    slots: tuple[NDArray[Any], ...],
    ids: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """out[k] = row ids[k] as it stands after its pending moves; nothing else changes."""

def remember(rules: list[str], targets: list[Any], pairs: Any, slots: list[Any]) -> Any:
    """Return what matches() and repeat() need to know a list again, or None where they could not."""

def repeat(work: Any, pairs: Any, slots: Any, values: Any, powers: Any, hooks: Any, step: Any, advance: Any, /) -> int:
    """Update the remembered list and advance scalars: -1, -2 for another list, or where a gradient is not finite."""

def restore_history(
    beta1: float, beta2: float, epsilon: float, dtype: int, rates: NDArray[Any], last: NDArray[Any]
) -> object:
    """The record that save_history() was given, to the bit."""

def room(history: object) -> int:
    """Steps that can be recorded before every row must have caught up."""

def same_values(dict: dict[str, Any], values: tuple[Any, ...]) -> bool:
    """Tell whether a dict has these very objects as values, in this order."""

def save_history(history: object) -> tuple[NDArray[Any], NDArray[Any]]:
    """What a record is made of: the rates of its steps, and the step at which each row moved last."""

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

def register_tape(**by_name: Any) -> None:
    """Say what the tape is to use: types, functions and tables, by name."""

def current_leaf(variable: Any, recording: Any) -> Any:
    """Return the Tensor that stands for a variable in what the tapes of a Recording record from now on."""

def next_number() -> int:
    """Return the next sequence number."""

def eager_results(on: bool) -> bool:
    """Have operations that no tape records give Tensors; return whether they did."""

def drop_from(bytes: int) -> int:
    """Have the tape give back values that no derivative needs from this size on; return the size until now."""

def note_by(function: Any) -> Any:
    """Have a function of a primitive give the one that is recorded in its place, or None; return the last function."""

def record(value: Any, primitive: _Primitive, args: tuple[Any, ...], kwargs: dict[str, Any] | None = ...) -> Any:
    """Return ``value`` as the recorded result of ``primitive(*args, **kwargs)``."""

def apply_primitive(primitive: _Primitive, args: tuple[Any, ...], kwargs: dict[str, Any] | None = ...) -> Any:
    """Evaluate ``primitive`` on any mixture of values; record it when one of ``args`` is recorded."""

def keep_where(g: Any, a: Any, relation: str, b: Any) -> Any:
    """Return g where a relation, '>', '>=' or 'not >=', is between a and b, else 0; None where NumPy is to do it."""

def share_extremes(g: Any, y: Any, x: Any, axis: Any) -> Any:
    """Return the gradient of x's extremes y along an axis, or all: ties share g; None where NumPy is to do it."""

def add_elements_at(target: Any, index: tuple[Any, ...], values: Any) -> bool:
    """Add values to target[index], arrays of integers, in order; False and nothing done where NumPy is to do it."""

def call_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate what ``__array_function__`` is asked for."""
