"""Shared by the benchmarks: the measured programs, those that they are compared with, and the measurements."""
