// Which round: the tables there are, and the finished rounds of one, the newest first.

import { get } from "../lib/api.js";
import { el, find, put } from "../lib/dom.js";
import { signed } from "../lib/money.js";

const PAGE = 20;

const tone = (cents) => (cents > 0 ? "good" : cents < 0 ? "bad" : "");
export const address = (table, number) => `/audit/${encodeURIComponent(table)}/${number}`;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "16 Nov 2026, 03:26:42" on the visitor's own clock. */
export const when = (time) => `${day.format(new Date(time))}, ${clock.format(new Date(time))}`;

export class Rounds {
  constructor(root, tables, { open, chosen, tried }) {
    Object.assign(this, { tables, open, chosen, rounds: [] });
    this.select = el("select", { id: "which-table" }, tables.map(({ id, title }) => el("option", { value: id }, `${id} · ${title}`)));
    this.select.addEventListener("change", () => chosen(this.select.value));
    this.list = el("ol", { class: "rounds", "aria-label": "Finished rounds, the newest first" });
    this.none = el("p", { class: "quietly", hidden: true }, "No round has been finished here yet.");
    this.older = el("button", { type: "button", on: { click: () => tried(() => this.more()) } }, "Older rounds");
    this.newer = el("button", { type: "button", class: "plain", title: "Look for new rounds", "aria-label": "Look for new rounds", on: { click: () => tried(() => this.show(this.table)) } }, "↻");
    this.legend = el("p", { class: "quietly legend" }, "Below the time how many hands were dealt; beside it what the players together won or lost.");
    put(root, el("div", { class: "which" }, el("label", { for: "which-table" }, "Table"), this.select, this.newer), this.none, this.legend, el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Rounds to choose from" }, this.list, this.older));
  }

  /** The newest rounds of a table. */
  async show(table) {
    this.table = table;
    this.select.value = table;
    this.rounds = [];
    this.list.replaceChildren();
    await this.more();
    this.mark(this.number);
    return this.rounds[0]?.number ?? null;
  }

  async more() {
    const table = this.table;
    const before = this.rounds.at(-1)?.number;
    const found = await get(`/api/tables/${encodeURIComponent(table)}/rounds?limit=${PAGE}${before ? `&before=${before}` : ""}`);
    if (table !== this.table) return;
    this.rounds.push(...found);
    this.list.append(...found.map((round) => this.#line(round)));
    this.none.hidden = this.rounds.length > 0;
    this.legend.hidden = !this.rounds.length;
    this.older.hidden = found.length < PAGE || found.at(-1).number === 1;
    this.mark(this.number);
  }

  #line({ number, time, void: none, players, net }) {
    const people = players.length === 1 ? "1 hand" : `${players.length} hands`;
    const link = el("a", { href: address(this.table, number), data: { number }, title: `${when(time)}. ${players.join(", ")}` },
      el("b", null, String(number)), el("span", { class: "at" }, clock.format(new Date(time))),
      el("span", { class: "people" }, people), el("span", { class: `net ${none ? "even" : tone(net)}` }, none ? "void" : signed(net)));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open(this.table, number);
    });
    return el("li", null, link);
  }

  /** The round that is being looked at. */
  mark(number) {
    this.number = number;
    find("[aria-current]", this.list)?.removeAttribute("aria-current");
    const line = find(`[data-number="${Number(number)}"]`, this.list);
    line?.setAttribute("aria-current", "true");
    line?.scrollIntoView({ block: "nearest" });
  }
}
