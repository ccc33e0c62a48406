/**
 * A screen for signing in: the element `<passd-sign-in>`. It shows the list of providers, the code, and the problems. It works
 * with a remote control, a keyboard or a pointer. It needs only `texts.js`.
 */

import { languages } from "./texts.js";

/**
 * A session, as `connect` returns it.
 * @typedef {Pick<import("./client.js").Client, "signIn" | "setOptions" | "on">} Session
 */
/** @typedef {import("./login.js").Login} Login */
/** @typedef {import("./login.js").Outcome} Outcome */
/** @typedef {import("./protocol.js").MVPD} Provider */

/**
 * @typedef {object} How
 * @property {string} [channel] what the viewer wants to watch. The screen names it
 * @property {string} [provider] the ID of a provider, which the viewer then need not choose
 * @property {readonly string[]} [requestors] see `signIn` of the session
 * @property {boolean} [force] see `signIn` of the session
 * @property {Record<string, string>} [data] see `signIn` of the session
 * @property {AbortSignal} [signal] cancels the login and closes the screen
 * @property {number} [doneFor] milliseconds for which the screen says that the viewer is signed in
 */

/** The texts in English. To change some of them, assign an object to the element's `texts`. Names in braces are replaced. */
export const texts = languages.en;

const STYLE = `
:host {
  position: fixed; inset: 0; z-index: 10; display: none; overflow: auto; box-sizing: border-box;
  padding: var(--passd-margin, calc(5vh + .4em) calc(5vw + .4em));
  background: var(--passd-background, #0d1119); color: var(--passd-color, #f4f6fa); color-scheme: dark;
  font: var(--passd-size, max(16px, 100vw / 60))/1.35 var(--passd-font, system-ui, "DejaVu Sans", sans-serif);
}
:host([screen]) { display: block }
* { box-sizing: border-box }
[hidden] { display: none !important }
section { position: relative; height: 100%; display: flex; flex-direction: column }
.body { display: contents }
:host(:not([screen=providers], [screen=code])) section { justify-content: center }
h1 { margin: 0; font-size: 2em; line-height: 1.2; font-weight: bold; outline: none }
p { margin: 0 }
ul { list-style: none; margin: 0; padding: 0 }
.quiet { color: var(--passd-quiet, #c3cad8) }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.banner {
  position: absolute; z-index: 1; inset-block-end: 0; inset-inline-end: 0; max-width: min(24em, 45%); padding: .5em 1.2em;
  border-radius: var(--passd-radius, .5em);
  background: var(--passd-alert, #7a1420); color: #fff;
}
button, input {
  font: inherit; color: inherit; border: 0; border-radius: var(--passd-radius, .5em); padding: .6em 1.4em; text-align: start;
  background: var(--passd-raised, #1d2533); outline: none;
}
button { cursor: pointer }
:is(button, input):focus { outline: .2em solid var(--passd-focus, #ffd54a); outline-offset: .2em }
.buttons { display: flex; flex-wrap: wrap; gap: 1em 1.4em; padding-top: 1.5em }
.buttons button:focus, .keys button:focus { background: var(--passd-color, #f4f6fa); color: var(--passd-background, #0d1119) }

.pick { flex: 1; min-height: 0; display: flex; gap: 2.4em }
.results { flex: 1; min-height: 0; overflow: auto; scroll-padding: 3em; padding: .5em; margin: 0 -.5em }
.providers { display: grid; grid-template-columns: repeat(auto-fill, minmax(16em, 1fr)); gap: 1em }
.providers button {
  width: 100%; height: 100%; min-height: 5em; display: flex; align-items: center; gap: 1.2em; padding: .6em 1em;
}
.providers .name { font-size: 1.2em; line-height: 1.2; overflow-wrap: anywhere; min-width: 0 }
.logo {
  flex: none; width: 5em; height: 3.6em; padding: .2em; border-radius: .3em; background: #fff; color: #0d1119;
  display: flex; align-items: center; justify-content: center; font-weight: bold;
}
.logo img { width: 100%; height: 100%; object-fit: contain }
.search { flex: none; width: 16em; display: flex; flex-direction: column; gap: .8em; padding: .5em 0 }
.search input { width: 100% }
.search input::placeholder { color: inherit; opacity: .75 }
.keys { display: grid; grid-template-columns: repeat(6, 1fr); gap: .35em }
.keys button { padding: .3em 0; text-align: center }
.keys button:focus { outline-offset: 0 }
.keys [aria-disabled=true] { opacity: .35 }
.keys .delete { grid-column: span 2 }

.code { flex: 1; min-height: 0; display: flex; gap: 3em; align-items: center }
.code .picture {
  flex: none; height: 100%; max-height: 20em; max-width: 50%; aspect-ratio: 1; border-radius: .5em; background: #fff;
  object-fit: contain; image-rendering: pixelated;
}
.code p { font-size: 1.25em }
.about { display: flex; flex-wrap: wrap; align-items: center; gap: .4em 2em; margin: .5em 0 1em }
.chosen { display: flex; align-items: center; gap: .8em }
.chosen .logo { width: 2.8em; height: 2em }
.code .address { font-size: 1.6em; margin-bottom: .6em; overflow-wrap: anywhere }
.typed {
  font-size: 2.8em; letter-spacing: .12em; word-spacing: -.3em; font-weight: bold; white-space: nowrap;
  direction: ltr; unicode-bidi: isolate;
  font-family: var(--passd-code-font, ui-monospace, "DejaVu Sans Mono", monospace);
}
.left { margin-top: .8em; font-variant-numeric: tabular-nums }

.hint { font-size: 1.3em; margin-top: .6em; max-width: 38em; text-wrap: balance }
.ring {
  width: 3em; height: 3em; margin-top: 1.5em; border-radius: 50%; border: .35em solid var(--passd-raised, #1d2533);
  border-top-color: var(--passd-focus, #ffd54a); animation: turn 1.2s linear infinite;
}
.tick {
  width: 1.6em; height: 1.6em; margin-top: .6em; border-radius: 50%; font-size: 2em; line-height: 1.6; text-align: center;
  background: var(--passd-done, #1f7a43); color: #fff;
}
@keyframes turn { to { rotate: 1turn } }

@media (max-width: 48em) {
  section { height: auto; min-height: 100% }
  h1 { font-size: 1.6em }
  .pick, .code { flex-direction: column; align-items: stretch; gap: 1.4em }
  .code { justify-content: center }
  .code .picture { width: min(15em, 100%); height: auto; max-width: 100%; align-self: center }
  .code .address { font-size: 1.25em }
  .results { overflow: visible }
  .search { width: 100% }
  .keys { display: none }
  .typed { font-size: min(2.8em, 11vw) }
}
@media (min-width: 48em) {
  .few { height: 100%; grid-template-columns: repeat(auto-fit, minmax(12em, 1fr)); grid-auto-rows: minmax(8em, 1fr); gap: 1.2em }
  .few li { max-width: 18em; max-height: 19em }
  .few button { flex-direction: column; gap: .8em; padding: 1em; text-align: center }
  .few .logo { flex: 1; width: 100%; min-height: 0; padding: .6em; font-size: 1.6em }
}
@media (prefers-reduced-motion: reduce) { .ring { animation: none; border-color: var(--passd-focus, #ffd54a) } }
@media (forced-colors: active) { button, input { border: 2px solid } }
`;

