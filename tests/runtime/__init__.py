"""Tests of the runtime; a package so that they share their builders."""
