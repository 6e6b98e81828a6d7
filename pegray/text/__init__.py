"""Numbers, durations and tables as text: what all outputs share. Nothing of the game, nothing of solving."""
