/**
 * The texts for viewers, from texts.json. The provider's own words and the channels' programmes stay as they are. The language
 * is `lang` in the page's address, or else the browser's. The translations were not reviewed by native speakers.
 */

/** Intl throws if a tag is malformed. */
function isValid(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const all = await (await fetch("texts.json")).json();
const wanted = [new URLSearchParams(location.search).get("lang"), ...navigator.languages]
  .filter((tag) => isValid(tag) && tag.toLowerCase().split("-")[0] in all.home);
/** For Intl, with the region. */
const locale = wanted[0] ?? "en";
export const language = locale.toLowerCase().split("-")[0];
document.documentElement.lang = language;

/** Names in braces are replaced by `values`. */
export const text = (name, values = {}) => all[name][language].replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** A day, such as "12 March 2027", with the time of day if it is soon. */
export function day(time) {
  const isSoon = time - Date.now() < 86400000;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: isSoon ? "short" : undefined }).format(time);
}

/** How long ago a time was, such as "just now" or "5 minutes ago". */
export function ago(time) {
  const minutes = Math.max(0, Math.round((Date.now() - time) / 60000));
  if (minutes === 0) return text("now");
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [Math.round(minutes / 60), "hour"]
    : [Math.round(minutes / 1440), "day"];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-count, unit);
}
