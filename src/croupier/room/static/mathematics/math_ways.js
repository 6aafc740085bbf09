// How a house is played: short rules in words, how kinds of hands are played, published ways.

import { capital, el, put } from "../lib/dom.js";

const DECISIONS = { "before-flop": "Before the flop", "after-flop": "After the flop", "after-river": "After the river", "after-deal": "After the deal", "bet-1": "The first bet", "bet-2": "The second bet", play: "The play wager" };
const decision = (name) => DECISIONS[name] ?? capital(name.replaceAll("-", " "));

/** For reading only; the fraction stands behind it. */
export function percent(text, digits = 2) {
  const [p, q] = text.split("/").map(BigInt);
  const scale = 10n ** BigInt(digits);
  const size = p < 0n ? -p : p;
  const scaled = (200n * scale * size + q) / (2n * q);
  return `${p < 0n && scaled ? "-" : ""}${scaled / scale}.${String(scaled % scale).padStart(digits, "0")} %`;
}

const nothing = (text) => text.startsWith("0/");

/** ``count`` works one of the ways out, where that takes too long to do for all. */
export function ways({ rules, charts, ways: named }, count) {
  return [
    el("section", { class: "panel" }, el("h2", null, "In words"),
      el("p", { class: "quietly" }, "Rules one can keep in mind, drawn from the exact solution. Each says what it gives away."),
      el("div", { class: "rules" }, rules.map(rule))),
    charts.length ? el("section", { class: "panel" }, el("h2", null, "Hand by hand"), charts.map(kinds)) : null,
    el("section", { class: "panel" }, el("h2", null, "Ways to play"), published(named, count)),
  ];
}

function rule({ decision: name, lines, otherwise, asked, misses, cost }) {
  const words = lines.map(({ group, option, better, rest }) => el("li", null,
    el("span", { class: "kind" }, capital(group)), el("span", null, el("b", null, capital(option)), better ? ` with ${better}, else ${rest}` : "")));
  const price = nothing(cost) ? "Loses nothing against best play." : `Departs from best play in ${percent(misses)} of rounds and gives away ${percent(cost, 4)} of the first wager.`;
  return el("article", { class: "rule" }, el("h3", null, decision(name)),
    nothing(asked) || asked === "1/1" ? null : el("p", { class: "quietly" }, `Comes up in ${percent(asked, 1)} of rounds.`),
    el("ul", null, words, otherwise ? el("li", null, el("span", { class: "kind" }, "Everything else"), el("b", null, capital(otherwise))) : null),
    el("p", { class: "quietly", title: cost }, price));
}

function kinds({ decision: name, rows }) {
  const options = Object.keys(rows[0].best);
  return el("div", { class: "block" }, el("h3", null, decision(name)),
    el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": `${decision(name)}, hand by hand` }, el("table", { class: "kinds" },
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Hand"), el("th", { scope: "col", class: "number" }, "Of rounds"), options.map((option) => el("th", { scope: "col", class: "number" }, capital(option))))),
      el("tbody", null, rows.map(({ hands, share, best }) => el("tr", null, el("td", null, capital(hands)), el("td", { class: "number", title: share }, percent(share)),
        options.map((option) => el("td", { class: "number part", title: best[option], vars: { "--part": percent(best[option]).replace(" ", "") } }, nothing(best[option]) ? "" : percent(best[option], 1)))))))));
}

function published(named, count) {
  return el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Ways to play" }, el("table", null,
    el("thead", null, el("tr", null, ["Way", "Edge", "Gives away"].map((head, at) => el("th", { scope: "col", class: at ? "number" : "" }, head)))),
    el("tbody", null, named.map((way) => wayRow(way, count)))));
}

function wayRow(way, count) {
  const title = capital(way.name.replaceAll("-", " "));
  const edge = el("td", { class: "number", "aria-live": "polite" });
  const cost = el("td", { class: "number" });
  const fill = (counted) => {
    for (const [cell, { percent: text, exact }] of [[edge, counted.edge], [cost, counted.cost]]) {
      put(cell, text);
      cell.title = exact;
    }
  };
  if (way.edge) fill(way);
  else put(edge, el("button", { type: "button", "aria-label": `Count ${title}`, on: { click: () => ask() } }, "Count"));
  async function ask() {
    put(edge, el("span", { class: "quietly" }, "counting"));
    try {
      fill(await count(way.name));
    } catch ({ sentence }) {
      put(edge, el("span", { class: "bad" }, sentence));
    }
  }
  return el("tr", null, el("td", null, el("b", null, title), el("span", { class: "quietly about" }, way.about)), edge, cost);
}
