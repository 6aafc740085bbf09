// Charts of our own, drawn to the width there is and drawn again when it changes.

import { el, put, svg } from "../lib/dom.js";

const HIGH = 260;
const LEFT = 74;
const RIGHT = 14;
const BELOW = 44;
const TICKS = [-10, -3, -1, 0, 1, 3, 10, 50, 100, 500, 1000, 10000, 100000];

/** A figure whose drawing is made for its width. */
function figure(title, words, draw) {
  const place = el("div", { class: "drawing" });
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    put(place, svg("svg", { viewBox: `0 0 ${now} ${HIGH}`, width: now, height: HIGH, role: "img", "aria-label": `${title}. ${words}` }, draw(now)));
  }).observe(place);
  return el("figure", { class: "block" }, el("h3", null, title), place, el("figcaption", { class: "quietly" }, words));
}

function label(x, y, words, anchor = "middle") {
  const text = svg("text", { x, y, "text-anchor": anchor });
  text.textContent = words;
  return text;
}

const line = (x1, y1, x2, y2, how) => svg("line", { x1, y1, x2, y2, class: how });
const many = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

// --- outcomes -------------------------------------------------------------------------------

/** Nets lie on a scale that is even near nothing and by factors far from it. */
const bent = (net) => Math.sign(net) * Math.log1p(Math.abs(net) * 2);

export function distribution({ title, bars }) {
  const points = bars.map(({ net, probability, one_in: oneIn }) => ({ net: Number(net), p: Number(probability), oneIn }));
  const rarest = Math.ceil(-Math.log10(Math.min(...points.map(({ p }) => p))));
  const [low, high] = [Math.min(...points.map(({ net }) => net)), Math.max(...points.map(({ net }) => net))];
  const draw = (width) => {
    const span = bent(high) - bent(low) || 1;
    const x = (net) => LEFT + 12 + ((bent(net) - bent(low)) / span) * (width - LEFT - RIGHT - 24);
    const y = (p) => 12 + (-Math.log10(p) / rarest) * (HIGH - BELOW - 12);
    const floor = HIGH - BELOW;
    const grid = Array.from({ length: rarest + 1 }, (_, n) => n).filter((n) => rarest < 6 || n % 2 === 0)
      .map((n) => [line(LEFT, y(10 ** -n), width - RIGHT, y(10 ** -n), "grid"), label(LEFT - 8, y(10 ** -n) + 4, n ? `1 in ${many.format(10 ** n)}` : "always", "end")]);
    const ticks = spaced(TICKS.filter((net) => net >= low && net <= high), x).map((net) => [line(x(net), floor, x(net), floor + 5, "axis"), label(x(net), floor + 18, net > 0 ? `+${net.toLocaleString("en-US")}` : String(net).replace("-", "−"))]);
    const stems = points.map(({ net, p, oneIn }) => {
      const stem = svg("g", { class: net > 0 ? "win" : net < 0 ? "loss" : "push" }, line(x(net), floor, x(net), y(p), "stem"), svg("circle", { cx: x(net), cy: y(p), r: 4 }));
      const words = svg("title");
      words.textContent = `${net > 0 ? "+" : ""}${net}: one in ${oneIn}`;
      stem.prepend(words);
      return stem;
    });
    return [grid, line(LEFT, floor, width - RIGHT, floor, "axis"), ticks, stems, label((LEFT + width - RIGHT) / 2, HIGH - 6, "net for the player, in units")];
  };
  const best = points.at(-1);
  return figure(title, `${points.length} different nets, from ${low} to ${best.net > 0 ? "+" : ""}${high}; the best comes once in ${best.oneIn} rounds. From line to line a net is ${rarest < 6 ? "ten" : "a hundred"} times as likely.`, draw);
}

/** Ticks that do not touch. */
function spaced(values, x) {
  const kept = [];
  for (const value of values) if (!kept.length || x(value) - x(kept.at(-1)) > 34) kept.push(value);
  return kept;
}

// --- the return over many rounds ------------------------------------------------------------

const FINE = Array.from({ length: 49 }, (_, n) => n / 48);

export function funnel({ title, mean, rounds }) {
  const levels = rounds[0][1].map(({ confidence }) => confidence);
  const middle = Number(mean);
  const widest = Math.max(...rounds[0][1].map(({ high }) => Number(high) - middle));
  const reach = widest * 1.08;
  const draw = (width) => {
    const logs = rounds.map(([n]) => Math.log10(n));
    const x = (n) => LEFT + ((Math.log10(n) - logs[0]) / (logs.at(-1) - logs[0])) * (width - LEFT - RIGHT - 20);
    const y = (value) => 12 + ((middle + reach - value) / (2 * reach)) * (HIGH - BELOW - 12);
    const bands = levels.map((_, at) => levels.length - 1 - at).map((at) => {
      const wide = Number(rounds[0][1][at].high) - middle; // and narrower by the root of the rounds
      const ends = FINE.map((part) => 10 ** (logs[0] + part * (logs.at(-1) - logs[0]))).map((n) => [x(n), wide * Math.sqrt(rounds[0][0] / n)]);
      const path = [...ends.map(([a, half]) => `${a},${y(middle + half)}`), ...ends.reverse().map(([a, half]) => `${a},${y(middle - half)}`)].join(" ");
      return svg("polygon", { points: path, class: `band b${at}` });
    });
    const steps = [middle + widest, middle, middle - widest].map((value) => [line(LEFT, y(value), width - RIGHT, y(value), value === middle ? "mean" : "grid"), label(LEFT - 8, y(value) + 4, `${(value * 100).toFixed(1)} %`, "end")]);
    const ticks = rounds.map(([n]) => label(x(n), HIGH - BELOW + 18, many.format(n)));
    return [bands, steps, ticks, label((LEFT + width - RIGHT) / 2, HIGH - 6, "rounds")];
  };
  return figure(title, `Around ${(middle * 100).toFixed(4)} %: the darkest band holds 90 of 100 such runs, the next 95, the lightest 99.`, draw);
}
