"""A pre-endgame as a problem, and the work of solving it; no Ray."""
