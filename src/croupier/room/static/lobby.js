// The lobby: the tables there are, who one is, and one press to play.

import * as api from "./lib/api.js";
import { suit } from "./lib/cards.js";
import { el, find, put } from "./lib/dom.js";
import { dollars } from "./lib/money.js";
import "./lib/settings.js";

const AGAIN = 5000; // how often the tables are asked for
let me = null;
let tables = [];

const seconds = (n, what) => (n ? `${n} seconds to ${what}` : "");
const address = (id) => `/table/${encodeURIComponent(id)}`;
const wrong = (sentence) => put(find("#wrong"), sentence);

/** Whatever the room refuses is said in its own words. */
async function tried(act) {
  wrong("");
  try {
    return await act();
  } catch (refused) {
    if (!(refused instanceof api.Refused)) throw refused;
    wrong(refused.sentence);
    return null;
  }
}

// --- who ------------------------------------------------------------------------------------

function showWho() {
  const out = el("button", { type: "button", class: "plain", on: { click: () => tried(leave) } }, "Log out");
  put(find("#who"), me ? [el("b", null, me.name), el("span", { class: "bank", title: "Your chips outside the tables" }, dollars(me.bank)), out] : "Nobody is logged in");
  put(find("#door"), me ? seated() : door());
}

function seated() {
  if (me.role !== "player") return el("p", { class: "quietly" }, `You are here as ${me.role}: watch any table.`);
  if (!me.seats.length) return el("p", { class: "quietly" }, "Choose a table and take a seat.");
  return el("p", null, "You have a seat at ", me.seats.map(({ table, seat }, at) => [at ? ", " : "", el("a", { href: address(table) }, `${table}, seat ${seat}`)]), ".");
}

function door() {
  const guest = el("button", { type: "button", class: "strong", on: { click: () => enter() } }, "Play as a guest");
  const name = el("input", { name: "name", autocomplete: "username", required: true, id: "name" });
  const password = el("input", { name: "password", type: "password", autocomplete: "current-password", required: true, id: "password" });
  const form = el("form", { class: "row" }, el("label", { for: "name" }, "Name"), name, el("label", { for: "password" }, "Password"), password, el("button", null, "Log in"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const came = await tried(() => api.login(name.value, password.value));
    if (came) arrived(came);
  });
  return el("div", { class: "door" }, guest, el("details", null, el("summary", null, "I have an account"), form));
}

/** Come in as a guest, and go on to a table: the one that was pressed, or the emptiest. */
async function enter(id = null) {
  const came = await tried(api.guest);
  if (!came) return;
  arrived(came);
  const free = [...tables].sort((a, b) => b.free - a.free)[0];
  if (id ?? free) location.assign(address(id ?? free.id));
}

async function leave() {
  await api.logout();
  arrived(null);
}

function arrived(who) {
  me = who;
  showWho();
  showTables();
  showOpening();
}

// --- the tables -----------------------------------------------------------------------------

function showTables() {
  const focused = document.activeElement?.closest("#tables li")?.dataset.id;
  put(find("#tables"), tables.map(tableCard));
  if (focused) find(`#tables li[data-id="${CSS.escape(focused)}"] a`)?.focus();
}

function tableCard(table) {
  const { id, game, title, law, house, seats, free, rounds, paused, clocks } = table;
  const [least, most] = table.limits.ante ?? Object.values(table.limits)[0];
  const mine = me && seats.includes(me.name);
  const go = el("a", { class: "button strong", href: address(id), "aria-label": `${mine ? "Go on playing" : free ? "Play" : "Watch"} at table ${id}` }, mine ? "Go on" : free ? "Play" : "Watch");
  go.addEventListener("click", (event) => {
    if (me || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    enter(id);
  });
  const pips = el("span", { class: "pips", role: "img", "aria-label": `${free} of ${seats.length} seats free` }, seats.map((name) => el("i", { class: name ? "taken" : "", title: name || "free" })));
  return el("li", { class: "table", data: { game, id } },
    el("div", { class: "cloth" }, el("span", { class: "suits", "aria-hidden": "true" }, ["s", "h", "d", "c"].map(suit)), el("h3", null, title), el("p", null, house)),
    el("div", { class: "about" },
      el("p", { class: "limits" }, `${dollars(least)} to ${dollars(most)}`),
      el("p", { class: "quietly" }, law),
      el("p", { class: "quietly" }, [`Table ${id}`, rounds === 1 ? "1 round" : `${rounds} rounds`, seconds(clocks.decision_seconds, "decide"), paused ? "paused" : ""].filter(Boolean).join(" · ")),
      el("div", { class: "foot" }, pips, go)));
}

async function refresh() {
  const found = await tried(() => api.get("/api/tables"));
  if (found && JSON.stringify(found) !== JSON.stringify(tables)) {
    tables = found;
    showTables();
  }
}

// --- a table of one's own -------------------------------------------------------------------

async function showOpening() {
  const may = me && me.role !== "auditor";
  if (!may) return put(find("#opening"));
  const presets = (await tried(() => api.get("/api/presets"))) ?? [];
  const titles = new Map(tables.map(({ rulebook, law }) => [rulebook, law]));
  const book = el("select", { id: "book" }, presets.map(({ name }) => el("option", { value: name }, titles.get(name) ?? name)));
  const time = el("select", { id: "time" }, [[0, "not timed"], [15, "15 seconds"], [30, "30 seconds"], [60, "60 seconds"]].map(([value, words]) => el("option", { value }, words)));
  const form = el("form", { class: "panel row" }, el("label", { for: "book" }, "Open a table of"), book, el("label", { for: "time" }, "decisions"), time, el("button", null, "Open"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const opened = await tried(() => api.post("/api/tables", { house: { rulebook: book.value }, decision_seconds: Number(time.value) }));
    if (opened) location.assign(address(opened.id));
  });
  put(find("#opening"), el("h2", null, "A table of your own"), form);
}

async function begin() {
  find(".brand").prepend(suit("s"));
  [me] = await Promise.all([tried(api.me), refresh()]);
  arrived(me);
  setInterval(() => document.hidden || refresh(), AGAIN);
}

begin();
