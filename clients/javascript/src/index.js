/** passd's client library for Node: the Unix socket, or a WebSocket. */

import { Client } from "./client.js";
import { expectSettings } from "./options.js";
import { findSocket, unixSocket } from "./unix.js";
import { webSocket } from "./websocket.js";

export { Client } from "./client.js";
export { PassdError } from "./errors.js";
export { findSocket } from "./unix.js";

/**
 * Opens a session over the WebSocket at `url`, or over a Unix socket: `path`, else PASSD_SOCKET, else the socket of an
 * installed daemon. `framing` is for the Unix socket; `headers` means Content-Length.
 * @param {import("./client.js").Settings & {
 *   path?: string, framing?: import("./connection.js").Framing, url?: string, WebSocket?: typeof WebSocket,
 * }} [settings]
 */
export async function connect(settings = {}) {
  expectSettings(settings, ["path", "framing", "url", "WebSocket"]);
  const { url, path, framing = "lines" } = settings;
  const transport = url === undefined ? unixSocket(findSocket(path), framing) : webSocket(url, settings.WebSocket);
  return await new Client(transport, settings).open();
}
