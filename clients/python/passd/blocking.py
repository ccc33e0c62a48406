"""The session for programs without asyncio. It runs in a separate thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from . import errors
from .client import Backoff, Callback, Client
from .errors import PassdError
from .login import Login, Outcome
from .protocol import MVPD, BlockingCalls, Handlers
from .wire import Framing, Limits

Argument = TypeVar("Argument")
Result = TypeVar("Result")
_log = logging.getLogger("passd")


def _threaded(function: Callable[[Argument], Result]) -> Callable[[Argument], Coroutine[Any, Any, Result]]:
    """Runs the function in a daemon thread, so that the program can end even if the viewer never answers."""
    async def run(argument: Argument) -> Result:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Result] = loop.create_future()

        def tell(settle: Callable[[Any], None], what: Any) -> None:
            # The caller may have stopped waiting, and the session may have ended.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if answer.done() else settle(what))

        def work() -> None:
            try:
                result = function(argument)
            except StopIteration as error:  # a future does not accept it
                tell(answer.set_exception, RuntimeError(f"{function!r} raised {error!r}"))
            except BaseException as error:
                tell(answer.set_exception, error)
            else:
                tell(answer.set_result, result)

        threading.Thread(target=work, name="passd viewer", daemon=True).start()
        return await answer

    return run


class BlockingClient(BlockingCalls, Handlers):
    """A session. Use it with `with`, or call `open` and `close`. It has the same parameters as `Client`.

    Any thread may make calls. Handlers run one after the other in a separate thread, and may make calls.
    """

    def __init__(
        self, requestor: str | None = None, *, path: str | None = None, software_statement: str | None = None,
        options: Mapping[str, Any] | None = None, name: str | None = None, version: str = "0", within: float = 60,
        open_within: float = 0, reconnect: bool = True, backoff: Backoff = Backoff(), framing: Framing = "lines", limits: Limits = Limits(),
    ) -> None:
        self._client = Client(
            requestor, path=path, software_statement=software_statement, options=options, name=name, version=version,
            within=within, open_within=open_within, reconnect=reconnect, backoff=backoff, framing=framing, limits=limits)
        self._limits = limits
        # The loop; None while no calls are accepted. Before the loop stops, it finishes all work that it got under the lock.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._was_opened = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._handler_thread: threading.Thread | None = None
        self._unhandled: queue.Queue[tuple[Callable[[Any], object], Any] | None] = queue.Queue()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Connects, and sets options and requestor; see `Client.open`."""
        loop = self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=loop.run_forever, name="passd", daemon=True)
        self._thread.start()
        self._handler_thread = threading.Thread(target=self._handle, name="passd handlers", daemon=True)
        self._handler_thread.start()
        try:
            self._run(self._client.open())
            self._was_opened = True
        except BaseException:
            self._stop(closes=False)
            raise

    def close(self) -> None:
        """Waits until handlers have run for all earlier callbacks, then ends the session. Calls of other threads end with
        CLOSED."""
        self._stop(closes=True)

    def _stop(self, *, closes: bool) -> None:
        """Stops the thread. The session can be opened again, unless it was closed."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None and self._thread is not None:
            if closes:
                asyncio.run_coroutine_threadsafe(self._client.close(), loop).result()
            self._unhandled.put(None)
            asyncio.run_coroutine_threadsafe(_finish(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join()
            loop.close()
        # Also if a handler is closing the session at this moment.
        if self._handler_thread is not None and self._handler_thread is not threading.current_thread():
            self._handler_thread.join()

    @property
    def path(self) -> str:
        return self._client.path

    @property
    def signed_in(self) -> bool | None:
        """Whether the viewer is signed in, as last reported by the daemon; None before the first report."""
        return self._client.signed_in

    @property
    def ending(self) -> PassdError | None:
        """The reason why the session ended permanently; None before that."""
        return self._client.ending

    def call(self, method: str, params: Mapping[str, Any] | None = None, *, within: float | None = None) -> Any:
        """Calls any method by its name; see `Client.call`."""
        return self._run(self._client.call(method, params, within=within))

    def sign_in(
        self, *, provider: str | None = None, choose: Callable[[list[MVPD]], str | None] | None = None,
        show: Callable[[Login], object] | None = None, force: bool = False, data: Mapping[str, str] | None = None,
        within: float | None = None, requestors: Sequence[str] = (),
    ) -> Outcome:
        """Signs the viewer in, and returns when the login has ended; see `Client.sign_in`.

        `choose` and `show` run in a separate thread, so they may wait for the viewer. Another thread can cancel with
        `set_selected_provider(None)`.
        """
        return self._run(self._client.sign_in(
            provider=provider, choose=choose and _threaded(choose), show=show and _threaded(show), force=force, data=data,
            within=within, requestors=requestors))

    def callbacks(self) -> Iterator[Callback]:
        """All callbacks from now on, in order. Unread callbacks are kept, up to a limit."""
        async def begin() -> Any:
            return self._client.callbacks()

        stream = self._run(begin())

        def read() -> Iterator[Callback]:
            while True:
                try:
                    callback = self._run(stream.__anext__())
                except StopAsyncIteration:
                    return
                except PassdError as error:
                    if error.code == "CLOSED":
                        return
                    raise
                yield callback

        return read()

    def _add_handler(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        def enqueue(params: Any) -> None:
            if self._unhandled.qsize() >= self._limits.callbacks:
                self._client._end(errors.overrun(self._limits.callbacks))
            else:
                self._unhandled.put((handler, params))

        return self._client._add_handler(name, enqueue)

    def _handle(self) -> None:
        while (item := self._unhandled.get()) is not None:
            handler, params = item
            try:
                handler(params)
            except Exception:
                _log.exception("a handler failed")

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = self._give(work)
        if future is None:
            raise self.ending.again() if self.ending else errors.closed() if self._was_opened else errors.not_opened()
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise self.ending.again() if self.ending else errors.closed() from None
        except BaseException:
            # Ctrl-C also leads here. A login that it interrupts must be cancelled at the daemon before the session is closed.
            # A call that failed has ended already, so it cannot be cancelled.
            if future.cancel() and (told := self._give(asyncio.sleep(0))) is not None:
                concurrent.futures.wait([told], 1)
            raise

    def _give(self, work: Coroutine[Any, Any, Result]) -> concurrent.futures.Future[Result] | None:
        """Gives work to the loop; None if there is no running loop."""
        with self._lock:
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        return None


async def _finish() -> None:
    """Wakes the threads that still wait, because the session has ended."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    if tasks:
        _, late = await asyncio.wait(tasks, timeout=1)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
