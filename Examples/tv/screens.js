/** Draws screens, moves the focus as a remote control does, and announces changes to screen readers. */

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
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

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

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest element in a direction. Elements straight ahead come before those to the side. */
function neighbour(from, [x, y]) {
  const centre = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [left, top] = centre(from.getBoundingClientRect());
  let nearest;
  let least = Infinity;
  for (const target of main.querySelectorAll("button, a")) {
    const [toLeft, toTop] = centre(target.getBoundingClientRect());
    const ahead = (toLeft - left) * x + (toTop - top) * y;
    const aside = Math.abs((toLeft - left) * y) + Math.abs((toTop - top) * x);
    if (target === from || ahead < 1 || (x !== 0 && aside > ahead)) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) [nearest, least] = [target, distance];
  }
  return nearest;
}

addEventListener("keydown", (event) => {
  if (event.key in steps) {
    event.preventDefault();
    const from = main.contains(document.activeElement) ? document.activeElement : main;
    neighbour(from, steps[event.key])?.focus();
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
addEventListener("mousedown", (event) => event.target.closest("button, a") ?? event.preventDefault());
