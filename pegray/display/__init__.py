"""What people see on a terminal; nothing here computes a result."""
