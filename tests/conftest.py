"""What holds for every test: numpy multiplies on one thread, as in `kibitz` itself (server/__main__.py)."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
