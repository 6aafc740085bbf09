// Two houses side by side: what differs, and what that does to every figure.

import { cite } from "../lib/clause.js";
import { capital, el } from "../lib/dom.js";

export function comparison({ differences, wagers, exposure }, first, second) {
  const heads = (...names) => el("thead", null, el("tr", null, names.map((name, at) => el("th", { scope: "col", class: at && name !== "Clause" ? "number" : "" }, name))));
  const settings = differences.map(({ key, first: a, second: b }) => el("tr", null, el("td", null, el("code", null, key)),
    el("td", { class: "number" }, a?.value ?? "–"), el("td", { class: "number" }, b?.value ?? "–"), el("td", null, cites(a, b))));
  return el("section", { class: "panel comparison" }, el("h2", null, "Side by side"),
    differences.length
      ? [wide("What differs", el("table", null, heads("Setting", first, second, "Clause"), el("tbody", null, settings))),
          [...wagers, { title: "Exposure", figures: exposure }].map((group) => figures(group, heads("Figure", first, second, "Change")))]
      : el("p", null, "No setting differs."));
}

const wide = (label, inside) => el("div", { class: "wide block", tabindex: 0, role: "group", "aria-label": label }, inside);

function cites(...some) {
  return [...new Set(some.map((each) => each?.clause).filter(Boolean))].map((id) => [cite(id), " "]);
}

/** Only what changed is unfolded. */
function figures({ title, figures: some }, heads) {
  const changed = some.filter(({ differs }) => differs);
  const rows = (changed.length ? changed : some).map(({ name, first, second, change, differs, exact_first: a, exact_second: b, exact_change: c }) =>
    el("tr", { class: differs ? "differs" : "" }, el("td", null, capital(name)), el("td", { class: "number", title: a }, first ?? "–"), el("td", { class: "number", title: b }, second ?? "–"),
      el("td", { class: "number", title: c }, differs ? (change === null ? "–" : change.startsWith("-") ? change : `+${change}`) : "")));
  return el("details", { open: changed.length > 0, class: "block" }, el("summary", null, el("h3", null, title), el("span", { class: "quietly" }, changed.length ? "" : " no change")),
    wide(title, el("table", null, heads.cloneNode(true), el("tbody", null, rows))));
}
