/** Draws screens, moves the focus as a remote control does, and announces changes to screen readers. */

import { nearest } from "./passd/sign-in.js";

const main = document.querySelector("main");
const banner = document.querySelector("#banner");
const spoken = document.querySelector("#spoken");
let goBack = () => {};

/** An element. `attributes` may have handlers, such as `onclick`. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made[key] = value;
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(Boolean));
  return made;
}

export const button = (text, onclick, attributes = {}, ...children) =>
  element("button", { type: "button", onclick, ...attributes }, text, ...children);

/** The name of the screen that is shown. */
export const current = () => document.body.dataset.screen;

/** Shows a screen. The focus goes to the element with the id `focus`, or else to the first focusable one. */
export function show(name, { title, back, focus, say = title }, ...parts) {
  document.body.dataset.screen = name;
  document.title = title;
  main.replaceChildren(element("h1", { tabindex: "-1" }, title), ...parts);
  goBack = back;
  const targets = [...main.querySelectorAll("button, a")];
  (targets.find(({ id }) => id === focus) ?? targets[0] ?? main.querySelector("h1")).focus();
  if (say) announce(say);
}

/** Announces a text to screen readers, even if it is the same as the last one. */
export function announce(text) {
  spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a warning above every screen. Nothing hides it. */
export function warn(text = "") {
  banner.textContent = text;
  banner.hidden = text === "";
}

addEventListener("keydown", (event) => {
  if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    const from = main.contains(document.activeElement) ? document.activeElement : main;
    const others = [...main.querySelectorAll("button, a")].filter((each) => each !== from);
    const place = (each) => each.getBoundingClientRect();
    others[nearest(place(from), others.map(place), event.key)]?.focus();
  } else if (["Backspace", "Escape", "BrowserBack", "GoBack"].includes(event.key)) {
    event.preventDefault();
    if (!event.repeat) goBack?.();
  } else if (event.key === "Enter" && event.repeat) {
    event.preventDefault(); // a key that is held down counts once
  } else if (["Accept", "Select"].includes(event.key) && !event.repeat) {
    event.preventDefault(); // the OK key of remote controls without Enter
    document.activeElement.click();
  }
});
// A click beside a button does not move the focus, because a remote control could not get it back.
addEventListener("mousedown", (event) => event.target.closest("button, a, passd-sign-in") ?? event.preventDefault());
