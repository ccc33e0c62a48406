"""Tests beside the conformance suite: limits of the reader and of queues, handlers, threads and the types of errors."""

import asyncio
import contextlib
import inspect
import json
import os
import pathlib
import socket
import sys
import tempfile
import threading
import unittest
from unittest import mock

import passd
from passd import protocol
from passd.wire import FrameReader, frame


class Frames(unittest.TestCase):
    def test_messages_are_found_in_pieces_of_any_size(self) -> None:
        messages = [{"a": "é"}, {"b": [1, 2]}, {}]
        for framing in ("lines", "headers"):
            data = b"".join(frame(message, framing) for message in messages)
            for size in (1, 2, 3, 7, len(data)):
                with self.subTest(framing=framing, size=size):
                    reader = FrameReader(framing, 100)
                    found = [
                        json.loads(each)
                        for start in range(0, len(data), size)
                        for each in reader.feed(data[start : start + size])
                    ]
                    self.assertEqual(found, messages)

    def test_too_large_messages_and_malformed_headers_are_refused(self) -> None:
        for framing, data, reason in [
            ("lines", b"x" * 11, "more than 10 bytes"),
            ("lines", b"x" * 11 + b"\n", "more than 10 bytes"),
            ("headers", b"Content-Length: 11\r\n\r\n", "more than 10 bytes"),
            ("headers", b"Content-Length: -1\r\n\r\n", "without Content-Length"),
            ("headers", b"Content-Type: x\r\n\r\n", "without Content-Length"),
            ("headers", b"x" * 5000, "header is too long"),
        ]:
            with self.subTest(data=data[:30]), self.assertRaisesRegex(ValueError, reason):
                list(FrameReader(framing, 10).feed(data))

    def test_a_message_of_the_largest_size_is_accepted(self) -> None:
        self.assertEqual(list(FrameReader("lines", 10).feed(b"x" * 10 + b"\n")), [b"x" * 10])


class Paths(unittest.TestCase):
    def test_a_path_overrides_the_environment_and_the_environment_overrides_the_default(self) -> None:
        for path, environment, found in [
            ("/a", "/b", "/a"), (None, "/b", "/b"), (None, "", "/run/passd/passd.sock"),
        ]:
            with mock.patch.dict(os.environ, {"PASSD_SOCKET": environment}):
                self.assertEqual(passd.Client(path=path).path, found)


class Methods(unittest.TestCase):
    def test_both_clients_have_each_method_with_the_same_params(self) -> None:
        names = [name for name in vars(protocol.Calls) if not name.startswith("_")]
        self.assertGreater(len(names), 30)
        for name in names:
            one, other = getattr(protocol.Calls, name), getattr(protocol.BlockingCalls, name)
            self.assertEqual(inspect.signature(one), inspect.signature(other), name)
            self.assertTrue(inspect.iscoroutinefunction(one))

    def test_omitted_params_are_not_sent_but_null_is_sent(self) -> None:
        class Recorder(protocol.BlockingCalls):
            def call(self, method, params=None, *, within=None):
                return method, params

        self.assertEqual(Recorder().set_selected_provider(None), ("setSelectedProvider", {"providerID": None}))
        self.assertEqual(Recorder().get_authorization("a"), ("getAuthorization", {"resource": "a"}))
        self.assertEqual(Recorder().reload(), ("passd.reload", {}))


