// Verify the shuffle in this browser; and alter it, to see that the check bites.

import { able } from "../lib/fair.js";
import { card } from "../lib/cards.js";
import { capital, el, newId, put } from "../lib/dom.js";
import { prove } from "./proof.js";

const MARKS = new Map([[true, ["✓", "agrees"]], [false, ["✗", "does not agree"]], [null, ["–", "not checked"]]]);
const PLACES = { dealer: "dealer", community: "board", stub: "", burned: "burned", "face up": "face up" };

const INSECURE = "This page did not come over a secure connection (https, or this machine itself), so this browser keeps its cryptography back and nothing can be checked here. Download the round and check it with croupier verify.";
const BY_HAND = "The cards of this table are shuffled by hands and devices; there is no promise to check.";

export class Checking {
  constructor(root) {
    this.press = el("button", { type: "button", class: "strong", on: { click: () => this.#check() } }, "Verify the shuffle in this browser");
    this.verdict = el("p", { class: "verdict", role: "status" });
    this.lines = el("ol", { class: "checks" });
    this.deck = el("div", { class: "deck-order" });
    this.own = el("details", { class: "own" });
    put(root, el("h2", null, "Was it dealt as promised?"),
      el("p", { class: "quietly" }, "Your browser computes everything again from what was promised before the bets and revealed after the round. It does not ask us."),
      this.press, this.verdict, this.lines, this.deck, this.own);
  }

  load(round) {
    this.round = round;
    put(this.verdict);
    put(this.lines);
    put(this.deck);
    delete this.verdict.dataset.agrees;
    this.press.disabled = !able();
    if (!able()) put(this.verdict, INSECURE);
    else if (!round.proof.shuffle) put(this.verdict, BY_HAND);
    this.own.hidden = !able() || !round.proof.shuffle;
    this.#form();
  }

  async #check(altered) {
    const round = this.round;
    const found = await prove(round, altered).catch(malformed);
    if (round !== this.round) return;
    this.verdict.dataset.agrees = found.agrees;
    put(this.verdict, summary(found));
    put(this.lines, found.checks.map(line));
    put(this.deck, found.places.length ? order(found) : null);
  }

  // --- check it yourself ----------------------------------------------------------------------

  #form() {
    const { shuffle } = this.round.proof;
    if (!shuffle) return put(this.own);
    const seed = el("input", { id: newId("seed"), class: "hash", value: shuffle.seed, autocomplete: "off", spellcheck: "false" });
    const rows = el("div", { class: "words-added" }, shuffle.entropy.map(([player, words]) => added(player, words)));
    const more = el("button", { type: "button", class: "plain", on: { click: () => rows.append(added("Somebody", "")) } }, "Add words");
    const form = el("form", null,
      el("p", { class: "quietly" }, "Change a digit of the seed, or a player’s words, and check again."),
      el("label", { for: seed.id }, "Seed"), seed, rows, more,
      el("div", { class: "go" }, el("button", { class: "strong" }, "Check with these"),
        el("button", { type: "button", on: { click: () => { this.#form(); this.#check(); } } }, "As recorded")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const entropy = [...rows.querySelectorAll("input")].map(({ value }) => value);
      this.#check({ seed: seed.value, entropy });
    });
    return put(this.own, el("summary", null, "Check it yourself"), form);
  }
}

/** No more than was checked. */
function summary({ checks, agrees, seen }) {
  const named = (result) => checks.filter((each) => each.agrees === result).map(({ title }) => title.toLowerCase()).join(", ");
  if (!agrees) return `The round does not agree: ${named(false)}.`;
  const dealt = seen.size ? "The round was dealt as promised." : "What was checked agrees.";
  return `${dealt} Not checked here: ${named(null)}.`;
}

/** What came is no round at all. */
function malformed(wrong) {
  if (!(wrong instanceof TypeError)) throw wrong;
  return { checks: [{ title: "Steps", agrees: false, says: "What came is not a round that could be checked." }], places: [], seen: new Set(), agrees: false };
}

function added(player, words) {
  const field = el("input", { id: newId("words"), value: words, autocomplete: "off" });
  return el("div", null, el("label", { for: field.id }, `Words of ${player}`), field);
}

function line({ title, agrees, says }) {
  const [mark, words] = MARKS.get(agrees);
  return el("li", { data: { agrees: String(agrees) } }, el("span", { class: "mark", "aria-hidden": "true" }, mark),
    el("div", null, el("b", null, title), " ", el("span", { class: "unseen" }, `${words}. `), el("span", { class: "says" }, says)));
}

/** The whole deck in its order, and where each card went. */
function order({ places, seen }) {
  const label = (place) => PLACES[place] ?? place;
  const item = ({ card: code, place }) => el("li", { data: { place, seen: String(seen.has(code)) }, title: `${capital(place)}${seen.has(code) ? ", seen" : ""}` }, card(code), el("span", null, label(place)));
  return [el("h3", null, "The deck in that order, top first"),
    el("p", { class: "quietly" }, "Bright cards were seen in the round; pale ones nobody turned up."),
    el("ol", { class: "fifty-two" }, places.map(item))];
}
