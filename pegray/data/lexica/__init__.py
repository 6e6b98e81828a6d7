"""Word lists that ship with pegray."""
