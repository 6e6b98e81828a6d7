"""What is kept of a solve: its answer as data, run directories, SQL over them."""
