/** Tests beside the conformance suite: limits of the reader and of queues, handlers, WebSockets, files of the package. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { after, afterEach, beforeEach, describe, test } from "node:test";

import { connect as connectInBrowser } from "../src/browser.js";
import { FrameReader, frame } from "../src/frames.js";
import { Client, connect, findSocket, PassdError } from "../src/index.js";

const folder = mkdtempSync(`${tmpdir()}/passd-`);
const path = `${folder}/passd.sock`;
after(() => rmSync(folder, { recursive: true }));

describe("options", () => {
  test("an unknown option is refused, and the error suggests the nearest name", async () => {
    await assert.rejects(connect({ requester: "LUMENTV" }), new TypeError("connect has no option requester; is it requestor?"));
    await assert.rejects(connectInBrowser({ url: "ws://x", path: "/x" }), new TypeError("connect has no option path"));
    await assert.rejects(
      new Client(() => {}, {}).signIn({ provider: "NorthCable", forced: true }),
      new TypeError("signIn has no option forced; is it force?"));
  });

  test("an unknown option inside another option or of a call is refused, too", async () => {
    await assert.rejects(connect({ limits: { callback: 1 } }), new TypeError("connect has no option limits.callback; is it limits.callbacks?"));
    await assert.rejects(connect({ backoff: { longest: 1 } }), new TypeError("connect has no option backoff.longest"));
    await assert.rejects(
      connectInBrowser({ url: "ws://x", backoff: { frist: 1 } }), new TypeError("connect has no option backoff.frist; is it backoff.first?"));
    await assert.rejects(
      new Client(() => {}, {}).getSelectedProvider({}, { signals: 1 }),
      new TypeError("getSelectedProvider has no option signals; is it signal?"));
  });

  test("if params are not an object, the error names the method's params", async () => {
    const client = new Client(() => {}, {});
    await assert.rejects(
      client.checkAuthorization("news"),
      new TypeError("checkAuthorization takes an object with its params: { resource, data? }; it was given a string"));
    await assert.rejects(
      client.preauthorize(["news"]),
      new TypeError("preauthorize takes an object with its params: { resources, disabledFeatures? }; it was given an array"));
    await assert.rejects(
      client.call("newMethod", 1), new TypeError("newMethod takes an object with its params; it was given a number"));
  });

  test("a handler for an unknown callback is refused, and the error suggests the nearest name", async () => {
    const on = { setAuthenticatedStatus: () => {} };
    await assert.rejects(connect({ on }), new TypeError("there is no callback setAuthenticatedStatus; is it setAuthenticationStatus?"));
  });
});

describe("frames", () => {
  test("messages are found in pieces of any size", () => {
    const messages = [{ a: "é" }, { b: [1, 2] }, {}];
    for (const framing of ["lines", "headers"]) {
      const data = Buffer.from(messages.map((message) => frame(JSON.stringify(message), framing)).join(""));
      for (const size of [1, 2, 3, 7, data.length]) {
        const reader = new FrameReader(framing, 100);
        const found = [];
        for (let start = 0; start < data.length; start += size) {
          for (const text of reader.feed(data.subarray(start, start + size))) found.push(JSON.parse(text));
        }
        assert.deepEqual(found, messages, `${framing} in pieces of ${size}`);
      }
    }
  });

  for (const [framing, data, reason] of [
    ["lines", "x".repeat(11), /more than 10 bytes/],
    ["lines", `${"x".repeat(11)}\n`, /more than 10 bytes/],
    ["headers", "Content-Length: 11\r\n\r\n", /more than 10 bytes/],
    ["headers", "Content-Length: -1\r\n\r\n", /without Content-Length/],
    ["headers", "Content-Type: x\r\n\r\n", /without Content-Length/],
    ["headers", "x".repeat(5000), /header is too long/],
    ["lines", Buffer.from([0xff, 10]), /not valid/],
  ]) {
    test(`${framing}: ${JSON.stringify(data.slice(0, 25))} is refused`, () => {
      assert.throws(() => [...new FrameReader(framing, 10).feed(Buffer.from(data))], reason);
    });
  }

  test("a message of the largest size is accepted", () => {
    assert.deepEqual([...new FrameReader("lines", 10).feed(Buffer.from(`${"x".repeat(10)}\n`))], ["x".repeat(10)]);
  });
});

/** Answers `setRequestor`, sends what the call `send` asks for, and answers nothing else. */
function answer(text, send, hangUp, heard) {
  const { id, method, params } = JSON.parse(text);
  heard.push(method);
  if (method === "setRequestor") send({ id, result: { authenticated: true } });
  if (method === "getAuthentication") send({ id, result: { state: "secondScreen", code: "A" } });
  if (method === "hang up") hangUp();
  if (method === "checkAuthentication") send({ id, error: { code: -32011, message: "No service.", data: { code: "CFG404" } } });
  if (method === "send") {
    for (const callback of params.callbacks) send({ method: callback, params: {} });
    send({ id, result: {} });
  }
}

