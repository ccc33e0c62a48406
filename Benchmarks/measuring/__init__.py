"""Shared by the benchmarks: the measured programs, the programs for comparison, and the measurements."""
