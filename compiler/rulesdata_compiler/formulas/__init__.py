"""Formula text to syntax and back, and into words."""
