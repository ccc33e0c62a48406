"""A box of 2026 on REST V2 that sends everything that the vendor's pages demand."""

from client import DEVICE, DEVICE_INFO, Client, log_in, play, require, token_is_fresh


def shape(service: str, statement: str):
    client = Client(service)
    registration = {"software_statement": statement, "redirect_uri": "lumentv:signin"}
    credentials = client.call("registration", "POST", "/o/client/register", [DEVICE_INFO], body=registration).json
    token = client.call(
        "token", "POST", "/o/client/token", [DEVICE_INFO],
        form={
            "client_id": credentials["client_id"], "client_secret": credentials["client_secret"],
            "grant_type": "client_credentials",
        },
    ).json["access_token"]
    headers = [("Authorization", "Bearer " + token), DEVICE, DEVICE_INFO]
    sessions = "/api/v2/LUMENTV/sessions"
    session = client.call(
        "session", "POST", sessions, headers,
        form={"mvpd": "NorthCable", "domainName": "lumentv.example", "redirectUrl": "https://lumentv.example/done"},
    ).json
    require(session["actionName"] == "authenticate", session)
    poll = "/api/v2/LUMENTV/profiles/code/" + session["code"]
    require(client.call("poll", "GET", poll, headers).json["profiles"] == {}, "nobody is logged in yet")
    log_in(service, service + session["url"])
    require("NorthCable" in client.call("poll", "GET", poll, headers).json["profiles"], "the login is there")
    decisions = client.call(
        "decision", "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", headers,
        body={"resources": ["lumen-sports-1"]},
    ).json["decisions"]
    require(decisions[0]["authorized"], decisions)
    token_is_fresh(decisions[0]["token"]["serializedToken"])


play(shape)
