/** An app of one programmer: channels, signing in, playing. The page's `data-app` names the app. */

import { apps } from "./apps.js";
import { connect } from "./passd/browser.js";
import "./passd/sign-in.js";
import { announce, button, current, element, show, warn } from "./screens.js";
import { language, text } from "./texts.js";

const id = document.body.dataset.app;
const app = apps[id];
/** The screen for signing in, which is a part of the library. */
const signInScreen = document.querySelector("passd-sign-in");
/** The addresses of the gateway and of the TV's own first screen. */
const settings = await (await fetch("settings.json")).json();

let tv;
/** Whether the provider permits each channel; undefined while unknown. */
let decisions;
let provider;
/** Whether the viewer is signing out in this app. */
let isSigningOut = false;
/** Aborts the viewer's action when another screen is shown. */
let visit = new AbortController();

function begin() {
  visit.abort();
  visit = new AbortController();
  return visit.signal;
}

// Channels

function mark(channel, isAsking) {
  if (channel.isFree) return "free";
  if (!tv.signedIn) return "signIn";
  const decision = decisions?.get(channel.id);
  if (decision === undefined) return isAsking ? "asking" : "unknown";
  return decision.authorized ? "mayWatch" : "unavailable";
}

function tile(channel, isAsking) {
  const kind = mark(channel, isAsking);
  const made = button("", () => watch(channel), { id: channel.id, class: "tile", "data-mark": kind });
  made.style.setProperty("--hue", channel.hue);
  made.append(element("strong", {}, channel.name), element("span", { class: "now" }, channel.now),
    element("span", { class: "mark" }, text(`mark.${kind}`)));
  return element("li", {}, made);
}

function account() {
  if (!tv.signedIn) return text("signedOut");
  return provider === undefined ? text("signedInOpen") : text("signedIn", { provider });
}

function drawChannels({ focus, notice, say, isAsking = false }) {
  show("channels", { title: app.name, back: leave, focus, say },
    element("p", { class: "account" }, account()),
    element("p", { class: "notice" }, notice ?? ""),
    element("ul", { class: "tiles", "aria-label": text("channels") },
      ...app.channels.map((channel) => tile(channel, isAsking))),
    element("div", { class: "buttons" },
      button(text(tv.signedIn ? "signOut" : "signIn"), tv.signedIn ? askSignOut : startSignIn, { id: "account" }),
      button(text("leave"), leave, { id: "leave" })));
}

/** Shows the channels. Shows them again when the app knows which channels the provider permits. */
async function channels({ focus, notice = "" } = {}) {
  const signal = begin();
  drawChannels({ focus, notice, isAsking: true, say: [app.name, notice, account()].filter(Boolean).join(". ") });
  try {
    if (tv.signedIn) {
      const resources = app.channels.filter(({ isFree }) => !isFree).map((channel) => channel.id);
      const [hints, selected] = await Promise.all([
        tv.preauthorize({ resources }, { signal }), tv.getSelectedProvider({}, { signal })]);
      decisions = new Map(hints.decisions.map((decision) => [decision.id, decision]));
      provider = selected.provider?.displayName;
    } else {
      decisions = provider = undefined;
    }
  } catch {
    if (signal.aborted) return;
    decisions = undefined;
    notice ||= text("unknownChannels");
  }
  if (!signal.aborted) drawChannels({ focus: document.activeElement.id, notice, say: notice });
}

function leave() {
  if (settings.home !== undefined) location.href = `${settings.home}${location.search}#${id}`;
}

// Playing

async function watch(channel) {
  const signal = begin();
  wait();
  try {
    if (!channel.isFree) {
      let play;
      do {
        // If the answer is `pending`, the known login has ended, and the play waits for a new login.
        if ((play?.pending || !tv.signedIn) && !(await signIn(signal, channel.name))) return;
        wait();
        play = await tv.getAuthorization({ resource: channel.id }, { signal });
      } while (play.pending);
      if (!play.authorized) return refused(channel, play);
      if (!(await verified(play.token, channel, signal))) {
        const title = text("tokenRefused", { channel: channel.name });
        return message({ title, hint: text("tokenRefusedHint"), again: () => watch(channel) });
      }
    }
    playing(channel);
  } catch (error) {
    if (!signal.aborted) failed(error, () => watch(channel));
  }
}

/** Asks the programmer's own server, which plays only with a media token. Each token works once. */
async function verified(token, channel, signal) {
  const answer = await fetch("verify", { method: "POST", body: JSON.stringify({ token, resource: channel.id }), signal });
  return answer.ok && (await answer.json()).result === "VALID_TOKEN";
}

function playing(channel) {
  const picture = element("div", { class: "picture", "aria-hidden": "true" });
  picture.style.setProperty("--hue", channel.hue);
  const back = () => channels({ focus: channel.id });
  show("playing", { title: channel.name, back, say: text("playing", { channel: channel.name }) },
    picture,
    element("p", { class: "now" }, element("span", { class: "live" }, text("live")), channel.now),
    element("div", { class: "buttons" }, button(text("stop"), back, { id: "stop" })));
}

