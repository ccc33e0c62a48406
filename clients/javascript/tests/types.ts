// The types as an app sees them. The checks compile this file; it is never run.

import { connect, PassdError, type Client } from "../src/index.js";
import { connect as connectInBrowser } from "../src/browser.js";
import { PassdSignIn } from "../src/sign-in.js";

export async function app(): Promise<string | undefined> {
  const tv: Client = await connect({ requestor: "LUMENTV", limits: { calls: 3 }, backoff: { max: 5000 } });
  // @ts-expect-error: there is no such limit
  await connect({ limits: { call: 3 } });
  const leave: () => void = tv.on("setAuthenticationStatus", ({ status, errorCode }) => {
    const text: string = errorCode;
    return status === 1 && text === "";
  });
  tv.on("displayProviderDialog", ({ providers }) => providers.map((provider) => provider.displayName));
  // @ts-expect-error: there is no such callback
  tv.on("setAuthenticatedStatus", () => undefined);
  leave();
  const outcome = await tv.signIn({ choose: (providers) => providers[0]?.id ?? null, show: ({ code }) => code });
  const signal = new AbortController().signal;
  const play = await tv.getAuthorization({ resource: "news" }, { signal, within: 1000 });
  // @ts-expect-error: the resource is needed
  await tv.getAuthorization({});
  // @ts-expect-error: a wrong word
  await tv.setOptions({ flow: "thirdScreen" });
  const screen = document.querySelector("passd-sign-in") as PassdSignIn;
  screen.texts = { choose: "Wer ist dein TV-Anbieter?" };
  const { authenticated }: { authenticated: boolean } = await screen.signIn(tv, { channel: "News", signal });
  // @ts-expect-error: there is no such option
  if (!authenticated) await screen.signIn(tv, { chanel: "News" });
  for await (const { name } of tv.callbacks()) if (name === "setToken") break;
  try {
    await connectInBrowser({ url: "ws://localhost", requestor: "NEWS24" });
  } catch (error) {
    if (error instanceof PassdError) return error.remedy;
  }
  return outcome.authenticated ? play.token : outcome.reason;
}