const OPTIONS = ["channel", "provider", "requestors", "force", "data", "signal", "doneFor"];

/** A list with at least this many providers has a search. */
const SEARCH_FROM = 10;
/** If the names have more different letters than this, the screen has no keys for a remote control. */
const MAX_KEYS = 45;
/** For this time, the code ignores Enter, because the viewer may have pressed Enter twice to choose the provider. */
const SETTLE = 600;
const LONG = 4000;

const CANCELLED = "cancelled";
const ANOTHER = "another";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BACK = ["Escape", "Backspace", "BrowserBack", "GoBack", "XF86Back"];
/** The key Back of remote controls whose browsers have no name for it. */
const BACK_CODES = [461, 10009];

/** Errors after which another attempt cannot succeed: the app or the box must be set up differently. */
const FINAL = /^(DENIED|FORBIDDEN|CFG400|SEC403|INVALID_PARAMS|INVALID_REQUEST|METHOD_NOT_FOUND|FLOW_CONFLICT|CLOSED)$/;
/** The codes of service faults in passd(7), and of connection faults in the library. */
const SERVICE_AWAY = /^(CFG404|CFG429|CFG5..|N500|P100|REG500|SEC420|Z120|Z500)$/;
const DAEMON_AWAY = /^(DISCONNECTED|TIMED_OUT|UNREACHABLE)$/;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * The index of the box that is nearest in a direction, or -1. Boxes straight ahead come before boxes to the side.
 * @param {Box} from
 * @param {Box[]} boxes
 * @param {string} key an arrow key
 */