function refused(channel, { display, displaySource, error, errorCode }) {
  const isQuote = displaySource === "provider" && provider !== undefined;
  const hint = isQuote ? text("says", { provider, words: display }) : display;
  const isForAWhile = errorCode !== "USER_NOT_AUTHORIZED_ERROR" || error?.code === "authorization_denied_by_degradation_rule";
  const title = isForAWhile ? text("blackedOut", { channel: channel.name }) : text("refused", { channel: channel.name });
  message({ title, hint, focus: channel.id, again: isForAWhile ? () => watch(channel) : undefined });
}

// Signing in and out

async function startSignIn() {
  const signal = begin();
  wait();
  try {
    if (tv.signedIn || (await signIn(signal))) channels({ focus: "account" });
  } catch (error) {
    if (!signal.aborted) failed(error, startSignIn);
  }
}

/** Signs the viewer in. Returns whether that worked. If not, the channels are shown. */
async function signIn(signal, channel) {
  const { authenticated } = await signInScreen.signIn(tv, { channel, signal });
  if (!authenticated) channels();
  return authenticated;
}

function askSignOut() {
  const stay = () => channels({ focus: "account" });
  begin();
  show("question", { title: text("askSignOut"), back: stay, say: `${text("askSignOut")} ${text("askSignOutHint")}` },
    element("p", { class: "hint" }, text("askSignOutHint")),
    element("div", { class: "buttons" }, button(text("stay"), stay, { id: "stay" }),
      button(text("signOut"), signOut, { id: "sign-out" })));
}

async function signOut() {
  const signal = begin();
  wait();
  isSigningOut = true;
  try {
    await tv.logout({}, { signal });
    if (!signal.aborted) channels({ focus: "account", notice: text("end.own") });
  } catch (error) {
    if (!signal.aborted) failed(error, signOut);
  } finally {
    isSigningOut = false;
  }
}

// Errors, and events of other apps

function wait() {
  show("wait", { title: text("wait"), back: () => channels() });
}

function message({ title, hint = "", again, focus }) {
  const back = () => channels({ focus });
  show("message", { title, back, say: `${title}. ${hint}` },
    element("p", { class: "hint" }, hint),
    element("div", { class: "buttons" }, again && button(text("again"), again, { id: "again" }),
      button(text("toChannels"), back, { id: "back" })));
}

/** The codes of service faults in passd(7), and of connection faults in the library. */
const serviceAway = /^(CFG404|CFG429|CFG5..|N500|P100|REG500|SEC420|Z120|Z500)$/;
const daemonAway = /^(DISCONNECTED|TIMED_OUT|UNREACHABLE)$/;

/** Shows a problem. The text of the error is not for viewers, so only the log gets the error itself. */
function failed(error, again) {
  console.warn(error);
  const [title, hint] = serviceAway.test(error.code) ? [text("serviceAway"), text("serviceAwayHint")]
    : daemonAway.test(error.code) ? [text("awayTitle"), text("awayHint")] : [text("trouble"), text("troubleHint")];
  message({ title, hint, again });
}

/** Handles logins that other apps began or ended. For this app's own login and logout, the calls return the result. */
function heard({ status, reason }) {
  // If only a login in progress was replaced, nobody was signed in or out.
  if (reason === undefined || reason === "replaced" || (isSigningOut && reason === "logout")) return;
  const end = ["revoked", "expired", "reconnected"].includes(reason) ? reason : "logout";
  const notice = status === 1 ? text("signedInByOther") : text(`end.${end}`, { provider: provider ?? text("end.unnamed") });
  if (status !== 1 || current() === "channels") channels({ focus: document.activeElement.id, notice });
}

/** Handles a box that does not permit this app. */
function notPermitted(error) {
  begin();
  console.warn(error);
  show("message", { title: text("notPermitted", { app: app.name }), back: leave },
    element("p", { class: "hint" }, text("notPermittedHint")),
    element("div", { class: "buttons" }, button(text("leave"), leave, { id: "leave" })));
}

/** Reads callbacks until the session ends permanently. */
async function untilEnd() {
  for await (const _ of tv.callbacks());
}

async function start() {
  for (;;) {
    try {
      tv = await connect({
        url: settings.gateway, requestor: app.requestor, name: id, options: { language },
        backoff: { first: 200, max: 3000 },
      });
      break;
    } catch (error) {
      if (error.isRefusal && error.data.action !== "retry") return notPermitted(error);
      if (current() !== "away") {
        show("away", { title: text("awayTitle"), back: leave }, element("p", { class: "hint" }, text("away")),
          element("div", { class: "buttons" }, button(text("leave"), leave, { id: "leave" })));
      }
      await new Promise((resolve) => { setTimeout(resolve, 2000); });
    }
  }
  tv.on("setAuthenticationStatus", heard);
  tv.on("disconnected", () => warn(text("away")));
  tv.on("reconnected", () => {
    warn();
    announce(text("back"));
    if (current() === "channels") channels({ focus: document.activeElement.id });
  });
  untilEnd().catch(notPermitted);
  channels();
}

start();
