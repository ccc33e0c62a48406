"""Access to the box's daemon, and to the programmer's own server."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import passd
import xbmc
import xbmcaddon

from .channels import Channel
from .problems import Problem
from .texts import Text


def connect(requestor: str | None = None) -> passd.BlockingClient:
    """A session that has not been opened yet. It has the add-on's requestor, or none if `requestor` is empty."""
    addon = xbmcaddon.Addon()
    if requestor is None:
        requestor = addon.getSetting("requestor")
    return passd.BlockingClient(
        requestor or None, path=addon.getSetting("socket") or None,
        name=addon.getAddonInfo("id"), version=addon.getAddonInfo("version"), backoff=passd.Backoff(0.2, 3),
        options={"language": xbmc.getLanguage(xbmc.ISO_639_1) or "en"})


def stream(channel: Channel, token: str | None) -> str:
    """The address of the stream. The programmer's server gives this address in exchange for a media token. Each token works
    once."""
    question = urllib.request.Request(
        xbmcaddon.Addon().getSetting("server") + "/play", json.dumps({"resource": channel.id, "token": token}).encode(),
        {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(question, timeout=10) as answer:
            return str(json.load(answer)["stream"])
    except urllib.error.HTTPError as error:
        if error.code != 403:
            raise Problem(channel.name, Text.SERVER_AWAY(), Text.AGAIN) from error
        raise Problem(channel.name, Text.TOKEN_REFUSED(), Text.AGAIN) from error
    except (OSError, ValueError, KeyError) as error:
        raise Problem(channel.name, Text.SERVER_AWAY(), Text.AGAIN) from error
