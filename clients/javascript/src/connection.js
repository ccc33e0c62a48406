/** One connection to the daemon: waiting calls, and limits. */

import { PassdError, closed, lost, notUnderstood, overloaded, refusal, timedOut } from "./errors.js";
import { readJSON } from "./json.js";

/**
 * The limits of this library's memory. Sizes are in bytes.
 * @typedef {{ message: number, output: number, calls: number, callbacks: number }} Limits
 */

/**
 * The transport of messages.
 * @typedef {{ send(text: string): void, unsent(): number, close(): void }} Link
 * @typedef {{ message(text: string): void, end(reason: PassdError): void }} Heard
 * @typedef {(within: number, limits: Limits, heard: Heard) => Promise<Link>} Transport
 */

/**
 * The separation of messages on a Unix socket.
 * @typedef {"lines" | "headers"} Framing
 */

/** @type {Limits} */
export const LIMITS = { message: 16 << 20, output: 4 << 20, calls: 256, callbacks: 1000 };

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A connection. Calls may overlap. When the connection ends, all waiting calls fail with the reason. */
export class Connection {
  /** @type {Link | undefined} */ #link;
  /** @type {Limits} */ #limits;
  /** @type {(name: string, params: any) => void} */ #deliver;
  /** @type {Map<number, (error: unknown, result?: any) => void>} */ #waiting = new Map();
  /**
   * Functions for answers whose callers no longer wait.
   * @type {Map<number, (result: any) => void>}
   */
  #late = new Map();
  #lastID = 0;
  /**
   * The reason why the connection ended.
   * @type {PassdError | undefined}
   */
  ending;
  /**
   * Resolves when the connection has ended.
   * @type {Promise<PassdError>}
   */
  ended;
  /** @type {(reason: PassdError) => void} */ #tellEnded = () => {};

  /** @param {Limits} limits @param {(name: string, params: any) => void} deliver */
  constructor(limits, deliver) {
    this.#limits = limits;
    this.#deliver = deliver;
    this.ended = new Promise((resolve) => { this.#tellEnded = resolve; });
  }

  /** @param {Transport} transport @param {number} within */
  async open(transport, within) {
    const link = await transport(within, this.#limits, {
      message: (text) => this.#received(text),
      end: (reason) => this.end(reason),
    });
    this.#link = link;
    if (this.ending !== undefined) link.close();
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {number} within
   * @param {AbortSignal} [signal]
   * @param {(result: any) => void} [answered] gets the result at once, before later callbacks. It is called
   *   even if the caller has stopped waiting, and then gets undefined for an error. If the connection ends first, it gets the
   *   reason
   * @returns {Promise<any>}
   */
  call(method, params, within, signal, answered) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.ending !== undefined) return reject(this.ending.again());
      if (this.#waiting.size >= this.#limits.calls) return reject(overloaded(this.#limits.calls));
      const id = ++this.#lastID;
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      /** @type {(error: unknown, result?: any) => void} */
      const settle = (error, result) => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        if (this.ending !== undefined) answered?.(error);
        if (error !== null) return reject(error);
        answered?.(result);
        resolve(result);
      };
      /** @param {unknown} error */
      const giveUp = (error) => {
        settle(error);
        if (answered !== undefined) this.#late.set(id, answered);
      };
      const cancel = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(timedOut(within)), Math.min(within, 0x7fffffff));
      signal?.addEventListener("abort", cancel);
      this.#waiting.set(id, settle);
      this.#write(text);
    });
  }

  /**
   * Whether an answer is pending although its caller no longer waits.
   * @param {(result: any) => void} answered
   */
  owes(answered) {
    return [...this.#late.values()].includes(answered);
  }

  /** @param {string} method @param {object} params */
  notify(method, params) {
    if (this.ending === undefined) this.#write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** @param {string} text */
  #write(text) {
    if (this.#link === undefined) return;
    if (this.#link.unsent() > this.#limits.output) {
      this.end(lost(`it does not read, and more than ${this.#limits.output} bytes are waiting`));
    } else {
      this.#link.send(text);
    }
  }

  /** @param {string} text */
  #received(text) {
    if (this.ending !== undefined) return;
    let message;
    try {
      message = readJSON(text);
    } catch (error) {
      return this.end(notUnderstood(error instanceof Error ? error.message : String(error)));
    }
    for (const each of Array.isArray(message) ? message : [message]) this.#handle(each);
  }

  /** @param {any} message */
  #handle(message) {
    if (!isObject(message)) return this.end(notUnderstood("a message is not an object"));
    if (typeof message.method === "string") {
      const { params } = message;
      this.#deliver(message.method, isObject(params) ? params : {});
    } else if ((message.id ?? null) === null && "error" in message) {
      this.end(refusal(message.error)); // the whole connection is refused
    } else {
      const settle = this.#waiting.get(message.id);
      const late = this.#late.get(message.id);
      this.#late.delete(message.id);
      late?.(message.result);
      if ("error" in message) settle?.(refusal(message.error));
      else settle?.(null, message.result);
    }
  }

  /** @param {PassdError} reason */
  end(reason = closed()) {
    if (this.ending !== undefined) return;
    this.ending = reason;
    this.#link?.close();
    for (const settle of [...this.#waiting.values()]) settle(reason.again());
    for (const answered of this.#late.values()) answered(reason);
    this.#late.clear();
    this.#tellEnded(reason);
  }
}
