"""The command `python3 -m passd token RESOURCE`: prints a media token, for example for a download tool."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

from . import BlockingClient, Disconnected, Login, PassdError, TimedOut
from .protocol import MVPD

EXIT_CODES = """exit codes:
  0    the token is on standard output
  1    failed; with --json, standard output has the error
  3    not permitted, or the viewer did not sign in
  64   the command line is wrong, or a provider must be named
  69   passd cannot be reached
  75   no answer in time
  130  Ctrl-C; 143: SIGTERM. Both cancel the login"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _choose(providers: list[MVPD]) -> str | None:
    if not sys.stdin.isatty():
        _tell("There is no terminal for choosing a provider. Use --provider with one of: "
              + ", ".join(each["id"] for each in providers) + ".")
        return None
    for number, each in enumerate(providers, 1):
        _tell(f"{number}  {each['displayName']}")
    while True:
        print(f"Your provider, 1 to {len(providers)}: ", end="", file=sys.stderr, flush=True)
        # Without a buffer, so that the program can end while this thread waits.
        line = os.read(0, 1000)
        if not line:
            return None
        if line.strip().isdigit() and 1 <= int(line) <= len(providers):
            return providers[int(line) - 1]["id"]


def _show(login: Login) -> None:
    address = login.link or login.url
    if address:
        _tell(f"Open {address} on {'this machine' if login.is_local else 'your phone'}.")
    if login.code:
        _tell(f"Code: {login.code}")


def _token(arguments: argparse.Namespace) -> tuple[int, dict[str, Any]]:
    """The exit code and the daemon's result."""
    with BlockingClient(arguments.requestor, path=arguments.socket, name="python-passd-token") as tv:
        play: dict[str, Any] = dict(tv.check_authorization(arguments.resource))
        if play.get("authorized") is not True and play.get("errorCode") == "USER_NOT_AUTHENTICATED_ERROR":
            if arguments.no_login:
                return 3, play
            outcome = tv.sign_in(provider=arguments.provider, choose=_choose, show=_show, within=arguments.timeout)
            if outcome.outcome == "cancelled" and not arguments.provider and not sys.stdin.isatty():
                return 64, play
            if not outcome.authenticated:
                _tell(outcome.display or f"The viewer did not sign in ({outcome.outcome}).")
                return 3, play
            play = dict(tv.check_authorization(arguments.resource))
        if play.get("authorized") is True:
            return 0, play
        _tell(str(play.get("display") or play.get("errorCode") or "Not permitted."))
        return 3, play


def _stop(number: int, _: FrameType | None) -> NoReturn:
    # timeout(1) sends its signal twice. The second signal must not prevent the cancel.
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def main() -> int:
    parser = _Parser(
        prog="python3 -m passd", description="A client of passd, the TV entitlement daemon of this device.")
    token = parser.add_subparsers(title="commands", required=True, parser_class=_Parser).add_parser(
        "token", help="print a media token, after a login if necessary", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Prints a media token for a resource. If nobody is signed in, shows a code and a link on standard error,\n"
        "and waits for the viewer.")
    token.add_argument("resource", metavar="RESOURCE")
    token.add_argument(
        "--requestor", metavar="ID", default=os.environ.get("PASSD_REQUESTOR"),
        help="the channel or brand; default: PASSD_REQUESTOR")
    token.add_argument("--provider", metavar="ID", help="the viewer's TV provider; needed without a terminal")
    token.add_argument("--timeout", metavar="SECONDS", type=float, help="how long the viewer may take; default: until the code expires")
    token.add_argument("--no-login", action="store_true", help="do not start a login")
    token.add_argument("--json", action="store_true", help="print the daemon's result, or the error, as one JSON object")
    token.add_argument("--socket", metavar="PATH", help="the socket of passd; default: PASSD_SOCKET")
    arguments = parser.parse_args()
    if not arguments.requestor:
        token.error("name the requestor with --requestor or PASSD_REQUESTOR")
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    try:
        code, result = _token(arguments)
    except PassdError as error:
        _tell(f"{error.message} {error.remedy}")
        code = 69 if isinstance(error, Disconnected) else 75 if isinstance(error, TimedOut) else 1
        result = {"error": {"code": error.code, "message": error.message, "remedy": error.remedy}}
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    elif code == 0:
        print(result["token"])
    return code


if __name__ == "__main__":
    sys.exit(main())
