// The opening chart of Ultimate Texas Hold'em: thirteen by thirteen, with the worth of each choice
// where one points or walks with the arrows.

import { el, put } from "../lib/dom.js";

const SIDE = 13;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE };

export function opening({ title, starts }) {
  const worth = el("p", { class: "worth", role: "status" }, "Point at a hand, or walk through the chart with the arrow keys.");
  const cells = starts.map((start, at) => el("td", { role: "gridcell", tabindex: at ? -1 : 0, data: { best: start.best, hand: start.name }, "aria-label": `${start.name}: ${start.best}, worth ${start.best === "check" ? start.check : start.play} antes` }, start.name));
  const show = (at) => {
    const { name, hands, best, check, play, check_exact: checks, play_exact: plays } = starts[at];
    put(worth, el("b", null, name), ` (${hands} hands): `, el("b", null, best === "check" ? "check" : `play ${best}`), ". A check is worth ", el("span", { title: checks }, check), " antes, the best play ", el("span", { title: plays }, play), ".");
  };
  const at = (event) => cells.indexOf(event.target.closest("td"));
  const grid = el("table", { class: "chart13", role: "grid", "aria-label": `${title}: the best first choice for each pair of cards` },
    el("tbody", { role: "rowgroup" }, Array.from({ length: SIDE }, (_, row) => el("tr", { role: "row" }, cells.slice(row * SIDE, row * SIDE + SIDE)))));
  grid.addEventListener("pointerover", (event) => at(event) >= 0 && show(at(event)));
  grid.addEventListener("focusin", (event) => show(at(event)));
  grid.addEventListener("keydown", (event) => {
    const here = at(event);
    const next = here + (STEPS[event.key] ?? 0);
    if (next === here || !cells[next]) return;
    event.preventDefault();
    cells[here].tabIndex = -1;
    cells[next].tabIndex = 0;
    cells[next].focus();
  });
  const counts = (best) => starts.filter((each) => each.best === best).length;
  const keys = [...new Set(starts.map(({ best }) => best))].map((best) => el("li", null, el("i", { data: { best } }), `${best === "check" ? "check" : `play ${best}`}, ${counts(best)} classes`));
  return el("div", { class: "block opening" }, el("h3", null, title), el("ul", { class: "legend" }, keys), grid, worth,
    el("p", { class: "quietly" }, "Pairs on the diagonal, suited hands right of it, the others left."));
}
