"""The compiler: a folder of YAML in, findings and one checked artifact out."""
