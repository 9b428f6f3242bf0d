"""From the checked tree to the typed model, field by field."""
