"""Import this module before asyncio and passd.

Kodi runs each script in a separate interpreter, and all interpreters share one process. Before Python 3.12, the part of asyncio
that is written in C allows only one running loop for all interpreters. So two scripts disturb each other ("Cannot run the event
loop while another loop is running"). This module selects asyncio's code in Python, which does not have this limit.
"""

import sys
from typing import cast

if sys.version_info < (3, 12) and "asyncio" not in sys.modules:
    cast("dict[str, object]", sys.modules)["_asyncio"] = None
