"""Sign-on programs that misbehave when the daemon calls them."""
from __future__ import annotations

from dataclasses import dataclass

#: The code of a program, in Python. `say` writes bytes and empties the buffer; `loop` never ends.
BOTH: dict[str, str] = {
    "hangs": "time.sleep(1000)",
    "dies at once": "os._exit(1)",
    "kills itself": "os.kill(os.getpid(), signal.SIGSEGV)",
    "ends without a word": "pass",
    "closes its output and stays": "os.close(1); time.sleep(1000)",
    "floods": "loop(lambda: say(b'x' * 65536))",
    "floods lines": "loop(lambda: say(b'{}\\n' * 20000))",
    "floods empty lines": "loop(lambda: say(b'\\n' * 65536))",
    "one huge line": "say(b'a' * 5_000_000 + b'\\n'); time.sleep(1000)",
    "NUL": "say(b'\\0' * 5000 + b'\\n')",
    "escapes": "say(b'\\x1b]0;owned\\x07\\x1b[31m\\xe2\\x80\\xae\\n')",
    "noise": "say(os.urandom(9000) + b'\\n')",
    "a byte at a time": "[(say(bytes([each])), time.sleep(0.2)) for each in b'{\"type\":\"hello\",\"protocol\":1}\\n']",
    "deep JSON": "say(b'[' * 60000 + b'\\n')",
    "deep objects": "say(b'{\"type\":' * 8000 + b'1' + b'}' * 8000 + b'\\n')",
    "leaves a child with the pipe": "os.fork() or time.sleep(600)",
    "leaves a child of another session": "os.fork() or (os.setsid(), time.sleep(20))",
    "ignores SIGTERM": "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "kills its group": "os.killpg(0, signal.SIGKILL)",
    "kills its parent": "os.kill(os.getppid(), 0)",
    "forks many": "[os.fork() or (time.sleep(30), os._exit(0)) for _ in range(30)]",
}
TOKEN = {
    "a token without signature": "say(b'e30.e30.')",
    "a token that is too long": "say(b'e30.' + b'e' * 20000 + b'.e30')",
    "a token with huge numbers": "token(b'{\"exp\":1e308,\"nbf\":-1e308}')",
    "a token that ended in 1970": "token(b'{\"exp\":1}')",
    "a token with an exp beyond all": "token(b'{\"exp\":99999999999999999999}')",
    "a token with line breaks for a header": "say(b'e30.e30.e30\\r\\nX-Evil: 1\\r\\n')",
    "a token and a failure": "say(b'e30.e30.e30'); os._exit(3)",
}
HELPER = {
    "another protocol": "hello(99); time.sleep(1000)",
    "hello twice": "hello(); hello(); time.sleep(1000)",
    "no answers": "hello(); loop(lambda: os.read(0, 65536) or os._exit(0))",
    "does not read": "hello(); time.sleep(1000)",
    "unsolicited answers": "hello(); loop(lambda: (say(b'{\"type\":\"result\",\"id\":77}\\n'), time.sleep(0.01)))",
    "dialogs without end": "hello(); loop(lambda: dialog(os.urandom(4).hex()))",
    "odd numbers": "hello(); answers('\"permission\":\"granted\",\"provider\":\"beacon-11\",\"expires\":1e400')",
    "numbers beyond all": "hello(); answers('\"provider\":\"p\",\"expires\":-9223372036854775808')",
    "wrong types": "hello(); answers('\"permission\":[],\"provider\":{},\"expires\":\"soon\"')",
    "many answers to each": "hello(); answers('\"permission\":\"granted\"', 50)",
    "huge provider": "hello(); answers('\"permission\":\"granted\",\"provider\":\"' + 'p' * 60000 + '\"')",
    "escapes in an error": "hello(); answers('\"code\":\"\\\\u001b]0;x\\\\u202e\\\\u0000\"', 1, 'error')",
    "dies after hello": "hello(); os._exit(0)",
}

PRELUDE = """#!/usr/bin/env python3
import base64, json, os, signal, sys, time
def say(data):
    while data:
        data = data[os.write(1, data):]
def loop(action):
    while True:
        action()
def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=')
def token(claims):
    say(b'.'.join(b64(each) for each in (b'{"alg":"none"}', claims, b'x')))
def line(members):
    say(b'{' + members.encode() + b'}\\n')
def hello(protocol=1):
    line(f'"type":"hello","protocol":{protocol},"name":"mean","version":"1"')
def dialog(handle):
    line(f'"type":"presentDialog","id":1,"handle":"{handle}"')
def answers(members, times=1, kind='result'):
    for question in sys.stdin:
        number = json.loads(question).get('id')
        for _ in range(times if number else 0):
            line(f'"type":"{kind}","id":{number},{members}')
"""


@dataclass(frozen=True)
class Program:
    name: str
    settings: tuple[str, ...]
    text: str


def programs() -> list[Program]:
    tokens, partner = ("platform-identity", "service-token"), ("partner",)
    return [*(Program(name, (*tokens, *partner), text) for name, text in BOTH.items()),
            *(Program(name, tokens, text) for name, text in TOKEN.items()),
            *(Program(name, partner, text) for name, text in HELPER.items())]
