"""Tests of the compiler, stage by stage."""
