/**
 * A web app as the gateway sees it: webapp.mjs ORIGIN REQUESTOR. Signs in, plays, and plays again for each SIGUSR1; says what it
 * hears. Ends with 77 if it is refused. `ws` sends the origin, as a browser does.
 */
import { connect } from "passd";
import WebSocket from "ws";

const [origin, requestor] = process.argv.slice(2);
const channel = requestor === "NEWS24" ? "news24-live" : "lumen-sports-1";

class Page extends WebSocket {
  constructor(url) {
    super(url, { origin });
    this.on("error", () => {}); // a browser tells a page only that the connection was closed
  }
}

async function play() {
  try {
    const { token, display } = await tv.getAuthorization({ resource: channel });
    console.log(token === undefined ? `not played: ${display}` : `played ${token}`);
  } catch (error) {
    console.log(`not played: ${error.message}`);
  }
}

let tv;
try {
  tv = await connect({ url: "ws://127.0.0.1:8643", WebSocket: Page, requestor, name: "webapp", backoff: { first: 50, max: 500 } });
} catch (error) {
  console.log(`refused: ${error.code}`);
  process.exit(77);
}
tv.on("setAuthenticationStatus", ({ status, reason }) => console.log(status === 1 ? "signed in" : `signed out: ${reason}`));
tv.on("disconnected", () => console.log("disconnected"));
tv.on("reconnected", ({ authenticated }) => console.log(`reconnected, ${authenticated ? "" : "not "}signed in`));
process.on("SIGUSR1", play);
process.on("SIGTERM", () => process.exit(0));
console.log(tv.signedIn ? "began signed in" : "began");
const { outcome } = await tv.signIn({ provider: "NorthCable", show: ({ url }) => console.log(`Open ${url}`) });
console.log(`login: ${outcome}`);
await play();
for await (const _ of tv.callbacks());
