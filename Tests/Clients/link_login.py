"""A program that signs a household in by a link, on REST V2. It sends S1 with all three parameters, and polls P2 ever more
slowly. The link is opened by another device that knows only the link. After an empty answer, D1 is sent as a probe. A 401 comes
in between, and the device's description is not JSON."""

import base64
import time

from client import DEVICE, Client, Refused, log_in, play, require, token_is_fresh

INFO = "X-Device-Info", base64.b64encode(b"platform=Windows;model=PC;version=10").decode()


def shape(service: str, statement: str):
    client = Client(service)
    credentials = client.call(
        "registration", "POST", "/o/client/register", [INFO],
        body={"software_statement": statement, "redirect_uri": "https://lumentv.example/done"},
    ).json

    def token() -> str:
        answer = client.call(
            "token", "POST", "/o/client/token", [INFO],
            form={
                "client_id": credentials["client_id"], "client_secret": credentials["client_secret"],
                "grant_type": "client_credentials",
            },
        )
        return answer.json["access_token"]

    def headers(bearer: str):
        return [("Authorization", "Bearer " + bearer), DEVICE, INFO]

    bearer = token()
    parameters = {
        "mvpd": "NorthCable", "domainName": "lumentv.example", "redirectUrl": "https://lumentv.example/done",
    }
    session = client.call(
        "session", "POST", "/api/v2/LUMENTV/sessions", headers(bearer), form=parameters,
    ).json
    require(session["actionName"] == "authenticate", session)
    pause = 0.02
    for number in range(6):
        # The second poll uses a token that is no longer valid. The code works with the next token.
        bad = number == 1
        poll = client.call(
            "poll", "GET", "/api/v2/LUMENTV/profiles/NorthCable", headers("worn-out" if bad else bearer),
            expect=(401,) if bad else (200,))
        if bad:
            bearer = token()
            continue
        if "NorthCable" in poll.json["profiles"]:
            break
        probe = client.call(
            "probe", "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", headers(bearer),
            body={"resources": ["lumen-sports-1"]}, expect=(200, 400, 403)).json
        require(not (probe.get("decisions") or [{}])[0].get("authorized"), probe)
        if number == 2:
            # A phone in another network, which has only the link.
            log_in(service, service + session["url"])
        time.sleep(pause)
        pause = min(pause * 2, 0.2)
    else:
        raise Refused("poll: nobody is signed in")
    again = client.call(
        "session", "POST", "/api/v2/LUMENTV/sessions", headers(bearer), form=parameters).json
    require(again["reasonType"] == "authenticated" and "code" not in again, again)
    decision = client.call(
        "decision", "POST", "/api/v2/LUMENTV/decisions/authorize/NorthCable", headers(bearer),
        body={"resources": ["lumen-sports-1"]},
    ).json["decisions"][0]
    token_is_fresh(decision["token"]["serializedToken"])


play(shape)
