"""Errors that a user can do something about: their message is one line that says what and where."""

from __future__ import annotations


class PegrayError(Exception):
    """A run could not finish; the message is one line for the user."""


class RunError(PegrayError):
    """Nothing of a run can go on, whatever the position: a disk that is full, a cluster that is gone."""


class InputError(PegrayError):
    """Bad usage or bad input: a position, a file, a play or an option that cannot be used."""
