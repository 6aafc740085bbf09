// The house form: every field of a submission, its legality and its price as one writes.

import { post, Refused } from "../lib/api.js";
import { cite } from "../lib/clause.js";
import { all, capital, el, find, put, say } from "../lib/dom.js";
import { readDollars } from "../lib/money.js";
import { draftOf, linesOf, made, submission, takeAlong } from "./house_draft.js";
import { choice, field, group, number, showAgainst, slot, text, tick } from "./house_fields.js";
import { Live } from "./house_live.js";

const SECONDS = [[0, "not timed"], [15, "15 seconds"], [20, "20 seconds"], [30, "30 seconds"], [45, "45 seconds"], [60, "60 seconds"], [120, "2 minutes"]];
const COLOURS = ["red", "blue"];

export class HouseForm {
  /** ``opened`` is told of the table that was opened. Staff may set everything the law leaves open,
      players what does not change what a table pays. */
  constructor(preset, form, opened, staff) {
    Object.assign(this, { preset, form, opened, staff });
    this.draft = draftOf(preset, form);
    this.live = new Live((news) => this.#hear(news));
    this.fields = el("div", { class: "fields" });
    this.verdict = el("div", { class: "verdict", role: "status" });
    this.prices = el("dl", { class: "prices" });
    this.note = el("p", { class: "quietly", role: "status" });
    this.others = el("div", { class: "others" });
    this.why = el("p", { class: "quietly", id: "why-not", role: "status" });
    this.button = el("button", { class: "strong", disabled: true, "aria-describedby": "why-not" }, "Open this table");
    this.study = el("button", { type: "button", disabled: true, on: { click: () => this.#study() } }, "Study its mathematics");
    this.node = el("form", { class: "house-form", novalidate: true, "aria-label": `A house under ${form.law}` }, this.fields,
      el("aside", { class: "panel desk", "aria-label": "What the room says" }, el("h3", null, form.title), el("p", { class: "quietly" }, form.law), this.verdict, this.others, this.prices, this.note, el("div", { class: "row" }, this.button, this.study), this.why));
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.button.disabled) this.#open();
    });
    this.#draw();
    this.#changed();
  }

  /** Keep what was typed, and ask about it. */
  #set(key) {
    return (value) => {
      this.draft[key] = value;
      this.#changed();
    };
  }

