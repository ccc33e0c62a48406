"""To be imported before asyncio, and so before passd.

Kodi runs each script in an interpreter of its own, and all of them share one process. Until Python 3.12, the part of asyncio
that is written in C keeps the running loop for all interpreters in one place, so that two scripts disturb each other ("Cannot
run the event loop while another loop is running"). The same in Python does not.
"""

import sys
from typing import cast

if sys.version_info < (3, 12) and "asyncio" not in sys.modules:
    cast("dict[str, object]", sys.modules)["_asyncio"] = None
