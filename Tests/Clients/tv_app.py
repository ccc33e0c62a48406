"""An app on a TV, on REST V2. It does not describe its device, registers with further members of RFC 7591, and sends the
credentials in the query with an unnecessary scope."""

from client import DEVICE, Client, log_in, play, require, token_is_fresh


def shape(service: str, statement: str):
    client = Client(service)
    registration = {
        "software_statement": statement, "client_name": "TV", "grant_types": ["client_credentials"],
        "token_endpoint_auth_method": "client_secret_post",
    }
    credentials = client.call("registration", "POST", "/o/client/register", body=registration).json
    token = client.call(
        "token", "POST", "/o/client/token",
        query={
            "client_id": credentials["client_id"], "client_secret": credentials["client_secret"],
            "grant_type": "client_credentials", "scope": "api:client:v2",
        },
    ).json["access_token"]
    headers = [("Authorization", "Bearer " + token), DEVICE]
    session = client.call(
        "session", "POST", "/api/v2/LUMENTV/sessions", headers,
        form={"mvpd": "NorthCable", "domainName": "lumentv.example", "redirectUrl": "https://lumentv.example/done"},
    ).json
    log_in(service, service + session["url"])
    profile = client.call("poll", "GET", "/api/v2/LUMENTV/profiles/NorthCable", headers).json["profiles"]
    require("NorthCable" in profile, "the login is there")
    decision = client.call(
        "decision", "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", headers,
        body={"resources": ["lumen-sports-1"]},
    ).json["decisions"][0]
    token_is_fresh(decision["token"]["serializedToken"])


play(shape)
