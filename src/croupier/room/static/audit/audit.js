// The page of finished rounds: choose one, watch it again, check it. Auditors see the ledger too.

import * as api from "../lib/api.js";
import { el, find, put } from "../lib/dom.js";
import { loginForm } from "../lib/door.js";
import { nav } from "../lib/nav.js";
import { tried } from "../lib/tried.js";
import { Checking } from "./checking.js";
import { Replay } from "./replay.js";
import { Rounds, address } from "./rounds.js";
import { MAY, Standing } from "./standing.js";

/** The table and round in the address. */
function asked() {
  const [, , table, number] = location.pathname.split("/");
  return table ? { table: decodeURIComponent(table), number: Number(number) } : null;
}

// --- the door -------------------------------------------------------------------------------

function door() {
  const box = find("#door");
  const guest = el("button", { type: "button", class: "strong", on: { click: () => enter(api.guest) } }, "Come in as a guest");
  const form = loginForm((name, password) => enter(() => api.login(name, password)));
  put(box, el("h2", null, "Every finished round can be seen again"),
    el("p", null, "Step by step on the felt, with the clause behind each step, and with a proof your own browser checks. Come in to look."),
    guest, el("details", null, el("summary", null, "I have an account"), form));
  box.hidden = false;
}

async function enter(come) {
  const me = await tried(come);
  if (!me) return;
  find("#door").hidden = true;
  find("header.top").replaceWith(el("div", { id: "top" }));
  nav("/audit", me);
  await begin(me);
}

// --- the desk -------------------------------------------------------------------------------

class Desk {
  constructor(tables) {
    this.tables = tables;
    this.replay = new Replay(find("#round"), find("#story"));
    this.checking = new Checking(find("#check"));
    this.rounds = new Rounds(find("#rounds"), tables, {
      open: (table, number) => this.open(table, number, true),
      chosen: (table) => this.table(table, true),
      tried,
    });
    this.download = el("button", { type: "button", on: { click: () => save(this.round) } }, "Download the round");
    put(this.replay.actions, this.download);
    addEventListener("popstate", () => this.arrive());
  }

  /** What the address asks for; else the newest round there is. */
  arrive() {
    const place = asked();
    if (place) return this.open(place.table, place.number, false);
    const busy = this.tables.find(({ rounds }) => rounds) ?? this.tables[0];
    return this.table(busy.id, false);
  }

  async table(table, remember) {
    const newest = await tried(() => this.rounds.show(table));
    this.#empty(!newest);
    if (newest) await this.open(table, newest, remember);
    else if (remember) history.pushState(null, "", "/audit");
  }

  async open(table, number, remember) {
    const known = this.tables.some(({ id }) => id === table) ? table : this.tables[0].id;
    if (this.rounds.table !== known) await tried(() => this.rounds.show(known));
    const path = `/api/tables/${encodeURIComponent(table)}`;
    const found = await tried(() => Promise.all([api.get(`${path}/rounds/${number}`), api.get(path)]));
    this.#empty(!found);
    if (!found) return;
    if (remember) history.pushState(null, "", address(table, number));
    [this.round] = found;
    document.title = `Round ${number} at ${table} – Croupier`;
    this.rounds.mark(number);
    this.replay.load(...found);
    this.checking.load(this.round);
  }

  #empty(none) {
    find("#desk").hidden = false;
    for (const id of ["#round", "#story", "#check"]) find(id).hidden = none;
    if (none) this.replay.stop();
  }
}

/** The round as a file: what ``croupier verify`` reads, with entries, signature and key. */
function save({ table, number, proof }) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 1)], { type: "application/json" }));
  el("a", { href: url, download: `${table}-round-${number}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function begin(me) {
  if (MAY.includes(me.role)) new Standing(find("#ledger")).look();
  const tables = await tried(() => api.get("/api/tables"));
  if (tables) await new Desk(tables).arrive();
}

async function come() {
  const me = await tried(api.me);
  nav("/audit", me);
  if (me) await begin(me);
  else door();
}

come();
