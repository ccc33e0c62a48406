/** A login as an app sees it: what to show, how it ended, and how both are read from what the daemon sends. */

/**
 * What the viewer needs: `code` is typed at `url`, which also contains it and fits into a QR code. Some services have no
 * `url`; the app then says where the code is to be typed. `expires` is in milliseconds since 1970. `qr` is the QR code, if
 * the option `qr` asks for it and the daemon makes them.
 * @typedef {{ state: string, code?: string, url?: string, expires?: number, qr?: any }} Login
 */

/**
 * How a login ended.
 * @typedef {object} Outcome
 * @property {"authenticated" | "cancelled" | "expired" | "denied" | "failed" | (string & {})} outcome
 * @property {boolean} authenticated
 * @property {string} [reason]
 * @property {string} errorCode
 * @property {string} [display] what to tell the viewer, if the daemon says so
 * @property {Record<string, any>} params what the daemon sent, with what later versions add
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
export function readLogin({ state, code, url, expires, qr }) {
  return { state, code: text(code), url: text(url), expires: typeof expires === "number" ? expires : undefined, qr };
}

/**
 * The providers to choose from in an answer or a callback.
 * @param {any} params
 * @returns {import("./protocol.js").MVPD[]}
 */
export const readProviders = (params) => (Array.isArray(params.providers) ? params.providers : []);

/**
 * The outcome of one's own login in `setAuthenticationStatus`; undefined if it tells something else.
 * @param {Record<string, any>} params
 * @param {Login | undefined} login
 * @returns {Outcome | undefined}
 */
export function readOutcome(params, login) {
  const outcome = text(params.outcome);
  if (outcome !== undefined) return outcomeOf(outcome, params);
  // From here on, as older daemons tell it.
  if (params.status === 1) return outcomeOf("authenticated", params);
  // The end of an earlier login, or what `checkAuthentication` says.
  if (text(params.reason) !== undefined || params.errorCode === "USER_NOT_AUTHENTICATED_ERROR") return undefined;
  if (params.errorCode === "PROVIDER_NOT_SELECTED_ERROR") return outcomeOf("cancelled", params);
  const isOver = login?.expires !== undefined && login.expires - Date.now() < 2000;
  return outcomeOf(isOver ? "expired" : "failed", params);
}

/** What has happened to the open login since it was last looked at. */
export class Watch {
  /** @type {Login | undefined} */ login;
  /** @type {Outcome | undefined} */ outcome;
  /** @type {import("./protocol.js").MVPD[] | undefined} */ providers;
  isLost = false;
  /** Whether the daemon has this login, as far as it has said. */ isOpen = false;
  /**
   * Resolves when the login has ended in a moment in which nothing else would notice.
   * @type {Promise<void>}
   */
  over;
  /** @type {() => void} */ #end = () => {};
  #isChoosing = false;
  #wake = () => {};

  constructor() {
    this.over = new Promise((resolve) => { this.#end = resolve; });
  }

  /** @param {string} name @param {any} params */
  heard(name, params) {
    if (name === "setAuthenticationStatus") this.outcome ??= readOutcome(params, this.login);
    else if (name === "displayProviderDialog") this.providers = readProviders(params);
    if (this.#isChoosing && this.outcome !== undefined) this.#end();
    this.#wake();
  }

  /**
   * An answer has come. If the login is open with it, what was heard before told of an earlier one, or the same.
   * @param {any} result
   */
  answered(result) {
    const state = text(result?.state);
    this.isOpen = state !== undefined && state !== "authenticated";
    if (this.isOpen) this.outcome = this.providers = undefined;
  }

  lost() {
    this.isLost = true;
    this.#wake();
  }

  /** The app has cancelled the login while there is no connection. */
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
   * While the viewer chooses, only the choice is waited for.
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
   * Waits for news; a code that the daemon does not end is ended here.
   * @param {AbortSignal} signal
   */
  async change(signal) {
    const wake = () => this.#wake();
    signal.addEventListener("abort", wake);
    // A timer cannot wait for longer than some weeks.
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
