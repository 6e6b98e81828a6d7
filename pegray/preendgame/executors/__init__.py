"""Where units are worked on: the protocol, this process, and this process until another place is ready."""
