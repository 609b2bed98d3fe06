"""``tf.manip``: functions on the shape and the elements of arrays under another name."""

from .graph.missing import namespace
from .ops.array_ops import reshape
from .ops.pad_ops import roll, tile
from .ops.position_ops import gather_nd, scatter_nd
from .ops.rearranging_ops import reverse
from .ops.space_ops import batch_to_space_nd, space_to_batch_nd

__all__ = ["batch_to_space_nd", "gather_nd", "reshape", "reverse", "roll", "scatter_nd", "space_to_batch_nd", "tile"]

__getattr__, __dir__ = namespace(__name__)
