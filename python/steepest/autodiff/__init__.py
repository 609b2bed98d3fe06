"""The tape, the pass back, and gradients of functions."""
