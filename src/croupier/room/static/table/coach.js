// The coach: what each choice is worth, exactly, and what the evening's choices have cost. All of
// it is the server's mathematics; here fractions are only added up.

import { get, post } from "../lib/api.js";
import { card } from "../lib/cards.js";
import { capital, el, put } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { onSetting, recall, remember, setting } from "../lib/settings.js";
import { advised } from "./choices.js";

// --- exact sums -----------------------------------------------------------------------------

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const read = (text) => text.split("/").map(BigInt);

export function plus(a, b) {
  const [p, q] = [a[0] * b[1] + b[0] * a[1], a[1] * b[1]];
  const d = gcd(p < 0n ? -p : p, q) || 1n;
  return [p / d, q / d];
}

/** Cents as a fraction -> "$0.59", rounded for reading. */
export function inDollars([p, q]) {
  const size = p < 0n ? -p : p;
  const cents = (2n * size + q) / (2n * q);
  return `${p < 0n && cents ? "-" : ""}$${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
}

/** A fraction as a share: "2.95 %", rounded for reading. */
export function inPercent([p, q]) {
  const parts = (20_000n * p + q) / (2n * q);
  return `${parts / 100n}.${String(parts % 100n).padStart(2, "0")} %`;
}

const write = ([p, q]) => `${p}/${q}`;
const NOTHING = [0n, 1n];

export class Coach {
  cost = NOTHING;
  decisions = 0;
  rounds = 0;
  antes = 0; // of the rounds the coach has seen decided, in cents
  worst = [];
  house = undefined; // what perfect play costs; asked for once
  current = null; // the decision in question: {key, hand, advice, made}

  constructor(table, root) {
    this.table = table;
    this.key = `croupier.coach.${table.id}.${table.me.name}`;
    this.strip = el("div", { class: "advised", role: "status", "aria-label": "Coach" });
    this.now = el("div", { class: "advice" });
    this.soFar = el("div");
    this.chart = el("div");
    const button = el("button", { type: "button", on: { click: () => this.opening() } }, "Strategy chart");
    put(root, el("h2", null, "Coach"), this.now, this.soFar, el("p", { class: "links" }, button, el("a", { href: sheet(table.id) }, "The mathematics")), this.chart);
    onSetting((name) => name === "coach" && this.#draw());
    this.#recall();
    this.#draw();
    this.#tally();
  }

  /** My decision is due: ask what the options are worth, with the cards I see now. Who is quicker
   *  than the coach is told of that decision all the same. */
  async decide(seat, round, key) {
    if (setting("coach") === "off" || key === this.current?.key) return;
    const due = (this.current = { key, seat, round, hand: this.table.mySeat()?.cards ?? [] });
    this.#draw("Thinking …");
    try {
      due.advice = await post("/api/advise", { table: this.table.id, ...known(this.table.view.round, seat) });
    } catch (wrong) {
      if (due === this.current) this.#draw(wrong.sentence);
      return;
    }
    if (due.made) this.#judge(due);
    if (due === this.current) this.#draw();
  }

  /** I chose; what did it cost? */
  chosen(due, option) {
    if (!due || due.made) return;
    due.made = advised(option);
    if (due.advice) this.#judge(due);
  }

  /** Chips are laid for another round; what was advised for the last one goes. */
  rest() {
    put(this.strip);
  }

  #judge({ advice, made, hand, seat, round }) {
    const taken = advice.options.find(({ option }) => option === made);
    if (!taken) return;
    const cost = read(taken.cost_cents);
    this.cost = plus(this.cost, cost);
    this.decisions++;
    if (this.last !== `${round} ${seat}`) {
      this.last = `${round} ${seat}`;
      this.rounds++;
      this.antes += advice.ante;
    }
    if (cost[0]) this.worst.push({ cost, made, best: advice.best, hand });
    this.worst.sort((a, b) => Number(b.cost[0] * a.cost[1] - a.cost[0] * b.cost[1]));
    this.worst.length = Math.min(this.worst.length, 5);
    this.#remember();
    this.#tally();
    this.#draw();
  }

  #draw(words = "") {
    const { advice, made } = this.current ?? {};
    const when = setting("coach");
    if (when === "off") words = "The coach is off. Turn it on in the settings.";
    else if (!advice) words ||= "At your next decision the worth of each choice stands here.";
    else if (when === "after" && !made) words = "Choose first; then we talk.";
    if (words) {
      put(this.strip);
      return put(this.now, el("p", { class: "quietly" }, words));
    }
    const rows = advice.options.map(({ option, value, decimal, cost_cents: cost }) =>
      el("tr", { class: option === advice.best ? "best" : "" },
        el("td", null, option, option === made ? " (yours)" : "", option === advice.best ? el("span", { class: "good" }, " best") : ""),
        el("td", { class: "number" }, decimal, el("code", { class: "exact" }, value.replace(/\/1$/, ""))), el("td", { class: "number" }, read(cost)[0] ? inDollars(read(cost)) : "")));
    put(this.now, el("table", null,
      el("thead", null, el("tr", null, el("th", null, "Choice"), el("th", { class: "number" }, "Worth, in bets"), el("th", { class: "number" }, "Gives away"))),
      el("tbody", null, rows)));
    put(this.strip, advice.options.map(({ option, value, decimal }) =>
      el("p", { data: { option }, title: value }, el("b", null, option), el("span", null, decimal),
        el("i", null, [option === advice.best && "best", option === made && "yours"].filter(Boolean).join(", ")))));
  }

  /** The house's edge over perfect play, of the table's main wager. */
  async #price() {
    if (this.house !== undefined) return;
    this.house = null;
    try {
      const { edges } = await post("/api/edge", { house: { table: this.table.id } });
      this.house = edges.find(({ key }) => key === "main");
    } catch {
      return; // then the evening is counted without it
    }
    this.#tally();
  }

  /** What was given away, as a share of what was staked; and with the house's edge, the player's own. */
  #edge() {
    const given = [this.cost[0], this.cost[1] * BigInt(this.antes)];
    const { edge, unit } = this.house ?? {};
    return [", ", el("b", { class: "given" }, inPercent(given)), ` of ${dollars(this.antes)} staked.`,
      edge ? [` Perfect play costs ${inPercent(read(edge.exact))} of ${unit}; this evening you paid `, el("b", { class: "paid" }, inPercent(plus(read(edge.exact), given))), "."] : null];
  }

  #tally() {
    if (this.antes) this.#price();
    put(this.soFar,
      this.decisions ? el("p", null, `${plural(this.decisions, "decision")} in ${plural(this.rounds, "round")}. Against perfect play you gave away `,
        el("b", { title: `${write(this.cost)} cents` }, inDollars(this.cost)), this.antes ? this.#edge() : ".") : null,
      this.worst.length ? el("ol", { class: "worst" }, this.worst.map(({ cost, made, best, hand }) =>
        el("li", null, el("span", { class: "mini" }, hand.map((code) => card(code))), ` ${made} instead of ${best}: ${inDollars(cost)}`))) : null);
  }

  #remember() {
    const { decisions, rounds, antes, last } = this;
    remember(this.key, { decisions, rounds, antes, last, cost: write(this.cost), worst: this.worst.map((each) => ({ ...each, cost: write(each.cost) })) });
  }

  #recall() {
    const kept = recall(this.key);
    if (!kept) return;
    Object.assign(this, kept, { cost: read(kept.cost), worst: kept.worst.map((each) => ({ ...each, cost: read(each.cost) })) });
  }

  /** For the command line. */
  words() {
    if (setting("coach") === "off") return "The coach is off. Turn it on in the settings.";
    const { advice, made } = this.current ?? {};
    if (!advice) return "There is nothing to decide.";
    if (setting("coach") === "after" && !made) return "Choose first; then we talk.";
    return `${advice.options.map(({ option, decimal }) => `${option} ${decimal}`).join(", ")}. Best: ${advice.best}.`;
  }

  /** How hands are played best; pressed again it goes away. */
  async opening() {
    if (this.chart.firstChild) return put(this.chart);
    put(this.chart, el("p", { class: "quietly" }, "Thinking …"));
    try {
      const { opening, charts } = await get(`/api/chart?table=${encodeURIComponent(this.table.id)}`);
      put(this.chart, opening ? byHand(opening) : charts.map(byKind));
    } catch (wrong) {
      put(this.chart, el("p", { class: "quietly" }, wrong.sentence));
    }
  }
}

/** What a seat knows of a round: every card that lies open or is its own, and what it staked. */
function known({ positions, community, dealer }, seat) {
  const faces = (codes) => codes.filter((code) => code !== "??").join(" ");
  const mine = positions.find((each) => each.seat === seat);
  const others = positions.filter((each) => each !== mine).flatMap(({ cards }) => cards);
  return { hand: faces(mine.cards), board: faces(community), dealer: faces(dealer), seen: faces(others), ante: mine.wagers.ante ?? mine.wagers["bet 3"] };
}

/** Where a table's mathematics stand. */
export const sheet = (id) => `/mathematics?house=${encodeURIComponent(`table:${id}`)}`;

const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Thirteen by thirteen: pairs on the diagonal, suited hands above it. */
function byHand(cells) {
  const side = Math.round(Math.sqrt(cells.length));
  const rows = Array.from({ length: side }, (_, at) => cells.slice(at * side, at * side + side));
  return el("table", { class: "chart13" }, el("caption", null, "Best first choice for each pair of cards"), el("tbody", null,
    rows.map((row) => el("tr", null, row.map((cell) => el("td", { data: { best: cell.best }, title: `${cell.class}: ${cell.best}` }, cell.class, el("span", { class: "unseen" }, ` ${cell.best}`)))))));
}

/** Kinds of hands, and what is mostly best with each. */
function byKind({ decision, rows }) {
  return el("table", { class: "kinds" }, el("caption", null, capital(decision.replaceAll("-", " "))), el("tbody", null,
    rows.map(({ hands, best }) => {
      const [choice, share] = Object.entries(best).map(([name, part]) => [name, percent(part)]).reduce((a, b) => (b[1] > a[1] ? b : a));
      return el("tr", null, el("td", null, hands), el("td", null, share === 100 ? choice : `${choice}, ${share} %`));
    })));
}

/** For reading only. */
const percent = (text) => {
  const [p, q] = read(text);
  return Number((p * 100n) / q);
};
