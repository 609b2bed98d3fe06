"""Which methods of the library's optimizers a user's class has replaced: asked in one place, answered once a class."""

from __future__ import annotations

from weakref import WeakKeyDictionary

__all__ = ["APPLY_METHODS", "CALLED_EITHER_WAY", "TYPE_METHODS", "foreign_methods", "is_library_class"]

_PACKAGE = __name__.partition(".")[0]
_answers: WeakKeyDictionary[type, frozenset[str]] = WeakKeyDictionary()

APPLY_METHODS = frozenset(
    {
        "_apply_dense",
        "_resource_apply_dense",
        "_apply_sparse",
        "_resource_apply_sparse",
        "_apply_sparse_duplicate_indices",
        "_apply_sparse_shared",
        "_resource_apply_sparse_duplicate_indices",
    }
)
"""TensorFlow's methods that update one variable; a class that replaces one is updated in Python."""

TYPE_METHODS = frozenset({"_valid_dtypes", "_assert_valid_dtypes"})
"""Methods that narrow the types of variables."""

CALLED_EITHER_WAY = frozenset(
    {"_hyper", "apply_gradients", "compute_gradients", "get_name", "load_state_dict", "minimize", "state_dict"}
)
"""What a user's class may replace without losing `StepCache`: a checked step and a repeated one both call these."""


def is_library_class(cls: type) -> bool:
    """Tell whether a class is the library's own."""
    return cls.__module__.partition(".")[0] == _PACKAGE


def foreign_methods(cls: type) -> frozenset[str]:
    """Return the names of the library's methods that ``cls`` has from a class outside the library.

    A class of the library that is written with TensorFlow's methods names them in ``_own_methods``.
    """
    answer = _answers.get(cls)
    if answer is None:
        library: set[str] = set()
        foreign: set[str] = set()
        for base in reversed(cls.__mro__):
            methods = {name for name, value in vars(base).items() if callable(value) and not name.startswith("__")}
            if is_library_class(base):
                library |= methods
                foreign -= methods
            else:
                foreign |= methods
        answer = _answers[cls] = frozenset(foreign & library) | getattr(cls, "_own_methods", frozenset())
    return answer
