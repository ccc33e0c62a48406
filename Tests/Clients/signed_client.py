"""A client from before registration, on REST V1. It signs its calls. It no longer works anywhere, and is told why."""

import base64
import hashlib
import hmac

from client import Client, play, require


def shape(service: str, statement: str):
    text = "GET requestor_id=LUMENTV, nonce=1, signature_method=HMAC-SHA1, request_time=1, request_uri=/checkauthn"
    signature = base64.b64encode(hmac.new(b"secret", text.encode(), hashlib.sha1).digest()).decode()
    answer = Client(service).call(
        "signed call", "GET", "/api/v1/checkauthn", [("Authorization", f"{text}, signature={signature}")],
        query={"requestor": "LUMENTV", "deviceId": "signed-shape", "format": "json"}, expect=(401,),
    )
    require("register" in answer.json["message"], answer.text)


play(shape)
