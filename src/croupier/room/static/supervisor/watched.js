// The table that was chosen: its felt, its desk, what was ruled there, and what it has won.

import * as api from "../lib/api.js";
import { cite } from "../lib/clause.js";
import { capital, el, find, put, say } from "../lib/dom.js";
import { dollars, signed } from "../lib/money.js";
import { Desk } from "./desk.js";
import { Felt } from "../table/felt.js";
import { closing } from "../lobby/lobby_table.js";
import { deckWords, figure, stubWords } from "./wall.js";

// What a supervisor wants to find again among the lines.
const RULINGS = /^(Irregularity|HandVoided|AllHandsVoided|FoldedWager|DealersHandRepaired|FaceUpCard|RecutOrdered|Deck(Removed|Received)|Device|Method|Inventory)/;
const QUIET = /^(CardsRacked|Shuffle[A-Z]|Seed|EntropyAdded)/;

export class Chosen {
  id = "";

  constructor(root, floor) {
    Object.assign(this, { root, floor });
  }

  async open(id) {
    if (id === this.id) return;
    this.id = id;
    this.root.hidden = !id;
    put(this.root);
    if (!id) return;
    this.#build(id);
    this.happened();
    this.root.scrollIntoView({ block: "start" });
    find("#which", this.root).focus({ preventScroll: true });
    try {
      const info = await api.get(`/api/tables/${encodeURIComponent(id)}`);
      if (id === this.id) this.felt.dress(info);
      await this.look();
    } catch ({ sentence }) {
      this.floor.told(sentence);
    }
  }

