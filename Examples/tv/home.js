/**
 * The TV's first screen: the apps, each at its own origin, and "TV provider". There the viewer sees who is signed in and which
 * apps use it, and signs in and out for all apps of the box. An example for builders of home screens.
 */

import { apps } from "./apps.js";
import { connect } from "./passd/browser.js";
import "./passd/sign-in.js";
import { button, current, element, show, warn } from "./screens.js";
import { ago, day, text } from "./texts.js";

/** The service gives other apps' requestors this login, too, if their programmers trust the box. */
const requestors = ["LUMENTV"];
const types = ["authentication", "login.opened", "login.closed"];
const signInScreen = document.querySelector("passd-sign-in");
const settings = await (await fetch("settings.json")).json();

let tv;
/** The result of `passd.household`; undefined while unknown. */
let household;
/** Why it is unknown: the texts of "wait", "providerAway" or "providerDenied". */
let problem = "wait";
let notice = "";
/** The name of this screen's stanza. A login that began here counts as a use by this screen, which is no app for the viewer. */
let own;

// The first screen

function summary() {
  const [login] = household?.logins ?? [];
  if (household === undefined) return text(problem);
  return login === undefined ? text("signedOut") : text("signedIn", { provider: login.provider.displayName });
}

function tile(id, href, hue, ...parts) {
  const made = element("a", { class: "tile", href, id }, ...parts);
  made.style.setProperty("--hue", hue);
  return element("li", {}, made);
}

function home({ focus = location.hash.slice(1), say } = {}) {
  const tiles = Object.entries(settings.apps).map(([id, href]) => tile(id, href + location.search, apps[id].hue,
    element("strong", {}, apps[id].name), element("span", { class: "now" }, text(`about.${id}`)),
    element("span", { class: "mark" }, text("openApp"))));
  show("home", { title: text("home"), focus, say }, element("ul", { class: "tiles" }, ...tiles),
    button("", open, { id: "provider", class: "wide" }, ...logos(),
      element("strong", {}, text("provider")), element("span", { class: "now" }, summary())));
}

function logos() {
  return (household?.logins ?? []).filter((login) => login.provider.logoURL).map((login) =>
    element("span", { class: "logo" }, element("img", { src: login.provider.logoURL, alt: "" })));
}

// TV provider

function open() {
  notice = "";
  provider();
  update();
}

function provider({ focus, say } = {}) {
  const { signedIn, logins = [], openCodes = [] } = household ?? {};
  const lines = household === undefined ? [text(problem)] : signedIn ? [] : [text("signedOut"), text("providerAbout")];
  show("provider", { title: text("provider"), back: () => home({ focus: "provider" }), focus, say: say ?? summary() },
    element("p", { class: "notice" }, notice),
    ...lines.map((line) => element("p", { class: "hint" }, line)),
    ...openCodes.map(({ app, title = app }) => element("p", { class: "hint" }, text("waiting", { app: title }))),
    element("div", { class: "logins" }, ...logins.map(login)),
    element("div", { class: "buttons" },
      signedIn && button(text("signOutEverywhere"), askSignOut, { id: "sign-out" }),
      household && logins.every(({ kind }) => ["temporary", "degraded"].includes(kind))
        && button(text("signInAll"), signIn, { id: "sign-in" }),
      button(text("close"), () => home({ focus: "provider" }), { id: "close" })));
}

function login({ provider, until, apps: users }) {
  const { displayName, logoURL } = provider;
  const others = users.filter(({ name }) => name !== own);
  return element("section", { class: "login", "aria-label": displayName },
    logoURL && element("span", { class: "logo" }, element("img", { src: logoURL, alt: "" })),
    element("h2", {}, displayName),
    element("p", {}, text("signedInUntil", { date: day(until) })),
    element("h3", {}, text(others.length > 0 ? "usedBy" : "usedByNone")),
    element("ul", { class: "users" }, ...others.map(({ name, title = name, lastUsed }) => element("li", {},
      element("strong", {}, title),
      element("span", { class: "now" }, lastUsed ? text("used", { when: ago(lastUsed) }) : text("usedUnknown"))))));
}

async function signIn() {
  await attempt(async () => {
    const { authenticated } = await signInScreen.signIn(tv, { requestors });
    if (authenticated) await update();
  });
  provider();
}

function askSignOut() {
  const stay = () => provider();
  show("question", { title: text("askSignOut"), back: stay, say: `${text("askSignOut")} ${text("askSignOutHint")}` },
    element("p", { class: "hint" }, text("askSignOutHint")),
    element("div", { class: "buttons" }, button(text("stay"), stay, { id: "stay" }),
      button(text("signOutEverywhere"), signOut, { id: "sign-out" })));
}

async function signOut() {
  show("wait", { title: text("wait") });
  await attempt(async () => {
    const result = await tv.call("passd.signOut");
    await update();
    notice = end(result);
  });
  provider({ say: notice });
}

/** Says how the viewer was signed out, and what is left for the viewer to do. */
function end({ durable = true, onPlatform, untold }) {
  if (!durable) return text("notStored");
  if (onPlatform) return text("onPlatform", { provider: onPlatform.join(", ") });
  return text(untold ? "untold" : "end.own");
}

/** Does what the viewer wants, or tells the viewer that it does not work. The error itself is not for viewers. */
async function attempt(work) {
  notice = "";
  try {
    await work();
  } catch (error) {
    console.warn(error);
    notice = text("trouble");
  }
}

// What the daemon says

let asking;
let isStale = false;

/** Asks the daemon, and again if something has changed in the meantime. Returns after the last answer. */
function update() {
  isStale = true;
  asking ??= ask();
  return asking;
}

async function ask() {
  try {
    for (; isStale; draw()) {
      isStale = false;
      household = await tv.call("passd.household");
    }
  } catch (error) {
    unknown(error);
  } finally {
    asking = undefined;
  }
}

function unknown(error) {
  household = undefined;
  problem = error.isRefusal && error.data.action !== "retry" ? "providerDenied" : "providerAway";
  draw();
}

let said;

/** Draws the screen again, if it shows the household. The focus stays. A screen reader hears only of a change. */
function draw() {
  const before = said;
  said = summary();
  if (said !== before) notice = "";
  const how = { focus: document.activeElement.id, say: said === before ? "" : said };
  if (document.querySelector("passd-sign-in[screen]")) return;
  if (current() === "home") home(how);
  if (current() === "provider") provider(how);
}

/** Hears of changes from now on. A new connection needs this again. */
async function observe() {
  warn();
  try {
    own = (await tv.whoami()).identity.app;
    await tv.subscribe({ types });
    await update();
  } catch (error) {
    unknown(error);
  }
}

async function start() {
  try {
    tv = await connect({ url: settings.gateway, name: "home", backoff: { first: 200, max: 3000 } });
  } catch (error) {
    unknown(error);
    if (problem === "providerAway") setTimeout(start, 2000);
    return;
  }
  tv.on("event", update);
  tv.on("disconnected", (error) => { warn(text("away")); unknown(error); });
  tv.on("reconnected", observe);
  observe();
  try {
    for await (const _ of tv.callbacks());
  } catch (error) {
    unknown(error); // the session has ended permanently
  }
}

home();
start();
