#!/usr/bin/env node
/** Signs in, lists what may be watched, plays it, and signs in again after a logout. usage: app.js [PROVIDER] */

import { createInterface } from "node:readline/promises";
import { connect } from "passd";

const CHANNELS = ["lumen-sports-1", "lumen-movies", "lumen-trailers"];
const provider = process.argv[2];

async function choose(providers) {
  for (const { id, displayName } of providers) console.log(`${id}  ${displayName}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const id = await terminal.question("Your provider: ");
  terminal.close();
  return id.trim() || null;
}

const show = ({ code, url = "the activation page", link = url, isLocal }) =>
  console.log(`Open ${link} on ${isLocal ? "this machine" : "your phone"}. Code: ${code}`);

const tv = await connect({
  requestor: "LUMENTV",
  softwareStatement: process.env.STATEMENT, // not needed if the box has a stanza for this app
  name: "javascript-app",
});
for (;;) {
  const { authenticated, display } = await tv.signIn({ provider, choose, show });
  if (!authenticated) throw new Error(display ?? "Not signed in.");
  const callbacks = tv.callbacks();
  const { resources } = await tv.checkPreauthorizedResources({ resources: CHANNELS });
  for (const resource of resources) {
    const { authorized, token, display } = await tv.checkAuthorization({ resource });
    console.log(`${resource}: ${authorized ? `token ${token.slice(0, 12)}` : display}`);
  }
  for await (const { name, params } of callbacks) { // throws the reason if the session ends
    if (name === "setAuthenticationStatus" && params.status !== 1) break;
  }
  console.log("Signed out.");
}