describe("sessions", () => {
  let server;
  let heard;
  let tv;
  const settings = { requestor: "LUMENTV", path, backoff: { first: 5, max: 20 } };

  beforeEach(async () => {
    heard = [];
    server = createServer((socket) => {
      const frames = new FrameReader("lines", 1 << 20);
      socket.on("error", () => {});
      socket.on("data", (data) => {
        for (const text of frames.feed(data)) {
          answer(text, (message) => socket.write(`${JSON.stringify(message)}\n`), () => socket.destroy(), heard);
        }
      });
    });
    await new Promise((resolve) => server.listen(path, resolve));
  });
  afterEach(async () => {
    tv?.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test("each error has the stack of the app's call", async () => {
    const theApp = {
      refused: () => tv.checkAuthentication().then(() => {}),
      disconnected: async () => { await tv.call("hang up"); },
      late: () => tv.call("never", {}, { within: 1 }),
      unreachable: () => connect({ path: `${folder}/none` }),
      signingIn: () => tv.signIn({ provider: "NorthCable", within: 1 }),
      closed: async () => { for await (const { name } of tv.callbacks()) void name; },
    };
    for (const [name, calls] of Object.entries(theApp)) {
      tv = await connect({ ...settings, reconnect: name !== "closed" });
      if (name === "closed") setTimeout(() => void tv.call("hang up").catch(() => {}), 1);
      await assert.rejects(calls(), (error) => {
        assert.ok(error.stack.startsWith(`PassdError: ${error.message}\n    at `), error.stack);
        assert.match(error.stack, new RegExp(`at .*\\b${name} .*passd\\.test\\.js`));
        return true;
      });
      tv.close();
    }
  });

  test("unread callbacks are limited, and the session continues", async () => {
    tv = await connect({ ...settings, limits: { callbacks: 3 } });
    const stream = tv.callbacks();
    await tv.call("send", { callbacks: ["a", "b", "c", "d"] });
    for (const name of ["a", "b", "c"]) assert.equal((await stream.next()).value.name, name);
    await assert.rejects(stream.next(), { code: "OVERRUN" });
    assert.deepEqual(await tv.call("send", { callbacks: [] }), {});
  });

  test("a stream ends with the session, or when the app ends it", async () => {
    tv = await connect(settings);
    const [one, other] = [tv.callbacks(), tv.callbacks()];
    await one.return();
    await tv.call("send", { callbacks: ["a"] });
    tv.close();
    assert.deepEqual(await one.next(), { value: undefined, done: true });
    assert.equal((await other.next()).value.name, "a");
    assert.equal((await other.next()).done, true);
  });

  test("a handler that removes itself does not disturb the others", async () => {
    let count = 0;
    tv = await connect(settings);
    const leave = tv.on("setToken", () => leave());
    tv.on("setToken", () => { count += 1; });
    await tv.call("send", { callbacks: ["setToken", "setToken"] });
    assert.equal(count, 2);
  });

  test("handlers of one name are called in the order in which they were added", async () => {
    const names = [];
    tv = await connect(settings);
    for (const name of ["first", "second", "third"]) tv.on("setToken", () => names.push(name));
    await tv.call("send", { callbacks: ["setToken"] });
    assert.deepEqual(names, ["first", "second", "third"]);
  });

  test("the wait for a connection ends after five seconds, or at the time limit of a call", async () => {
    const allowed = [];
    for (const within of [30000, 2000]) {
      const refuse = async (time) => { allowed.push(time); throw new Error("not accepted"); };
      await assert.rejects(new Client(refuse, { within }).open(), /not accepted/);
    }
    assert.deepEqual(allowed, [5000, 2000]);
  });

  test("if a handler fails, the other handlers still get the callback", async () => {
    const failures = [];
    const fail = (error) => failures.push(error.message);
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException").on("uncaughtException", fail);
    try {
      let count = 0;
      tv = await connect({ ...settings, on: { setToken: () => { throw new Error("the app's"); } } });
      tv.on("setToken", () => { count += 1; });
      await tv.call("send", { callbacks: ["setToken"] });
      assert.equal(count, 1);
      assert.deepEqual(failures, ["the app's"]);
    } finally {
      process.removeListener("uncaughtException", fail);
      for (const each of others) process.on("uncaughtException", each);
    }
  });

  test("pauses grow while connections end soon", async (context) => {
    const pauses = [];
    const real = globalThis.setTimeout;
    context.mock.method(Math, "random", () => 1);
    tv = await connect({ ...settings, backoff: { first: 10, max: 50 }, within: 100000 });
    context.mock.method(globalThis, "setTimeout", (run, time) => {
      if (time > 0 && time <= 50) pauses.push(time);
      return real(run, time <= 50 ? 0 : time);
    });
    for (let round = 0; round < 5; round += 1) {
      const reconnected = new Promise((resolve) => tv.on("reconnected", resolve));
      await assert.rejects(tv.call("hang up"), { code: "DISCONNECTED" });
      await reconnected;
    }
    assert.deepEqual(pauses, [10, 20, 40, 50, 50]);
  });

  test("output that the daemon does not read is limited", async () => {
    const deaf = createServer((socket) => socket.pause());
    await new Promise((resolve) => deaf.listen(`${path}2`, resolve));
    tv = await connect({ path: `${path}2`, reconnect: false, limits: { output: 1000 } });
    const text = { data: "x".repeat(1_000_000) };
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => tv.call("checkAuthorization", text)));
    for (const { reason } of results) assert.equal(reason.code, "DISCONNECTED");
    deaf.close();
  });

  test("a login that takes too long is cancelled", async () => {
    tv = await connect(settings);
    await assert.rejects(tv.signIn({ provider: "NorthCable", within: 10 }), { code: "TIMED_OUT" });
    await tv.call("send", { callbacks: [] });
    assert.ok(heard.includes("setSelectedProvider"));
  });

  test("a login that is cancelled by a signal has the outcome cancelled, as one that is cancelled by a call", async () => {
    tv = await connect(settings);
    const cancel = new AbortController();
    const login = tv.signIn({ provider: "NorthCable", signal: cancel.signal });
    setTimeout(() => cancel.abort(), 10);
    assert.equal((await login).outcome, "cancelled");
    for (const requestors of [[], ["LUMENTV"]]) {
      assert.equal((await tv.signIn({ provider: "NorthCable", requestors, signal: cancel.signal })).outcome, "cancelled");
    }
  });

  test("a call that is cancelled before it begins is not sent", async () => {
    tv = await connect(settings);
    await assert.rejects(tv.call("never", {}, { signal: AbortSignal.abort() }), { name: "AbortError" });
    await tv.call("send", { callbacks: [] });
    assert.ok(!heard.includes("never"));
  });

  test("a session that is closed during a reconnect stays closed", async () => {
    tv = await connect(settings);
    tv.on("disconnected", () => tv.close());
    await assert.rejects(tv.call("hang up"), { code: "DISCONNECTED" });
    await assert.rejects(tv.checkAuthentication(), { code: "CLOSED" });
  });
});

