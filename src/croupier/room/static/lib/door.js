// Coming in without an account.

import { guest } from "./api.js";
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
