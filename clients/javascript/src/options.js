/** Checks the names of options. Without this check, unknown options would be ignored silently. */

import { PARAMS } from "./calls.js";
import { LIMITS } from "./connection.js";

/** The settings of `Client`. */
const SETTINGS = [
  "requestor", "softwareStatement", "options", "name", "version", "within", "openWithin", "reconnect", "backoff", "limits",
  "on",
];

export const BACKOFF = { first: 100, max: 10000 };

export const CALL = ["within", "signal"];

export const SIGN_IN = ["provider", "choose", "show", "force", "data", "signal", "within", "requestors"];

/**
 * Throws if there is an unknown option. If another option contains the given options, `within` is its name.
 * @param {string} call
 * @param {object} given
 * @param {string[]} known
 * @param {string} [within]
 */
export function expectKnown(call, given, known, within = "") {
  for (const name of Object.keys(given)) expectOneOf(`${call} has no option ${within}`, name, known, within);
}

/**
 * Throws if the params of a method are not an object with names, as in `checkAuthorization("news")`.
 * @param {string} method
 * @param {unknown} params
 */
export function expectParams(method, params) {
  if (typeof params === "object" && !Array.isArray(params)) return;
  const wanted = Object.hasOwn(PARAMS, method) ? `: ${PARAMS[method]}` : "";
  const given = Array.isArray(params) ? "an array" : `a ${typeof params}`;
  throw new TypeError(`${method} takes an object with its params${wanted}; it was given ${given}`);
}

/**
 * Throws if a setting is not a setting of a session, and is not in `more`.
 * @param {import("./client.js").Settings} settings
 * @param {string[]} more
 */
export function expectSettings(settings, more) {
  expectKnown("connect", settings, [...SETTINGS, ...more]);
  expectKnown("connect", settings.limits ?? {}, Object.keys(LIMITS), "limits.");
  expectKnown("connect", settings.backoff ?? {}, Object.keys(BACKOFF), "backoff.");
}

/**
 * Throws if the name is unknown, and suggests a similar one.
 * @param {string} problem
 * @param {string} name
 * @param {string[]} known
 * @param {string} [before]
 */
export function expectOneOf(problem, name, known, before = "") {
  if (known.includes(name)) return;
  const [nearest = ""] = [...known].sort((one, other) => distance(name, one) - distance(name, other));
  const hint = distance(name, nearest) <= name.length / 2 ? `; is it ${before}${nearest}?` : "";
  throw new TypeError(`${problem}${name}${hint}`);
}

/**
 * The number of letters in which two names differ.
 * @param {string} one
 * @param {string} other
 */
function distance(one, other) {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const changed = Number(row[column - 1]) + Number(from[line - 1] !== to[column - 1]);
      next.push(Math.min(changed, Number(row[column]) + 1, Number(next[column - 1]) + 1));
    }
    row = next;
  }
  return Number(row[to.length]);
}
