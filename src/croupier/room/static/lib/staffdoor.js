// The door of a page that asks for an account of the house.

import { login } from "./api.js";
import { el, put } from "./dom.js";

/** Resolves with who came in. */
export function forStaff(place, title) {
  return new Promise((entered) => {
    const name = el("input", { id: "name", autocomplete: "username", required: true });
    const password = el("input", { id: "password", type: "password", autocomplete: "current-password", required: true });
    const wrong = el("p", { class: "bad", role: "alert" });
    const form = el("form", { class: "panel door" }, el("h2", null, title), el("p", null, "For those who run the tables. Log in with your account."),
      el("label", { for: "name" }, "Name"), name, el("label", { for: "password" }, "Password"), password,
      el("button", { class: "strong" }, "Log in"), wrong, el("a", { href: "/" }, "To the tables"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const me = await login(name.value, password.value);
        put(place);
        entered(me);
      } catch ({ sentence }) {
        put(wrong, sentence);
      }
    });
    put(place, form);
    name.focus();
  });
}
