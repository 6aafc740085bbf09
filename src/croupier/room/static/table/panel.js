// Beside the felt: what was said, the rules and odds, the evening so far, the coach, the shuffle.

import { cite } from "../lib/clause.js";
import { card } from "../lib/cards.js";
import { all, capital, el, find, put } from "../lib/dom.js";
import { dollars, signed } from "../lib/money.js";
import { remove } from "../lib/api.js";
import { recall, remember } from "../lib/settings.js";
import { closing, mayClose } from "../lobby/lobby_table.js";
import { sheet } from "./coach.js";

const MOST_LINES = 300;
const HASH = /\b[0-9a-f]{40,}\b/g; // the whole of it stands on the page of the shuffle and in the audit

/** Tabs after the usual pattern: one tab stop, arrows move. */
function tabs(label, pages) {
  const list = el("div", { role: "tablist", "aria-label": label, class: "tabs" });
  const open = (name) => {
    for (const tab of all("[role=tab]", list)) {
      const on = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      const page = pages[tab.dataset.tab];
      if (tab.dataset.tab === "log") page.classList.toggle("unseen", !on); // still heard
      else page.hidden = !on;
      page.tabIndex = on ? 0 : -1;
    }
  };
  const names = Object.keys(pages);
  for (const name of names) {
    list.append(el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `page-${name}`, data: { tab: name }, on: { click: () => open(name) } }, capital(name)));
    pages[name].id = `page-${name}`;
    pages[name].setAttribute("role", "tabpanel");
    pages[name].setAttribute("aria-labelledby", `tab-${name}`);
  }
  list.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const at = names.findIndex((name) => find(`#tab-${name}`, list).getAttribute("aria-selected") === "true");
    const next = names.at((at + step) % names.length);
    open(next);
    find(`#tab-${next}`, list).focus();
  });
  open(names[0]);
  return { list, open };
}

export class Panel {
  constructor(root, table) {
    this.table = table;
    this.key = `croupier.evening.${table.id}.${table.me.name}`;
    this.rounds = recall(this.key) ?? [];
    this.lines = el("div", { class: "lines", role: "log", "aria-live": "polite", "aria-label": "What happened" });
    this.log = el("div", null, this.lines);
    this.rules = el("div", { class: "rules" });
    this.evening = el("div", null);
    this.coach = el("div", null);
    this.fair = el("div", { class: "fair" });
    const { list, open } = tabs("About this table", { log: this.log, rules: this.rules, evening: this.evening, coach: this.coach, shuffle: this.fair });
    this.open = open;
    put(root, list, el("div", { class: "pages" }, this.log, this.rules, this.evening, this.coach, this.fair));
    this.#evening();
    this.#fairPage();
  }

  /** One line of the log; ``kind`` is "me", "turn" or nothing. */
  say(sentence, clause = null, kind = "") {
    const button = cite(clause);
    if (button) button.tabIndex = -1; // the settled wagers carry theirs within reach of the keyboard
    const page = this.log;
    const low = page.scrollHeight - page.scrollTop - page.clientHeight < 60;
    this.lines.append(el("p", { class: kind }, sentence.replace(HASH, (hash) => `${hash.slice(0, 12)}…`), button ? " " : null, button));
    while (this.lines.children.length > MOST_LINES) this.lines.firstChild.remove();
    if (low) page.scrollTop = page.scrollHeight;
  }

