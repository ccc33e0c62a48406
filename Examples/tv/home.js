/** The TV's own first screen: the apps, each at an origin of its own. */

import { apps } from "./apps.js";
import { element, show } from "./screens.js";
import { texts } from "./texts.js";

const settings = await (await fetch("settings.json")).json();
const tiles = Object.entries(settings.apps).map(([id, href]) =>
  element("li", {}, element("a", { class: "tile", href, id }, element("strong", {}, apps[id].name),
    element("span", { class: "mark" }, texts.openApp))));
show("home", { title: texts.home, focus: location.hash.slice(1) }, element("ul", { class: "tiles" }, ...tiles));
