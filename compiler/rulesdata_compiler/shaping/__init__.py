"""The collected tree against the JSON Schemas: fields, their spelling and their types."""
