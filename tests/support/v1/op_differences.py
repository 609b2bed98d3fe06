"""Where graph mode is meant to answer otherwise than TensorFlow, and why; each test says that the two really differ."""

LESS = "less is known here than TensorFlow tells"
MORE = "more is known here than TensorFlow tells"

# (what is compared, name of the case): reason
DIFFERENCES = {
    ("static unknown", "norm(float32[2,3])"): MORE,
    ("static unknown", "norm(float32[2,3], ord=3)"): MORE,
    ("static constant", "repeat(float32[2,3], [1, 2], axis=0)"): MORE,
    ("values", "clipping_of_slices"): "norms sum the duplicates of slices first",
    ("values", "names_of_variables"): "a variable stands for itself, there is no node that reads it",
    ("static constant", "sparse_extremes_and_thresholds"): MORE,
    ("static first", "gradients_with_seeds"): LESS,
    ("static first", "gradients_with_one_seed_of_none"): LESS,
    ("static batch", "gradients_with_one_seed_of_none"): LESS,
    ("static batch", "second_derivatives_of_a_product"): LESS,
    ("values", "what_can_be_fed"): "a scalar that is fed and fetched is a scalar, not an array",
}

# name of the case: (exception here, or None where nothing is raised; reason)
ERROR_DIFFERENCES = {
    "subscript by a list": ("TypeError", "the message says what a subscript may be"),
    "apply_gradients without pairs": ("ValueError", "the rule of every optimizer here, with the position"),
    "optimizer with a rate of None": ("TypeError", "the rule of every optimizer here"),
    "optimizer with a vector of rates": ("InvalidArgumentError", "a rate may be a callable: it is known when it runs"),
    "minimize of None": ("RuntimeError", "what is no node is taken for an eager loss"),
    "minimize of a number": ("RuntimeError", "what is no node is taken for an eager loss"),
    "apply_gradients to an array": ("NotImplementedError", "an array is a parameter; the node has no value yet"),
    "numpy function of a tensor": (None, "NumPy's functions on nodes build nodes"),
}

NOTHING = "no path, where TensorFlow has zeros"

# Gradients by a tape in eager mode that differ from those of graph mode, and why.
EAGER_DIFFERENCES = {
    "clip_by_global_norm([float32[2,3], float32[2,3]], 1.5, use_norm=float32[])": NOTHING,
    "reduce_max(float32[0,3], axis=0)": NOTHING,
    "reduce_max(float32[0,3])": NOTHING,
    "reduce_min(float32[0,3], axis=0)": NOTHING,
    "reduce_min(float32[0,3])": NOTHING,
}
