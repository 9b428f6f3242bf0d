"""JSON Schema 2020-12, one file for each kind of rule; reached as files, never imported."""
