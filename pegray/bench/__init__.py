"""Measuring what positions cost: the named questions, and whole positions."""