  #build(id) {
    this.pause = el("button", { type: "button", on: { click: () => this.#pause() } }, "Pause");
    this.stage = el("p", { class: "quietly" });
    this.alerts = el("div", { class: "alerts", role: "status" });
    this.desk = new Desk(this.floor, id);
    this.lines = el("div", { class: "lines", role: "log", tabindex: 0, "aria-label": `What happened at ${id}` });
    this.facts = el("div", { class: "facts" });
    this.drift = el("div", { class: "drift", role: "status" });
    this.close = closing(id, () => this.#close(), "");
    const felt = el("div", { class: "watched" });
    this.felt = new Felt(felt);
    const compare = el("button", { type: "button", on: { click: () => this.#drifted() } }, "Compare with the mathematics");
    put(this.root,
      el("header", { class: "bar" }, el("h2", { id: "which", tabindex: -1 }, `Table ${id}`), this.stage,
        el("div", { class: "does" }, this.pause, this.close, el("a", { class: "button", href: `/table/${encodeURIComponent(id)}` }, "Go to the table"), el("a", { class: "button", href: "#" }, "All tables"))),
      this.alerts,
      el("div", { class: "columns" },
        el("div", { class: "stack" }, felt,
          el("section", { class: "panel facts-of", "aria-label": "Equipment, money and limits" }, this.facts),
          el("section", { class: "panel drift-of", "aria-label": "Drift" }, el("h3", null, "Drift"),
            el("p", { class: "quietly" }, "What the house won, beside what it should have won."), compare, this.drift)),
        el("div", { class: "stack" },
          el("section", { class: "panel", "aria-label": "The desk" }, el("h3", null, "The desk"), this.desk.root),
          el("section", { class: "panel", "aria-label": "What happened" }, el("h3", null, "What happened"), this.lines))));
  }

  /** Something was told over the socket. */
  happened() {
    const { view, picture, lines } = this.floor.heard.get(this.id) ?? {};
    if (!view) return;
    this.felt.draw(view, picture);
    this.desk.moved();
    this.#log(lines);
  }

  #log(lines) {
    const fresh = lines.filter(({ seen }) => seen !== this.lines);
    for (const line of fresh) {
      line.seen = this.lines;
      if (QUIET.test(line.kind)) continue;
      const ruled = RULINGS.test(line.kind) || line.kind === "Refused";
      this.lines.prepend(el("p", { class: ruled ? "ruled" : "" }, el("time", { datetime: line.time }, line.time.slice(11, 19)), " ", line.sentence, " ", cite(line.clause),
        ruled && line.actor ? el("span", { class: "quietly" }, ` ${line.actor}`) : null));
    }
    while (this.lines.children.length > 120) this.lines.lastChild.remove();
    if (!this.lines.children.length) put(this.lines, el("p", { class: "quietly" }, "Nothing since you came."));
    else if (fresh.length) find(".quietly:only-child", this.lines)?.remove();
  }

  /** What the table refused us, kept among the lines. */
  refused({ sentence, clause }) {
    this.floor.heard.get(this.id).lines.push({ kind: "Refused", sentence: `Refused: ${sentence}`, clause, time: new Date().toISOString(), actor: "" });
    this.happened();
  }

  async look() {
    if (!this.id) return;
    const id = this.id;
    const { table, acts } = await api.get(`/api/supervisor/${encodeURIComponent(id)}`);
    if (id !== this.id) return;
    this.table = table;
    say(this.pause, table.paused ? "Resume" : "Pause");
    this.pause.classList.toggle("strong", table.paused);
    say(this.stage, [table.title, /\(([^)]*)\)$/.exec(table.law)?.[1], table.round ? `round ${table.round}` : "", table.stage, table.paused ? "paused" : table.clocks.stops_at ? `stops when the ${table.clocks.stops_at} works` : ""].filter(Boolean).join(" · "));
    const alerts = JSON.stringify(table.alerts);
    if (this.alerts.dataset.told !== alerts) {
      this.alerts.dataset.told = alerts;
      put(this.alerts, table.alerts.map(({ kind, sentence }) => el("p", { class: "alert", data: { kind } }, sentence)));
    }
    this.desk.draw(acts);
    this.#facts(table);
  }

  #pause() {
    const paused = this.table?.paused;
    this.floor.room[paused ? "resume" : "pause"](this.id);
    this.floor.told(paused ? `Table ${this.id} goes on.` : `Table ${this.id} is paused: no round is begun and clocks stand still.`);
    this.floor.look();
  }

  /** A device works too fast to be seen jamming: the table stands still just before. */
  stopAt(device) {
    this.floor.room.pause(this.id, device);
    this.floor.told(`Table ${this.id} stops when the ${device} is next about to work.`);
    this.floor.look();
  }

  async #close() {
    try {
      const { sentence } = await api.remove(`/api/tables/${encodeURIComponent(this.id)}`);
      this.floor.told(sentence);
    } catch ({ sentence }) {
      this.floor.told(sentence);
    }
  }

  /** What the clock would do for this seat, at once. */
  async #act({ seat, player }) {
    const refused = await this.floor.room.act(this.id, seat);
    this.floor.told(refused ? refused.sentence : `The house acted for ${player}, seat ${seat}.`);
    this.floor.look();
  }

  /** Staff act for a hand that is asked and does not decide, and free a seat without a hand. */
  #acting(table, here) {
    const asked = table.asked?.seat === here.seat;
    if (!asked && Object.keys(here.wagers).length) return null;
    return el("button", { type: "button", data: { seat: here.seat }, on: { click: () => this.#act(here) } }, asked ? "Act for this hand" : "Free the seat");
  }

  #facts(table) {
    const now = JSON.stringify([table.asked?.seat, table.decks, table.devices, table.stub, table.inventory, table.drop_box, table.meter, table.layout, table.seats, table.shuffling, table.dealing, table.rack]);
    if (this.facts.dataset.told === now) return;
    this.facts.dataset.told = now;
    const devices = table.devices.filter(({ installed, needed, jammed }) => installed || needed || jammed)
      .map(({ name, installed, jammed }) => `${name} ${jammed ? "jammed" : installed ? "installed" : "removed"}`);
    put(this.facts,
      el("dl", { class: "figures" },
        figure("Shuffling", table.shuffling), figure("Dealt from", table.dealing),
        figure("Decks", deckWords(table.decks)),
        figure("Devices", devices.join(", ") || "none"),
        figure("Discard rack", `${table.rack} cards`),
        el("div", null, el("dt", null, "Stub count"), el("dd", null, stubWords(table.stub), " ", cite(table.stub.clause))),
        figure("Inventory", dollars(table.inventory)), figure("Drop box", dollars(table.drop_box)),
        table.meter === null ? null : figure("Progressive meter", dollars(table.meter)),
        figure("On the felt", dollars(table.layout)),
        Object.entries(table.limits).map(([key, [least, most]]) => figure(`Limits, ${key}`, `${dollars(least)} to ${dollars(most)}`))),
      el("table", null, el("thead", null, el("tr", null, el("th", null, "Seat"), el("th", null, "Player"), el("th", { class: "number" }, "Chips"), el("th", null, "Wagers"), el("th", null, el("span", { class: "unseen" }, "Acts")))),
        el("tbody", null, table.seats.filter(({ player }) => player).map((here) => el("tr", null,
          el("td", null, String(here.seat)), el("td", null, here.player, here.present ? null : el("span", { class: "bad" }, " not connected")), el("td", { class: "number" }, dollars(here.chips)),
          el("td", null, Object.entries(here.wagers).map(([name, cents]) => `${name} ${dollars(cents)}`).join(", ")),
          el("td", null, this.#acting(table, here)))))));
  }

  async #drifted() {
    const id = this.id;
    put(this.drift, el("p", { class: "quietly" }, "Solving the game and reading every round. The first time takes some seconds."));
    try {
      const { drift } = await api.get(`/api/supervisor/${encodeURIComponent(id)}?drift=1`);
      if (id !== this.id) return;
      put(this.drift, drift.length ? driftTable(drift) : el("p", { class: "quietly" }, "No round is finished yet."));
    } catch ({ sentence }) {
      put(this.drift, el("p", { class: "bad" }, sentence));
    }
  }
}

function driftTable(drift) {
  const heads = ["Wager", "Actual win", "Hands compared", "Base wagered", "Win by the pay table", "Theoretical win", "z"];
  return el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Drift of each wager" }, el("table", null,
    el("thead", null, el("tr", null, heads.map((head, at) => el("th", { class: at ? "number" : "" }, head)))),
    el("tbody", null, drift.map((each) => el("tr", { class: each.alarm ? "bad" : "" },
      el("td", null, capital(each.wager), el("span", { class: "quietly" }, ` against ${each.against}`)),
      el("td", { class: "number" }, signed(each.actual_win)),
      el("td", { class: "number" }, each.hands_compared.toLocaleString("en-US")), el("td", { class: "number" }, dollars(each.base_wagered)),
      el("td", { class: "number" }, signed(each.win_by_pay_table)), el("td", { class: "number", title: `${each.theoretical_win} cents exactly` }, signed(each.theoretical_win_cents)),
      el("td", { class: "number" }, (each.z > 0 ? "+" : "") + each.z.toFixed(2), each.alarm ? " alarm" : ""))))));
}
