/**
 * A session with the daemon. When the connection ends, the session connects again and restores its options, its requestor and
 * its open login.
 */

import { CallbackStream } from "./callbacks.js";
import { CALLBACKS, Calls } from "./calls.js";
import { Connection, LIMITS } from "./connection.js";
import { PassdError, calledFrom, closed, lost, notRestored, noProvider, notUnderstood } from "./errors.js";
import { BACKOFF, CALL, SIGN_IN, expectKnown, expectOneOf, expectParams } from "./options.js";
import { Watch, outcomeOf, readLogin, readProviders } from "./login.js";

/** Refusals for which a repetition cannot succeed, because the app or the box must be set up differently. */
const FINAL = new Set(["DENIED", "INVALID_PARAMS", "INVALID_REQUEST", "METHOD_NOT_FOUND", "CFG400", "SEC403"]);

/**
 * Methods for which a viewer waits. The daemon did not execute a call that it refused because of a rate limit, so the call may
 * be repeated.
 */
const REPEATABLE = new Set(["setRequestor", "getAuthentication", "setSelectedProvider", "checkAuthorization", "getAuthorization",
  "checkPreauthorizedResources", "preauthorize"]);
const MAX_REPEATS = 4;
/** The daemon may take 15 seconds for an answer. A repetition needs at least this time. */
const DAEMON_TAKES = 16000;

/** The callbacks for which an app can add handlers. */
const HEARD = [...CALLBACKS, "disconnected", "reconnected"];

/**
 * `requestor` names the channel or brand for which the app asks. `softwareStatement` proves that the app may do so; it is not
 * needed if the box's configuration has it in a stanza for the app. `options` are the params of `setOptions`. Operators see
 * `name` and `version`. `within` is the time limit for a call with its repetitions. If a viewer waits for a call and the daemon
 * refuses it because of a rate limit, the call is repeated after `retryAfter`. `backoff` has the first and the longest pause
 * before an attempt to reconnect. All times are in milliseconds.
 * @typedef {object} Settings
 * @property {string} [requestor]
 * @property {string} [softwareStatement]
 * @property {import("./protocol.js").SetOptionsParams} [options]
 * @property {string} [name]
 * @property {string} [version]
 * @property {number} [within]
 * @property {number} [openWithin] how long `connect` waits for a daemon that cannot be reached yet, for example because its
 *   directory is mounted later. Default: 0
 * @property {boolean} [reconnect]
 * @property {{ first?: number, max?: number }} [backoff]
 * @property {Partial<import("./connection.js").Limits>} [limits]
 * @property {{ [Name in keyof Heard]?: (params: Heard[Name]) => unknown }} [on] handlers that get all callbacks from the beginning
 */

/**
 * @typedef {object} SignIn
 * @property {string} [provider] the ID of the viewer's provider
 * @property {(providers: import("./protocol.js").MVPD[]) => string | null | Promise<string | null>} [choose]
 *   called if there is no `provider`; null cancels the login. `provider` or `choose` is needed
 * @property {(login: import("./login.js").Login) => unknown} [show]
 *   called with each code. If the daemon restarts and loses the first code, there is a second code
 * @property {boolean} [force] start a login even if a viewer is signed in
 * @property {Record<string, string>} [data] passed on to the service
 * @property {AbortSignal} [signal] cancels the login. The outcome is then `cancelled`
 * @property {number} [within] the time limit for the viewer
 * @property {readonly string[]} [requestors] several requestors of one programmer. Each may need its own login
 */

/**
 * The daemon's callbacks, and those of this library about the connection.
 * @typedef {import("./protocol.js").Callbacks & {
 *   disconnected: { code: string, message: string, remedy: string },
 *   reconnected: { authenticated?: boolean },
 * }} Heard
 */

export class Client extends Calls {
  /**
   * Whether the viewer is signed in, as last reported by the daemon.
   * @type {boolean | undefined}
   */
  signedIn;
  /**
   * The reason why the session ended permanently.
   * @type {PassdError | undefined}
   */
  ending;

