"""An add-on of a media centre, on REST V2. Its domain name is an address. It fetches S4 with one HTTP client and opens the
provider's page with another. S4 may redirect, or answer with a form that submits itself."""

from client import DEVICE, Client, log_in, play, require, token_is_fresh


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
    for provider, status, viewer in [
        ("NorthCable", 302, ("ada", "lovelace")), ("BeaconTV", 200, ("omar", "lighthouse"))
    ]:
        session = client.call(
            "session", "POST", "/api/v2/LUMENTV/sessions", headers,
            form={
                "mvpd": provider, "domainName": "https://lumentv.example",
                "redirectUrl": "https://lumentv.example/done",
            },
        ).json
        begun = client.call("S4", "GET", session["url"], expect=(200, 302))
        require(begun.status == status, f"{provider} answers {begun.status}")
        address = begun.headers["Location"] if status == 302 else session["url"]
        log_in(service, service + address, *viewer)
        poll = "/api/v2/LUMENTV/profiles/code/" + session["code"]
        require(provider in client.call("poll", "GET", poll, headers).json["profiles"], f"{provider} is there")
        decision = client.call(
            "decision", "POST", "/api/v2/LUMENTV/decisions/authorize/" + provider, headers,
            body={"resources": ["lumen-sports-1"]},
        ).json["decisions"][0]
        token_is_fresh(decision["token"]["serializedToken"])
        client.call(
            "logout", "GET", "/api/v2/LUMENTV/logout/" + provider, headers,
            query={"redirectUrl": "https://lumentv.example/done"},
        )


play(shape)
