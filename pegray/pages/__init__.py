"""Pages for a browser: the parts that reports and served pages share, and the templates of all of them."""
