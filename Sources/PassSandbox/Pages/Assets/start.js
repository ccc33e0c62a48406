// The script of the start page: it shows changes without a reload, and presses buttons without leaving the page. Everything
// works without the script as well.

"use strict";

const dashboard = document.getElementById("dashboard");
if (dashboard) {
  const parts = (from) => new Map([...from.querySelectorAll("[data-live]")].map((part) => [part.dataset.live, part]));
  const shown = new Map([...parts(document)].map(([name, part]) => [name, part.innerHTML]));

  // Replaces the parts that have changed. Open commands stay open, and a focused button keeps the focus.
  const show = (text) => {
    const next = parts(new DOMParser().parseFromString(text, "text/html"));
    for (const [name, part] of parts(document)) {
      const html = next.get(name)?.innerHTML;
      if (html === undefined || html === shown.get(name)) continue;
      shown.set(name, html);
      const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
      const open = [...part.querySelectorAll("details[open]")].map((details) => details.id);
      part.innerHTML = html;
      for (const id of open) document.getElementById(id)?.setAttribute("open", "");
      if (focused) document.getElementById(focused)?.focus();
    }
  };

  const load = async (options) => {
    const answer = await fetch(options ? dashboard.action : location.pathname, options);
    const text = await answer.text();
    if (answer.ok) return show(text);
    dashboard.querySelector("[data-live=last]").textContent = "The sandbox refused this. Load the page again.";
  };

  document.addEventListener("submit", (event) => {
    if (event.target !== dashboard) return;
    event.preventDefault();
    load({ method: "POST", body: new URLSearchParams(new FormData(dashboard, event.submitter)) }).catch(() => {});
  });

  // While the sandbox does not answer, the page does not change.
  setInterval(() => document.hidden || load().catch(() => {}), 1000);
}
