/** Tests of the element `<passd-sign-in>` with a small replacement for the DOM. The toy TV tests it in Chromium. */

import assert from "node:assert/strict";
import { after, beforeEach, describe, mock, test } from "node:test";

/** The element that has the focus. */
let focused;

/** A clock that moves only when a test moves it. */
const clock = {
  now: 0,
  timers: new Map(),
  move(milliseconds) {
    for (const end = this.now + milliseconds; ;) {
      const [next] = [...this.timers.values()].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      this.now = next?.at ?? end;
      if (next === undefined) return;
      next.at += next.every;
      next.run();
    }
  },
};
const real = { setInterval, clearInterval, now: Date.now };
globalThis.setInterval = (run, every) => {
  const timer = Symbol("timer");
  clock.timers.set(timer, { run, every, at: clock.now + every });
  return timer;
};
globalThis.clearInterval = (timer) => clock.timers.delete(timer);
Date.now = () => clock.now;
after(() => {
  Object.assign(globalThis, { setInterval: real.setInterval, clearInterval: real.clearInterval });
  Date.now = real.now;
});

class Element {
  attributes = {};
  children = [];
  parent = undefined;
  handlers = {};
  value = "";
  text = "";

  constructor(name = "passd-sign-in") { this.tagName = name.toUpperCase(); }
  get id() { return this.attributes.id ?? ""; }
  get hidden() { return "hidden" in this.attributes; }
  set hidden(value) { if (value) this.attributes.hidden = ""; else delete this.attributes.hidden; }
  get textContent() { return this.text + this.children.map((child) => child.textContent).join(""); }
  set textContent(text) { this.replaceChildren(text); }
  get isConnected() { return true; }
  get selectionStart() { return this.value.length; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(name, handler) { this.handlers[name] = handler; }
  attachShadow() {
    this.shadowRoot = new Element("shadow");
    Object.defineProperty(this.shadowRoot, "activeElement", { get: () => focused ?? null });
    return this.shadowRoot;
  }
  append(...children) {
    for (const child of children) {
      this.children.push(typeof child === "string" ? Object.assign(new Element("text"), { text: child }) : child);
    }
  }
  replaceChildren(...children) {
    this.text = "";
    this.children = [];
    this.append(...children);
  }
  contains(other) { return this.all().includes(other); }
  focus() { focused = this; }
  click() { this.onclick?.(); }
  getBoundingClientRect() { return { left: 0, top: 0, right: 0, bottom: 0 }; }
  all() { return [this, ...this.children.flatMap((child) => child.all())]; }
}

const page = new Element("document");
Object.assign(page, {
  body: new Element("body"), activeElement: null, removeEventListener: () => {}, createElement: (name) => new Element(name),
});
Object.assign(globalThis, {
  HTMLElement: Element, document: page, CSSStyleSheet: class { replaceSync() {} },
  customElements: { get: () => undefined, define: () => {} },
});
const { PassdSignIn, grouped, matches, nearest, texts } = await import("../src/sign-in.js");
const { languages } = await import("../src/texts.js");

const NORTH = { id: "North", displayName: "North Cable", logoURL: "" };
const BEACON = { id: "Beacon", displayName: "Beacon TV", logoURL: "https://tv.example/logo.svg" };
const LOGIN = {
  state: "secondScreen", code: "2QF8FH2", link: "https://tv.example/l", url: "https://tv.example/activate?code=2QF8FH2",
  isLocal: false, qr: { svg: "<svg/>" },
};
const outcome = (name, display) =>
  ({ outcome: name, authenticated: name === "authenticated", errorCode: "", display, params: {} });
const refusal = (code, display) => Object.assign(new Error(code), { name: "PassdError", code, data: { display } });

/** A session whose logins do what the test says. */
class Session {
  handlers = {};
  options = {};
  attempts = [];
  providers = [NORTH, BEACON];

