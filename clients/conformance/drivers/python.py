"""The conformance driver of the Python library: `python.py` for asyncio, `python.py blocking` for the blocking client."""

import asyncio
import json
import os
import pathlib
import queue
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, os.environ.get("LIBRARY", str(HERE)))

import passd  # noqa: E402
from passd.protocol import CALLBACKS  # noqa: E402

writing = threading.Lock()


def say(**line):
    with writing:
        print(json.dumps(line), flush=True)


def error(error):
    return {
        "code": error.code, "number": error.number, "message": error.message, "remedy": error.remedy,
        "details": error.details, "retryAfter": error.retry_after,
    }


def settings(step):
    backoff = step.get("backoff", {})
    return {
        "software_statement": step.get("statement"), "options": step.get("options"), "name": step.get("name"),
        "version": step.get("version", "0"), "reconnect": step.get("reconnect", True),
        "backoff": passd.Backoff(backoff.get("first", 100) / 1000, backoff.get("max", 10000) / 1000),
        "framing": step.get("framing", "lines"), "limits": passd.Limits(**step.get("limits", {})),
    } | {to: step[name] / 1000 for name, to in (("within", "within"), ("openWithin", "open_within")) if name in step}


def listen(client):
    for name in (*CALLBACKS, "disconnected", "reconnected"):
        client.on(name, lambda params, name=name: say(callback=name, params=params))


def offer(step, providers):
    say(id=step["id"], choose=[provider["id"] for provider in providers])


def login(step, choose_later):
    chosen = {"choose": lambda providers: step["choose"]} if "choose" in step else {}
    if step.get("asks"):
        chosen = {"choose": choose_later}
    show = lambda login: say(id=step["id"], show={"state": login.state, "code": login.code, "link": login.link, "url": login.url, "isLocal": login.is_local})  # noqa: E731
    return {
        **chosen, "provider": step.get("provider"), "force": step.get("force", False), "data": step.get("data"), "show": show,
        "within": within(step),
    }


def ending(outcome):
    return {"outcome": outcome.outcome, "reason": outcome.reason, "display": outcome.display}


def add_handler(client, step):
    try:
        client.on(step["callback"], lambda params: None)
        say(id=step["id"], result={})
    except ValueError as refused:
        say(id=step["id"], error={"message": str(refused)})


def within(step):
    return step["within"] / 1000 if "within" in step else None


async def follow(client):
    try:
        async for _ in client.callbacks():
            pass
    except passd.PassdError as end:
        say(ended=error(end))


async def perform(client, step, choices):
    async def choose_later(providers):
        choices[step["id"]] = asyncio.get_running_loop().create_future()
        offer(step, providers)
        return await choices[step["id"]]

    match step["do"]:
        case "connect":
            await client.open()
            asyncio.create_task(follow(client))
            return {}
        case "call":
            return await client.call(step["method"], step.get("params"), within=within(step))
        case "sign in":
            return ending(await client.sign_in(**login(step, choose_later)))
        case "signed in":
            return client.signed_in
        case "close":
            await client.close()
            return {}


async def answer(client, step, choices):
    try:
        say(id=step["id"], result=await perform(client, step, choices))
    except passd.PassdError as failure:
        say(id=step["id"], error=error(failure))
    except asyncio.CancelledError:
        say(id=step["id"], error={"code": "CANCELLED"})


async def main():
    say(library="Python", features=["cancel", "handlers", "headers", "limits", "one order", "reconnect", "repeat", "sign in", "signed in", "waiting open"])
    client, tasks, choices = None, {}, {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        step = json.loads(line)
        if step["do"] == "cancel":
            tasks[step["id"]].cancel()
            continue
        if step["do"] == "choose":
            if step["id"] not in choices and step["provider"] is None:
                tasks["none"] = asyncio.create_task(client.set_selected_provider(None))
            elif not choices[step["id"]].done():
                choices[step["id"]].set_result(step["provider"])
            continue
        if step["do"] == "on":
            add_handler(client, step)
            continue
        if step["do"] == "connect":
            client = passd.Client(step.get("requestor"), **settings(step))
            listen(client)
        tasks[step["id"]] = asyncio.create_task(answer(client, step, choices))
    for task in tasks.values():
        task.cancel()
    if client is not None:
        await client.close()


def main_blocking():
    """Makes each call in its own thread."""
    say(library="Python, blocking", features=["handlers", "headers", "limits", "reconnect", "repeat", "sign in", "signed in", "waiting open"])
    client, choices, asked = None, {}, set()

    def answer(step):
        def choose_later(providers):
            asked.add(step["id"])
            offer(step, providers)
            return choices[step["id"]].get()

        try:
            match step["do"]:
                case "connect":
                    client.open()
                    threading.Thread(target=follow, daemon=True).start()
                    result = {}
                case "call":
                    result = client.call(step["method"], step.get("params"), within=within(step))
                case "sign in":
                    result = ending(client.sign_in(**login(step, choose_later)))
                case "signed in":
                    result = client.signed_in
                case "close":
                    client.close()
                    result = {}
            say(id=step["id"], result=result)
        except passd.PassdError as failure:
            say(id=step["id"], error=error(failure))

    def follow():
        try:
            for _ in client.callbacks():
                pass
        except passd.PassdError as end:
            if end.code != "CLOSED":
                say(ended=error(end))

    for line in sys.stdin:
        step = json.loads(line)
        if step["do"] == "connect":
            client = passd.BlockingClient(step.get("requestor"), **settings(step))
            listen(client)
        if step["do"] == "choose":
            if step["id"] not in asked and step["provider"] is None:
                threading.Thread(target=client.set_selected_provider, args=(None,), daemon=True).start()
            else:
                choices[step["id"]].put(step["provider"])
            continue
        if step["do"] == "on":
            add_handler(client, step)
            continue
        choices[step["id"]] = queue.SimpleQueue()
        threading.Thread(target=answer, args=(step,), daemon=True).start()
    for choice in choices.values():
        choice.put(None)  # its caller still waits
    if client is not None:
        client.close()


if sys.argv[1:] == ["blocking"]:
    main_blocking()
else:
    asyncio.run(main())
