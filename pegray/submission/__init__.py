"""Batches sent to a Ray cluster as jobs."""

import pegray.cluster  # noqa: F401  # sets what Ray reads when it is imported