/** A WebSocket without a network. It behaves as in a browser. */
class FakeWebSocket {
  static opened = [];
  bufferedAmount = 0;
  constructor(url) {
    if (!url.startsWith("ws:")) throw new SyntaxError("not an address");
    FakeWebSocket.opened.push(this);
    queueMicrotask(() => (url.includes("nowhere") ? this.onclose({ reason: "" }) : this.onopen()));
  }
  send(text) {
    answer(text, (message) => queueMicrotask(() => this.onmessage({ data: JSON.stringify(message) })), () => this.close(), []);
  }
  close() {
    queueMicrotask(() => this.onclose({ reason: "" }));
  }
}

describe("WebSockets", () => {
  const settings = { url: "ws://box", WebSocket: FakeWebSocket, requestor: "LUMENTV", backoff: { first: 1, max: 2 } };
  for (const [name, open] of [["Node", connect], ["a browser", connectInBrowser]]) {
    test(`a session in ${name} makes calls, gets callbacks and reconnects`, async () => {
      const tv = await open(settings);
      const stream = tv.callbacks();
      await tv.call("send", { callbacks: ["a"] });
      await assert.rejects(tv.call("hang up"), { code: "DISCONNECTED" });
      for (const heard of ["a", "disconnected", "reconnected"]) assert.equal((await stream.next()).value.name, heard);
      tv.close();
    });
  }

  test("a failed connect is reported as UNREACHABLE", async () => {
    for (const url of ["ws://nowhere", "no address"]) {
      await assert.rejects(connect({ ...settings, url }), { code: "UNREACHABLE" });
    }
  });

  test("binary messages and too large messages end the connection", async () => {
    for (const data of [new ArrayBuffer(1), `{"method":"a"${" ".repeat(100)}}`]) {
      const tv = await connect({ ...settings, reconnect: false, limits: { message: 100 } });
      const call = assert.rejects(tv.call("never"), { code: "NOT_UNDERSTOOD" });
      await null;
      FakeWebSocket.opened.at(-1).onmessage({ data });
      await call;
    }
  });
});

