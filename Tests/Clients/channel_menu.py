"""The menu of a programmer with many channels, on REST V2. It asks about all resources, and treats omitted ones as free."""

from client import DEVICE, Client, log_in, play, require

MENU = ["lumen-sports-1", "lumen-movies", "lumen-trailers"]


def shape(service: str, statement: str):
    client = Client(service)
    credentials = client.call(
        "registration", "POST", "/o/client/register", body={"software_statement": statement}
    ).json
    token = client.call(
        "token", "POST", "/o/client/token",
        form={
            "client_id": credentials["client_id"], "client_secret": credentials["client_secret"],
            "grant_type": "client_credentials",
        },
    ).json["access_token"]
    headers = [("Authorization", "Bearer " + token), DEVICE]
    session = client.call(
        "session", "POST", "/api/v2/LUMENTV/sessions", headers,
        form={"mvpd": "NorthCable", "domainName": "lumentv.example", "redirectUrl": "https://lumentv.example/done"},
    ).json
    log_in(service, service + session["url"])
    poll = "/api/v2/LUMENTV/profiles/code/" + session["code"]
    require("NorthCable" in client.call("poll", "GET", poll, headers).json["profiles"], "the login is there")
    decisions = client.call(
        "menu", "POST", "/api/v2/LUMENTV/decisions/preauthorize/NorthCable", headers, body={"resources": MENU}
    ).json["decisions"]
    told = {decision["resource"]: decision["authorized"] for decision in decisions}
    require(told.get("lumen-sports-1") is True, told)
    require("lumen-trailers" not in told, "what needs no login is left out")


play(shape)
