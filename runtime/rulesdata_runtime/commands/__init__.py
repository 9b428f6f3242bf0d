"""The commands at the table: words read, rules asked, answers told."""
