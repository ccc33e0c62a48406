/** A name that nobody knows would be taken silently, and do nothing. */

/** What `Client` takes. */
export const SETTINGS = [
  "requestor", "softwareStatement", "options", "name", "version", "within", "reconnect", "backoff", "limits", "on",
];

export const SIGN_IN = ["provider", "choose", "show", "force", "data", "signal", "within"];

/**
 * Throws if there is another option than the known ones.
 * @param {string} call
 * @param {object} given
 * @param {string[]} known
 */
export function expectKnown(call, given, known) {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest = ""] = [...known].sort((one, other) => distance(unknown, one) - distance(unknown, other));
  const hint = distance(unknown, nearest) <= unknown.length / 2 ? `; is it ${nearest}?` : "";
  throw new TypeError(`${call} has no option ${unknown}${hint}`);
}

/**
 * How many letters have to be changed.
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
