/** The transport over a WebSocket, for browsers. */

import { lost, notUnderstood, unreachable } from "./errors.js";

/** @param {string} url @param {string} reason */
const noGateway = (url, reason) => unreachable(url, reason,
  "url is where passd-web listens, such as ws://127.0.0.1:8643; for development, pass-sandbox box --web starts it.");

/**
 * @param {string} url
 * @param {typeof WebSocket | undefined} Kind
 * @returns {import("./connection.js").Transport}
 */
export function webSocket(url, Kind = globalThis.WebSocket) {
  return (within, limits, heard) => new Promise((resolve, reject) => {
    if (Kind === undefined) return reject(noGateway(url, "there is no WebSocket here; give one in the settings"));
    /** @type {WebSocket} */
    let socket;
    try {
      socket = new Kind(url);
    } catch (error) {
      return reject(noGateway(url, error instanceof Error ? error.message : String(error)));
    }
    const timer = setTimeout(() => {
      reject(noGateway(url, "it did not accept the connection in time"));
      socket.close();
    }, within);
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      clearTimeout(timer);
      resolve({
        send: (text) => socket.send(text),
        unsent: () => socket.bufferedAmount,
        close: () => socket.close(),
      });
    };
    socket.onmessage = ({ data }) => {
      const problem = typeof data !== "string" ? "a message is not text"
        : data.length > limits.message ? `a message of more than ${limits.message} bytes` : undefined;
      if (problem === undefined) return heard.message(data);
      heard.end(notUnderstood(problem));
      socket.close();
    };
    socket.onclose = ({ reason }) => {
      clearTimeout(timer);
      if (isOpen) heard.end(lost(reason || "it was closed"));
      else reject(noGateway(url, reason || "it did not accept the connection"));
    };
  });
}
