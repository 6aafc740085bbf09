// One clause: what it says, how gaps were decided, where it is enforced, and an example.

import * as api from "../lib/api.js";
import { card } from "../lib/cards.js";
import { el, put } from "../lib/dom.js";

const address = (id) => `#${encodeURIComponent(id)}`;
let wanted = "";

/** At once what the list knows, then what was decided; code and example when they are found. */
export async function showClause(page, clause, book, status) {
  const { id, says } = clause;
  wanted = id;
  const rest = el("div");
  put(page, el("p", { class: "quietly" }, book.title, book.supplied ? " · supplied, not quoted law" : ""), el("h2", null, id), el("p", { class: "says" }, says),
    el("p", { class: "marks" }, el("span", { class: "mark", data: { status: clause.status } }, status),
      el("button", { type: "button", class: "plain", on: { click: copy } }, "Copy the link"), el("a", { class: "back", href: "#" }, "All clauses")), rest);
  try {
    const path = `/api/law/clauses/${encodeURIComponent(id)}`;
    const decided = await api.get(`${path}?brief=1`);
    if (wanted === id) put(rest, el("p", { class: "quietly" }, "Looking for an example, the code and its tests…"), details(decided));
    const found = await api.get(path);
    if (wanted === id) put(rest, details(found));
  } catch ({ sentence }) {
    if (wanted === id) put(rest, el("p", { class: "bad" }, sentence));
  }
}

async function copy({ target }) {
  await navigator.clipboard.writeText(location.href);
  put(target, "Copied");
}

function details({ id, reason, rulings, twins, enforced_in: code, tests, example }) {
  return [
    reason ? el("p", null, reason) : null,
    example ? part("An example", played(id, example)) : null,
    rulings.length ? part(rulings.length === 1 ? "Ruling" : "Rulings", rulings.map(ruling)) : null,
    twins.length ? part("The same rule elsewhere", el("ul", { class: "twins" }, twins.map((twin) => el("li", null, el("a", { href: address(twin.id) }, twin.id), ` ${twin.title}`)))) : null,
    code.length ? part("Enforced in", places(code)) : null,
    tests.length ? part(tests.length === 1 ? "Held by a test" : `Held by ${tests.length} tests`, places(tests)) : null,
  ];
}

const part = (title, ...children) => el("section", null, el("h3", null, title), children);

const ruling = ({ id, question, ruling: ruled, reason }) =>
  el("div", { class: "decided" }, el("p", null, el("b", null, id), " ", question), el("p", null, ruled), el("p", { class: "quietly" }, reason));

/** Files and names as a reader looks for them: the name in words for a test, else as it is written. */
function places(found) {
  const rows = found.map(({ file, line, name }) =>
    el("li", null, el("span", null, name.startsWith("test_") ? name.slice(5).replaceAll("_", " ") : name), el("code", null, `${file}:${line}`)));
  if (rows.length <= 8) return el("ul", { class: "places" }, rows);
  return el("details", null, el("summary", null, `${rows.length} places`), el("ul", { class: "places" }, rows));
}

/** A story from a table that was played for this; the lines that cite the clause stand out. */
function played(id, { title, sentences }) {
  return el("figure", null, el("figcaption", { class: "quietly" }, title), el("ol", { class: "story" }, sentences.map(({ sentence, clause, cards }) =>
    el("li", { class: clause === id ? "cited" : "" }, el("span", null, sentence), clause && clause !== id ? el("a", { href: address(clause), class: "from" }, clause) : null,
      cards.length ? el("span", { class: "hand" }, cards.map((code) => card(code))) : null))));
}
