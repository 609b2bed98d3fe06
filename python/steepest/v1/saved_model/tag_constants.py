"""``tf.saved_model.tag_constants``: what tells the graphs of a saved model from each other."""

from ..graph.missing import namespace

EVAL = "eval"
GPU = "gpu"
SERVING = "serve"
TPU = "tpu"
TRAINING = "train"

__all__ = ["EVAL", "GPU", "SERVING", "TPU", "TRAINING"]

__getattr__, __dir__ = namespace(__name__)