  dress(info) {
    const { title, house, rulebook, law = rulebook, sign = [], rules = [], clocks = {} } = info;
    const seconds = clocks.decision_seconds ? `${clocks.decision_seconds} seconds for each decision while others wait; after that the house acts as posted. Alone at the table you are not timed.` : "Take your time: decisions are not timed.";
    put(this.rules, el("h2", null, title), el("p", { class: "quietly" }, `${house} · ${law}`),
      mayClose(info, this.table.me) ? el("p", null, closing(info.id, () => this.#close(), "")) : null,
      rules.length ? el("ol", { class: "course" }, rules.map((line) => el("li", null, cited(line)))) : null,
      el("p", { class: "quietly" }, seconds),
      el("p", { class: "links" }, el("a", { href: "/law" }, "The law"), el("a", { href: sheet(this.table.id) }, "What each wager costs")),
      sign.map(({ title: t, lines, clause }) => el("section", { class: "notice" },
        el("h3", null, t, " ", cite(clause)), notice(lines))));
  }

  async #close() {
    try {
      const { sentence } = await remove(`/api/tables/${encodeURIComponent(this.table.id)}`);
      this.say(sentence);
    } catch ({ sentence }) {
      this.table.wrong(sentence);
    }
  }

  /** A finished round of mine. */
  finished({ number, net, words, cards, void: none }) {
    this.rounds.unshift({ number, net, words, cards, none });
    remember(this.key, this.rounds);
    this.#evening();
  }

  #evening() {
    const view = this.table.view;
    const total = this.rounds.reduce((sum, round) => sum + (round.net ?? 0), 0);
    put(this.evening, el("h2", null, "This evening"),
      el("dl", { class: "figures" },
        figure("Rounds", String(this.rounds.length)),
        figure("Up or down", signed(total), tone(total)),
        figure("Chips here", dollars(view?.you?.chips ?? 0)),
        figure("Bank", dollars(view?.you?.bank ?? 0))),
      this.rounds.length
        ? el("table", null, el("thead", null, el("tr", null, el("th", null, "Round"), el("th", null, "Hand"), el("th", { class: "number" }, "Net"))),
            el("tbody", null, this.rounds.map((round) => el("tr", null,
              el("td", null, el("a", { href: `/audit/${encodeURIComponent(this.table.id)}/${round.number}`, "aria-label": `Round ${round.number}, replayed` }, String(round.number))),
              el("td", null, el("span", { class: "mini" }, round.cards.map((code) => card(code))), el("span", { class: "quietly" }, round.none ? "void" : round.words)),
              el("td", { class: `number ${tone(round.net)}` }, round.net === null ? "not seen" : signed(round.net))))))
        : el("p", { class: "quietly" }, "Your finished rounds will stand here."));
  }

  refresh() {
    this.#evening();
    this.#promise();
  }

  // --- the shuffle ----------------------------------------------------------------------------

  #fairPage() {
    this.promise = el("div");
    const field = el("input", { id: "entropy", maxlength: 128, autocomplete: "off", placeholder: "any words" });
    const done = el("output", { class: "quietly" });
    const form = el("form", null, el("label", { for: "entropy" }, "Add something of your own to the next shuffle"), el("div", { class: "row" }, field, el("button", null, "Add")), done);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      put(done, await this.table.addEntropy(field.value));
      field.value = "";
    });
    put(this.fair, el("h2", null, "The shuffle"),
      el("p", null, "The house promised this shuffle before you bet. When the round is over its seed is opened, and anyone can compute the order again."),
      this.promise, form,
      el("p", { class: "quietly" }, "croupier verify does, with the round's number."));
  }

  #promise() {
    const promised = this.table.view?.commitment;
    const hash = promised?.commitment ?? "";
    if (this.promise.dataset.hash === hash) return;
    this.promise.dataset.hash = hash;
    if (!hash) return put(this.promise, el("p", { class: "quietly" }, "No shuffle is promised at the moment."));
    put(this.promise, el("details", null,
      el("summary", null, `Shuffle ${promised.shuffle ?? ""}: `, el("code", null, `${hash.slice(0, 12)}…`)), el("p", { class: "hash" }, hash)));
  }
}

/** "Words. [clause]" with the clause to press. */
function cited(line) {
  const [, words, id] = /^(.*?)\s*(?:\[([^\]]+)\])?$/.exec(line);
  return [words, " ", cite(id)];
}

const tone = (cents) => (cents > 0 ? "good" : cents < 0 ? "bad" : "");
const figure = (name, value, how = "") => el("div", null, el("dt", null, name), el("dd", { class: how }, value));

function notice(lines) {
  const split = lines.map((line) => line.split(/: (?=[^:]*$)/));
  if (split.every((parts) => parts.length === 2)) {
    return el("table", null, el("tbody", null, split.map(([hand, pays]) => el("tr", null, el("td", null, hand), el("td", { class: "number" }, pays)))));
  }
  return lines.map((line) => el("p", null, line));
}
