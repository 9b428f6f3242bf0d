"""What the rules say together: tables, cycles, silence, things unused."""
