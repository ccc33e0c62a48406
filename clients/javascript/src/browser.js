/** passd's client library for browsers: a WebSocket. */

import { Client } from "./client.js";
import { expectSettings } from "./options.js";
import { webSocket } from "./websocket.js";

export { Client } from "./client.js";
export { PassdError } from "./errors.js";

/**
 * Opens a session over the WebSocket at `url`.
 * @param {import("./client.js").Settings & { url: string, WebSocket?: typeof WebSocket }} settings
 */
export async function connect(settings) {
  expectSettings(settings, ["url", "WebSocket"]);
  if (typeof settings.url !== "string") throw new TypeError("There is no url, the address of passd-web: ws://127.0.0.1:8643.");
  return await new Client(webSocket(settings.url, settings.WebSocket), settings).open();
}
