"""From bytes to one collected tree: what YAML says, every key and value with its place."""
