"""The common parts of the client shapes: requests, a viewer, and the end of a run.

A shape is called with the address of the service and a software statement. It exits with 0 if all steps worked, and
with 3 if the service refused a step; it then prints the step and the answer.
"""

import base64
import html.parser
import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

DEVICE = "AP-Device-Identifier", "fingerprint " + base64.b64encode(b"client-shape").decode()
DEVICE_INFO = "X-Device-Info", base64.b64encode(
    json.dumps(
        {"model": "Shape", "version": "1", "osName": "Linux", "osVersion": "6", "connectionType": "WIFI"}
    ).encode()
).decode()


class Refused(Exception):
    """The service refused a step."""


class Answer:
    def __init__(self, status: int, headers, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body or b"{}")

    @property
    def text(self) -> str:
        return self.body.decode()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Client:
    """An HTTP client that keeps no cookies and follows no redirects."""

    def __init__(self, service: str):
        self.service = service
        self.opener = urllib.request.build_opener(NoRedirect)

    def call(self, step: str, method: str, path: str, headers=(), query=None, form=None, body=None, expect=(200, 201)):
        """Makes a request. An answer with a status that is not expected is a refusal of this step."""
        address = urllib.parse.urljoin(self.service + "/", path)
        if query:
            address += "?" + urllib.parse.urlencode(query)
        data = None
        request = urllib.request.Request(address, method=method)
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
            request.add_header("Content-Type", "application/x-www-form-urlencoded")
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        for name, value in headers:
            request.add_header(name, value)
        request.data = data
        try:
            with self.opener.open(request, timeout=60) as got:
                answer = Answer(got.status, got.headers, got.read())
        except urllib.error.HTTPError as error:
            answer = Answer(error.code, error.headers, error.read())
        if answer.status not in expect:
            raise Refused(f"{step}: {answer.status} {answer.text[:300]}")
        return answer


class Form(html.parser.HTMLParser):
    """The first form of a page: its address, and its hidden fields."""

    def __init__(self, page: str):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = names.get("action") or ""
        if tag == "input" and names.get("type") == "hidden" and "name" in names:
            self.fields[names["name"]] = names.get("value") or ""


def log_in(service: str, address: str, user="ada", password="lovelace"):
    """Plays the viewer on a provider's page. This HTTP client is not the one that requested the address."""
    viewer = Client(service)
    for _ in range(8):
        answer = viewer.call("the provider's page", "GET", address, expect=(200, 302, 303))
        if answer.status != 200:
            address = urllib.parse.urljoin(address, answer.headers["Location"])
            continue
        form = Form(answer.text)
        action = urllib.parse.urljoin(address, form.action)
        if "SAMLRequest" in form.fields:
            going = viewer.call("the way to the provider", "POST", action, form=form.fields, expect=(302, 303))
            address = urllib.parse.urljoin(action, going.headers["Location"])
            continue
        form.fields.update(user=user, password=password)
        viewer.call("the viewer's password", "POST", action or address, form=form.fields, expect=(302, 303))
        return
    raise Refused("the provider's page: it leads nowhere")


def require(fact, sentence: str):
    if not fact:
        raise AssertionError(sentence)


def token_is_fresh(token: str):
    """A media token is XML in Base64, signed."""
    text = base64.b64decode(token).decode()
    require("<shortAuthorizationToken>" in text and "<signature" in text.lower(), f"no media token: {text[:200]}")


def play(shape):
    """Runs the shape, and ends the program."""
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} SERVICE STATEMENT", file=sys.stderr)
        sys.exit(64)
    try:
        shape(sys.argv[1], sys.argv[2])
    except Refused as refusal:
        print(f"refused: {refusal}")
        sys.exit(3)
    except (AssertionError, urllib.error.URLError, http.client.HTTPException, KeyError, ValueError) as fault:
        print(f"failed: {fault!r}")
        sys.exit(1)
    print("done")
