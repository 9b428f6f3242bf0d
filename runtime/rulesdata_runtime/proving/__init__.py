"""Worked examples and the edges that they pin."""
