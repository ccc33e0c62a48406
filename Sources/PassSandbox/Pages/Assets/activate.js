// The script of the pages. It submits a form that needs no input. While the viewer types the code, it shows the code in
// capitals and groups. It can show the password, and a second click does not send a form again. Everything works without the
// script as well.

"use strict";

const code = document.querySelector("input.code");
if (code) {
  code.addEventListener("input", () => {
    if (code.selectionEnd !== code.value.length) return;
    const bare = code.value.toUpperCase().replace(/[^A-Z0-9]/g, "");
    const groups = bare.slice(3).match(/.{1,4}/g) || [];
    code.value = [bare.slice(0, 3), ...groups].join(" ").trim();
  });
  // A wrong code is typed again from the beginning.
  if (code.hasAttribute("aria-invalid")) {
    code.focus();
    code.select();
  }
}

const onward = document.querySelector("form.goes-on");
if (onward) onward.submit();

const password = document.querySelector("input[type=password]");
if (password) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.setAttribute("aria-controls", "password");
  password.parentElement.append(button);
  const texts = password.parentElement.dataset;
  const show = (visible) => {
    password.type = visible ? "text" : "password";
    button.textContent = visible ? texts.hide : texts.show;
    button.setAttribute("aria-label", visible ? texts.hideLabel : texts.showLabel);
  };
  show(false);
  button.addEventListener("click", () => show(password.type === "password"));
  password.form.addEventListener("submit", () => show(false));
}

for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
