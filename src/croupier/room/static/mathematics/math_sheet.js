// The PAR sheet on a page: the figures that matter first, the rest to unfold.

import { cite } from "../lib/clause.js";
import { el, newId } from "../lib/dom.js";
import { distribution, funnel } from "./math_charts.js";
import { opening } from "./math_opening.js";

const FOLDED = ["Configuration", "Every outcome", "Definitions"];
const LONG = ["Nets", "Return by number of rounds", "By final hand"]; // tables that a chart shows already
const WORDS = ["text", "code"];
const CLAUSE = "Clause";

export function sheet(par) {
  const [summary, ...sections] = par.sections;
  const drawn = sections.map((section) => [newId("part"), section]);
  return [
    hero(par, summary),
    el("nav", { class: "contents", "aria-label": "Parts of the sheet" }, el("ul", null, drawn.map(([id, { title }]) => el("li", null, el("a", { href: `#${id}` }, title))), el("li", null, el("a", { href: "#ways" }, "How to play")))),
    el("section", { class: "panel" }, el("h2", null, "All wagers"), blocks(summary.blocks.slice(1))),
    drawn.map(([id, section]) => part(id, section)),
  ];
}

/** What everybody asks first, large. */
function hero(par, { blocks: [identity, wagers] }) {
  const [first] = wagers.rows;
  const figures = wagers.columns.slice(1, 6).map((name, at) => el("div", null, el("dt", null, name), el("dd", { title: first[at + 1].exact || null }, first[at + 1].shown)));
  const exact = first[1].exact;
  return el("section", { class: "hero", data: { game: par.game } },
    el("h2", null, par.title), el("p", null, `${par.house} · ${par.law}`),
    el("p", { class: "together" }, first[0].shown, " together, played best"),
    el("dl", { class: "figures" }, figures),
    el("p", { class: "exact" }, "The edge, exactly: ", el("code", { id: "edge-exact" }, exact)),
    el("details", null, el("summary", null, "About this sheet"), table(identity)));
}

/** A wager with a chart can be made by itself; others, and long lists, are folded. */
function part(id, { title, note, blocks: inside }) {
  const folded = FOLDED.includes(title) || (inside[0]?.title === "Figures" && !inside.some(({ block }) => block === "distribution"));
  const body = [note ? el("p", { class: "quietly" }, note) : null, blocks(inside)];
  const section = el("section", { class: "panel", id, tabindex: -1 });
  if (folded) section.append(el("details", null, el("summary", null, el("h2", null, title)), body));
  else section.append(el("h2", null, title), ...body.flat().filter(Boolean));
  return section;
}

const DRAW = { table, distribution, funnel, opening };
const blocks = (some) => some.map((block) => DRAW[block.block](block));

function table({ title, columns, rows, note, total }) {
  const kinds = rows[0]?.map(({ kind }) => kind) ?? [];
  const heads = columns.some(Boolean) ? el("thead", null, el("tr", null, columns.map((name, at) => el("th", { scope: "col", class: [...WORDS, "exact"].includes(kinds[at]) ? "" : "number" }, name)))) : null;
  const row = (cells, how = "") => el("tr", { class: how }, cells.map((one, at) => cell(one, columns[at])));
  const body = el("tbody", null, rows.map((cells) => row(cells)), total.length ? row(total, "total") : null);
  const inside = [el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title || "Table" }, el("table", null, heads, body)), note ? el("p", { class: "quietly" }, note) : null];
  if (LONG.includes(title)) return el("details", { class: "block" }, el("summary", null, el("h3", null, title)), inside);
  return el("div", { class: "block" }, title ? el("h3", null, title) : null, inside);
}

function cell({ kind, shown, exact }, column) {
  const inside = column === CLAUSE && shown ? cite(shown) : kind === "code" || kind === "exact" ? el("code", null, shown) : shown;
  return el("td", { class: kind === "exact" ? "exactly" : WORDS.includes(kind) ? "" : "number", title: exact || null }, inside);
}
