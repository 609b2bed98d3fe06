"""Python functions as parts of graphs: `tf.function`, `Defun`, and functions by name."""
