"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# CI looks at the same examples each time, so that a change is to blame for a failure, not chance.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")
