"""``tf.queue``: queues under the names of TensorFlow 1.13 to 1.15."""

from .graph.missing import namespace
from .ops.queue_ops import FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue

__all__ = ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"]

__getattr__, __dir__ = namespace(__name__)
