/** A login as an app sees it. Reads codes and outcomes from the daemon's messages. */

import { PassdError } from "./errors.js";

/**
 * The data for the viewer. `link`, shown as a QR code, leads directly to the provider. `code` is typed at `url`. `link` or
 * `url` may be missing. `expires` is in milliseconds since 1970. `qr` is the QR code of `link`, or else of `url`, if the option
 * `qr` asks for it. `isLocal`: whether the address works only on the box, so that no phone can open it. A sandbox may have
 * such addresses.
 * @typedef {{ state: string, code?: string, link?: string, url?: string, isLocal: boolean, expires?: number, qr?: any }} Login
 */

/** Names for loopback. On a phone, they mean the phone itself. */
const LOCAL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*@)?(([^/?#:@]*\.)?localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?([/?#]|$)/i;

/**
 * The outcome of a login.
 * @typedef {object} Outcome
 * @property {"authenticated" | "cancelled" | "expired" | "denied" | "failed" | (string & {})} outcome
 * @property {boolean} authenticated
 * @property {string} [reason]
 * @property {string} errorCode
 * @property {string} [display] a sentence for the viewer, if the daemon sent one
 * @property {Record<string, any>} params the params from the daemon, with members of later versions
 */

/** @param {any} value @returns {string | undefined} */
const text = (value) => (typeof value === "string" ? value : undefined);

/**
 * @param {string} outcome
 * @param {Record<string, any>} [params]
 * @param {string} [reason]
 * @returns {Outcome}
 */
export function outcomeOf(outcome, params = {}, reason = text(params.cause) ?? text(params.reason)) {
  const [errorCode = "", display] = [text(params.errorCode), text(params.display)];
  return { outcome, authenticated: outcome === "authenticated", reason, errorCode, display, params };
}

/** @param {any} progress @returns {Login} */
export function readLogin({ state, code, link, url, expires, qr }) {
  const [leads, page] = [text(link), text(url)];
  const isLocal = LOCAL.test(leads ?? page ?? "");
  return { state, code: text(code), link: leads, url: page, isLocal, expires: typeof expires === "number" ? expires : undefined, qr };
}

/**
 * The providers to choose from in an answer or a callback.
 * @param {any} params
 * @returns {import("./protocol.js").MVPD[]}
 */
export const readProviders = (params) => (Array.isArray(params.providers) ? params.providers : []);

/**
 * The outcome of this session's login; undefined if this `setAuthenticationStatus` reports something else.
 * @param {Record<string, any>} params
 * @returns {Outcome | undefined}
 */
export function readOutcome(params) {
  const outcome = text(params.outcome);
  return outcome === undefined ? undefined : outcomeOf(outcome, params);
}

/** Events of the open login that were not handled yet. */
export class Watch {
  /** @type {Login | undefined} */ login;
  /** @type {Outcome | undefined} */ outcome;
  /** @type {import("./protocol.js").MVPD[] | undefined} */ providers;
  isLost = false;
  /** Whether a step waits to be repeated. If so, the daemon has no login to cancel. */ waits = false;
  /** Whether the daemon has this login, as far as this library knows. */ isOpen = false;
  /**
   * Resolves when the login ends while no call is open that would notice the end.
   * @type {Promise<void>}
   */
  over;
  /** @type {() => void} */ #end = () => {};
  #isChoosing = false;
  #isForced;
  /**
   * Called with the answer if the login was abandoned.
   * @type {(() => void) | undefined}
   */
  left;
  #wake = () => {};

  /** @param {boolean} [isForced] */
  constructor(isForced) {
    this.#isForced = isForced === true;
    this.over = new Promise((resolve) => { this.#end = resolve; });
  }

  /** @param {string} name @param {any} params */
  heard(name, params) {
    if (name === "setAuthenticationStatus") this.outcome ??= readOutcome(params);
    else if (name === "displayProviderDialog") this.providers = readProviders(params);
    if (this.#isChoosing && this.outcome !== undefined) this.#end();
    this.#wake();
  }

  /**
   * Handles an answer. If it opens the login, earlier callbacks are dropped: they are old, or the answer repeats them.
   * @param {any} result
   */
  answered = (/** @type {any} */ result) => {
    const state = text(result?.state);
    if (result instanceof PassdError) this.isOpen = true; // the daemon may have opened it before the connection ended
    else if (state !== undefined) this.isOpen = state !== "authenticated";
    if (this.isOpen && state !== undefined) this.outcome = this.providers = undefined;
    this.left?.();
  };

  lost() {
    this.isLost = true;
    this.#wake();
  }

  /** Notes after a reconnect that the viewer has signed in meanwhile, so there is nothing to choose. */
  signedIn() {
    if (!this.#isChoosing || this.#isForced) return;
    this.outcome ??= outcomeOf("authenticated", {}, "reconnected");
    this.#end();
  }

  /** Notes that the app cancelled the login while there was no connection, or while a step waited to be repeated. */
  cancelled() {
    this.outcome ??= outcomeOf("cancelled");
    this.#end();
  }

  /** Notes that the session has ended. */
  ended() {
    this.lost();
    if (this.#isChoosing) this.#end();
  }

  /**
   * Waits for the choice of the viewer. In this time, the end of the login resolves `over`.
   * @template T
   * @param {() => Promise<T>} choose
   */
  async choosing(choose) {
    this.#isChoosing = true;
    try {
      return await choose();
    } finally {
      this.#isChoosing = false;
    }
  }

  /**
   * Waits for an event. Ends an expired code that the daemon does not end.
   * @param {AbortSignal} signal
   */
  async change(signal) {
    const wake = () => this.#wake();
    signal.addEventListener("abort", wake);
    // A timer can wait for a few weeks at most.
    const left = this.login?.expires === undefined ? Infinity : this.login.expires - Date.now() + 15000;
    const timer = left > 0x7fffffff ? undefined : setTimeout(() => {
      this.outcome ??= outcomeOf("expired");
      this.#wake();
    }, left);
    try {
      while (this.outcome === undefined && this.providers === undefined && !this.isLost && !signal.aborted) {
        await new Promise((resolve) => { this.#wake = () => resolve(undefined); });
      }
      signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
    }
  }
}
