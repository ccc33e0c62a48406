/** The errors of the library. Each has a stable code, a sentence about the cause, and a remedy. */

/** The error of a call. Show `message` and `remedy` to people, and act on `code`. */
export class PassdError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string} remedy
   * @param {{ number?: number | null, data?: Record<string, any> }} more
   */
  constructor(code, message, remedy, { number = null, data = {} } = {}) {
    super(message);
    this.name = "PassdError";
    this.code = code;
    this.remedy = remedy;
    /** The number of JSON-RPC, if the daemon sent this error. */
    this.number = number;
    /** The daemon's other data: `action`, `trace`, `display` and members of later versions. */
    this.data = data;
  }

  get details() {
    return this.data.details;
  }

  /**
   * Seconds to wait before a repetition, if the daemon sent them.
   * @returns {number | undefined}
   */
  get retryAfter() {
    return typeof this.data.retryAfter === "number" ? this.data.retryAfter : undefined;
  }

  /** Whether the daemon answered with this error. */
  get isRefusal() {
    return this.number !== null;
  }

  /**
   * Gives this error the stack of another error, and returns this error. Some engines begin a stack with the name of its error,
   * so the name is replaced.
   * @param {Error} asked
   */
  calledFrom({ stack = "" }) {
    this.stack = stack.replace(/^Error\b.*\n?/, `${this.name}: ${this.message}\n`);
    return this;
  }

  /** A copy of the error, to be thrown again. */
  again() {
    return new PassdError(this.code, this.message, this.remedy, { number: this.number, data: this.data });
  }
}

/**
 * Waits for the result of the app's call. An error gets the stack of that call, which is in `asked`, because the stack of the
 * socket's reader does not help an app.
 * @template T
 * @param {Error} asked
 * @param {Promise<T>} work
 */
export async function calledFrom(asked, work) {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PassdError ? error.calledFrom(asked) : error;
  }
}

/** @param {any} value @param {string} otherwise */
const text = (value, otherwise) => (typeof value === "string" ? value : otherwise);

/**
 * An error that the daemon sent. Missing members get defaults.
 * @param {any} error
 */
export function refusal(error) {
  const data = error?.data !== null && typeof error?.data === "object" ? error.data : {};
  return new PassdError(
    text(data.code, "INTERNAL_ERROR"),
    text(error?.message, "The daemon refused the call."),
    text(data.remedy, "See the journal of passd."),
    { number: Number.isInteger(error?.code) ? error.code : -32603, data },
  );
}

/** @param {string} place @param {string} reason @param {string} [remedy] */
export const unreachable = (
  place, reason, remedy = "Start passd, or set PASSD_SOCKET to the path of its socket.",
) => new PassdError("UNREACHABLE", `passd cannot be reached at ${place}: ${reason}.`, remedy);

/**
 * @param {string} place
 * @param {string} [directory] the directory in the path that this process may not enter
 */
export const forbidden = (place, directory) =>
  directory === undefined
    ? new PassdError("FORBIDDEN", `This user may not connect to ${place}.`,
        "Join the group that the socket belongs to, or run this as root.")
    : new PassdError("FORBIDDEN", `This user may not enter ${directory}, so ${place} cannot be reached.`,
        "Run this as the owner of the directory: a developer's box serves no other user. "
          + `Another daemon may serve other users after chmod o+x ${directory}.`);

/** @param {string} reason */
export const lost = (reason) =>
  new PassdError("DISCONNECTED", `The connection to passd was lost: ${reason}.`,
    "Try again; the journal of passd, or passd.log of a developer's box, says why it ended.");

/**
 * The error of a call that waited too long for a connection. `trouble` is the error of the last attempt to connect.
 * @param {number} within
 * @param {PassdError} [trouble]
 */
export const notRestored = (within, trouble) => {
  const reason = `it could not be restored within ${within} ms`;
  return lost(trouble === undefined ? reason : `${reason} (${trouble.message.replace(/\.$/, "")})`);
};

/** @param {string} reason */
export const notUnderstood = (reason) =>
  new PassdError("NOT_UNDERSTOOD", `What passd sent cannot be used: ${reason}.`,
    "Check that this program and passd are from the same release.");

export const noProvider = () =>
  new PassdError("INVALID_PARAMS", "No provider was given for the login.", "Name a provider, or give choose.");

export const closed = () => new PassdError("CLOSED", "This program closed the session.", "Open a new session.");

/** @param {number} within */
export const timedOut = (within) =>
  new PassdError("TIMED_OUT", `passd did not answer within ${within} ms.`, "Try again, or allow more time.");

/** @param {number} limit */
export const overloaded = (limit) =>
  new PassdError("OVERLOADED", `${limit} calls are waiting for an answer already.`, "Try again later.");

/** @param {number} limit */
export const overrun = (limit) =>
  new PassdError("OVERRUN", `More than ${limit} callbacks were not read.`, "Read callbacks faster.");
