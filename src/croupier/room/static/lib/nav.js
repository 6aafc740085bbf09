// The header of every page: where one is, who one is, and how one likes it.

import { account, failedWords } from "./account.js";
import { suit } from "./cards.js";
import { el } from "./dom.js";
import { dollars } from "./money.js";
import { CHOICES, choose, setting } from "./settings.js";

const FLOOR = ["supervisor", "owner"];
const OWNERS = ["owner"];

// Where one can go, and who may.
const PAGES = [
  ["/", "Tables"],
  ["/supervisor", "Floor", FLOOR],
  ["/accounts", "Accounts", OWNERS],
  ["/audit", "Rounds"],
  ["/mathematics", "Mathematics"],
  ["/law", "Law"],
];

function settings() {
  const groups = Object.entries(CHOICES).map(([name, { title, values }]) =>
    el("fieldset", null, el("legend", null, title),
      Object.entries(values).map(([value, words]) => {
        const radio = el("input", { type: "radio", name: `setting-${name}`, value, checked: setting(name) === value });
        radio.addEventListener("change", () => choose(name, value));
        return el("label", null, radio, words);
      })));
  return el("div", { popover: "auto", id: "settings", class: "settings", role: "dialog", "aria-label": "Settings" }, el("h2", null, "Settings"), groups);
}

/** One's name, and how often somebody else tried it. */
function whoButton(me) {
  const failed = me.failed ? el("span", { class: "failed", title: failedWords(me.failed) }, el("span", { "aria-hidden": "true" }, String(me.failed)), el("span", { class: "unseen" }, `, ${failedWords(me.failed)}`)) : null;
  return el("button", { type: "button", popovertarget: "account", class: "plain" }, el("b", null, me.name), failed);
}

/** Put the header into the page. Returns {bank(cents), line("online" | "offline")} to keep it true. */
export function nav(page, me = null) {
  const mine = PAGES.filter(([, , roles]) => !roles || roles.includes(me?.role));
  const links = mine.map(([href, title]) =>
    el("li", null, el("a", { href, "aria-current": href === page ? "page" : null }, title)));
  const bank = el("span", { class: "bank", title: "Your chips outside the tables" }, me?.role === "player" ? dollars(me.bank) : "");
  const line = el("span", { class: "line", role: "img", "aria-label": "not connected", hidden: true });
  const header = el("header", { class: "top" },
    el("a", { class: "brand", href: "/" }, suit("s"), "Croupier"),
    el("nav", { "aria-label": "Pages" }, el("ul", null, links)),
    el("div", { class: "who" }, line, me ? whoButton(me) : null, bank,
      el("button", { type: "button", popovertarget: "settings", class: "plain" }, "Settings")),
    settings(), me ? account(me) : null);
  const place = document.querySelector("#top, header.top"); // the second when somebody has come in
  if (place) place.replaceWith(header);
  else document.body.prepend(header);
  return {
    bank: (cents) => (bank.textContent = dollars(cents)),
    line: (state) => {
      line.hidden = false;
      line.dataset.state = state;
      line.setAttribute("aria-label", state === "online" ? "connected" : "connecting");
    },
  };
}
