"""The service of a box: a sandbox on a free port, with a catalogue that allows hundreds of logins a second."""
from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any

from . import viewer
from .attack import Attack

#: The channels of the catalogue. Each has a separate login.
REQUESTORS = [f"CH{number:02d}" for number in range(1, 19)]
#: A provider that needs a viewer for the login of each requestor.
CABLE = "Cable"
#: A provider that needs a viewer for one login, which all requestors share.
SHARED = "Shared"
USER, PASSWORD = "bob", "builder"
RESOURCE = "show"


def pass_of(requestor: str) -> str:
    """The provider that logs this requestor in without a viewer."""
    return requestor.replace("CH", "Pass")


def catalogue() -> dict[str, Any]:
    subscriber = {"user": USER, "password": PASSWORD, "name": "Bob", "channels": [RESOURCE]}
    look = {"color": "#0b4f8a", "ink": "#ffffff", "mark": "XX", "shape": "circle", "slogan": "Television"}
    return {
        "settings": {"sessionLifetime": "30m", "accessTokenLifetime": "6h", "mediaTokenLifetime": "7m"},
        "programmers": [{
            "id": "P", "name": "Programmer",
            "serviceProviders": [
                {"id": requestor, "name": requestor, "domains": ["localhost", "127.0.0.1"],
                 "resources": [{"id": RESOURCE, "title": "The show"}]} for requestor in REQUESTORS],
        }],
        "providers": [
            *({"id": pass_of(requestor), "name": "Open pass", "look": look, "loginPerRequestor": True,
               "tempPass": {"lifetime": "60d"}} for requestor in REQUESTORS),
            {"id": CABLE, "name": "Cable", "look": look, "loginPerRequestor": True, "subscribers": [subscriber]},
            {"id": SHARED, "name": "Shared", "look": look, "subscribers": [subscriber],
             "platformMappingId": "beacon-11", "boardingStatus": "SUPPORTED", "requiredMetadataFields": []},
        ],
        "integrations": [
            {"serviceProvider": requestor, "provider": provider, "partnerSignOn": provider == SHARED}
            for requestor in REQUESTORS for provider in (pass_of(requestor), CABLE, SHARED)],
        "apps": [{"id": "app", "name": "App", "version": "1.0", "serviceProviders": REQUESTORS, "schemes": ["app"],
                  "scopes": ["api:client:v2", "api:client:v1"]}],
        "partners": [{"id": "Hearth", "issuer": "Hearth", "profileType": "appleSSO", "deviceType": "hearth-box"}],
    }


class Sandbox:
    """A running service."""

    def __init__(
        self, attack: Attack, *, environment: Mapping[str, str] | None = None, throttles: bool = False,
        catalog: dict[str, Any] | None = None,
    ) -> None:
        folder = attack.folder / "sandbox"
        folder.mkdir(exist_ok=True)
        path = folder / "catalogue.json"
        path.write_text(json.dumps(catalog or catalogue()), encoding="utf-8")
        self._attack = attack
        self._errors = (folder / "stderr").open("wb")
        self.process = subprocess.Popen(
            [attack.programs / "pass-sandbox", "serve", "--listen", "127.0.0.1:0", "--catalog", path,
             "--seed", str(attack.seed), *([] if throttles else ["--no-throttle"])],
            stdout=subprocess.PIPE, stderr=self._errors, env={**os.environ, **(environment or {})})
        assert self.process.stdout
        line = self.process.stdout.readline().decode()
        found = re.search(r":(\d+)\s*$", line)
        if not found:
            raise RuntimeError(f"pass-sandbox does not start: {line!r} {(folder / 'stderr').read_text()}")
        self.port = int(found[1])
        self.origin = f"http://127.0.0.1:{self.port}"

    def statement(self) -> str:
        return str(viewer.control(self.port, "statement", {"app": "app"})["statement"])

    def control(self, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
        return viewer.control(self.port, path, body, method)

    def log_in(self, code: str, provider: str = CABLE) -> None:
        viewer.log_in(self.port, code, provider, USER, PASSWORD)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self._errors.close()