  on(name, handler) {
    this.handlers[name] = handler;
    return () => { delete this.handlers[name]; };
  }

  async setOptions(options) { Object.assign(this.options, options); }

  async signIn(how) {
    const attempt = { how };
    this.attempts.push(attempt);
    const aborted = new Promise((_, reject) => { how.signal.addEventListener("abort", () => reject(how.signal.reason)); });
    const ended = new Promise((resolve, reject) => { Object.assign(attempt, { end: resolve, fail: reject }); });
    attempt.chosen = await Promise.race([how.choose(this.providers), aborted, ended]);
    if (typeof attempt.chosen === "object") return attempt.chosen ?? outcome("cancelled");
    how.show({ ...LOGIN, ...this.login });
    return await Promise.race([ended, aborted]);
  }

  get last() { return this.attempts.at(-1); }
}

describe("the screen", () => {
  let screen;
  let tv;

  const turn = () => new Promise((resolve) => { setImmediate(resolve); });
  const shows = async (name) => {
    await turn();
    assert.equal(screen.getAttribute("screen"), name);
    return screen.shadowRoot.textContent;
  };
  const find = (id) => screen.shadowRoot.all().find((each) => each.id === id);
  const choose = async (id) => {
    find(id).click();
    await turn();
  };
  const press = (key, more = {}) => {
    const event = {
      key, target: screen, composedPath: () => [screen], stopPropagation: () => {},
      preventDefault: () => { event.isHandled = true; }, ...more,
    };
    page.handlers.keydown(event);
    return event.isHandled === true;
  };
  const spoken = () => screen.shadowRoot.all().find((each) => each.attributes.role === "status").textContent.trimEnd();

  beforeEach(() => {
    [screen, tv, focused] = [new PassdSignIn(), new Session(), undefined];
    [clock.now, clock.timers] = [0, new Map()];
  });

  test("the viewer chooses a provider, gets a code, and is signed in", async () => {
    tv.login = { expires: 90_000 };
    const end = screen.signIn(tv, { channel: "News" });
    assert.match(await shows("providers"), /Who is your TV provider\?To watch News/);
    assert.deepEqual(tv.options, { qr: "svg", language: "en" });
    assert.equal(focused.id, "North");
    await choose("Beacon");
    const code = await shows("code");
    for (const text of [
      "To watch News", "TV provider: Beacon TV", "QR code", "tv.example/activate", "2QF 8FH2", "Time left for the code: 1:30", "Another provider",
    ]) assert.ok(code.includes(text), text);
    assert.equal(spoken(), "To sign in, open tv.example/activate and type the code 2 Q F 8 F H 2.");
    clock.move(30_000);
    assert.match(await shows("code"), /Time left for the code: 1:00/);
    assert.equal(spoken(), "1 minute left for the code.");
    tv.last.end(outcome("authenticated"));
    assert.match(await shows("done"), /You are signed in.*With Beacon TVOpening News…/);
    assert.equal(spoken(), "You are signed in. Opening News…");
    clock.move(1500);
    assert.equal((await end).outcome, "authenticated");
    assert.equal(screen.getAttribute("screen"), null);
    assert.deepEqual(tv.handlers, {});
  });

  test("a new code keeps the provider; another provider is asked for", async () => {
    const end = screen.signIn(tv, {});
    await shows("providers");
    await choose("North");
    tv.last.end(outcome("expired", "The time is over. Start again."));
    assert.match(await shows("expired"), /The code has expired.*Nobody has signed in with it in time\.Get a new code/);
    assert.doesNotMatch(screen.shadowRoot.textContent, /Start again/); // told once
    await choose("again");
    await shows("code");
    assert.deepEqual(tv.attempts.map(({ chosen }) => chosen), ["North", "North"]);
    await choose("another");
    await shows("providers");
    await choose("Beacon");
    assert.match(await shows("code"), /Beacon TV/);
    press("Escape");
    assert.equal((await end).outcome, "cancelled");
  });

  for (const [what, end, name, text] of [
    ["a refusal in the provider's words", (it) => it.end(outcome("denied", "Call us.")), "denied", /Call us\./],
    ["a refusal without words", (it) => it.end(outcome("denied")), "denied", /Your TV provider has refused it/],
    ["a failed login", (it) => it.end(outcome("failed")), "denied", /Something went wrong/],
    ["a service that is away", (it) => it.fail(refusal("CFG503")), "offline", /Your TV provider cannot be reached/],
    ["the box's sentence", (it) => it.fail(refusal("CFG503", "Later.")), "offline", /Later\./],
    ["a daemon that is away", (it) => it.fail(refusal("DISCONNECTED")), "offline", /The TV is not ready yet/],
    ["another problem", (it) => it.fail(refusal("INTERNAL_ERROR")), "offline", /does not work at the moment/],
  ]) {
    test(`${what} is shown, and the viewer can try again`, async () => {
      const log = mock.method(console, "warn", () => {});
      const result = screen.signIn(tv, { provider: "North" });
      await shows("code");
      end(tv.last);
      assert.match(await shows(name), text);
      log.mock.restore();
      await choose("again");
      await shows("code");
      tv.last.end(outcome("authenticated"));
      await shows("done");
      press("Escape"); // the viewer need not wait
      assert.equal((await result).outcome, "authenticated");
    });
  }

  test("if no attempt can succeed, the app gets the error", async () => {
    for (const error of [refusal("DENIED"), new TypeError("signIn has no option x")]) {
      const result = screen.signIn(tv, {});
      await shows("providers");
      tv.last.fail(error);
      await assert.rejects(result, error);
      assert.equal(screen.getAttribute("screen"), null);
    }
  });

  test("a signal closes each screen, and the outcome is cancelled", async () => {
    for (const [end, go] of [
      ["cancelled", () => {}], ["cancelled", () => choose("North")],
      ["cancelled", async () => { await choose("North"); tv.last.end(outcome("expired")); await turn(); }],
      ["authenticated", async () => { await choose("North"); tv.last.end(outcome("authenticated")); await turn(); }],
    ]) {
      const cancel = new AbortController();
      const result = screen.signIn(tv, { signal: cancel.signal });
      await shows("providers");
      await go();
      cancel.abort("gone");
      assert.equal((await result).outcome, end);
      assert.equal(screen.getAttribute("screen"), null);
    }
  });

  test("when the element leaves the page, the login is cancelled", async () => {
    const result = screen.signIn(tv, { provider: "North" });
    await shows("code");
    screen.disconnectedCallback();
    assert.equal((await result).outcome, "cancelled");
  });

  test("a lost connection is told above the code, and the code stays", async () => {
    const result = screen.signIn(tv, { provider: "North" });
    await shows("code");
    tv.handlers.disconnected();
    assert.match(await shows("code"), /^The TV’s sign-in service is not answering.*2QF 8FH2/);
    tv.handlers.reconnected();
    assert.doesNotMatch(screen.shadowRoot.children[0].textContent, /not answering/);
    assert.equal(spoken(), texts.reconnected);
    press("GoBack");
    await result;
  });

  test("a long wait can be cancelled", async () => {
    tv.setOptions = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    const result = screen.signIn(tv, {});
    assert.doesNotMatch(await shows("wait"), /longer/);
    clock.move(4000);
    assert.match(await shows("wait"), /This takes longer than usual/);
    focused.click();
    assert.equal((await result).outcome, "cancelled");
  });

  test("the key that chose the provider does not cancel the code when it is pressed twice", async () => {
    const result = screen.signIn(tv, {});
    await shows("providers");
    assert.equal(press("Enter"), false); // the browser presses the button
    assert.equal(press("Enter", { repeat: true }), true);
    await choose("North");
    assert.equal(press("Enter"), true);
    clock.move(700);
    assert.equal(press("Enter"), false);
    assert.equal(press("Select"), true); // a remote control without Enter
    assert.equal((await result).outcome, "cancelled");
    const second = screen.signIn(tv, { provider: "North" });
    await shows("code");
    press("ArrowRight"); // the viewer has seen the code
    assert.equal(press("Select"), true);
    assert.equal((await second).outcome, "cancelled");
  });

  test("a press of the key Back that is unknown to the browser, or comes without a focus, goes back", async () => {
    const withoutFocus = { key: "Backspace", target: page.body, composedPath: () => [] };
    for (const event of [{ keyCode: 461 }, { keyCode: 10009 }, withoutFocus]) {
      const result = screen.signIn(tv, {});
      await shows("providers");
      assert.equal(press("Unidentified", event), true);
      assert.equal((await result).outcome, "cancelled");
    }
  });

  test("keys for other parts of the page are left alone", async () => {
    const result = screen.signIn(tv, {});
    await shows("providers");
    assert.equal(press("Escape", { target: new Element("input"), composedPath: () => [] }), false);
    assert.equal(press("Escape", { ctrlKey: true }), false);
    press("Escape");
    await result;
  });

  test("a long list has a search", async () => {
    const names = [
      "Årdal Fiber", "Beacon TV", "Blue Ridge", "Comet", "Delta", "Gulf Coast", "Harbor", "North Cable", "North Star", "Tundra"];
    tv.providers = names.map((displayName) => ({ id: displayName, displayName, logoURL: "" }));
    const result = screen.signIn(tv, {});
    await shows("providers");
    const visible = () => screen.shadowRoot.all()
      .filter(({ tagName, hidden }) => tagName === "LI" && !hidden).map((each) => each.children[0].id);
    const key = (letter) => screen.shadowRoot.all().find((each) => each.attributes["aria-label"] === letter);
    assert.deepEqual(visible(), names);
    key("N").click();
    assert.deepEqual(visible(), ["North Cable", "North Star"]);
    assert.equal(spoken(), "Providers found: 2");
    key("B").click(); // no name continues with it
    assert.deepEqual(visible(), ["North Cable", "North Star"]);
    press("Backspace"); // clears the search
    assert.deepEqual(visible(), names);
    for (const letter of "ar") press(letter);
    assert.deepEqual(visible(), ["Årdal Fiber"]);
    key(texts.deleteLetter).click();
    for (const letter of "zz") press(letter);
    assert.deepEqual(visible(), []);
    assert.equal(spoken(), texts.notFound);
    press("Escape");
    press("Escape");
    assert.equal((await result).outcome, "cancelled");
  });

  for (const [what, login, has, hasNot] of [
    ["a link without a page is only scanned", { url: undefined }, /Scan the QR code.*and sign in there/, /2QF|Open/],
    ["a link without a page or a QR code is opened", { url: undefined, qr: {} },
      /Open this address.*https:\/\/tv\.example\/l/, /QR|2QF/],
    ["a page without a QR code is opened", { qr: undefined }, /Open this address on your phone.*2QF 8FH2/, /QR/],
    ["a code without an address is typed", { url: undefined, link: undefined, qr: {} },
      /the activation page of the app.*2QF 8FH2/, /QR/],
    ["no phone can open the address of a sandbox", { isLocal: true },
      /No phone can open this address.*2QF 8FH2/, /QR|phone’s/],
  ]) {
    test(what, async () => {
      tv.login = login;
      const result = screen.signIn(tv, { provider: "North" });
      const shown = (await shows("code")).replace(spoken(), "");
      assert.match(shown, has);
      assert.doesNotMatch(shown, hasNot);
      press("Escape");
      await result;
    });
  }

  test("an unknown option is refused, and a second login on the same screen, too", async () => {
    await assert.rejects(screen.signIn(tv, { chanel: "News" }), new TypeError("signIn of <passd-sign-in> has no option chanel"));
    const result = screen.signIn(tv, {});
    await assert.rejects(screen.signIn(tv, {}), /signing in already/);
    await shows("providers");
    press("Escape");
    await result;
  });

  test("the texts, the durations and the daemon's sentences are in the language of the element", async () => {
    for (const [lang, title, minute, minutes] of [
      ["de-AT", "Wer ist Ihr TV-Anbieter?", "Noch 1 Minute für den Code.", "Noch 5 Minuten für den Code."],
      ["fr", "Quel est votre fournisseur TV\u00a0?", "Encore 1 minute pour le code.", "Encore 5 minutes pour le code."],
      ["ja", "Who is your TV provider?", undefined, undefined], ["<>", "Who is your TV provider?", undefined, undefined],
    ]) {
      [screen, tv] = [new PassdSignIn(), new Session()];
      screen.setAttribute("lang", lang);
      tv.login = { expires: clock.now + 301_000 };
      const end = screen.signIn(tv, {});
      assert.match(await shows("providers"), new RegExp(title.replace("?", "\\?")));
      assert.equal(tv.options.language, lang === "<>" ? "en" : lang);
      await choose("North");
      clock.move(1000);
      if (minutes !== undefined) assert.equal(spoken(), minutes);
      clock.move(240_000);
      if (minute !== undefined) assert.equal(spoken(), minute);
      press("Escape");
      await end;
    }
  });

  test("every language has the same texts", () => {
    assert.deepEqual(Object.keys(languages), ["en", "es", "fr", "de", "pt", "it"]);
    for (const each of Object.values(languages)) assert.deepEqual(Object.keys(each), Object.keys(texts));
  });

  test("texts can be replaced", async () => {
    screen.texts = { choose: "Wer ist dein Anbieter?", toWatch: "Für {channel}" };
    const result = screen.signIn(tv, { channel: "News" });
    assert.match(await shows("providers"), /Wer ist dein Anbieter\?Für News/);
    press("Escape");
    await result;
  });
});

test("codes are in groups of three and four", () => {
  assert.deepEqual(["", "2QF", "2QF8", "2QF8FH2", "2QF8FH2K9"].map(grouped), ["", "2QF", "2QF 8", "2QF 8FH2", "2QF 8FH2 K9"]);
});

test("a search finds the beginnings of words, without accents", () => {
  for (const [name, typed] of [
    ["North Cable", "no"], ["North Cable", "cab"], ["North Cable", "north c"], ["Élan TV", "elan"], ["A&B", "a b"], ["X", ""],
  ]) assert.ok(matches(name, typed), `${name}, ${typed}`);
  assert.ok(!matches("North Cable", "able"));
});

test("the focus moves to the nearest box in each direction", () => {
  const box = (left, top, width = 100, height = 50) => ({ left, top, right: left + width, bottom: top + height });
  // Two rows of three boxes, a wide button below, and a column at the left.
  const boxes = [
    box(200, 0), box(320, 0), box(440, 0), box(200, 70), box(320, 70), box(440, 70),
    box(200, 200, 340), box(0, 0, 100, 20), box(0, 100, 100, 20)];
  const from = (index, key) => {
    const others = boxes.filter((_, other) => other !== index);
    return boxes.indexOf(others[nearest(boxes[index], others, key)]);
  };
  for (const [index, key, wanted] of [
    [0, "ArrowRight", 1], [1, "ArrowRight", 2], [2, "ArrowRight", -1],
    [1, "ArrowDown", 4], [5, "ArrowDown", 6], [3, "ArrowDown", 6],
    [6, "ArrowUp", 4], [0, "ArrowLeft", 7], [3, "ArrowLeft", 8], [7, "ArrowRight", 0], [8, "ArrowRight", 3], [0, "ArrowUp", -1],
  ]) assert.equal(from(index, key), wanted, `${index} ${key}`);
});