export function nearest(from, boxes, key) {
  const [x = 0, y = 0] = WAYS[/** @type {keyof typeof WAYS} */ (key)] ?? [];
  const middle = (/** @type {Box} */ box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const apart = (/** @type {number[]} */ [a = 0, b = 0, c = 0, d = 0]) => Math.max(0, c - b, a - d);
  const [fromX = 0, fromY = 0] = middle(from);
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const [toX = 0, toY = 0] = middle(box);
    const ahead = (toX - fromX) * x + (toY - fromY) * y;
    const across = [from.left, from.right, box.left, box.right];
    const along = [from.top, from.bottom, box.top, box.bottom];
    const [gap, aside] = x === 0 ? [apart(along), apart(across)] : [apart(across), apart(along)];
    if (ahead < 1 || (aside > 0 && gap === 0) || (x !== 0 && aside > ahead)) return;
    const shift = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
    const distance = gap + 3 * aside + shift / 100;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

/**
 * The code in groups that are easy to compare: `2QF 8FH2`.
 * @param {string} code
 */
export const grouped = (code) => [code.slice(0, 3), ...(code.slice(3).match(/.{1,4}/gsu) ?? [])].join(" ");

/** @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/**
 * Whether a word of the name begins with what the viewer has typed.
 * @param {string} name
 * @param {string} typed
 */
export const matches = (name, typed) => ` ${plain(name)}`.includes(` ${plain(typed)}`);

/**
 * passd accepts only short tags, and Intl throws if a tag is malformed.
 * @param {string | null | undefined} tag
 */
function isTag(tag) {
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.test(tag ?? "")) return false;
  try {
    Intl.NumberFormat.supportedLocalesOf(tag ?? "");
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text @param {Record<string, string | number>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} attributes texts, and handlers such as `onclick`
 * @param {(Node | string | undefined)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") /** @type {any} */ (made)[key] = value;
    else if (value !== undefined) made.setAttribute(key, String(value));
  }
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

/** @param {string} text @param {() => void} onclick @param {Record<string, unknown>} [attributes] */
const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

/**
 * The provider's logo, or else the first letters of its name.
 * @param {Provider} provider
 */
function logo({ displayName, logoURL }) {
  const letters = plain(displayName).toUpperCase().split(" ").slice(0, 2).map((word) => [...word][0] ?? "").join("");
  const made = element("span", { class: "logo", "aria-hidden": "true" }, letters);
  if (logoURL) {
    const picture = element("img", { alt: "", src: logoURL, onload: () => made.replaceChildren(picture) });
  }
  return made;
}

/** @param {string} outcome @returns {Outcome} */
const outcomeOf = (outcome) => ({ outcome, authenticated: outcome === "authenticated", errorCode: "", params: {} });

/** Without a DOM, as on a server that only draws pages, the class can be imported but not used. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object);

/** The attribute `screen` names what is shown: providers, wait, code, expired, denied, offline or done. */
export class PassdSignIn extends Base {
  /**
   * Texts that replace those of this file.
   * @type {Partial<typeof texts>}
   */
  texts = {};

  #root = this.attachShadow({ mode: "open" });
  #banner = element("p", { class: "banner", role: "alert", hidden: "" });
  #title = element("h1", { id: "title", tabindex: "-1" });
  #body = element("div", { class: "body" });
  #spoken = element("p", { class: "spoken", role: "status" });
  #back = () => {};
  /** Gets the letters that the viewer types anywhere on the screen. */ #typed = (/** @type {string} */ _) => {};
  /** Ends the screen that waits for an answer. */ #giveUp = (/** @type {unknown} */ _) => {};
  /**
   * The open login.
   * @type {AbortController | undefined}
   */
  #attempt;
  /** @type {Provider | undefined} */ #provider;
  /**
   * The list of providers, while it is on the screen.
   * @type {HTMLElement | undefined}
   */
  #list;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #timer;
  #ignoresUntil = 0;
  /**
   * A mark of the present call of `signIn`; undefined between calls.
   * @type {object | undefined}
   */
  #open;
  /** @type {HTMLElement | null} */ #before = null;

  constructor() {
    super();
    if ("replaceSync" in CSSStyleSheet.prototype) {
      const style = new CSSStyleSheet(); // a page's Content-Security-Policy may forbid <style>
      style.replaceSync(STYLE);
      this.#root.adoptedStyleSheets = [style];
    } else {
      this.#root.append(element("style", {}, STYLE)); // WebKit before 16.4 has no other way
    }
    this.#root.append(
      element("section", { role: "dialog", "aria-modal": "true", "aria-labelledby": "title" },
        this.#banner, this.#title, this.#body),
      this.#spoken);
    this.#root.addEventListener("mousedown", (event) => {
      // A click beside a button does not move the focus, because a remote control could not get it back.
      if (!(/** @type {Element} */ (event.target)).closest("button, input")) event.preventDefault();
    });
  }

  disconnectedCallback() {
    this.#stop(CANCELLED);
  }

  /**
   * Signs the viewer in. Returns when the viewer is signed in, or has left the screen. Fails if no attempt can succeed, for
   * example because the box does not permit this app.
   * @param {Session} tv
   * @param {How} [how]
   * @returns {Promise<Outcome>}
   */
  async signIn(tv, how = {}) {
    const unknown = Object.keys(how).find((name) => !OPTIONS.includes(name));
    if (unknown !== undefined) throw new TypeError(`signIn of <passd-sign-in> has no option ${unknown}`);
    if (this.#open !== undefined) throw new Error("This element is signing in already.");
    if (how.signal?.aborted) return outcomeOf(CANCELLED);
    const begun = this.#begin();
    const stop = () => {
      this.#stop(how.signal?.reason);
      this.#close(begun); // at once, because the app may show another screen
    };
    how.signal?.addEventListener("abort", stop);
    const leave = [
      tv.on("disconnected", () => this.#warn(this.#text("disconnected"))),
      tv.on("reconnected", () => { this.#warn(); this.#announce(this.#text("reconnected")); }),
    ];
    try {
      return await this.#signIn(tv, how);
    } catch (error) {
      if (how.signal?.aborted || error === CANCELLED) return outcomeOf(CANCELLED);
      throw error;
    } finally {
      this.#close(begun);
      for (const each of leave) each();
      how.signal?.removeEventListener("abort", stop);
    }
  }

  /** @param {Session} tv @param {How} how @returns {Promise<Outcome>} */
  async #signIn(tv, { channel, provider, requestors, force, data, doneFor = 1500 }) {
    let chosen = provider;
    for (;;) {
      const attempt = this.#attempt = new AbortController();
      const { signal } = attempt;
      let outcome = outcomeOf(CANCELLED);
      let error;
      try {
        this.#wait();
        // Without the options, there is no QR code, and the daemon's sentences are in English.
        await tv.setOptions({ qr: "svg", language: this.#locale }, { signal });
        outcome = await tv.signIn({
          requestors, force, data, signal,
          choose: async (providers) => {
            this.#provider = providers.find(({ id }) => id === chosen) ?? await this.#choose(providers, channel);
            chosen = this.#provider?.id;
            if (chosen !== undefined) this.#wait();
            return chosen ?? null;
          },
          show: (login) => this.#showCode(login, channel),
        });
        signal.throwIfAborted();
      } catch (thrown) {
        if (thrown === ANOTHER) {
          chosen = this.#provider = undefined;
          continue;
        }
        if (signal.aborted || !isPassing(thrown)) throw thrown;
        console.warn(thrown); // its text is not for viewers
        error = thrown;
      }
      if (outcome.authenticated) {
        await this.#done(doneFor, channel)?.catch(() => {}); // the viewer is signed in, even if the app closes the screen early
        return outcome;
      }
      if (error === undefined && outcome.outcome === CANCELLED) return outcome;
      const answer = await this.#tell(error ?? outcome);
      if (answer === CANCELLED) return outcome;
      if (answer === ANOTHER) chosen = this.#provider = undefined;
    }
  }

  /** @param {keyof typeof texts} name @param {Record<string, string | number>} [values] */
  #text(name, values = {}) {
    const language = /** @type {keyof typeof languages} */ (this.#locale.toLowerCase().split("-")[0]);
    return fill(this.texts[name] ?? (languages[language] ?? texts)[name], values);
  }

  /** The language of the element, of the page, or else of the browser. */
  get #locale() {
    const tags = [this.getAttribute("lang"), document.documentElement?.lang, globalThis.navigator?.language];
    return tags.find(isTag) ?? "en";
  }

  #begin() {
    this.#provider = undefined;
    this.#before = /** @type {HTMLElement | null} */ (document.activeElement);
    document.addEventListener("keydown", this.#pressed);
    return this.#open = {};
  }

  /** @param {object} begun */
  #close(begun) {
    if (this.#open !== begun) return;
    const hadFocus = document.activeElement === this;
    this.#open = this.#attempt = undefined;
    document.removeEventListener("keydown", this.#pressed);
    clearInterval(this.#timer);
    this.removeAttribute("screen");
    this.#body.replaceChildren();
    this.#warn();
    this.#spoken.textContent = "";
    if (hadFocus && this.#before?.isConnected) this.#before.focus();
    this.#before = null;
  }

  /**
   * Ends what is open: the login, or the screen that waits for the viewer.
   * @param {unknown} reason
   */
  #stop(reason) {
    this.#attempt?.abort(reason);
    this.#giveUp(reason);
  }

  // Screens

  /**
   * @param {string} name
   * @param {string} title
   * @param {{ back?: () => void, say?: string, focus?: HTMLElement }} how
   * @param {(Node | undefined)[]} parts
   */
  #show(name, title, { back = () => this.#stop(CANCELLED), say = title, focus }, ...parts) {
    clearInterval(this.#timer);
    this.#typed = () => {};
    this.#list = undefined;
    this.#ignoresUntil = 0;
    this.#back = back;
    this.#title.textContent = title;
    this.setAttribute("screen", name);
    this.#body.replaceChildren();
    for (const part of parts) if (part !== undefined) this.#body.append(part);
    (focus ?? this.#targets()[0] ?? this.#title).focus();
    this.#announce(say);
  }

  /**
   * Shows a screen, and waits for an answer of the viewer.
   * @template T
   * @param {(answer: (value: T) => void) => void} show
   * @returns {Promise<T>}
   */
  #asking(show) {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      show(resolve);
    });
  }

  #wait() {
    const hint = element("p", { class: "hint quiet" });
    const buttons = element("div", { class: "buttons" });
    this.#show("wait", this.#text("wait"), {}, this.#about(),
      element("div", { class: "ring", "aria-hidden": "true" }), hint, buttons);
    this.#timer = setInterval(() => {
      clearInterval(this.#timer);
      hint.textContent = this.#text("waitLong");
      const cancel = this.#cancelButton();
      buttons.append(cancel);
      cancel.focus();
      this.#announce(this.#text("waitLong"));
    }, LONG);
  }

  /**
   * @param {Provider[]} providers
   * @param {string} [channel]
   * @returns {Promise<Provider | undefined>}
   */
  #choose(providers, channel) {
    return this.#asking((answer) => {
      const items = providers.map((provider) => element("li", {},
        button("", () => answer(provider), { id: provider.id })));
      items.forEach((item, index) => {
        const provider = /** @type {Provider} */ (providers[index]);
        item.children[0]?.append(logo(provider), element("span", { class: "name" }, provider.displayName));
      });
      const isLong = providers.length >= SEARCH_FROM;
      const none = element("p", { class: "quiet", hidden: "" }, this.#text("notFound"));
      const list = element("div", { class: "results" },
        element("ul", { class: isLong ? "providers" : "providers few", role: "list" }, ...items), none);
      const leave = () => answer(undefined);
      const title = this.#text("choose");
      const first = /** @type {HTMLElement | undefined} */ (items[0]?.children[0]);
      const show = (/** @type {() => void} */ back, /** @type {(Node | undefined)[]} */ ...parts) => {
        this.#show("providers", title, { back, focus: first },
          this.#about(channel), element("div", { class: "pick" }, ...parts));
        this.#list = list;
      };
      if (!isLong) return show(leave, list);

      const input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
        "aria-label": this.#text("search"), placeholder: this.#text("search") });
      const keys = this.#keys(providers, (letter) =>
        search(letter === undefined ? input.value.slice(0, -1) : input.value + letter));
      const search = (/** @type {string} */ typed) => {
        input.value = typed;
        const found = providers.map(({ displayName }) => matches(displayName, typed));
        items.forEach((item, index) => { item.hidden = !found[index]; });
        const count = found.filter(Boolean).length;
        none.hidden = count > 0;
        keys.allow(providers.filter((_, index) => found[index]), typed);
        this.#announce(count > 0 ? this.#text("found", { count }) : this.#text("notFound"));
      };
      input.oninput = () => search(input.value);
      show(() => {
        if (input.value === "") return leave();
        search("");
        first?.focus();
      }, element("div", { class: "search" }, input, keys.element), list);
      keys.allow(providers, "");
      this.#typed = (letter) => search(input.value + letter);
    });
  }

  /**
   * Keys for a remote control. A key does nothing if no name continues with its letter.
   * @param {Provider[]} providers
   * @param {(letter?: string) => void} type undefined deletes the last letter
   */
  #keys(providers, type) {
    const all = new Set(providers.flatMap(({ displayName }) => [...plain(displayName).replace(/ /g, "")]));
    const isDigit = (/** @type {string} */ letter) => Number(/\p{N}/u.test(letter));
    const letters = [...all].sort((one, other) => isDigit(one) - isDigit(other) || (one < other ? -1 : 1));
    /** @type {Map<string, HTMLButtonElement>} */
    const buttons = new Map();
    if (letters.length <= MAX_KEYS) {
      for (const letter of [...letters, " "]) {
        const key = button(letter === " " ? "␣" : letter.toUpperCase(), () => {
          if (key.getAttribute("aria-disabled") !== "true") type(letter);
        }, { "aria-label": letter === " " ? this.#text("space") : letter.toUpperCase() });
        buttons.set(letter, key);
      }
    }
    const erase = button("⌫", () => type(), { class: "delete", "aria-label": this.#text("deleteLetter") });
    return {
      element: buttons.size === 0 ? undefined
        : element("div", { class: "keys", role: "group", "aria-label": this.#text("letters") }, ...buttons.values(), erase),
      /** @param {Provider[]} found @param {string} typed */
      allow: (found, typed) => {
        for (const [letter, key] of buttons) {
          const isUseful = letter === " " ? typed !== "" && !typed.endsWith(" ")
            : found.some((each) => matches(each.displayName, typed + letter));
          key.setAttribute("aria-disabled", String(!isUseful));
        }
        erase.setAttribute("aria-disabled", String(typed === ""));
      },
    };
  }

  /**
   * Shows the code. A link leads directly to the provider. If there is a `link` but no `url`, the viewer has nothing to type.
   * @param {Login} login
   * @param {string} [channel]
   */
  #showCode({ code = "", link, url, isLocal, expires, qr }, channel) {
    const source = isLocal ? undefined : typeof qr?.svg === "string" ? `data:image/svg+xml,${encodeURIComponent(qr.svg)}`
      : typeof qr?.png === "string" ? `data:image/png;base64,${qr.png}` : undefined;
    const picture = source === undefined ? undefined
      : element("img", { class: "picture", src: source, alt: this.#text("picture") });
    const isTyped = url !== undefined || link === undefined;
    const page = url?.replace(/^https?:\/\//, "").replace(/\?.*/, "") ?? this.#text("noAddress");
    const address = isTyped ? page : picture === undefined ? link : undefined;
    const spelled = [...code].join(" ");
    const line = (/** @type {keyof typeof texts} */ name) => element("p", { class: "quiet" }, this.#text(name));
    const open = isLocal ? "openHere" : !isTyped ? "openOnly" : picture === undefined ? "openFirst" : "open";
    const left = element("p", { class: "left quiet", role: "timer" });
    const steps = address === undefined ? [line("scanOnly")] : [
      picture === undefined ? undefined : line("scan"),
      line(open), element("p", { class: "address" }, element("bdi", {}, address)),
      ...(isTyped ? [line("type"), element("p", {},
        element("strong", { class: "typed", role: "img", "aria-label": spelled }, grouped(code)))] : []),
    ];
    const say = address === undefined ? this.#text("sayScan")
      : isTyped ? this.#text("sayType", { address, code: spelled }) : this.#text("sayOpen", { address });
    this.#show("code", this.#text(isLocal ? "codeHere" : "code"), { say }, this.#about(channel),
      element("div", { class: "code" }, picture, element("div", { class: "steps" }, ...steps, left)),
      element("div", { class: "buttons" }, this.#cancelButton(),
        button(this.#text("another"), () => this.#stop(ANOTHER), { id: "another" })));
    this.#ignoresUntil = Date.now() + SETTLE;
    if (expires !== undefined) this.#countDown(left, expires);
  }

  /**
   * What the login is for: the channel, and the chosen provider.
   * @param {string} [channel]
   */
  #about(channel) {
    const provider = this.#provider;
    return element("div", { class: "about" },
      channel === undefined ? undefined : element("p", { class: "quiet" }, this.#text("toWatch", { channel })),
      provider === undefined ? undefined : element("p", { class: "chosen" }, logo(provider),
        this.#text("provider", { provider: provider.displayName })));
  }

  #cancelButton() {
    return button(this.#text("cancel"), () => this.#back(), { id: "cancel" });
  }

  /**
   * Shows the remaining time, and sometimes announces it to screen readers.
   * @param {HTMLElement} left
   * @param {number} expires
   */
  #countDown(left, expires) {
    const draw = () => {
      const seconds = Math.max(0, Math.round((expires - Date.now()) / 1000));
      left.textContent = this.#text("left", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` });
      if ([60, 300, 600].includes(seconds)) {
        const minutes = new Intl.NumberFormat(this.#locale, { style: "unit", unit: "minute", unitDisplay: "long" });
        this.#announce(this.#text("timeLeft", { time: minutes.format(seconds / 60) }));
      }
      if (seconds === 0) clearInterval(this.#timer);
    };
    this.#timer = setInterval(draw, 1000);
    draw();
  }

  /**
   * Tells the viewer why the login has failed, and asks how to go on.
   * @param {any} problem an outcome or an error
   * @returns {Promise<string>}
   */
  #tell(problem) {
    const [screen, title, hint] = nameOf(problem);
    const display = problem.display ?? problem.data?.display;
    // The title already says that the code has expired; the daemon's sentence would say it in other words.
    const text = typeof display === "string" && screen !== "expired" ? display : this.#text(hint);
    return this.#asking((answer) => {
      this.#show(screen, this.#text(title), { back: () => answer(CANCELLED), say: `${this.#text(title)}. ${text}` },
        this.#about(), element("p", { class: "hint quiet" }, text),
        element("div", { class: "buttons" },
          button(this.#text(screen === "expired" ? "newCode" : "again"), () => answer("again"), { id: "again" }),
          button(this.#text("another"), () => answer(ANOTHER), { id: "another" }), this.#cancelButton()));
    });
  }

  /** @param {number} milliseconds @param {string} [channel] */
  #done(milliseconds, channel) {
    if (!(milliseconds > 0)) return;
    const provider = this.#provider && this.#text("doneWith", { provider: this.#provider.displayName });
    const next = channel && this.#text("opening", { channel });
    return this.#asking((/** @type {(value?: undefined) => void} */ answer) => {
      this.#show("done", this.#text("done"), { back: answer, say: [this.#text("done"), next].filter(Boolean).join(". ") },
        element("div", { class: "tick", "aria-hidden": "true" }, "✓"), element("p", { class: "hint quiet" }, provider),
        element("p", { class: "hint" }, next));
      this.#timer = setInterval(answer, milliseconds);
    });
  }

  // Keys, focus, announcements

  /** What can have the focus, in order. */
  #targets() {
    /** @type {HTMLElement[]} */
    const found = [];
    const look = (/** @type {HTMLElement} */ from) => {
      if (from.hidden) return;
      if (["BUTTON", "INPUT"].includes(from.tagName)) found.push(from);
      for (const child of Array.from(from.children)) look(/** @type {HTMLElement} */ (child));
    };
    look(this.#body);
    return found.filter((each) => each.getAttribute("aria-disabled") !== "true");
  }

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    // If the focus is lost, keys still belong to this screen.
    if (!event.composedPath().includes(this) && event.target !== document.body) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    event.stopPropagation();
    if (this.#handle(event, /** @type {HTMLElement | null} */ (this.#root.activeElement))) event.preventDefault();
  };

  /**
   * Returns whether the key is handled, so that the browser does nothing with it.
   * @param {KeyboardEvent} event
   * @param {HTMLElement | null} focused
   */
  #handle({ key, keyCode, repeat, shiftKey }, focused) {
    const input = focused?.tagName === "INPUT" ? /** @type {HTMLInputElement} */ (focused) : undefined;
    if (key in WAYS) {
      const edge = key === "ArrowLeft" ? 0 : input?.value.length;
      this.#ignoresUntil = 0;
      if (input && ["ArrowLeft", "ArrowRight"].includes(key) && (shiftKey || input.selectionStart !== edge)) return false;
      this.#move(key, focused);
      return true;
    }
    if (key === "Tab") {
      // The focus stays on this screen.
      const targets = this.#targets();
      const index = focused === null ? -1 : targets.indexOf(focused);
      targets.at(shiftKey ? Math.max(index, 0) - 1 : (index + 1) % targets.length)?.focus();
      return true;
    }
    if (BACK.includes(key) || BACK_CODES.includes(keyCode)) {
      if (key === "Backspace" && input && input.value !== "") return false;
      if (!repeat) this.#back();
      return true;
    }
    if (["Enter", "Accept", "Select"].includes(key)) {
      if (repeat || Date.now() < this.#ignoresUntil) return true;
      if (input) this.#targets().find((each) => each.id !== "" && each !== input)?.focus();
      else if (key !== "Enter") focused?.click();
      return key !== "Enter" || input !== undefined;
    }
    if (!input && /^[\p{L}\p{N}]$/u.test(key)) this.#typed(key);
    return false;
  }

  /** @param {string} key @param {HTMLElement | null} focused */
  #move(key, focused) {
    // From outside of the list, the arrow keys do not lead to a part of the list that is scrolled out of view.
    const list = this.#list?.contains(focused) ? undefined : this.#list;
    const view = list?.getBoundingClientRect();
    const targets = this.#targets().filter((each) => {
      if (each === focused) return false;
      if (view === undefined || !list?.contains(each)) return true;
      const { top, bottom } = each.getBoundingClientRect();
      return bottom > view.top && top < view.bottom;
    });
    const from = focused === null || focused === this.#title ? undefined : focused.getBoundingClientRect();
    const found = from === undefined ? 0 : nearest(from, targets.map((each) => each.getBoundingClientRect()), key);
    targets[found]?.focus();
  }

  /**
   * Announces a text to screen readers, even if it is the same as the last one.
   * @param {string} text
   */
  #announce(text) {
    this.#spoken.textContent = this.#spoken.textContent === text ? `${text}\u00a0` : text;
  }

  /**
   * Shows a warning above the screen.
   * @param {string} [text]
   */
  #warn(text = "") {
    this.#banner.textContent = text;
    this.#banner.hidden = text === "";
  }
}

/**
 * Whether another attempt may succeed.
 * @param {any} error
 */
const isPassing = (error) => error?.name === "PassdError" && !FINAL.test(error.code);

/**
 * The screen for an outcome or an error, with the names of its title and of its hint.
 * @param {any} problem
 * @returns {[string, keyof typeof texts, keyof typeof texts]}
 */
function nameOf({ outcome, code = "" }) {
  if (outcome === "expired") return ["expired", "expired", "expiredHint"];
  if (outcome !== undefined) return ["denied", "denied", outcome === "denied" ? "deniedHint" : "failedHint"];
  if (SERVICE_AWAY.test(code)) return ["offline", "away", "awayHint"];
  return DAEMON_AWAY.test(code) ? ["offline", "offline", "offlineHint"] : ["offline", "trouble", "troubleHint"];
}

if (globalThis.customElements?.get("passd-sign-in") === undefined) {
  globalThis.customElements?.define("passd-sign-in", PassdSignIn);
}
