"""Job files, plans and batches: positions solved wherever the work is placed, kept as runs."""
