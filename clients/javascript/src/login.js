/** A login as an app sees it: codes and outcomes, and how they are read from the daemon's messages. */

import { PassdError } from "./errors.js";

/**
 * What the viewer needs: `link`, shown as a QR code, leads straight to the provider; `code` is typed at `url`.
 * Either may be missing. `expires` is in milliseconds since 1970. `qr` is the QR code of `link`, or else of `url`, if the
 * option `qr` asks for it. `isLocal` says that it works only on the box, as that of a sandbox may: a phone cannot open it.
 * @typedef {{ state: string, code?: string, link?: string, url?: string, isLocal: boolean, expires?: number, qr?: any }} Login
 */

/** Loopback names, which mean another machine on each device. */
const LOCAL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*@)?(([^/?#:@]*\.)?localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?([/?#]|$)/i;

/**
 * How a login ended.
 * @typedef {object} Outcome
 * @property {"authenticated" | "cancelled" | "expired" | "denied" | "failed" | (string & {})} outcome
 * @property {boolean} authenticated
 * @property {string} [reason]
 * @property {string} errorCode
 * @property {string} [display] a sentence for the viewer, if the daemon sent one
 * @property {Record<string, any>} params what the daemon sent, with members of later versions
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
  /** Whether a step waits to be repeated: the daemon has no login that could be cancelled. */ waits = false;
  /** Whether the daemon has this login, as far as is known. */ isOpen = false;
  /**
   * Resolves when the login has ended while no call would notice it.
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
   * Handles an answer. If it opens the login, earlier callbacks were about an earlier login, or said the same.
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

  /** There is a connection again, and the viewer has signed in meanwhile, so there is nothing to choose. */
  signedIn() {
    if (!this.#isChoosing || this.#isForced) return;
    this.outcome ??= outcomeOf("authenticated", {}, "reconnected");
    this.#end();
  }

  /** The app has cancelled the login while there is no connection, or while a step waits to be repeated. */
  cancelled() {
    this.outcome ??= outcomeOf("cancelled");
    this.#end();
  }

  /** The session has ended. */
  ended() {
    this.lost();
    if (this.#isChoosing) this.#end();
  }

  /**
   * Waits only for the choice while the viewer chooses.
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
    // A timer can wait for some weeks at most.
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