  /** @type {import("./connection.js").Transport} */ #transport;
  /** @type {import("./connection.js").Limits} */ #limits;
  /** @type {Record<string, any>} */ #options;
  /** @type {Record<string, any> | undefined} */ #requestor;
  /** @type {{ name: string, version: string } | undefined} */ #name;
  #within;
  #openWithin;
  #reconnect;
  #backoff;
  /** @type {Map<string, Set<(params: any) => unknown>>} */ #handlers = new Map();
  /** @type {Set<CallbackStream>} */ #streams = new Set();
  /** @type {Connection | undefined} */ #connection;
  /**
   * The connection while the session sets its options and its requestor.
   * @type {Connection | undefined}
   */
  #opening;
  /**
   * Calls that wait for a connection.
   * @type {Set<() => void>}
   */
  #waiting = new Set();
  /** @type {Watch | undefined} */ #watch;
  /** Whether the app cancelled a login and the daemon may not know it yet. */ #owesCancelling = false;
  /**
   * Resolves with the daemon's answer to the last step of an abandoned login.
   * @type {Promise<void> | undefined}
   */
  #left;
  /**
   * The error of the last attempt to reconnect.
   * @type {PassdError | undefined}
   */
  #trouble;
  /** Ends the pause before the next attempt. */ #hurry = () => {};

  /**
   * Use `connect`.
   * @param {import("./connection.js").Transport} transport
   * @param {Settings} settings
   */
  constructor(transport, settings) {
    super();
    this.#transport = transport;
    const { requestor, softwareStatement, options = {}, name, version = "0" } = settings;
    if (requestor !== undefined) this.#requestor = { requestorID: requestor, softwareStatement };
    this.#options = { ...options };
    if (name !== undefined) this.#name = { name, version };
    this.#within = settings.within ?? 60000;
    this.#openWithin = settings.openWithin ?? 0;
    this.#reconnect = settings.reconnect ?? true;
    this.#backoff = { ...BACKOFF, ...settings.backoff };
    this.#limits = { ...LIMITS, ...settings.limits };
    for (const [heard, handler] of Object.entries(settings.on ?? {})) {
      if (handler !== undefined) this.on(/** @type {any} */ (heard), handler);
    }
  }

  /**
   * Connects, and sets options and requestor. If one of these steps fails, opening fails at once. But if passd cannot be
   * reached, it tries again until `openWithin` is over.
   */
  async open() {
    await calledFrom(new Error(), this.#reach());
    void this.#keep();
    return this;
  }

  async #reach() {
    const deadline = Date.now() + this.#openWithin;
    for (let delay = this.#backoff.first; this.#connection === undefined; delay = Math.min(delay * 2, this.#backoff.max)) {
      try {
        await this.#establish();
      } catch (error) {
        const pause = delay * (0.5 + Math.random() / 2);
        const isAbsent = error instanceof PassdError && error.code === "UNREACHABLE";
        if (!isAbsent || Date.now() + pause > deadline) throw error;
        await this.#pause(pause);
        this.#expectOpen();
      }
    }
  }

  /** Ends the session. The daemon ends everything that belongs only to this session. */
  close() {
    this.#end(closed());
  }

  /** @param {PassdError} reason */
  #end(reason) {
    if (this.ending !== undefined) return;
    this.ending = reason;
    this.#connection?.end(reason);
    this.#opening?.end(reason);
    this.#hurry();
    this.#watch?.ended();
    this.#wake();
    for (const stream of [...this.#streams]) stream.end(reason);
  }

  #expectOpen() {
    if (this.ending !== undefined) throw this.ending.again();
  }

