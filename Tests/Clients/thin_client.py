"""A thin client on REST V1 that can only send forms, and also sends its token in the form. It offers a free preview."""

from client import Client, play, require


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
    form = {
        "requestor_id": "LUMENTV", "deviceId": "thin-shape", "mso_id": "LumenPreview",
        "domain_name": "lumentv.example", "format": "json", "access_token": token,
    }
    client.call("preview", "POST", "/api/v1/authenticate/freepreview", form=form, expect=(200, 201, 204))
    found = client.call(
        "login", "GET", "/api/v1/tokens/authn",
        query={"requestor": "LUMENTV", "deviceId": "thin-shape", "access_token": token, "format": "json"},
    ).json
    require(found["mvpd"] == "LumenPreview", found)


play(shape)
