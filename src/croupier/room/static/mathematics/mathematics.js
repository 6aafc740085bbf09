// Mathematics: the PAR sheet of a house, how it is played, and two houses side by side.

import * as api from "../lib/api.js";
import { el, find, put } from "../lib/dom.js";
import { nav } from "../lib/nav.js";
import { takenAlong } from "../lobby/house_draft.js";
import { comparison } from "./math_compare.js";
import { sheet } from "./math_sheet.js";
import { ways } from "./math_ways.js";

const FILES = { html: "HTML", pdf: "PDF", xlsx: "XLSX" };
let houses = []; // {id, words, group, game, house}
let asked = 0; // the number of the newest question; answers to others are dropped

// --- what is studied ------------------------------------------------------------------------

async function known() {
  const [presets, tables] = await Promise.all([api.get("/api/presets"), api.get("/api/tables")]);
  const seen = new Map(tables.map(({ rulebook, law, game }) => [rulebook, { law, game }]));
  const mine = takenAlong();
  return [
    ...(mine ? [{ id: "mine", words: `${mine.name || "A house"}, as you wrote it`, group: "Yours", game: seen.get(mine.rulebook)?.game, house: mine }] : []),
    ...presets.map(({ name }) => ({ id: `book:${name}`, words: seen.get(name)?.law ?? name, group: "By the book", game: seen.get(name)?.game, house: { rulebook: name } })),
    ...tables.map(({ id, title, house, game }) => ({ id: `table:${id}`, words: `${id}: ${title}, ${house}`, group: "Tables here", game, house: { table: id } })),
  ];
}

function choice(id, some, chosen, heard) {
  const groups = [...new Set(some.map(({ group }) => group))];
  const options = groups.map((group) => el("optgroup", { label: group || "Nothing" }, some.filter((each) => each.group === group)
    .map((each) => el("option", { value: each.id, selected: each.id === chosen }, each.words))));
  return el("select", { id, on: { change: (event) => heard(event.target.value) } }, options);
}

function ask(first, second = "") {
  const one = houses.find(({ id }) => id === first) ?? houses[0];
  const beside = houses.filter(({ id, game }) => id !== one.id && game === one.game);
  const other = beside.find(({ id }) => id === second);
  const nothing = { id: "", words: "nothing", group: "" };
  const files = Object.entries(FILES).map(([format, words]) => el("button", { type: "button", "aria-label": `Download the PAR sheet as ${words}`, on: { click: ({ target }) => download(one, format, target) } }, words));
  const focused = document.activeElement?.id;
  put(find("#asking"), el("div", { class: "panel asking" },
    el("div", null, el("label", { for: "which" }, "The house"), choice("which", houses, one.id, (id) => ask(id))),
    el("div", null, el("label", { for: "beside" }, "Compared with"), choice("beside", [nothing, ...beside], other?.id ?? "", (id) => ask(one.id, id))),
    el("div", { class: "files" }, el("span", { id: "take" }, "Take the sheet along"), el("div", { class: "row", role: "group", "aria-labelledby": "take" }, files))));
  if (focused === "which" || focused === "beside") find(`#${focused}`).focus();
  history.replaceState(null, "", `?house=${encodeURIComponent(one.id)}${other ? `&beside=${encodeURIComponent(other.id)}` : ""}`);
  study(one, other);
}

// --- answers --------------------------------------------------------------------------------

/** The heavy answers come one after the other, each shown when it is there. */
async function study(one, other) {
  const mine = ++asked;
  const steps = [
    other ? ["#compare", `Comparing ${one.words} with ${other.words}`, async () => comparison(await api.post("/api/compare", { a: one.house, b: other.house }), one.words, other.words)] : null,
    ["#sheet", `Counting every deal: ${one.words}`, async () => sheet(await api.post("/api/par", { house: one.house, format: "json" }))],
    ["#ways", "Drawing short rules from the exact solution", async () => ways(await api.post("/api/strategies", { house: one.house }), (name) => api.post(`/api/strategies/${encodeURIComponent(name)}`, { house: one.house }))],
  ].filter(Boolean);
  put(find("#wrong"));
  for (const place of ["#compare", "#sheet", "#ways"]) put(find(place));
  for (const [place, words, work] of steps) {
    busy(`${words} …`);
    try {
      const found = await work();
      if (mine !== asked) return;
      put(find(place), found);
    } catch (wrong) {
      if (!(wrong instanceof api.Refused)) throw wrong;
      if (mine !== asked) return;
      put(find("#wrong"), wrong.sentence);
    }
  }
  busy("");
}

function busy(words) {
  find("#progress").hidden = !words;
  put(find("#progress"), words);
}

async function download(one, format, button) {
  button.disabled = true;
  try {
    const file = await api.post("/api/par", { house: one.house, format });
    const link = el("a", { href: URL.createObjectURL(file), download: `par-${one.id.replaceAll(":", "-")}.${format}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (wrong) {
    if (!(wrong instanceof api.Refused)) throw wrong;
    put(find("#wrong"), wrong.sentence);
  }
  button.disabled = false;
}

// --- coming in ------------------------------------------------------------------------------

function door() {
  const enter = el("button", { type: "button", class: "strong" }, "Come in as a guest");
  enter.addEventListener("click", async () => {
    try {
      arrived(await api.guest());
    } catch (wrong) {
      put(find("#wrong"), wrong.sentence);
    }
  });
  put(find("#asking"), el("div", { class: "panel door" }, el("p", null, "The sheets are worked out for whoever is in the room."), el("div", { class: "row" }, enter, el("a", { class: "button", href: "/" }, "Log in"))));
}

async function arrived(me) {
  find("header.top")?.replaceWith(el("div", { id: "top" }));
  nav("/mathematics", me);
  if (!me) return door();
  houses = await known();
  const query = new URLSearchParams(location.search);
  ask(query.get("house"), query.get("beside"));
}

api.me().then(arrived);
