"""An add-on on REST V1. The format is in the form, no device is described, and polls use the address of the login page."""

from client import Client, log_in, play, require, token_is_fresh

REQUESTOR = {"requestor": "LUMENTV"}
DEVICE = {"deviceId": "older-shape"}
JSON = {"format": "json"}


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
    headers = [("Authorization", "Bearer " + token)]
    code = client.call("session", "POST", "/reggie/v1/LUMENTV/regcode", headers, form=DEVICE | JSON).json["code"]
    poll = "/api/v1/authenticate/" + code
    require(client.call("poll", "GET", poll, headers, query=REQUESTOR, expect=(404,)).status == 404, "nobody yet")
    page = client.call(
        "login page", "GET", "/api/v1/authenticate",
        query={
            "reg_code": code, "requestor_id": "LUMENTV", "mso_id": "NorthCable", "domain_name": "lumentv.example",
            "noflash": "true", "no_iframe": "true", "redirect_url": "https://lumentv.example/done",
        },
        expect=(302,),
    )
    log_in(service, service + page.headers["Location"])
    login = client.call("poll", "GET", poll, headers, query=REQUESTOR | JSON).json
    require(login["mvpd"] == "NorthCable" and login["userId"], "the answer to the poll is the login")
    resource = {"resource": "lumen-sports-1"}
    client.call("login", "GET", "/api/v1/tokens/authn", headers, query=REQUESTOR | DEVICE | JSON)
    client.call("decision", "GET", "/api/v1/authorize", headers, query=REQUESTOR | DEVICE | resource | JSON)
    media = client.call("token for play", "GET", "/api/v1/mediatoken", headers, query=REQUESTOR | DEVICE | resource | JSON)
    token_is_fresh(media.json["serializedToken"])


play(shape)
