"""The common parts of the attackers."""
