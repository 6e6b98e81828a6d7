"""One module a command: ``add_parser`` describes it, ``run`` carries it out and returns the exit code."""
