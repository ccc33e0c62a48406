/** The conformance driver of the JavaScript library. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { connect, PassdError } = await import(process.env.LIBRARY ?? "../../javascript/src/index.js");

const document = JSON.parse(readFileSync(new URL("../../openrpc.json", import.meta.url), "utf8"));
const names = [...document["x-passd-callbacks"].map(({ name }) => name), "disconnected", "reconnected"];

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const on = Object.fromEntries(names.map((name) => [name, (params) => say({ callback: name, params })]));
const cancelling = new Map();
const choosing = new Map();
let client;

function described(error) {
  if (error instanceof TypeError) return { message: error.message };
  if (!(error instanceof PassdError)) return { code: error.name === "AbortError" ? "CANCELLED" : String(error.stack) };
  const { code, number, message, remedy, details, retryAfter } = error;
  return { code, number, message, remedy, details, retryAfter };
}

async function follow() {
  try {
    for await (const { name } of client.callbacks()) void name;
  } catch (error) {
    say({ ended: described(error) });
  }
}

async function perform(step, signal) {
  switch (step.do) {
    case "connect": {
      const { do: _, id: __, statement, ...settings } = step;
      client = await connect({ ...settings, softwareStatement: statement, on });
      void follow();
      return {};
    }
    case "call":
      return await client.call(step.method, step.params, { within: step.within, signal });
    case "sign in": {
      const { id, provider, force, data, within } = step;
      const chooseLater = (providers) => {
        say({ id, choose: providers.map((each) => each.id) });
        return new Promise((resolve) => choosing.set(id, resolve));
      };
      const choose = step.asks ? chooseLater : "choose" in step ? () => step.choose : undefined;
      const show = ({ state, code, link, url, isLocal }) => say({ id, show: { state, code, link, url, isLocal } });
      const { outcome, reason, display } = await client.signIn({ provider, choose, show, force, data, signal, within });
      if (signal.aborted && outcome === "cancelled") throw signal.reason;
      return { outcome, reason, display };
    }
    case "on":
      client.on(step.callback, () => {});
      return {};
    case "signed in":
      return client.signedIn ?? null;
    case "close":
      client.close();
      return {};
  }
}

say({ library: "JavaScript", features: ["cancel", "handlers", "headers", "limits", "one order", "reconnect", "repeat", "sign in", "signed in", "waiting open"] });
for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  if (step.do === "cancel") {
    cancelling.get(step.id).abort();
    continue;
  }
  if (step.do === "choose") {
    if (!choosing.has(step.id) && step.provider === null) client.setSelectedProvider({ providerID: null }).catch(() => {});
    else choosing.get(step.id)(step.provider);
    continue;
  }
  const controller = new AbortController();
  cancelling.set(step.id, controller);
  perform(step, controller.signal).then(
    (result) => say({ id: step.id, result }),
    (error) => say({ id: step.id, error: described(error) }),
  );
}
client?.close();
