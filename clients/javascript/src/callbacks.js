/** The callbacks of a session as a stream. */

import { PassdError, calledFrom, closed, overrun } from "./errors.js";

/**
 * A message of the daemon that is not an answer.
 * @typedef {{ name: string, params: any }} Callback
 */

/**
 * Ends when the session is closed. If the session ends for another reason, the stream throws this reason.
 * @implements {AsyncIterableIterator<Callback>}
 */
export class CallbackStream {
  /** @type {Callback[]} */ #unread = [];
  /** @type {PassdError | undefined} */ #reason;
  #wake = () => {};
  /** @type {number} */ #limit;
  /** @type {(stream: CallbackStream) => void} */ #leave;

  /** @param {number} limit @param {(stream: CallbackStream) => void} leave */
  constructor(limit, leave) {
    this.#limit = limit;
    this.#leave = leave;
  }

  /** @param {Callback} callback */
  put(callback) {
    if (this.#unread.length >= this.#limit) return this.end(overrun(this.#limit));
    this.#unread.push(callback);
    this.#wake();
  }

  /** @param {PassdError} reason */
  end(reason) {
    this.#reason ??= reason;
    this.#leave(this);
    this.#wake();
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Promise<IteratorResult<Callback, undefined>>} */
  async next() {
    return this.#unread.length > 0 ? this.#next() : await calledFrom(new Error(), this.#next());
  }

  /** @returns {Promise<IteratorResult<Callback, undefined>>} */
  async #next() {
    for (;;) {
      const value = this.#unread.shift();
      if (value !== undefined) return { value, done: false };
      if (this.#reason?.code === "CLOSED") return { value: undefined, done: true };
      if (this.#reason !== undefined) throw this.#reason.again();
      await new Promise((resolve) => { this.#wake = () => resolve(undefined); });
    }
  }

  /**
   * Ends the stream, but not the session.
   * @returns {Promise<IteratorResult<Callback, undefined>>}
   */
  async return() {
    this.#unread = [];
    this.end(closed());
    return { value: undefined, done: true };
  }
}
