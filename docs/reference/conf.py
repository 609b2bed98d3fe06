"""Sphinx's settings for the pages made of docstrings: `nox -s reference`."""

project = "steepest"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "alabaster"
