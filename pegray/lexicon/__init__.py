"""Lexica: word lists, word graphs (KWG), and the part of one that a position can still use."""
