"""Layers merged into one tree, with a record of where each value came from."""
