/** A login as an app sees it: what to show, how it ended, and how both are read from what the daemon sends. */

/**
 * What the viewer needs: `code` is typed at `url`, which also contains it and fits into a QR code. Some services have no
 * `url`; the app then says where the code is to be typed. `expires` is in milliseconds since 1970. `qr` is the QR code, if
 * the option `qr` asks for it. `isLocal` says that `url` leads to the box alone, as that of a sandbox may: a phone cannot open it.
 * @typedef {{ state: string, code?: string, url?: string, isLocal: boolean, expires?: number, qr?: any }} Login
 */

/** What every machine takes for itself. */
const LOCAL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*@)?(([^/?#:@]*\.)?localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?([/?#]|$)/i;

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

/**
 * @param {string} outcome
 * @param {Record<string, any>} [params]
 * @param {string} [reason]
 * @returns {Outcome}
 */
export function outcomeOf(outcome, params = {}, reason = params.cause ?? params.reason) {
  const { errorCode = "", display } = params;
  return { outcome, authenticated: outcome === "authenticated", reason, errorCode, display, params };
}

/** @param {any} progress @returns {Login} */
export function readLogin({ state, code, url, expires, qr }) {
  return { state, code, url, isLocal: LOCAL.test(url ?? ""), expires, qr };
}

/**
 * How one's own login ended; undefined if this `setAuthenticationStatus` tells something else.
 * @param {Record<string, any>} params
 * @returns {Outcome | undefined}
 */
export function readOutcome(params) {
  return params.outcome === undefined ? undefined : outcomeOf(String(params.outcome), params);
}

/** What has happened to the open login since it was last looked at. */
export class Watch {
  /** @type {Login | undefined} */ login;
  /** @type {Outcome | undefined} */ outcome;
  /** @type {import("./protocol.js").MVPD[] | undefined} */ providers;
  isLost = false;
  isOpen = false;
  /**
   * Is called with the answer if nobody waits for the login any more.
   * @type {(() => void) | undefined}
   */
  left;
  #wake = () => {};

  /** @param {string} name @param {any} params */
  heard(name, params) {
    if (name === "setAuthenticationStatus") this.outcome ??= readOutcome(params);
    else if (name === "displayProviderDialog") this.providers = params.providers ?? [];
    this.#wake();
  }

  /**
   * An answer has come. If the login is open with it, what was heard before told of an earlier one, or the same.
   * @param {any} result
   */
  answered = (/** @type {any} */ result) => {
    if (result !== null && typeof result === "object") this.isOpen = result.state !== "authenticated";
    if (this.isOpen) this.outcome = this.providers = undefined;
    this.left?.();
  };

  lost() {
    this.isLost = true;
    this.#wake();
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
