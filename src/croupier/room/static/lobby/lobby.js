// The lobby: the tables there are, who one is, one press to play, and a table of one's own.

import * as api from "../lib/api.js";
import { failedWords } from "../lib/account.js";
import { el, find, put } from "../lib/dom.js";
import { loginForm } from "../lib/door.js";
import { nav } from "../lib/nav.js";
import { tried } from "../lib/tried.js";
import { HouseForm } from "./house_form.js";
import { address, tableCard } from "./lobby_table.js";

const PLAYERS = "Tables opened by players use the printed pay tables and the room's limits. Staff can open any lawful table. Your table closes when nobody uses it for half an hour.";
const STAFFS = "Open a game as the book has it, or write the house rules: they are checked against the law, and the price of every wager is worked out as you write.";
const AGAIN = 5000; // how often the tables are asked for
let me = null;
let tables = [];

// --- who ------------------------------------------------------------------------------------

function showWho() {
  find("header.top")?.replaceWith(el("div", { id: "top" }));
  nav("/", me);
  put(find("#door"), me ? seated() : door());
}

function seated() {
  const out = el("button", { type: "button", class: "plain", on: { click: () => tried(leave) } }, "Log out");
  const seats = me.seats.map(({ table, seat }, at) => [at ? ", " : "", el("a", { href: address(table) }, `${table}, seat ${seat}`)]);
  const words = me.role !== "player" ? `You are here as ${me.role}: watch any table.` : seats.length ? ["You have a seat at ", seats, "."] : "Choose a table and take a seat.";
  const more = me.guest ? " As a guest you lose your chips when you log out: press your name above to take a name." : me.failed ? ` ${failedWords(me.failed)}.` : "";
  return el("p", { class: "seated" }, el("span", null, words, more), out);
}

function door() {
  const guest = el("button", { type: "button", class: "strong", on: { click: () => enter() } }, "Play as a guest");
  const form = loginForm(async (name, password) => {
    const came = await tried(() => api.login(name, password));
    if (came) arrived(came);
  }, { class: "row" });
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
  const at = document.activeElement?.closest("#tables li");
  const what = at && document.activeElement.tagName === "A" ? "a" : "summary";
  put(find("#tables"), tables.map((table) => tableCard(table, me, enter, close)));
  if (at) find(`#tables li[data-id="${CSS.escape(at.dataset.id)}"] ${what}`)?.focus();
}

async function close(id) {
  const answer = await tried(() => api.remove(`/api/tables/${encodeURIComponent(id)}`));
  if (!answer) return;
  await refresh();
  if (!answer.closed) put(find("#wrong"), answer.sentence);
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
  const place = find("#opening");
  if (!me || me.role === "auditor") return put(place);
  const staff = me.role !== "player";
  const presets = (await tried(() => api.get("/api/presets"))) ?? [];
  const titles = new Map(tables.map(({ rulebook, law }) => [rulebook, law]));
  const book = el("select", { id: "book" }, presets.map(({ name }) => el("option", { value: name }, titles.get(name) ?? name)));
  const edit = el("button", { type: "button", "aria-expanded": "false" }, "Write its house rules");
  const open = el("button", { class: "strong" }, "Open as it is");
  const desk = el("div");
  const quick = el("form", { class: "row" }, el("label", { for: "book" }, "A table of"), book, open, edit);
  quick.addEventListener("submit", async (event) => {
    event.preventDefault();
    const table = await tried(() => api.post("/api/tables", { house: { rulebook: book.value } }));
    if (table) opened(table);
  });
  const write = async () => {
    const { submission } = presets.find(({ name }) => name === book.value);
    const { form } = await api.post("/api/check", { house: { rulebook: book.value }, form: true });
    edit.setAttribute("aria-expanded", "true");
    put(desk, new HouseForm(submission, form, opened, staff).node);
  };
  edit.addEventListener("click", () => tried(write));
  book.addEventListener("change", () => desk.firstChild && tried(write));
  put(place, el("h2", null, "A table of your own"), el("p", { class: "quietly lead" }, staff ? STAFFS : PLAYERS), quick, desk);
}

const opened = ({ id }) => location.assign(address(id));

async function begin() {
  [me] = await Promise.all([tried(api.me), refresh()]);
  arrived(me);
  setInterval(() => document.hidden || refresh(), AGAIN);
}

begin();
