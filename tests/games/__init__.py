"""The shipped systems: complete, covered, and right."""