  #changed() {
    this.live.changed(submission(this.draft, this.form, this.staff));
  }

  /** Something that other fields depend on: the form is drawn again, and the focus kept. */
  #redraw(change) {
    return (value) => {
      const focused = document.activeElement?.closest("[data-key]")?.dataset.key;
      change(value);
      this.#draw();
      if (focused) find(`[data-key="${CSS.escape(focused)}"] :is(input, select)`, this.fields)?.focus();
      this.#changed();
    };
  }

  // --- the fields ---------------------------------------------------------------------------

  #draw() {
    put(this.fields, this.#house(), this.#wagers(), this.#pay(), this.#progressive(), this.#cards(), this.#settlement(), this.#table());
  }

  #house() {
    const { draft, form } = this;
    return group("The house",
      field("Name of the house", "name", text(draft.name, this.#set("name"), { maxlength: 64 })),
      field("Positions", "positions", number(draft.positions, this.#set("positions")), { hint: `1 to ${form.most_positions}` }),
      form.most_adjacent > 1 ? field("Adjacent positions one player may hold", "adjacent", number(draft.adjacent, this.#set("adjacent")), { hint: `1 to ${form.most_adjacent}` }) : null);
  }

  #wagers() {
    const { draft, form } = this;
    const offer = (key) => this.#redraw((on) => draft.offered[on ? "add" : "delete"](key));
    const meter = this.staff || this.preset.progressive; // the meter of a progressive is the room's
    const rows = form.wagers.filter((w) => (w.limits || !w.required) && (w.key !== "progressive" || meter)).map((wager) => {
      const { key, title, required, limits, exactly, clause } = wager;
      const head = required ? el("span", { class: "offer" }, title) : el("label", { class: "offer" }, tick(draft.offered.has(key), offer(key)), title);
      const range = !made(draft, form, key) ? el("span", { class: "quietly" }, "not offered")
        : limits ? (this.staff ? this.#range(key, title) : this.#posted(key)) : el("span", { class: "quietly" }, `exactly $${exactly / 100}`);
      return el("div", { class: "field wager", data: { key: `offered.${key}` } }, head, range, cite(clause));
    });
    return group("Wagers and their limits", rows, slot("offered"));
  }

  /** The room's own limits, which a player does not set. */
  #posted(key) {
    const [least, most] = this.draft.limits[key];
    return el("span", { class: "quietly" }, least && most ? `$${least} to $${most}, the room's limits` : "the room's limits");
  }

  #range(key, title) {
    const ends = this.draft.limits[key];
    const against = slot(`limits.${key}`);
    const end = (at, words) => {
      const box = number(ends[at], (value) => {
        ends[at] = value;
        this.#changed();
      });
      box.setAttribute("aria-label", `${title}, ${words}, in dollars`);
      box.setAttribute("aria-describedby", against.id);
      return el("span", { class: "dollars" }, box);
    };
    return el("span", { class: "range", data: { key: `limits.${key}` } }, end(0, "minimum"), " to ", end(1, "maximum"), against);
  }

  #pay() {
    const here = this.form.pay.filter(({ wager }) => made(this.draft, this.form, wager));
    return group("What they pay", here.map((pay) => (pay.open ? this.#openPay(pay) : this.#fixedPay(pay))), slot("pay"));
  }

  #head({ key, title, clause }) {
    return [el("h3", null, title), cite(clause), el("output", { class: "edge", data: { edge: key } })];
  }

  #openPay(pay) {
    const { key, title, tables } = pay;
    const mine = this.draft.pay[key];
    const table = tables.find(({ name }) => name === mine.table);
    const choose = this.#redraw((name) => {
      Object.assign(mine, { table: name, lines: linesOf(tables.find((each) => each.name === name)) });
    });
    const named = tables.length > 1 ? field(`${title}: pay table`, `pay.${key}.table`, choice(tables.map(({ name }) => [name, `Table ${name}`]), mine.table, choose)) : null;
    if (!this.staff) return this.#printed(pay, table, named);
    const lines = table.lines.map(({ name, words }) => {
      const heard = (value) => {
        mine.lines[name] = value;
        this.#changed();
      };
      return field(capital(words), `pay.${key}.${name}`, text(mine.lines[name], heard, { class: "award", placeholder: "no line" }));
    });
    return el("section", { class: "pay", data: { pay: key } }, el("div", { class: "pay-head" }, this.#head(pay)), named, el("div", { class: "lines-grid" }, lines), slot(`pay.${key}`));
  }

  #fixedPay(pay) {
    return el("section", { class: "pay fixed", data: { pay: pay.key } }, el("div", { class: "pay-head" }, this.#head(pay)),
      el("details", null, el("summary", null, "The law fixes these odds"), fixedLines(pay.tables[0])));
  }

  /** A printed pay table, which a player chooses but does not write. */
  #printed(pay, table, named) {
    return el("section", { class: "pay fixed", data: { pay: pay.key } }, el("div", { class: "pay-head" }, this.#head(pay)), named,
      el("details", null, el("summary", null, "What it pays"), fixedLines(table)), slot(`pay.${pay.key}`));
  }

  #progressive() {
    const { draft } = this;
    if (!this.staff || !draft.offered.has("progressive")) return null;
    const set = (key) => (value) => {
      draft.progressive[key] = value;
      this.#changed();
    };
    return group("The progressive, in dollars",
      field("The meter stands at", "progressive.meter", number(draft.progressive.meter, set("meter"))),
      field("Seed", "progressive.seed", number(draft.progressive.seed, set("seed"))),
      field("Each wager adds", "progressive.contribution", number(draft.progressive.contribution, set("contribution"))));
  }

  #cards() {
    const { draft, form } = this;
    const decks = (many) => (draft.decks = many === 2 ? [draft.decks[0], COLOURS.find((each) => each !== draft.decks[0])] : draft.decks.slice(0, 1));
    const colour = (at) => choice(COLOURS.map((each) => [each, each]), draft.decks[at], (value) => {
      draft.decks[at] = value;
      this.#changed();
    });
    return group("Cards and dealing",
      field("Decks", "decks", choice([[1, "one deck"], [2, "two, in turn"]], draft.decks.length, this.#redraw(decks))),
      draft.decks.map((_, at) => field(at ? "Back of the second" : "Back", `decks.${at}`, colour(at))),
      field("Shuffling", "shuffling", choice(form.shuffling.map((each) => [each, each]), draft.shuffling, this.#set("shuffling"))),
      field("Dealing", "dealing", choice(form.dealing.map((each) => [each, each === "hand" ? "from the hand" : each]), draft.dealing, this.#set("dealing"))),
      field("The device counts the deck", "counting", tick(draft.counting, this.#set("counting"))),
      form.preshuffled ? field("Pre-shuffled cards", "preshuffled", tick(draft.preshuffled, this.#set("preshuffled"))) : null,
      slot("alternate"));
  }

  #settlement() {
    const { draft, form } = this;
    const stack = form.pik_it ? field("The dealer's stack", "dealer_stack", choice([[1, "way 1"], [2, "way 2"]], draft.dealer_stack, this.#set("dealer_stack"))) : null;
    if (!this.staff) return stack ? group("Settlement", stack) : null;
    const picked = form.multiples.map(({ key, of, choices, clause }) => field(capital(key.replace("-", " ")), `multiples.${key}`,
      choice(choices.map((n) => [n, n === 1 ? `equal to the ${of}` : `${n} times the ${of}`]), draft.multiples[key], (n) => {
        draft.multiples[key] = n;
        this.#changed();
      }), { clause }));
    const fields = [
      ...picked,
      form.pik_it ? field("The dealer must qualify", "qualifier", tick(draft.qualifier, this.#set("qualifier"))) : null,
      form.pik_it ? field("Settlement", "settlement", choice([[1, "alternative 1"], [2, "alternative 2"]], draft.settlement, this.#set("settlement"))) : null,
      stack,
      form.payout_limit ? field("Payout limit, in dollars", "payout_limit", number(draft.payout_limit, this.#set("payout_limit")), { hint: "empty: as the law has it" }) : null,
      form.match_play ? field("Match play coupons", "match_play", tick(draft.match_play, this.#set("match_play"))) : null,
    ].filter(Boolean);
    return fields.length ? group("Settlement", fields) : null;
  }

  #table() {
    const { draft, staff } = this;
    return group("The table",
      field("To bet", "betting_seconds", choice(SECONDS.slice(1), draft.betting_seconds, this.#set("betting_seconds"))),
      field("To decide", "decision_seconds", choice(staff ? SECONDS : SECONDS.slice(1), draft.decision_seconds, this.#set("decision_seconds")), { hint: "while others wait" }),
      staff ? field("Chips in the tray, in dollars", "inventory", number(draft.inventory, this.#set("inventory"))) : null,
      field("Name of the table", "id", text(draft.id, this.#set("id"), { maxlength: 32, placeholder: "the next number" })));
  }

  // --- what the room says -------------------------------------------------------------------

  #hear(news) {
    this.news = news;
    const { state, verdict, price } = news;
    if (verdict) {
      const warnings = [...verdict.warnings, ...(price?.warnings ?? [])];
      put(this.others, showAgainst(this.fields, verdict.violations, warnings));
    }
    const wrong = verdict?.violations.length ?? 0;
    put(this.verdict, el("strong", { class: { unlawful: "bad", priced: "good", pricing: "good", wrong: "bad" }[state] ?? "quietly" },
      { waiting: "Looking it up …", unlawful: wrong === 1 ? "Not lawful: one violation" : `Not lawful: ${wrong} violations`, wrong: news.sentence }[state] ?? "Lawful"));
    if (state === "pricing") this.#unpriced("Working it out …");
    if (state === "unlawful") this.#unpriced("Its price is worked out when it is lawful.");
    if (price) this.#priced(price.edges);
    const ready = state === "pricing" || state === "priced";
    this.button.disabled = this.study.disabled = !ready;
    const first = verdict?.violations[0];
    say(this.why, ready ? "" : first ? `It cannot be opened: ${first.sentence}` : state === "wrong" ? "" : "The room is looking at it.");
  }

  /** The last prices stay, dimmed, until there are new ones. */
  #unpriced(words) {
    this.prices.classList.add("old");
    for (const output of all("[data-edge]", this.fields)) say(output, "");
    say(this.note, words);
  }

  #priced(edges) {
    this.prices.classList.remove("old");
    say(this.note, "");
    put(this.prices, edges.map(price));
    for (const { key, edge, favours_player: players } of edges) {
      const output = find(`[data-edge="${CSS.escape(key.replace(/, (\d) hands/, ".$1"))}"]`, this.fields);
      if (!output) continue;
      put(output, el("span", { class: players ? "bad" : "" }, edge.percent));
      output.title = `edge, exactly ${edge.exact}`;
    }
  }

  // --- what one does with it ----------------------------------------------------------------

  #study() {
    takeAlong(this.news.house);
    location.assign("/mathematics?house=mine");
  }

  async #open() {
    const { id, inventory, betting_seconds: betting, decision_seconds: decision } = this.draft;
    const asked = { house: this.news.house, id: id.trim(), betting_seconds: Number(betting), decision_seconds: Number(decision) };
    if (this.staff) asked.inventory = readDollars(inventory);
    if (asked.inventory === null) return say(this.why, "Enter the chips in the tray in dollars, such as 100000.");
    try {
      this.opened(await post("/api/tables", asked));
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
      say(this.why, wrong.sentence);
    }
  }
}

const fixedLines = ({ lines }) => el("ul", { class: "fixed-lines" }, lines.map(({ words, pays }) => el("li", null, el("span", null, capital(words)), el("span", null, pays))));

/** One wager's edge, large, and exactly where one opens it. */
function price({ title, unit, edge, element_of_risk: risk, favours_player: players }) {
  return el("div", { class: players ? "players" : "" },
    el("dt", null, title),
    el("dd", null, el("details", null,
      el("summary", { title: edge.exact }, el("span", { class: "percent" }, edge.percent), players ? el("span", { class: "bad" }, " the player's edge") : null),
      el("p", null, `Of ${unit}, exactly `, el("code", null, edge.exact), "."),
      el("p", null, `Element of risk ${risk.percent}, exactly `, el("code", null, risk.exact), "."))));
}
