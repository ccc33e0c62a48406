/** Splits bytes into messages, in either of the two framings: lines, or Content-Length headers. */

const HEADER = 4096;

export class FrameReader {
  /** @type {import("./connection.js").Framing} */ #framing;
  /** @type {number} */ #limit;
  #bytes = Buffer.alloc(0);
  /**
   * Later pieces. They are joined when a message may be complete.
   * @type {Buffer[]}
   */
  #pieces = [];
  #size = 0;
  /** @type {number | undefined} */ #length;

  /** @param {import("./connection.js").Framing} framing @param {number} limit */
  constructor(framing, limit) {
    this.#framing = framing;
    this.#limit = limit;
  }

  /**
   * Returns the messages that are complete with these bytes. Throws if the bytes are not a message.
   * @param {Buffer} data
   */
  *feed(data) {
    this.#pieces.push(data);
    this.#size += data.length;
    if (!this.#mayBeComplete(data)) return;
    this.#bytes = Buffer.concat([this.#bytes, ...this.#pieces]);
    this.#pieces = [];
    for (;;) {
      const message = this.#framing === "lines" ? this.#line() : this.#body();
      if (message === undefined) break;
      if (message !== "") yield message;
    }
    this.#size = this.#bytes.length;
  }

  /** @param {Buffer} data */
  #mayBeComplete(data) {
    if (this.#framing === "headers") return this.#length === undefined || this.#size >= this.#length;
    if (data.includes(10)) return true;
    this.#check(this.#size);
    return false;
  }

  #line() {
    const end = this.#bytes.indexOf(10);
    this.#check(end < 0 ? this.#bytes.length : end);
    if (end < 0) return undefined;
    return this.#take(end, end + 1).trim();
  }

  #body() {
    if (this.#length === undefined) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end > HEADER || (end < 0 && this.#bytes.length > HEADER)) throw new Error("a header is too long");
      if (end < 0) return undefined;
      const length = contentLength(this.#bytes.toString("latin1", 0, end));
      this.#check(length);
      this.#bytes = this.#bytes.subarray(end + 4);
      this.#length = length;
    }
    if (this.#bytes.length < this.#length) return undefined;
    const length = this.#length;
    this.#length = undefined;
    return this.#take(length, length);
  }

  /** @param {number} end @param {number} next */
  #take(end, next) {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(this.#bytes.subarray(0, end));
    this.#bytes = this.#bytes.subarray(next);
    return text;
  }

  /** @param {number} size */
  #check(size) {
    if (size > this.#limit) throw new Error(`a message of more than ${this.#limit} bytes`);
  }
}

/** @param {string} header */
function contentLength(header) {
  const found = /^content-length\s*:\s*([0-9]{1,15})\s*$/im.exec(header);
  if (found === null) throw new Error("a header without Content-Length");
  return Number(found[1]);
}

/** @param {string} text @param {import("./connection.js").Framing} framing */
export function frame(text, framing) {
  return framing === "lines" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
