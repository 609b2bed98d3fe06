"""Command-line flags in absl's ways, for programs on machines where absl-py is not installed."""
