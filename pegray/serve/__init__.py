"""A page in the browser: positions set, solved and looked at, for those who do not live in a terminal."""
