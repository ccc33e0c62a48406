"""The channels of this app. Free channels need no login."""

from __future__ import annotations

from typing import NamedTuple


class Channel(NamedTuple):
    id: str
    name: str
    now: str
    is_free: bool = False


CHANNELS = [
    Channel("lumen-sports-1", "Lumen Sports 1", "Harbour regatta, the final"),
    Channel("lumen-movies", "Lumen Movies", "The Long Way Down"),
    Channel("lumen-trailers", "Lumen Trailers", "What comes this week", is_free=True),
]
