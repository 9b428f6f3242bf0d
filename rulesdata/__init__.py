"""Rules of tabletop games as data: the bundled systems, and the front door to compiler and runtime."""
