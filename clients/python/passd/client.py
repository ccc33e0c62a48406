"""A session with the daemon, for asyncio. When the connection ends, the session connects again and restores its options, its
requestor and its open login."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import inspect
import logging
import os
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from . import errors
from .errors import Disconnected, PassdError
from .login import Choose, Login, Outcome, Show, Watch, read_login
from .protocol import CALLBACKS, MVPD, Calls, Handlers
from .wire import Connection, Framing, Limits

DEFAULT_SOCKET = "/run/passd/passd.sock"

# Refusals for which a repetition cannot succeed, because the app or the box must be set up differently.
FINAL = {"DENIED", "INVALID_PARAMS", "INVALID_REQUEST", "METHOD_NOT_FOUND", "CFG400", "SEC403"}

# Methods for which a viewer waits. The daemon did not execute a call that it refused because of a rate limit, so the call
# may be repeated.
REPEATABLE = {
    "setRequestor", "getAuthentication", "setSelectedProvider", "checkAuthorization", "getAuthorization",
    "checkPreauthorizedResources", "preauthorize",
}
MAX_REPEATS = 4
# The daemon may take 15 seconds for an answer. A repetition needs at least this time.
DAEMON_TAKES = 16.0

# The callbacks for which an app can add handlers.
HEARD = (*CALLBACKS, "disconnected", "reconnected")

_log = logging.getLogger("passd")


@dataclass(frozen=True)
class Callback:
    """A message of the daemon that is not an answer. `disconnected` and `reconnected` come from this library."""

    name: str
    params: dict[str, Any]


@dataclass(frozen=True)
class Backoff:
    """The first and the longest pause before an attempt to reconnect, in seconds."""

    first: float = 0.1
    max: float = 10.0


def find_socket(path: str | None = None) -> str:
    """The given path, else PASSD_SOCKET, else the socket of an installed daemon."""
    return path or os.environ.get("PASSD_SOCKET") or DEFAULT_SOCKET


class Client(Calls, Handlers):
    """A session. Use it with `async with`, or call `open` and `close`.

    `requestor` names the channel or brand for which the app asks. `software_statement` proves that the app may do so; it is
    not needed if the box's configuration has it in a stanza for the app. `options` are the params of `setOptions`. Operators
    see `name` and `version`. `within` is the time limit for a call with its repetitions, in seconds. If a viewer waits for a
    call and the daemon refuses it because of a rate limit, the call is repeated after `retry_after`. For `open_within`
    seconds, `open` waits for a daemon that cannot be reached yet, for example because its directory is mounted later.
    """

    def __init__(
        self, requestor: str | None = None, *, path: str | None = None, software_statement: str | None = None,
        options: Mapping[str, Any] | None = None, name: str | None = None, version: str = "0", within: float = 60,
        open_within: float = 0, reconnect: bool = True, backoff: Backoff = Backoff(), framing: Framing = "lines", limits: Limits = Limits(),
    ) -> None:
        self.path = find_socket(path)
        # Whether the viewer is signed in, as last reported by the daemon; None before the first report.
        self.signed_in: bool | None = None
        self._requestor: dict[str, Any] | None = None
        if requestor is not None:
            self._requestor = {"requestorID": requestor}
            if software_statement is not None:
                self._requestor["softwareStatement"] = software_statement
        self._options = dict(options or {})
        self._name, self._version = name, version
        self._within, self._open_within, self._reconnect, self._backoff = within, open_within, reconnect, backoff
        self._framing: Framing = framing
        self._limits = limits
        self._handlers: dict[str, list[Callable[[Any], object]]] = {}
        self._streams: set[Callbacks] = set()
        self._watch: Watch | None = None
        # Whether the app cancelled a login and the daemon may not know it yet.
        self._owes_cancelling = False
        # Set by the daemon's answer to the last step of an abandoned login.
        self._left: asyncio.Event | None = None
        self._connection: Connection | None = None
        self._connected = asyncio.Event()
        self._is_over = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        # The error of the last attempt to reconnect; None if it succeeded.
        self._trouble: PassdError | None = None
        # The reason why the session ended permanently; None before that.
        self.ending: PassdError | None = None

    # Opening and closing

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Connects, and sets options and requestor. If one of these steps fails, opening fails at once. But if passd cannot be
        reached, it tries again until `open_within` is over."""
        loop = asyncio.get_running_loop()
        deadline, delay = loop.time() + self._open_within, self._backoff.first
        while self._keeper is None:
            try:
                await self._establish()
                self._keeper = asyncio.create_task(self._keep())
            except Disconnected as error:
                pause = delay * random.uniform(0.5, 1)
                if error.code != "UNREACHABLE" or loop.time() + pause > deadline:
                    raise
                delay = min(delay * 2, self._backoff.max)
                await asyncio.sleep(pause)
                if self.ending is not None:
                    raise self.ending.again() from None

    async def close(self) -> None:
        """Ends the session. The daemon ends everything that belongs only to this session."""
        self._end(errors.closed())
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    def _end(self, reason: PassdError) -> None:
        if self.ending is not None:
            return
        self.ending = reason
        if self._connection is not None:
            self._connection.end(reason)
        self._connected.set()
        self._is_over.set()
        if self._watch is not None:
            self._watch.ended()
        for stream in list(self._streams):
            stream.end(reason)

    @property
    def _is_up(self) -> bool:
        return self._connection is not None and self._connection.ending is None

    async def _establish(self) -> None:
        connection = await Connection.open(
            self.path, self._framing, self._limits, self._deliver, min(5.0, self._within))
        try:
            if self._name is not None:
                connection.notify("passd.hello", {"client": {"name": self._name, "version": self._version}})
            if self._options:
                await connection.call("setOptions", self._options, self._within)
            if self._requestor is not None:
                requestor = self._requestor
                self._heard_requestor(await self._with_repeats(
                    "setRequestor", self._within, lambda left: connection.call("setRequestor", requestor, left)))
            if connection.ending is not None:
                raise connection.ending.again()
        except BaseException:
            connection.end(errors.closed())
            raise
        if self._owes_cancelling and not self.signed_in:
            connection.notify("setSelectedProvider", {"providerID": None})
        self._owes_cancelling = False
        self._connection = connection
        self._trouble = None
        self._connected.set()

    async def _keep(self) -> None:
        """Reconnects when the connection ends. The pause grows as long as new connections end soon."""
        loop = asyncio.get_running_loop()
        delay = self._backoff.first
        while (connection := self._connection) is not None:
            began = loop.time()
            await connection.ended.wait()
            if self.ending is not None:
                return
            self._connected.clear()
            self._connection = None
            reason = connection.ending or errors.lost("it ended")
            if not self._reconnect or (isinstance(reason, errors.Refused) and reason.code in FINAL):
                return self._end(reason)
            self._deliver("disconnected", {"code": reason.code, "message": reason.message, "remedy": reason.remedy})
            if self._watch is not None:
                self._watch.lost()
            if loop.time() - began > self._backoff.max:
                delay = self._backoff.first
            was_signed_in = self.signed_in
            while self._connection is None:
                await asyncio.sleep(delay * random.uniform(0.5, 1))
                delay = min(delay * 2, self._backoff.max)
                try:
                    await self._establish()
                except PassdError as error:
                    if isinstance(error, errors.Refused) and error.code in FINAL:
                        return self._end(error)
                    self._trouble = error
            self._told_again(was_signed_in)

    def _told_again(self, was_signed_in: bool | None) -> None:
        self._deliver("reconnected", {} if self.signed_in is None else {"authenticated": self.signed_in})
        if None not in (was_signed_in, self.signed_in) and was_signed_in != self.signed_in:
            code = "" if self.signed_in else "USER_NOT_AUTHENTICATED_ERROR"
            status = {"status": int(bool(self.signed_in)), "errorCode": code, "reason": "reconnected"}
            self._deliver("setAuthenticationStatus", status)
        if self.signed_in and self._watch is not None:
            self._watch.signed_in()

    # Calls

    async def call(self, method: str, params: Mapping[str, Any] | None = None, *, within: float | None = None) -> Any:
        """Calls any method by its name. While there is no connection, the call waits for one.

        If the connection ends before the answer, the call fails with DISCONNECTED and is not repeated: only the caller knows
        whether it may be executed twice. To stop waiting, cancel the task. The session then drops the daemon's answer. """
        if params is not None and not isinstance(params, Mapping):
            wanted = "a dictionary, such as {'resource': 'news'}"
            raise TypeError(f"{method} takes its params as {wanted}; it was given a {type(params).__name__}")
        return await self._call(method, params, within)

    async def _call(
        self, method: str, params: Mapping[str, Any] | None, within: float | None = None,
        answered: Callable[[Any], None] | None = None,
    ) -> Any:
        within = self._within if within is None else within
        if self._watch is not None and (self._watch.waits or not self._is_up) and method == "setSelectedProvider":
            if params is not None and params.get("providerID", "") is None:
                self._watch.cancelled()

        async def ask(left: float) -> Any:
            loop = asyncio.get_running_loop()
            deadline = loop.time() + left
            connection = await self._connection_within(left)
            return await connection.call(method, params or {}, max(0.0, deadline - loop.time()), answered)

        # Only the steps of a login have `answered`, so only they pass on the watch of the login.
        answer = await self._with_repeats(method, within, ask, None if answered is None else self._watch)
        if method == "setOptions":
            self._options |= params or {}
        elif method == "setRequestor":
            self._requestor = dict(params or {})
            self._heard_requestor(answer)
        return answer

    async def _with_repeats(
        self, method: str, within: float, ask: Callable[[float], Awaitable[Any]], watch: Watch | None = None
    ) -> Any:
        """Makes the call. If a rate limit refuses a call for which a viewer waits, repeats the call after `retry_after`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        repeats = 0
        while True:
            try:
                return await ask(max(0.0, deadline - loop.time()))
            except errors.Refused as error:
                pause = error.retry_after
                still_waits = error.code in {"LIMIT", "CFG429"} and method in REPEATABLE and repeats < MAX_REPEATS
                if not still_waits or pause is None or not 0 <= pause <= deadline - loop.time() - DAEMON_TAKES:
                    raise
            repeats += 1
            try:
                if watch is not None:
                    watch.waits = True
                async with asyncio.timeout(pause):
                    await self._is_over.wait()
            except TimeoutError:
                pass
            finally:
                if watch is not None:
                    watch.waits = False

    async def _connection_within(self, within: float | None) -> Connection:
        try:
            async with asyncio.timeout(within):
                while self.ending is None:
                    if self._connection is not None and self._is_up:
                        return self._connection
                    if self._keeper is None:
                        raise errors.not_opened()
                    if self._connection is not None:
                        await asyncio.sleep(0)  # the end has not been noticed yet
                    await self._connected.wait()
        except TimeoutError as error:
            if isinstance(error, PassdError):
                raise
            raise errors.not_restored(within or 0, self._trouble) from None
        raise self.ending.again()

    def _heard_requestor(self, answer: Any) -> None:
        if isinstance(answer, dict) and isinstance(answer.get("authenticated"), bool):
            self.signed_in = answer["authenticated"]

    # Callbacks

    def _add_handler(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        if name not in HEARD:
            near = difflib.get_close_matches(name, HEARD, 1, 0.5)
            raise ValueError(f"there is no callback {name}" + (f"; is it {near[0]}?" if near else ""))
        handlers = self._handlers.setdefault(name, [])
        handlers.append(handler)
        return lambda: handlers.remove(handler) if handler in handlers else None

    def callbacks(self) -> Callbacks:
        """All callbacks from now on, in order, for `async for`. Unread callbacks are kept, up to a limit."""
        stream = Callbacks(self._limits.callbacks, self._streams.discard)
        if self.ending is not None:
            stream.end(self.ending)
        else:
            self._streams.add(stream)
        return stream

    def _deliver(self, name: str, params: dict[str, Any]) -> None:
        if name == "setAuthenticationStatus":
            self.signed_in = params.get("status") == 1
        if self._watch is not None:
            self._watch.heard(name, params)
        for handler in list(self._handlers.get(name, ())):
            try:
                handler(params)
            except Exception:
                _log.exception("a handler of %s failed", name)
        for stream in list(self._streams):
            stream.put(Callback(name, params))

    # Signing in

    async def sign_in(
        self, *, provider: str | None = None, choose: Choose | None = None, show: Show | None = None,
        force: bool = False, data: Mapping[str, str] | None = None, within: float | None = None,
        requestors: Sequence[str] = (),
    ) -> Outcome:
        """Signs the viewer in, and returns when the login has ended.

        `provider` is the ID of the viewer's provider. Without it, `choose` gets the list and returns an ID, or None to cancel.
        One of the two is needed. `show` gets each code. If the daemon restarts and loses the first code, `show` gets a second
        code. Both functions may return awaitables. To cancel, cancel the task, or call `set_selected_provider(None)`. After
        `within` seconds, the login is cancelled and TIMED_OUT is raised. A cancel ends the login at once, even without a
        connection. In this case, the session tells the daemon after the reconnect.

        A programmer may have several `requestors`, and each may need its own login. A requestor may be signed in already,
        perhaps by the login of another requestor. Such requestors are skipped. The viewer chooses once, and again only if a
        requestor does not have the chosen provider. The result is the outcome of the last login, or of the first login that
        failed. Afterwards the session uses the first of the requestors. """
        if self._watch is not None:
            raise PassdError(
                "FLOW_CONFLICT", "This session has an open login already.",
                "Wait for it, or cancel it with set_selected_provider(None).")
        if requestors:
            return await self._sign_in_each(list(requestors), provider, choose, show, force, data, within)
        if provider is None and choose is None:
            raise errors.no_provider()
        begin: dict[str, Any] = {"forceAuthentication": True} if force else {}
        if data is not None:
            begin["data"] = dict(data)
        self._watch = watch = Watch(force)
        try:
            async with asyncio.timeout(within):
                return await self._until_over(watch, self._sign_in(watch, begin, provider, choose, show))
        except BaseException as error:
            self._leave(watch)
            if isinstance(error, TimeoutError) and not isinstance(error, PassdError):
                raise errors.TimedOut(
                    "TIMED_OUT", f"The viewer did not sign in within {within:.3g} s.", "Start the login again.") from None
            raise
        finally:
            self._watch = None

    async def _sign_in_each(
        self, requestors: list[str], provider: str | None, choose: Choose | None, show: Show | None, force: bool,
        data: Mapping[str, str] | None, within: float | None,
    ) -> Outcome:
        if provider is None and choose is None:
            raise errors.no_provider()
        loop = asyncio.get_running_loop()
        deadline = None if within is None else loop.time() + within
        chosen = provider

        async def offer(providers: list[MVPD]) -> str | None:
            nonlocal chosen
            if choose is not None and all(each["id"] != chosen for each in providers):
                chosen = await _result(choose(providers))
            return chosen

        outcome = Outcome("authenticated")
        try:
            for requestor in requestors:
                answer = await self.call("setRequestor", self._params(requestor))
                if answer.get("authenticated") is True and not force:
                    continue
                left = None if deadline is None else max(0.0, deadline - loop.time())
                outcome = await self.sign_in(choose=offer, show=show, force=force, data=data, within=left)
                if not outcome.authenticated:
                    break
        finally:
            if (self._requestor or {}).get("requestorID") != requestors[0]:
                # The outcome of the logins is reported instead.
                with contextlib.suppress(PassdError):
                    await self.call("setRequestor", self._params(requestors[0]))
        return outcome

    def _params(self, requestor: str) -> dict[str, Any]:
        """The params of `setRequestor`, with the session's software statement, if any."""
        return {**(self._requestor or {}), "requestorID": requestor}

    async def _until_over(self, watch: Watch, work: Coroutine[Any, Any, Outcome]) -> Outcome:
        """Continues the login. Stops early if the login ends while the viewer chooses or while there is no connection."""
        login, over = asyncio.create_task(work), asyncio.create_task(watch.over.wait())
        try:
            await asyncio.wait({login, over}, return_when=asyncio.FIRST_COMPLETED)
            if login.done():
                return login.result()
            if self.ending is not None:
                raise self.ending.again()
            return watch.outcome or Outcome("cancelled")
        finally:
            login.cancel()
            over.cancel()
            await asyncio.gather(login, over, return_exceptions=True)

    def _leave(self, watch: Watch) -> None:
        """Abandons this login. If the daemon has not answered yet, the login is cancelled after the answer. Before the
        answer, there may be no login, and a cancel would sign out a viewer who is signed in."""
        connection = self._connection
        if connection is None or not connection.owes(watch.answered):
            return self._cancel(watch)
        self._left = left = asyncio.Event()

        def answered() -> None:
            if self._left is left:  # otherwise another login has begun, and that one is open
                self._cancel(watch)
            left.set()

        watch.left = answered

    def _cancel(self, watch: Watch) -> None:
        """Cancels an abandoned login, so that its code stops working. Without a connection, this happens after the
        reconnect."""
        if not watch.is_open or self.ending is not None:
            return
        if self._connection is not None and self._is_up:
            self._connection.notify("setSelectedProvider", {"providerID": None})
        else:
            self._owes_cancelling = True

    async def _earlier_login_is_over(self) -> None:
        if self._left is None:
            return
        try:
            async with asyncio.timeout(self._within):
                await self._left.wait()
        except TimeoutError:
            pass
        self._left = None

    async def _sign_in(
        self, watch: Watch, begin: dict[str, Any], chosen: str | None, choose: Choose | None,
        show: Show | None,
    ) -> Outcome:
        await self._earlier_login_is_over()
        while True:
            try:
                step: dict[str, Any] | None = await self._step(watch, "getAuthentication", begin)
                while step is not None:
                    if watch.outcome is not None:
                        return watch.outcome
                    match step["state"]:
                        case "authenticated":
                            return Outcome("authenticated", params=step)
                        case "selectProvider":
                            if chosen is None and choose is not None:
                                with watch.choosing():
                                    chosen = await _result(choose(_list(step.get("providers"))))
                            if chosen is None:
                                return await self._choose_none(watch)
                            # If the daemon does not know the login, a new login is started.
                            step = None if watch.is_lost else await self._step(
                                watch, "setSelectedProvider", {"providerID": chosen})
                            continue
                        case "selected":
                            step = await self._step(watch, "getAuthentication", begin)
                            if step["state"] == "selected":
                                raise errors.not_understood("a choice of provider does not begin the login")
                            continue
                        case "secondScreen" | "browser":
                            await self._show(watch, read_login(step), show)
                    step = await self._next(watch)
                if watch.outcome is not None:
                    return watch.outcome
            except Disconnected:
                if self._is_up or self.ending is not None:
                    raise
            await self._connection_within(None)
            if self.signed_in and "forceAuthentication" not in begin:
                return Outcome("authenticated", "reconnected")

    async def _choose_none(self, watch: Watch) -> Outcome:
        if self._is_up and not watch.is_lost:
            try:
                answer = await self.call("setSelectedProvider", {"providerID": None})
                return watch.outcome or Outcome("cancelled", params=answer if isinstance(answer, dict) else {})
            except Disconnected:
                if self._is_up or self.ending is not None:
                    raise
        self._cancel(watch)
        return watch.outcome or Outcome("cancelled")

    async def _step(self, watch: Watch, method: str, params: dict[str, Any]) -> dict[str, Any]:
        watch.is_lost = False
        answer = await self._call(method, params, answered=watch.answered)
        if not isinstance(answer, dict) or not isinstance(answer.get("state"), str):
            raise errors.not_understood("a step of the login has no state")
        return answer

    async def _show(self, watch: Watch, login: Login, show: Show | None) -> None:
        is_new = watch.login is None or (watch.login.code, watch.login.link, watch.login.url) != (
            login.code, login.link, login.url)
        watch.login = login
        if show is not None and is_new:
            await _result(show(login))

    async def _next(self, watch: Watch) -> dict[str, Any] | None:
        """Waits for the result of a step: providers to choose from, or None if there is an outcome or no connection."""
        await watch.change()
        if watch.outcome is None and watch.providers is not None and not watch.is_lost:
            providers, watch.providers = watch.providers, None
            return {"state": "selectProvider", "providers": providers}
        return None


async def _result(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class Callbacks(AsyncIterator[Callback]):
    """The callbacks of a session. The stream ends when the session is closed. If the session ends for another reason, the
    stream raises this reason."""

    def __init__(self, limit: int, leave: Callable[[Callbacks], None]) -> None:
        self._limit, self._leave = limit, leave
        self._unread: deque[Callback] = deque()
        self._reason: PassdError | None = None
        self._changed = asyncio.Event()

    def put(self, callback: Callback) -> None:
        if len(self._unread) >= self._limit:
            self.end(errors.overrun(self._limit))
        else:
            self._unread.append(callback)
            self._changed.set()

    def end(self, reason: PassdError) -> None:
        self._reason = self._reason or reason
        self._leave(self)
        self._changed.set()

    def close(self) -> None:
        """Ends the stream, but not the session."""
        self._unread.clear()
        self.end(errors.closed())

    async def __anext__(self) -> Callback:
        while not self._unread:
            if self._reason is not None:
                if self._reason.code == "CLOSED":
                    raise StopAsyncIteration
                raise self._reason.again()
            self._changed.clear()
            await self._changed.wait()
        return self._unread.popleft()
