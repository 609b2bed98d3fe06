"""Optimizers in graphs: gradients, updates and slots as nodes, learning rates, moving averages."""
