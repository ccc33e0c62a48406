/** The daemon's Unix socket, for Node. */

import fs from "node:fs";
import net from "node:net";

import { PassdError, forbidden, lost, notUnderstood, unreachable } from "./errors.js";
import { FrameReader, frame } from "./frames.js";

const DEFAULT_SOCKET = "/run/passd/passd.sock";

/**
 * The given path, else PASSD_SOCKET, else the socket of an installed daemon.
 * @param {string} [path]
 */
export function findSocket(path) {
  return path || process.env.PASSD_SOCKET || DEFAULT_SOCKET;
}

/**
 * The first directory of the socket's path that this process may not enter.
 * @param {string} path
 */
function closedDirectory(path) {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const directory = path.slice(0, slash) || "/";
    try {
      fs.accessSync(directory, fs.constants.X_OK);
    } catch {
      return directory;
    }
  }
  return undefined;
}

/**
 * @param {string} path
 * @param {import("./connection.js").Framing} framing
 * @returns {import("./connection.js").Transport}
 */
export function unixSocket(path, framing) {
  return (within, limits, heard) => new Promise((resolve, reject) => {
    if (path.includes("\0")) return reject(unreachable(path, "the path has a zero byte"));
    const frames = new FrameReader(framing, limits.message);
    const socket = net.connect(path);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(unreachable(path, "it did not accept the connection in time"));
    }, within);
    let isOpen = false;
    /** @param {PassdError} reason */
    const end = (reason) => {
      socket.destroy();
      heard.end(reason);
    };
    socket.on("connect", () => {
      isOpen = true;
      clearTimeout(timer);
      resolve({
        send: (text) => void socket.write(frame(text, framing)),
        unsent: () => socket.writableLength,
        // Written data is still sent, unless the daemon does not read it.
        close: () => {
          socket.destroySoon();
          /** @type {any} */ (setTimeout(() => socket.destroy(), 1000)).unref();
        },
      });
    });
    socket.on("data", (data) => {
      try {
        for (const text of frames.feed(data)) heard.message(text);
      } catch (error) {
        end(notUnderstood(error instanceof Error ? error.message : String(error)));
      }
    });
    socket.on("error", (error) => {
      clearTimeout(timer);
      const { code } = /** @type {{ code?: string }} */ (error);
      if (isOpen) end(lost(error.message));
      else reject(code === "EACCES" || code === "EPERM" ? forbidden(path, closedDirectory(path)) : unreachable(path, error.message));
    });
    socket.on("close", () => end(lost("passd closed it")));
  });
}
