/** The TV's own first screen: the apps, each at its own origin. */

import { apps } from "./apps.js";
import { element, show } from "./screens.js";
import { texts } from "./texts.js";

const settings = await (await fetch("settings.json")).json();
const tiles = Object.entries(settings.apps).map(([id, href]) => {
  const { name, about, hue } = apps[id];
  const tile = element("a", { class: "tile", href, id }, element("strong", {}, name),
    element("span", { class: "now" }, about), element("span", { class: "mark" }, texts.openApp));
  tile.style.setProperty("--hue", hue);
  return element("li", {}, tile);
});
show("home", { title: texts.home, focus: location.hash.slice(1) }, element("ul", { class: "tiles" }, ...tiles));
