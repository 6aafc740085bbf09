// A house being written: what stands in the form, and the submission it comes to.

import { dollars } from "../lib/money.js";

const KEY = "croupier.house"; // where a house waits for the page of mathematics

const plain = (cents) => dollars(cents).replace(/[$,]/g, "");
const money = (value) => (value === undefined ? "" : String(value));

/** What stands in the form at first: the preset, and what its book says of the rest. */
export function draftOf(preset, form) {
  const limits = Object.fromEntries(form.wagers.filter((w) => w.limits).map(({ key }) => [key, (preset.limits?.[key] ?? ["", ""]).map(money)]));
  const pay = Object.fromEntries(form.pay.map(({ key, tables }) => {
    const chosen = typeof preset.pay?.[key] === "string" ? preset.pay[key] : tables[0].name;
    return [key, { table: chosen, lines: linesOf(tables.find(({ name }) => name === chosen)) }];
  }));
  return {
    rulebook: form.rulebook,
    name: preset.name ?? "",
    offered: new Set(preset.offered ?? []),
    limits,
    pay,
    multiples: Object.fromEntries(form.multiples.map(({ key, choices }) => [key, preset.multiples?.[key] ?? choices.at(-1)])),
    progressive: Object.fromEntries(["meter", "seed", "contribution"].map((key) => [key, money(preset.progressive?.[key] ?? 0)])),
    decks: [...(preset.decks ?? ["red"])],
    shuffling: preset.shuffling,
    dealing: preset.dealing,
    counting: false,
    preshuffled: false,
    positions: String(preset.positions ?? 6),
    adjacent: "1",
    qualifier: preset.qualifier ?? true,
    settlement: preset.settlement ?? 1,
    dealer_stack: 1,
    match_play: false,
    payout_limit: "",
    // of the table rather than the house
    id: "",
    inventory: plain(10_000_000),
    betting_seconds: "20",
    decision_seconds: "45",
  };
}

export const linesOf = (table) => Object.fromEntries(table.lines.map(({ name, pays }) => [name, pays]));

/** "6" is six; what is no whole number goes as it is, for the law's reader to say so. */
const whole = (text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text);

/** Whether a wager can be made at the table that is being written. */
export const made = (draft, form, key) => {
  const wager = form.wagers.find((each) => each.key === key);
  return !wager || wager.required || draft.offered.has(key);
};

function payOf(draft, form) {
  const pay = {};
  for (const { key, wager, tables, open } of form.pay) {
    if (!open || !made(draft, form, wager)) continue;
    const { table, lines } = draft.pay[key];
    const printed = linesOf(tables.find(({ name }) => name === table));
    const own = Object.fromEntries(Object.entries(lines).filter(([name, pays]) => pays.trim() !== printed[name]));
    if (table) pay[key] = Object.keys(own).length ? { table, ...own } : table;
    else if (Object.keys(own).length) pay[key] = own;
  }
  return pay;
}

/** What a player may say: the rest is the room's. */
function playersSubmission(draft, form) {
  const house = {
    rulebook: draft.rulebook,
    name: draft.name,
    offered: [...draft.offered],
    pay: payOf(draft, form),
    decks: draft.decks,
    shuffling: draft.shuffling,
    dealing: draft.dealing,
    counting: draft.counting,
    positions: whole(draft.positions),
    adjacent: whole(draft.adjacent),
  };
  if (form.preshuffled) house.preshuffled = draft.preshuffled;
  if (form.pik_it) house.dealer_stack = draft.dealer_stack;
  return house;
}

/** The submission, with everything said that this person may say. */
export function submission(draft, form, staff = true) {
  if (!staff) return playersSubmission(draft, form);
  const house = {
    rulebook: draft.rulebook,
    name: draft.name,
    offered: [...draft.offered],
    limits: Object.fromEntries(Object.entries(draft.limits).filter(([key]) => made(draft, form, key))),
    pay: payOf(draft, form),
    decks: draft.decks,
    shuffling: draft.shuffling,
    dealing: draft.dealing,
    counting: draft.counting,
    positions: whole(draft.positions),
    adjacent: whole(draft.adjacent),
  };
  if (form.preshuffled) house.preshuffled = draft.preshuffled;
  if (form.match_play) house.match_play = draft.match_play;
  if (form.payout_limit && draft.payout_limit.trim()) house.payout_limit = draft.payout_limit;
  if (form.multiples.length) house.multiples = { ...draft.multiples };
  if (form.pik_it) Object.assign(house, { qualifier: draft.qualifier, settlement: draft.settlement, dealer_stack: draft.dealer_stack });
  if (draft.offered.has("progressive")) house.progressive = { ...draft.progressive };
  return house;
}

/** Take a house along to another page; it lasts as long as the tab. */
export function takeAlong(house) {
  sessionStorage.setItem(KEY, JSON.stringify(house));
}

export function takenAlong() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
