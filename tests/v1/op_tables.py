"""Every table of conformance cases; importing this fills the registry."""

import op_cases_arrays
import op_cases_losses
import op_cases_math
import op_cases_nn
import op_cases_operators
import op_cases_reduce

__all__ = ["op_cases_arrays", "op_cases_losses", "op_cases_math", "op_cases_nn", "op_cases_operators", "op_cases_reduce"]