describe("errors", () => {
  test("a path without a socket, or an impossible path, is unreachable", async () => {
    for (const wrong of [`${folder}/none`, `${folder}/a\0b`, `/${"x".repeat(200)}`]) {
      await assert.rejects(connect({ path: wrong }), (error) => error instanceof PassdError && error.code === "UNREACHABLE");
    }
  });

  test("the error names a directory that the user may not enter", () => {
    const closed = `${folder}/closed`;
    chmodSync(folder, 0o755);
    mkdirSync(closed, { mode: 0 });
    const program = `
      import { connect } from ${JSON.stringify(new URL("../src/index.js", import.meta.url).href)};
      if (process.getuid() === 0) process.setuid(65534);
      await connect({ path: "${closed}/passd.sock" }).catch(({ code, message, remedy }) => console.log(JSON.stringify({ code, message, remedy })));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    const { code, message, remedy } = JSON.parse(stdout);
    assert.deepEqual([code, message], ["FORBIDDEN", `This user may not enter ${closed}, so ${closed}/passd.sock cannot be reached.`]);
    assert.match(remedy, /chmod o\+x/);
  });

  test("a path overrides the environment, and the environment overrides the default", () => {
    for (const [given, environment, found] of [["/a", "/b", "/a"], [undefined, "/b", "/b"], [undefined, "", "/run/passd/passd.sock"]]) {
      process.env.PASSD_SOCKET = environment;
      assert.equal(findSocket(given), found);
    }
  });
});

describe("the package", () => {
  const root = new URL("..", import.meta.url);

  test("has the version of the daemon", () => {
    const { info } = JSON.parse(readFileSync(new URL("../openrpc.json", root), "utf8"));
    assert.equal(JSON.parse(readFileSync(new URL("package.json", root), "utf8")).version, info.version);
  });

  test("browsers get no code that needs Node", () => {
    const seen = new Set(["browser.js", "sign-in.js"]);
    for (const name of seen) {
      const text = readFileSync(new URL(`src/${name}`, root), "utf8");
      assert.ok(!/node:|process\.|Buffer/.test(text), name);
      for (const [, other] of text.matchAll(/from "\.\/(.*)"/g)) seen.add(other);
    }
    assert.ok(seen.size > 5 && seen.size < readdirSync(new URL("src", root)).length);
  });
});

describe("several requestors", () => {
  /** A peer with requestors without a login, and their providers. */
  function serve(open, chosen) {
    let requestor;
    return createServer((socket) => {
      const reader = new FrameReader("lines", 10_000);
      const send = (message) => socket.write(frame(JSON.stringify(message), "lines"));
      socket.on("error", () => {});
      socket.on("data", (data) => {
        for (const text of reader.feed(data)) {
          const { id, method, params } = JSON.parse(text);
          if (method === "setRequestor") {
            requestor = params.requestorID;
            chosen.last = requestor;
            send({ id, result: { authenticated: !(requestor in open) } });
          } else if (method === "getAuthentication") {
            send({ id, result: { state: "selectProvider", providers: open[requestor].map((id) => ({ id })) } });
          } else if (method === "setSelectedProvider") {
            chosen.push([requestor, params.providerID]);
            send({ id, result: { state: params.providerID === null ? "cancelled" : "authenticated" } });
          }
        }
      });
    });
  }

  for (const [title, open, choices, outcome, expected] of [
    ["requestors without a login are signed in one by one",
      { A: ["North"], C: ["North", "South"], D: ["East"] }, ["North", "East"], "authenticated",
      [["A", "North"], ["C", "North"], ["D", "East"]]],
    ["a failed login ends the logins of several requestors", { A: ["North"], C: ["South"], D: ["North"] }, ["North", null], "cancelled",
      [["A", "North"], ["C", null]]],
  ]) {
    test(title, async () => {
      const chosen = [];
      const server = serve(open, chosen);
      await new Promise((resolve) => server.listen(path, resolve));
      const tv = await connect({ requestor: "A", path });
      try {
        const given = await tv.signIn({ requestors: ["A", "B", "C", "D"], choose: () => choices.shift() });
        assert.equal(given.outcome, outcome);
        assert.deepEqual([...chosen], expected);
        assert.equal(chosen.last, "A");
      } finally {
        await tv.close();
        await new Promise((resolve) => server.close(resolve));
      }
    });
  }
});
