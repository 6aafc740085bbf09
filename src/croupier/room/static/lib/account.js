// One's own account, behind the name in the header: a new password, a name for a guest, logging out.

import { enter, logout } from "./api.js";
import { el, newId, put } from "./dom.js";

/** A text field with its label above it. */
export function field(title, props = {}, ...more) {
  const id = newId("field");
  const input = el("input", { id, required: true, ...props });
  return { input, node: el("div", { class: "field" }, el("label", { for: id }, title), input, more) };
}

export const newPassword = (title = "New password", props = {}) =>
  field(title, { type: "password", autocomplete: "new-password", maxlength: 256, ...props });

/** A form that says what the room refused, and nothing twice. */
export function acting(fields, button, act) {
  const said = el("p", { class: "bad", role: "alert" });
  const press = el("button", { class: "strong" }, button);
  const form = el("form", { class: "acting" }, fields.map(({ node }) => node), press, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    press.disabled = true;
    said.className = "bad";
    put(said);
    try {
      const done = await act();
      if (typeof done === "string") {
        form.reset();
        said.className = "good";
        put(said, done);
      }
    } catch ({ sentence }) {
      put(said, sentence);
    } finally {
      press.disabled = false;
    }
  });
  return form;
}

export const failedWords = (count) => `${count} failed log-in${count === 1 ? "" : "s"} since your last visit`;

function passwordForm() {
  const old = field("Present password", { type: "password", autocomplete: "current-password", maxlength: 256 });
  const fresh = newPassword();
  return acting([old, fresh], "Change password", async () => {
    await enter("/api/password", { old: old.input.value, new: fresh.input.value });
    return "Your password is changed. You are logged out everywhere else.";
  });
}

function nameForm() {
  const name = field("Name", { autocomplete: "username", maxlength: 32 });
  const password = newPassword("Password");
  return acting([name, password], "Take this name", async () => {
    await enter("/api/name", { name: name.input.value, password: password.input.value });
    location.reload();
  });
}

/** What opens when one presses one's name. */
export function account(me) {
  const out = el("button", { type: "button" }, "Log out");
  out.addEventListener("click", async () => {
    await logout();
    location.assign("/");
  });
  const about = me.guest
    ? [el("p", { class: "quietly" }, "You play as a guest: your chips are lost when you log out. Take a name to keep them."), nameForm()]
    : [passwordForm()];
  const failed = me.failed ? el("p", { class: "bad" }, `${failedWords(me.failed)}.`) : null;
  return el("div", { popover: "auto", id: "account", class: "settings", role: "dialog", "aria-label": "Your account" }, el("h2", null, me.name), failed, about, out);
}
