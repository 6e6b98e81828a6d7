"""The rules of the game and their notations."""