  #wake() {
    for (const wake of [...this.#waiting]) wake();
  }

  async #establish() {
    const connection = this.#opening = new Connection(this.#limits, (name, params) => this.#deliver(name, params));
    await connection.open(this.#transport, Math.min(5000, this.#within));
    try {
      this.#expectOpen();
      if (this.#name !== undefined) connection.notify("passd.hello", { client: this.#name });
      if (Object.keys(this.#options).length > 0) await connection.call("setOptions", this.#options, this.#within);
      const requestor = this.#requestor;
      if (requestor !== undefined) {
        this.#heardRequestor(await this.#withRepeats(
          "setRequestor", this.#within, undefined, (left) => connection.call("setRequestor", requestor, left)));
      }
      this.#expectOpen();
      if (connection.ending !== undefined) throw connection.ending.again();
    } catch (error) {
      connection.end();
      throw error;
    } finally {
      this.#opening = undefined;
    }
    if (this.#owesCancelling && !this.signedIn) connection.notify("setSelectedProvider", { providerID: null });
    this.#owesCancelling = false;
    this.#connection = connection;
    this.#trouble = undefined;
    this.#wake();
  }

  get #isUp() {
    return this.#connection !== undefined && this.#connection.ending === undefined;
  }

  /** Reconnects when the connection ends. The pause grows as long as new connections end soon. */
  async #keep() {
    let delay = this.#backoff.first;
    while (this.#connection !== undefined) {
      const began = Date.now();
      const reason = await this.#connection.ended;
      if (this.ending !== undefined) return;
      this.#connection = undefined;
      await this.#pause(0); // callers whose calls have failed get their errors first
      if (this.ending !== undefined) return;
      if (!this.#reconnect || (reason.isRefusal && FINAL.has(reason.code))) return this.#end(reason);
      const { code, message, remedy } = reason;
      this.#deliver("disconnected", { code, message, remedy });
      this.#watch?.lost();
      if (Date.now() - began > this.#backoff.max) delay = this.#backoff.first;
      const wasSignedIn = this.signedIn;
      while (this.#connection === undefined) {
        await this.#pause(delay * (0.5 + Math.random() / 2));
        if (this.ending !== undefined) return;
        delay = Math.min(delay * 2, this.#backoff.max);
        try {
          await this.#establish();
        } catch (error) {
          if (!(error instanceof PassdError)) return this.#end(lost(String(error)));
          if (error.isRefusal && FINAL.has(error.code)) return this.#end(error);
          this.#trouble = error;
        }
      }
      this.#toldAgain(wasSignedIn);
    }
  }

  /** @param {number} milliseconds */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** @param {boolean | undefined} wasSignedIn */
  #toldAgain(wasSignedIn) {
    this.#deliver("reconnected", { authenticated: this.signedIn });
    if (wasSignedIn !== undefined && this.signedIn !== undefined && wasSignedIn !== this.signedIn) {
      const errorCode = this.signedIn ? "" : "USER_NOT_AUTHENTICATED_ERROR";
      this.#deliver("setAuthenticationStatus", { status: this.signedIn ? 1 : 0, errorCode, reason: "reconnected" });
    }
    if (this.signedIn) this.#watch?.signedIn();
  }

  /**
   * Calls any method by its name. While there is no connection, the call waits for one.
   *
   * If the connection ends before the answer, the call fails with DISCONNECTED and is not repeated: only the caller knows
   * whether it may be executed twice. To stop waiting, abort `signal`. The session then drops the daemon's answer.
   * @param {string} method
   * @param {Record<string, any>} [params]
   * @param {import("./calls.js").CallOptions} options
   * @returns {Promise<any>}
   */
  async call(method, params = {}, options = {}) {
    expectParams(method, params);
    expectKnown(method, options, CALL);
    return await calledFrom(new Error(), this.#call(method, params, options.within, options.signal));
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {number} [within]
   * @param {AbortSignal} [signal]
   * @param {(result: any) => void} [answered]
   */
  async #call(method, params, within = this.#within, signal, answered) {
    const watch = this.#watch;
    if ((watch?.waits || !this.#isUp) && method === "setSelectedProvider" && params?.providerID === null) watch?.cancelled();
    const answer = await this.#withRepeats(method, within, signal, async (left) => {
      const began = Date.now();
      const connection = await this.#connected(left, signal);
      return await connection.call(method, params, Math.max(0, left - (Date.now() - began)), signal, answered);
    }, answered === undefined ? undefined : watch); // only the steps of a login have `answered`
    if (method === "setOptions") {
      Object.assign(this.#options, params);
    } else if (method === "setRequestor") {
      this.#requestor = params;
      this.#heardRequestor(answer);
    }
    return answer;
  }

  /**
   * Makes the call. If a rate limit refuses a call for which a viewer waits, repeats the call after `retryAfter`.
   * @param {string} method
   * @param {number} within
   * @param {AbortSignal | undefined} signal
   * @param {(left: number) => Promise<any>} ask
   * @param {Watch} [watch]
   */
  async #withRepeats(method, within, signal, ask, watch) {
    const deadline = Date.now() + within;
    for (let repeats = 0; ; repeats++) {
      try {
        return await ask(Math.max(0, deadline - Date.now()));
      } catch (error) {
        if (!(error instanceof PassdError) || !error.isRefusal || !["LIMIT", "CFG429"].includes(error.code)) throw error;
        if (!REPEATABLE.has(method) || repeats === MAX_REPEATS || error.retryAfter === undefined) throw error;
        const pause = error.retryAfter * 1000;
        if (!(pause >= 0 && pause <= deadline - Date.now() - DAEMON_TAKES)) throw error;
        if (watch !== undefined) watch.waits = true;
        await this.#waitFor(pause, signal);
        if (watch !== undefined) watch.waits = false;
      }
    }
  }

  /**
   * Waits. Ends early if the session ends or the signal is aborted.
   * @param {number} milliseconds
   * @param {AbortSignal} [signal]
   */
  #waitFor(milliseconds, signal) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        signal?.removeEventListener("abort", end);
        resolve(undefined);
      };
      const look = () => { if (this.ending !== undefined) end(); };
      const timer = setTimeout(end, Math.min(milliseconds, 0x7fffffff));
      this.#waiting.add(look);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
    });
  }

  /**
   * @param {number} within
   * @param {AbortSignal} [signal]
   * @returns {Promise<Connection>}
   */
  #connected(within, signal) {
    return new Promise((resolve, reject) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const look = () => {
        if (!this.#isUp && this.ending === undefined && !signal?.aborted) return false;
        this.#waiting.delete(look);
        clearTimeout(timer);
        signal?.removeEventListener("abort", look);
        if (signal?.aborted) reject(signal.reason);
        else if (this.ending !== undefined) reject(this.ending.again());
        else resolve(/** @type {Connection} */ (this.#connection));
        return true;
      };
      if (look()) return;
      this.#waiting.add(look);
      signal?.addEventListener("abort", look);
      if (within <= 0x7fffffff) {
        timer = setTimeout(() => {
          this.#waiting.delete(look);
          signal?.removeEventListener("abort", look);
          reject(notRestored(within, this.#trouble));
        }, within);
      }
    });
  }

  /** @param {any} answer */
  #heardRequestor(answer) {
    if (typeof answer?.authenticated === "boolean") this.signedIn = answer.authenticated;
  }

  /**
   * Calls `handler` with the params of each callback of this name. Returns a function that removes the handler. Throws for a
   * name that this library does not know, because the handler would never be called.
   * @template {keyof Heard} Name
   * @param {Name} name
   * @param {(params: Heard[Name]) => unknown} handler
   * @returns {() => void}
   */
  on(name, handler) {
    expectOneOf("there is no callback ", name, HEARD);
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
    return () => void handlers.delete(handler);
  }

  /** All callbacks from now on, in order, for `for await`. Unread callbacks are kept, up to a limit. */
  callbacks() {
    const stream = new CallbackStream(this.#limits.callbacks, (each) => void this.#streams.delete(each));
    if (this.ending === undefined) this.#streams.add(stream);
    else stream.end(this.ending);
    return stream;
  }

  /** @param {string} name @param {any} params */
  #deliver(name, params) {
    if (name === "setAuthenticationStatus") this.signedIn = params.status === 1;
    this.#watch?.heard(name, params);
    for (const handler of [...(this.#handlers.get(name) ?? [])]) {
      // A failing handler is the app's error. The other handlers still get the callback.
      try {
        handler(params);
      } catch (error) {
        queueMicrotask(() => { throw error; });
      }
    }
    for (const stream of [...this.#streams]) stream.put({ name, params });
  }

  /**
   * Signs the viewer in, and returns when the login has ended. To cancel, use `signal` or call
   * `setSelectedProvider({ providerID: null })`. After `within`, the login is cancelled, and TIMED_OUT is thrown.
   *
   * A programmer may have several `requestors`, and each may need its own login. A requestor may be signed in already, perhaps
   * by the login of another requestor. Such requestors are skipped. The viewer chooses once, and again only if a requestor does
   * not have the chosen provider. The result is the outcome of the last login, or of the first login that failed. Afterwards
   * the session uses the first of the requestors.
   * @param {SignIn} [how]
   * @returns {Promise<import("./login.js").Outcome>}
   */
  async signIn(how = {}) {
    if (this.#watch !== undefined) {
      throw new PassdError("FLOW_CONFLICT", "This session has an open login already.",
        "Wait for it, or cancel it with setSelectedProvider({ providerID: null }).");
    }
    expectKnown("signIn", how, SIGN_IN);
    if (how.requestors?.length) return this.#signInEach(how.requestors, how);
    const asked = new Error();
    if ((how.provider ?? how.choose ?? undefined) === undefined) throw noProvider();
    if (how.signal?.aborted) return outcomeOf("cancelled");
    const watch = this.#watch = new Watch(how.force);
    const cancelling = new AbortController();
    const cancel = () => cancelling.abort(how.signal?.reason);
    how.signal?.addEventListener("abort", cancel);
    const { within } = how;
    const timer = within === undefined ? undefined : setTimeout(() => cancelling.abort(
      new PassdError("TIMED_OUT", `The viewer did not sign in within ${within} ms.`, "Start the login again.")), within);
    const over = watch.over.then(() => {
      cancelling.abort();
      this.#expectOpen();
      return watch.outcome ?? outcomeOf("cancelled");
    });
    try {
      return await calledFrom(asked, Promise.race([this.#signIn(watch, how, cancelling.signal), over]));
    } catch (error) {
      this.#leave(watch);
      if (isFrom(how.signal, error)) return outcomeOf("cancelled");
      throw error;
    } finally {
      this.#watch = undefined;
      clearTimeout(timer);
      how.signal?.removeEventListener("abort", cancel);
    }
  }

  /**
   * @param {readonly string[]} requestors
   * @param {SignIn} how
   */
  async #signInEach(requestors, { provider, choose, show, force, data, signal, within }) {
    if ((provider ?? choose ?? undefined) === undefined) throw noProvider();
    const end = within === undefined ? undefined : performance.now() + within;
    let chosen = provider;
    /** @param {import("./protocol.js").MVPD[]} providers */
    const offer = async (providers) => {
      if (choose && !providers.some(({ id }) => id === chosen)) chosen = (await choose(providers)) ?? undefined;
      return chosen ?? null;
    };
    /** @param {string} requestorID */
    const set = (requestorID) => this.call("setRequestor", { ...this.#requestor, requestorID }, { signal });
    let outcome = outcomeOf("authenticated");
    try {
      for (const requestor of requestors) {
        if ((await set(requestor)).authenticated === true && force !== true) continue;
        const left = end === undefined ? undefined : Math.max(0, end - performance.now());
        outcome = await this.signIn({ choose: offer, show, force, data, signal, within: left });
        if (!outcome.authenticated) break;
      }
    } catch (error) {
      if (!isFrom(signal, error)) throw error;
      outcome = outcomeOf("cancelled");
    } finally {
      if (this.#requestor?.requestorID !== requestors[0]) {
        // The outcome of the logins is reported instead.
        await this.call("setRequestor", { ...this.#requestor, requestorID: requestors[0] }).catch(() => {});
      }
    }
    return outcome;
  }

  /**
   * Abandons this login. If the daemon has not answered yet, the login is cancelled after the answer. Before the answer, there
   * may be no login, and a cancel would sign out a viewer who is signed in.
   * @param {Watch} watch
   */
  #leave(watch) {
    const connection = this.#connection;
    if (!connection?.owes(watch.answered)) return this.#cancel(watch);
    /** @type {Promise<void>} */
    const left = this.#left = new Promise((resolve) => {
      watch.left = () => {
        // If another login has begun, that one is open.
        if (this.#left === left) this.#cancel(watch);
        resolve();
      };
    });
  }

  /**
   * Cancels an abandoned login, so that its code stops working. Without a connection, this happens after the reconnect.
   * @param {Watch} watch
   */
  #cancel(watch) {
    if (!watch.isOpen || this.ending !== undefined) return;
    if (this.#isUp) this.#connection?.notify("setSelectedProvider", { providerID: null });
    else this.#owesCancelling = true;
  }

  /** @param {AbortSignal} signal */
  async #earlierLoginIsOver(signal) {
    if (this.#left === undefined) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, Math.min(this.#within, 0x7fffffff)); });
    try {
      await abortable(Promise.race([this.#left, late]), signal);
    } finally {
      clearTimeout(timer);
    }
    this.#left = undefined;
  }

  /** @param {Watch} watch @param {SignIn} how @param {AbortSignal} signal */
  async #signIn(watch, { provider, choose, show, force, data }, signal) {
    await this.#earlierLoginIsOver(signal);
    const begin = { forceAuthentication: force, data };
    let chosen = provider;
    for (;;) {
      try {
        let step = await this.#step(watch, "getAuthentication", begin, signal);
        while (step !== undefined) {
          if (watch.outcome !== undefined) return watch.outcome;
          if (step.state === "authenticated") return outcomeOf("authenticated", step);
          if (step.state === "selectProvider") {
            const providers = readProviders(step);
            chosen ??= (await watch.choosing(() => abortable(choose?.(providers), signal))) ?? undefined;
            if (chosen === undefined) return await this.#chooseNone(watch, signal);
            // If the daemon does not know the login, it is started again.
            step = watch.isLost ? undefined
              : await this.#step(watch, "setSelectedProvider", { providerID: chosen }, signal);
            continue;
          }
          if (step.state === "selected") {
            step = await this.#step(watch, "getAuthentication", begin, signal);
            if (step.state === "selected") throw notUnderstood("a choice of provider does not begin the login");
            continue;
          }
          if (step.state === "secondScreen" || step.state === "browser") {
            const login = readLogin(step);
            const before = watch.login;
            const isNew = before?.code !== login.code || before?.link !== login.link || before?.url !== login.url;
            watch.login = login;
            if (isNew) await abortable(show?.(login), signal);
          }
          step = await this.#next(watch, signal);
        }
        if (watch.outcome !== undefined) return watch.outcome;
      } catch (error) {
        if (!this.#mayGoOn(error)) throw error;
      }
      await this.#connected(Infinity, signal);
      if (this.signedIn && !force) return outcomeOf("authenticated", {}, "reconnected");
    }
  }

  /**
   * Whether the error is a lost connection, and the session will reconnect.
   * @param {unknown} error
   */
  #mayGoOn(error) {
    const isLost = error instanceof PassdError && ["DISCONNECTED", "NOT_UNDERSTOOD"].includes(error.code);
    return isLost && !this.#isUp && this.ending === undefined;
  }

  /** @param {Watch} watch @param {AbortSignal} signal */
  async #chooseNone(watch, signal) {
    if (this.#isUp && !watch.isLost) {
      try {
        const answer = await this.#call("setSelectedProvider", { providerID: null }, undefined, signal);
        return watch.outcome ?? outcomeOf("cancelled", answer ?? {});
      } catch (error) {
        if (!this.#mayGoOn(error)) throw error;
      }
    }
    this.#cancel(watch);
    return watch.outcome ?? outcomeOf("cancelled");
  }

  /** @param {Watch} watch @param {string} method @param {object} params @param {AbortSignal} signal */
  async #step(watch, method, params, signal) {
    watch.isLost = false;
    const answer = await this.#call(method, params, undefined, signal, watch.answered);
    if (typeof answer?.state !== "string") throw notUnderstood("a step of the login has no state");
    return answer;
  }

  /**
   * Waits for the result of a step: providers to choose from, or undefined if there is an outcome or no connection.
   * @param {Watch} watch
   * @param {AbortSignal} signal
   */
  async #next(watch, signal) {
    await watch.change(signal);
    const { providers } = watch;
    if (watch.outcome !== undefined || providers === undefined || watch.isLost) return undefined;
    return { state: "selectProvider", providers };
  }
}

/**
 * Whether the error is the reason of this signal.
 * @param {AbortSignal | undefined} signal
 * @param {unknown} error
 */
const isFrom = (signal, error) => signal?.aborted === true && error === signal.reason;

/**
 * Waits for the app's function, which may wait for the viewer. The login can be cancelled meanwhile.
 * @template T
 * @param {T | Promise<T>} value
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
async function abortable(value, signal) {
  signal.throwIfAborted();
  let cancel = () => {};
  const cancelled = new Promise((_, reject) => {
    cancel = () => reject(signal.reason);
    signal.addEventListener("abort", cancel);
  });
  try {
    return /** @type {T} */ (await Promise.race([value, cancelled]));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
