"""What the benchmarks share: the programs that are measured, those that they are compared with, and how figures are taken."""
