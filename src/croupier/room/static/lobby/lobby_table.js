// One table as the lobby shows it.

import { suit } from "../lib/cards.js";
import { capital, el, put } from "../lib/dom.js";
import { dollars } from "../lib/money.js";

export const address = (id) => `/table/${encodeURIComponent(id)}`;

const opened = new Set(); // whose pay tables are unfolded, kept when the list is drawn again
const places = { nj: "New Jersey", ma: "Massachusetts" };
const named = (key) => (key === "main" ? "Each bet" : capital(key.replaceAll("-", " ")));

const STAFF = ["supervisor", "owner"];

/** ``enter`` is told of the table when somebody without a session presses it, ``close`` when somebody
    who may close the table does. */
export function tableCard(table, me, enter, close) {
  const { id, game, title, rulebook, house, seats, free, rounds, paused, clocks, opened_by: opener } = table;
  const mine = me && seats.includes(me.name);
  const go = el("a", { class: "button strong", href: address(id), "aria-label": `${mine ? "Go on playing" : free ? "Play" : "Watch"} at table ${id}` }, mine ? "Go on" : free ? "Play" : "Watch");
  go.addEventListener("click", (event) => {
    if (me || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    enter(id);
  });
  const pips = el("span", { class: "pips", role: "img", "aria-label": `${free} of ${seats.length} seats free` }, seats.map((name) => el("i", { class: name ? "taken" : "", title: name || "free" })));
  const facts = [`Table ${id}`, rounds === 1 ? "1 round" : `${rounds} rounds`, clocks.decision_seconds ? `${clocks.decision_seconds} seconds to decide` : "", paused ? "paused" : "", opener ? `opened by ${opener}` : ""];
  return el("li", { class: "table", data: { game, id } },
    el("div", { class: "cloth" }, el("span", { class: "suits", "aria-hidden": "true" }, ["s", "h", "d", "c"].map(suit)), el("h3", null, title), el("p", null, `${house} · ${places[rulebook.slice(0, 2)]}`)),
    el("div", { class: "about" }, limits(table), el("p", { class: "quietly" }, facts.filter(Boolean).join(" · ")), pays(table),
      el("div", { class: "foot" }, pips, el("span", { class: "quietly free" }, free ? `${free} free` : "full"), mayClose(table, me) ? closing(id, close) : null, go)));
}

export const mayClose = ({ opened_by: opener }, me) => !!me && (STAFF.includes(me.role) || (!!opener && opener === me.name));

/** Pressed twice, so that nobody closes a table by mistake. */
export function closing(id, close, how = "plain") {
  const button = el("button", { type: "button", class: how, "aria-label": `Close table ${id}` }, "Close");
  button.addEventListener("click", () => {
    if (button.dataset.sure) return close(id);
    button.dataset.sure = "yes";
    button.setAttribute("aria-label", `Really close table ${id}`);
    put(button, "Really close?");
    setTimeout(() => {
      delete button.dataset.sure;
      button.setAttribute("aria-label", `Close table ${id}`);
      put(button, "Close");
    }, 5000);
  });
  return button;
}

function limits({ limits: posted }) {
  const [[, [least, most]], ...others] = Object.entries(posted);
  return [el("p", { class: "limits" }, `${dollars(least)} to ${dollars(most)}`),
    others.length ? el("p", { class: "quietly" }, others.map(([key, [a, b]]) => `${named(key)} ${dollars(a)} to ${dollars(b)}`).join(" · ")) : null];
}

function pays({ id, pay }) {
  const tables = Object.entries(pay).map(([key, lines]) => el("table", null, el("caption", null, named(key)),
    el("tbody", null, Object.entries(lines).map(([hand, award]) => el("tr", null, el("td", null, capital(hand)), el("td", { class: "number" }, award))))));
  const fold = el("details", { class: "pays", open: opened.has(id) }, el("summary", null, "Pay tables"), el("div", { class: "pay-tables", tabindex: 0, role: "group", "aria-label": `Pay tables of ${id}` }, tables));
  fold.addEventListener("toggle", () => (fold.open ? opened.add(id) : opened.delete(id)));
  return fold;
}
