"""Gradients in both modes: nodes and tapes, Jacobians, gradients that the program gives, and their checks."""