class Sessions(unittest.IsolatedAsyncioTestCase):
    """Tests with a peer that answers `setRequestor`, sends what a call asks it to send, and answers nothing else."""

    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name + "/passd.sock"
        self.connections = 0
        self.heard: list = []
        # The providers to choose from; None: a code is shown at once.
        self.providers: list | None = None
        # Requestors without a login, and their providers. None: all requestors have a login.
        self.open_requestors: dict[str, list[str]] | None = None
        self.requestor = ""
        self.chosen: list[tuple[str, str | None]] = []
        self.unanswered = threading.Event()
        self.server = await asyncio.start_unix_server(self.serve, self.path)

    async def asyncTearDown(self) -> None:
        self.server.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                request = json.loads(line)
                self.heard.append(request["method"])
                if request["method"] == "setRequestor":
                    self.requestor = request["params"]["requestorID"]
                    is_in = self.open_requestors is None or self.requestor not in self.open_requestors
                    writer.write(frame({"id": request["id"], "result": {"authenticated": is_in}}, "lines"))
                elif self.open_requestors is not None and request["method"] == "getAuthentication":
                    providers = [{"id": each} for each in self.open_requestors[self.requestor]]
                    result = {"state": "selectProvider", "providers": providers}
                    writer.write(frame({"id": request["id"], "result": result}, "lines"))
                elif self.open_requestors is not None and request["method"] == "setSelectedProvider":
                    self.chosen.append((self.requestor, request["params"]["providerID"]))
                    is_chosen = request["params"]["providerID"] is not None
                    result = {"state": "authenticated" if is_chosen else "cancelled"}
                    writer.write(frame({"id": request["id"], "result": result}, "lines"))
                elif request["method"] == "send":
                    for callback in request["params"]["callbacks"]:
                        writer.write(frame({"method": callback, "params": {}}, "lines"))
                    writer.write(frame({"id": request["id"], "result": {}}, "lines"))
                elif request["method"] == "getAuthentication":
                    result: dict = {"state": "secondScreen", "code": "A"}
                    if self.providers is not None:
                        result = {"state": "selectProvider", "providers": self.providers}
                    writer.write(frame({"id": request["id"], "result": result}, "lines"))
                elif request["method"] == "never answered":
                    self.unanswered.set()
                elif request["method"] == "hang up":
                    break
        writer.close()

    def client(self, **settings) -> passd.Client:
        return passd.Client("LUMENTV", **{"path": self.path, "backoff": passd.Backoff(0.005, 0.02), **settings})

    async def test_unread_callbacks_are_limited_and_the_session_continues(self) -> None:
        async with self.client(limits=passd.Limits(callbacks=3)) as tv:
            stream = tv.callbacks()
            await tv.call("send", {"callbacks": list("abcd")})
            read = [(await anext(stream)).name for _ in range(3)]
            self.assertEqual(read, list("abc"))
            with self.assertRaises(passd.Overloaded) as caught:
                await anext(stream)
            self.assertEqual(caught.exception.code, "OVERRUN")
            self.assertEqual(await tv.call("send", {"callbacks": []}), {})

    async def test_a_stream_ends_with_the_session_or_when_the_app_ends_it(self) -> None:
        async with self.client() as tv:
            streams = [tv.callbacks(), tv.callbacks()]
            streams[0].close()
            await tv.call("send", {"callbacks": ["a"]})
            self.assertEqual([each async for each in streams[0]], [])
        self.assertEqual([each.name async for each in streams[1]], ["a"])

    async def test_a_handler_that_fails_or_removes_itself_does_not_disturb_the_others(self) -> None:
        heard = []
        async with self.client() as tv:
            tv.on("setToken", mock.Mock(side_effect=KeyError))
            leave = tv.on("setToken", lambda params: leave())
            tv.on("setToken", heard.append)
            with self.assertLogs("passd", "ERROR"):
                await tv.call("send", {"callbacks": ["setToken", "setToken"]})
        self.assertEqual(heard, [{}, {}])

    async def test_handlers_of_one_name_are_called_in_the_order_in_which_they_were_added(self) -> None:
        heard = []
        async with self.client() as tv:
            for name in ("first", "second", "third"):
                tv.on("setToken", lambda params, name=name: heard.append(name))
            await tv.call("send", {"callbacks": ["setToken"]})
        self.assertEqual(heard, ["first", "second", "third"])

    async def test_the_wait_for_a_connection_has_a_time_limit(self) -> None:
        async def never(path: str) -> None:
            await asyncio.Event().wait()

        allowed = []
        real = asyncio.timeout

        def timeout(within: float | None) -> asyncio.Timeout:
            allowed.append(within)
            return real(0.01)

        with mock.patch("passd.wire.asyncio.open_unix_connection", never), mock.patch("passd.wire.asyncio.timeout", timeout):
            for within in (30, 2):
                with self.assertRaises(passd.Disconnected) as caught:
                    await self.client(within=within).open()
                self.assertEqual(caught.exception.code, "UNREACHABLE")
        self.assertEqual(allowed, [5, 2])

    async def test_output_that_the_daemon_does_not_read_is_limited(self) -> None:
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(self.path + "2")
        listener.listen()
        tv = passd.Client(path=self.path + "2", reconnect=False, limits=passd.Limits(output=1000))
        async with tv:
            text = {"data": "x" * 1_000_000}
            calls = [asyncio.create_task(tv.call("checkAuthorization", text)) for _ in range(4)]
            for failure in await asyncio.gather(*calls, return_exceptions=True):
                self.assertIsInstance(failure, passd.Disconnected)

    async def test_pauses_grow_while_connections_end_soon(self) -> None:
        pauses = []
        real = asyncio.sleep

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)
            await real(0)

        reconnected = asyncio.Queue()
        with mock.patch("passd.client.asyncio.sleep", sleep), mock.patch("passd.client.random.uniform", lambda a, b: b):
            async with self.client(backoff=passd.Backoff(1, 5)) as tv:
                tv.on("reconnected", reconnected.put_nowait)
                for _ in range(5):
                    with self.assertRaises(passd.Disconnected):
                        await tv.call("hang up")
                    await reconnected.get()
        self.assertEqual([pause for pause in pauses if pause], [1, 2, 4, 5, 5])

    async def test_a_call_of_an_unopened_session_is_refused(self) -> None:
        with self.assertRaises(passd.PassdError) as caught:
            await self.client().check_authentication()
        self.assertEqual(caught.exception.code, "CLOSED")

    async def test_a_login_that_takes_too_long_is_cancelled(self) -> None:
        async with self.client() as tv:
            with self.assertRaises(passd.TimedOut):
                await tv.sign_in(provider="NorthCable", within=0.01)
            await tv.call("send", {"callbacks": []})
        self.assertIn("setSelectedProvider", self.heard)

    async def test_requestors_without_a_login_are_signed_in_one_by_one(self) -> None:
        self.open_requestors = {"A": ["North"], "C": ["North", "South"], "D": ["East"]}
        asked = []

        def choose(providers: list) -> str:
            asked.append([each["id"] for each in providers])
            return providers[0]["id"]

        async with self.client() as tv:
            outcome = await tv.sign_in(requestors=["A", "B", "C", "D"], choose=choose)
        self.assertTrue(outcome.authenticated)
        self.assertEqual(self.chosen, [("A", "North"), ("C", "North"), ("D", "East")])
        self.assertEqual(asked, [["North"], ["East"]])
        self.assertEqual(self.requestor, "A")

    async def test_a_failed_login_ends_the_logins_of_several_requestors(self) -> None:
        self.open_requestors = {"A": ["North"], "B": ["North"], "C": ["North"]}
        async with self.client() as tv:
            choices = iter(["North", None])
            self.open_requestors["B"] = ["South"]
            outcome = await tv.sign_in(requestors=["A", "B", "C"], choose=lambda _: next(choices))
        self.assertEqual(outcome.outcome, "cancelled")
        self.assertEqual([requestor for requestor, _ in self.chosen], ["A", "B"])
        self.assertEqual(self.requestor, "A")

        def app() -> None:
            with passd.BlockingClient("A", path=self.path) as tv:
                self.assertTrue(tv.sign_in(requestors=["A", "C"], provider="North").authenticated)

        await asyncio.to_thread(app)

    async def test_handlers_of_the_blocking_client_may_make_calls(self) -> None:
        def app() -> None:
            done = threading.Event()
            with passd.BlockingClient("LUMENTV", path=self.path) as tv:
                tv.on("setToken", lambda params: tv.call("send", {"callbacks": ["status"]}))
                tv.on("status", lambda params: done.set())
                tv.call("send", {"callbacks": ["setToken"]})
                self.assertTrue(done.wait(10))
                self.assertIs(tv.signed_in, True)
            with self.assertRaises(passd.Disconnected):
                tv.check_authentication()

        await asyncio.to_thread(app)

    async def test_closing_the_blocking_client_ends_calls_of_other_threads(self) -> None:
        failures: list = []

        def app() -> None:
            tv = passd.BlockingClient("LUMENTV", path=self.path)
            tv.open()

            def wait() -> None:
                try:
                    tv.call("never answered")
                except passd.PassdError as error:
                    failures.append(error.code)

            thread = threading.Thread(target=wait)
            thread.start()
            self.assertTrue(self.unanswered.wait(10))
            tv.close()
            thread.join(10)

        await asyncio.to_thread(app)
        self.assertEqual(failures, ["CLOSED"])


    async def test_calls_of_other_threads_end_whenever_the_blocking_client_is_closed(self) -> None:
        ends: list = []

        def call_until_it_fails(tv: passd.BlockingClient, begun: threading.Event) -> None:
            while True:
                try:
                    tv.call("send", {"callbacks": []})
                    begun.set()
                except passd.PassdError as error:
                    return ends.append(error.code)

        def app() -> None:
            for round in range(200):
                tv = passd.BlockingClient("LUMENTV", path=self.path)
                tv.open()
                begun = threading.Event()
                others = [threading.Thread(target=call_until_it_fails, args=(tv, begun), daemon=True) for _ in range(4)]
                # A second close may come at any time, too.
                others.append(threading.Thread(target=lambda tv=tv: (begun.wait(10), tv.close()), daemon=True))
                for other in others:
                    other.start()
                self.assertTrue(begun.wait(10))
                tv.close()
                for other in others:
                    other.join(10)
                    self.assertFalse(other.is_alive(), f"a call waits for ever, in round {round}")

        # Threads take turns as often as they can, so that a close comes at every moment of a call.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        await asyncio.to_thread(app)
        self.assertEqual(set(ends), {"CLOSED"})
        self.assertEqual(len(ends), 800)

    async def test_closing_the_blocking_client_waits_for_running_handlers(self) -> None:
        said: list = []

        def app(closes_itself: bool) -> None:
            entered, closing = threading.Event(), threading.Event()
            tv = passd.BlockingClient("LUMENTV", path=self.path)

            def handle(params: object) -> None:
                entered.set()
                self.assertTrue(closing.wait(10))
                if closes_itself:
                    tv.close()
                try:
                    while True:
                        tv.call("send", {"callbacks": []})
                except passd.PassdError as error:
                    said.append(error.code)

            tv.open()
            tv.on("setToken", handle)
            tv.call("send", {"callbacks": ["setToken"]})
            self.assertTrue(entered.wait(10))
            threading.Timer(0.001, closing.set).start()
            tv.close()

        for round in range(40):
            await asyncio.to_thread(app, round % 2 == 0)
            self.assertEqual(said, ["CLOSED"] * (round + 1))

    async def test_the_blocking_client_can_be_closed_while_the_viewer_chooses(self) -> None:
        asked, chosen = threading.Event(), threading.Event()
        self.addCleanup(chosen.set)
        self.providers = [{"id": "NorthCable"}]
        said: list = []

        def choose(providers: list) -> str:
            said.append((providers, threading.current_thread().daemon))
            asked.set()
            chosen.wait(60)
            return "NorthCable"

        def app() -> None:
            def sign_in() -> None:
                try:
                    tv.sign_in(choose=choose)
                except passd.PassdError as error:
                    said.append(error.code)

            with passd.BlockingClient("LUMENTV", path=self.path) as tv:
                login = threading.Thread(target=sign_in, daemon=True)
                login.start()
                self.assertTrue(asked.wait(10))
            login.join(10)

        await asyncio.to_thread(app)
        self.assertEqual(said, [(self.providers, True), "CLOSED"])

    async def test_sign_in_raises_the_error_that_choose_raises(self) -> None:
        self.providers = [{"id": "NorthCable"}]

        def app() -> None:
            with passd.BlockingClient("LUMENTV", path=self.path) as tv:
                for choose, error in [(lambda providers: str(1 / 0), ZeroDivisionError), (lambda _: next(iter([])), RuntimeError)]:
                    with self.assertRaises(error):
                        tv.sign_in(choose=choose)
                    # The login is cancelled before the next call.
                    tv.call("send", {"callbacks": []})
                    self.assertEqual(self.heard[-2:], ["setSelectedProvider", "send"])

        await asyncio.to_thread(app)

    async def test_callbacks_end_with_the_blocking_client(self) -> None:
        def app() -> None:
            tv = passd.BlockingClient("LUMENTV", path=self.path)
            tv.open()
            stream = tv.callbacks()
            tv.call("send", {"callbacks": ["setToken"]})
            self.assertEqual(next(stream).name, "setToken")
            tv.close()
            self.assertEqual(list(stream), [])

        await asyncio.to_thread(app)

    async def test_a_blocking_client_that_could_not_be_opened_can_be_opened_later(self) -> None:
        def app() -> None:
            tv = passd.BlockingClient("LUMENTV", path=self.path + "later")
            with self.assertRaises(passd.Disconnected):
                tv.open()
            os.link(self.path, self.path + "later")
            with tv:
                self.assertIs(tv.signed_in, True)

        await asyncio.to_thread(app)

    async def test_a_handler_for_an_unknown_callback_is_refused(self) -> None:
        for tv in (self.client(), passd.BlockingClient(path=self.path)):
            for name, said in [
                ("setAuthenticatedStatus", "there is no callback setAuthenticatedStatus; is it setAuthenticationStatus?"),
                ("xyz", "there is no callback xyz"),
            ]:
                with self.assertRaises(ValueError) as caught:
                    tv.on(name, print)
                self.assertEqual(str(caught.exception), said)

    async def test_params_that_are_not_a_dictionary_are_refused(self) -> None:
        tv = self.client()
        for params, kind in [("news", "str"), (["news"], "list")]:
            with self.assertRaises(TypeError) as caught:
                await tv.call("checkAuthorization", params)  # type: ignore[arg-type]
            self.assertEqual(
                str(caught.exception),
                f"checkAuthorization takes its params as a dictionary, such as {{'resource': 'news'}}; it was given a {kind}")


