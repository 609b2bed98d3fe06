"""Values of a checkpoint are given to variables and to what stands for them: to all, or on any error to none."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as EagerVariable
from ..graph import log
from ..graph.errors import DataLossError, InvalidArgumentError, NotFoundError
from ..graph.session_values import store_value
from .checkpoint_state import existing_arrays
from .full_names import keys_by_full_names, values_of_objects
from .saveables import Taken, take_back
from .saved_variables import op_in_session, variables_with_arrays

__all__ = ["give_back"]

_FAILED = (
    "Restoring from checkpoint failed. This is most likely due to a {}. Please ensure that you have not altered the "
    "graph expected based on the checkpoint. Original error:\n\n{}"
)
_OF_OBJECTS = (
    "Restoring an object-based checkpoint using a name-based saver. This may be somewhat fragile, and will re-build "
    "the Saver. Instead, consider loading object-based checkpoints using tf.train.Checkpoint()."
)
_MISSING = "Variable name or other graph key that is missing from the checkpoint"
_OTHER = "mismatch between the current graph and the graph from the checkpoint"


def give_back(sess: Any, path: str, named: dict[str, Any], reshape: bool) -> None:
    """Give variables, by their names in the checkpoint at a path, its values.

    In a checkpoint of objects they are found by the names that they had when it was written.

    Raises NotFoundError for a name that is not in it, InvalidArgumentError for another shape or type, DataLossError for
    a damaged file, TypeError for variables that the graph of the session does not have.
    """
    keys: dict[str, str] = {}
    try:
        arrays = existing_arrays(path)
        try:
            fitting = variables_with_arrays(named, arrays, reshape)
        except NotFoundError:
            keys = keys_by_full_names(arrays)
            if not keys:
                raise
            log.warning(_OF_OBJECTS)
            fitting = values_of_objects(named, arrays, keys, reshape)
    except (NotFoundError, InvalidArgumentError) as error:
        missing = isinstance(error, NotFoundError)
        if missing and keys:
            raise
        raise type(error)(None, None, _FAILED.format(_MISSING if missing else _OTHER, error)) from error
    except ValueError as error:
        raise DataLossError(None, None, str(error)) from error
    take_back(sess, [each for each in fitting if isinstance(each[0], Taken)])
    for variable, array in fitting:
        if isinstance(variable, Taken):
            continue
        if isinstance(variable, EagerVariable):
            variable.assign(array)
        else:
            store_value(sess, op_in_session(sess, variable.op), array)
