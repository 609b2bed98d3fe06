"""Where graph mode is meant to answer otherwise than TensorFlow, and why; each test says that the two really differ."""

MORE = "more is known here than TensorFlow tells"

# (what is compared, name of the case): reason
DIFFERENCES = {
    ("static unknown", "norm(float32[2,3])"): MORE,
    ("static unknown", "norm(float32[2,3], ord=3)"): MORE,
    ("static constant", "repeat(float32[2,3], [1, 2], axis=0)"): MORE,
}

# name of the case: (exception here, or None where nothing is raised; reason)
ERROR_DIFFERENCES = {
    "transpose by a repeated axis": ("ValueError", "told when the node is built, not when it runs"),
    "subscript by a list": ("TypeError", "the message says what a subscript may be"),
    "apply_gradients without pairs": ("ValueError", "the rule of every optimizer here, with the position"),
    "optimizer with a rate of None": ("TypeError", "the rule of every optimizer here"),
    "optimizer with a vector of rates": ("InvalidArgumentError", "a rate may be a callable: it is known when it runs"),
    "Variable with collections that are text": ("TypeError", "the rule of every variable here"),
    "numpy function of a tensor": (None, "NumPy's functions on nodes build nodes"),
}
