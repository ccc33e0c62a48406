"""Import this before asyncio, and so before passd.

Kodi runs each script in a separate interpreter, and all interpreters share one process. Until Python 3.12, the C part of
asyncio keeps one running loop for all interpreters, so that two scripts disturb each other ("Cannot run the event loop while
another loop is running"). The version of that part in Python does not.
"""

import sys
from typing import cast

if sys.version_info < (3, 12) and "asyncio" not in sys.modules:
    cast("dict[str, object]", sys.modules)["_asyncio"] = None