class Errors(unittest.TestCase):
    def test_a_login_of_an_unopened_session_is_refused_in_each_thread(self) -> None:
        tv = passd.BlockingClient(path="/nowhere/passd.sock")
        said = []

        def sign_in() -> None:
            try:
                tv.sign_in(provider="NorthCable")
            except passd.PassdError as error:
                said.append(error.message)

        thread = threading.Thread(target=sign_in, daemon=True)
        thread.start()
        thread.join(10)
        self.assertEqual(said, ["This session was not opened."])

    def test_errors_are_also_errors_of_python(self) -> None:
        with self.assertRaises(ConnectionError) as caught:
            passd.BlockingClient(path="/nowhere/passd.sock").open()
        self.assertEqual(caught.exception.code, "UNREACHABLE")
        self.assertIn("/nowhere/passd.sock", str(caught.exception))
        self.assertTrue(issubclass(passd.TimedOut, TimeoutError))

    def test_an_impossible_path_is_unreachable(self) -> None:
        for path in ("/tmp/" + "x" * 200, "/tmp/a\0b"):
            with self.assertRaises(passd.Disconnected):
                passd.BlockingClient(path=path).open()

    def test_the_error_names_a_directory_that_the_user_may_not_enter(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            closed = pathlib.Path(folder) / "closed"
            closed.mkdir(mode=0)
            os.chmod(folder, 0o755)
            user = os.geteuid()
            if user == 0:
                os.seteuid(65534)
            try:
                with self.assertRaises(passd.Disconnected) as caught:
                    passd.BlockingClient(path=str(closed / "passd.sock")).open()
            finally:
                os.seteuid(user)
        self.assertEqual(caught.exception.code, "FORBIDDEN")
        self.assertEqual(caught.exception.message, f"This user may not enter {closed}, so {closed}/passd.sock cannot be reached.")
        self.assertIn("chmod o+x", caught.exception.remedy)

    def test_the_version_is_the_version_of_the_daemon(self) -> None:
        here = pathlib.Path(__file__).resolve()
        version = json.loads((here.parents[2] / "openrpc.json").read_text())["info"]["version"]
        self.assertIn(f'version = "{version}"', (here.parents[1] / "pyproject.toml").read_text())


if __name__ == "__main__":
    unittest.main()
