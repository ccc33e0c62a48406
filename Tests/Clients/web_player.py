"""A player in a web page, on REST V2. Before each call, a browser asks whether the page may make it."""

from client import DEVICE, DEVICE_INFO, Client, Refused, log_in, play, require, token_is_fresh

ORIGIN = "Origin", "https://player.example"


class Page(Client):
    def call(self, step, method, path, headers=(), **others):
        names = ", ".join(sorted(name.lower() for name, _ in headers) + ["content-type"])
        asked = super().call(
            step + " (the browser's question)", "OPTIONS", path,
            [ORIGIN, ("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", names)],
            expect=(200, 204),
        )
        allowed = {name.strip().lower() for name in (asked.headers["Access-Control-Allow-Headers"] or "").split(",")}
        if not set(names.split(", ")) <= allowed or method not in asked.headers["Access-Control-Allow-Methods"]:
            raise Refused(f"{step}: a page may not send {names}")
        answer = super().call(step, method, path, [*headers, ORIGIN], **others)
        require(answer.headers["Access-Control-Allow-Origin"] == "*", f"{step}: the page may not read the answer")
        require(answer.headers["Access-Control-Allow-Credentials"] is None, f"{step}: no credentials")
        return answer


def shape(service: str, statement: str):
    page = Page(service)
    registration = {"software_statement": statement, "redirect_uri": "lumentv:signin"}
    credentials = page.call("registration", "POST", "/o/client/register", [DEVICE_INFO], body=registration).json
    token = page.call(
        "token", "POST", "/o/client/token", [DEVICE_INFO],
        form={
            "client_id": credentials["client_id"], "client_secret": credentials["client_secret"],
            "grant_type": "client_credentials",
        },
    ).json["access_token"]
    headers = [("Authorization", "Bearer " + token), DEVICE, DEVICE_INFO]
    session = page.call(
        "session", "POST", "/api/v2/LUMENTV/sessions", headers,
        form={"mvpd": "NorthCable", "domainName": "lumentv.example", "redirectUrl": "https://lumentv.example/done"},
    ).json
    log_in(service, service + session["url"])
    poll = "/api/v2/LUMENTV/profiles/code/" + session["code"]
    require("NorthCable" in page.call("poll", "GET", poll, headers).json["profiles"], "the login is there")
    decision = page.call(
        "decision", "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", headers,
        body={"resources": ["lumen-sports-1"]},
    ).json["decisions"][0]
    token_is_fresh(decision["token"]["serializedToken"])
    closed = Client(service).call("control", "OPTIONS", "/sandbox/journal", [ORIGIN], expect=(403, 404, 405))
    require(closed.headers["Access-Control-Allow-Origin"] is None, "the control paths are not for pages")


play(shape)
