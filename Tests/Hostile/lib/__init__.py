"""What the attackers share."""
