/** Reads JSON with limited levels and values, because even a short value takes memory. */

const [LEVELS, VALUES] = [64, 1 << 18];

/** @param {string} text */
export function readJSON(text) {
  check(text);
  return JSON.parse(text);
}

/**
 * Counts levels and values without making them. The parser reports invalid JSON.
 * @param {string} text
 */
function check(text) {
  let [levels, values, isFirst] = [0, 1, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === " " || character === "\t" || character === "\r" || character === "\n") continue;
    if (character === "]" || character === "}") {
      levels--;
      isFirst = false;
      continue;
    }
    if (isFirst || character === ",") values++;
    isFirst = character === "[" || character === "{";
    if (isFirst) levels++;
    if (levels > LEVELS) throw new Error("it has too many levels");
    if (values > VALUES) throw new Error("it has too many values");
    if (character === '"') at = endOfString(text, at);
  }
}

/** @param {string} text @param {number} start */
function endOfString(text, start) {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
