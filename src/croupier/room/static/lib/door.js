// Coming in, with an account or without.

import { guest, login } from "./api.js";
import { el, put } from "./dom.js";

/** Nobody is logged in: one press, and a guest sits at the table. */
export function atTheDoor(info) {
  return new Promise((entered) => {
    const enter = el("button", { type: "button", class: "strong" }, "Play as a guest");
    const wrong = el("p", { class: "bad", role: "alert" });
    const door = el("dialog", { class: "door panel", "aria-label": "Come in" }, el("h2", null, info.title), el("p", null, `${info.house}. Play chips, real rules.`),
      el("div", { class: "go" }, enter, el("a", { class: "button", href: "/" }, "Log in")), wrong);
    enter.addEventListener("click", async () => {
      try {
        const me = await guest();
        door.remove();
        entered(me);
      } catch ({ sentence }) {
        put(wrong, sentence);
      }
    });
    door.addEventListener("close", () => location.assign("/")); // Escape leads back to the tables
    document.body.append(door);
    door.showModal();
  });
}

/** Name and password, for those who have an account; ``come`` is called with both. */
export function loginForm(come, more = {}, ...rest) {
  const name = el("input", { name: "name", id: "name", autocomplete: "username", required: true });
  const password = el("input", { name: "password", id: "password", type: "password", autocomplete: "current-password", required: true });
  const form = el("form", more, el("label", { for: "name" }, "Name"), name, el("label", { for: "password" }, "Password"), password, el("button", null, "Log in"), rest);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    come(name.value, password.value);
  });
  return form;
}

/** The door of a page that asks for an account of the house. Resolves with who came in. */
export function forStaff(place, title) {
  return new Promise((entered) => {
    const wrong = el("p", { class: "bad", role: "alert" });
    const form = loginForm(async (name, password) => {
      try {
        const me = await login(name, password);
        put(place);
        entered(me);
      } catch ({ sentence }) {
        put(wrong, sentence);
      }
    }, { class: "panel door" }, wrong, el("a", { href: "/" }, "To the tables"));
    form.prepend(el("h2", null, title), el("p", null, "For those who run the tables. Log in with your account."));
    form.querySelector("button").classList.add("strong");
    put(place, form);
    form.querySelector("input").focus();
  });
}
