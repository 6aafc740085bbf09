// The command line: a whole evening without looking. What it understands is what the buttons do.

import { cardNames } from "../lib/cards.js";
import { dollars, readDollars } from "../lib/money.js";
import { spoken } from "./choices.js";

export const HELP = [
  "sit 3 200: take seat 3 with $200; leave; buy 100",
  "bet 10, bet 10 trips 5: lay wagers; again; clear",
  "deal: place them and be dealt in; back: take them back; out: let the round go by",
  "check, fold, play 4, bet, ride, withdraw, pick 1 3 5",
  "hand, table, chips, options: hear where you stand",
  "coach: what each choice is worth; entropy WORDS: add to the shuffle",
];

/** Wagers in "10 trips 5": a sum without a name goes to the first wager. */
function wagers(words, limits) {
  const names = Object.keys(limits).sort((a, b) => b.length - a.length);
  let rest = words.trim();
  const found = {};
  while (rest) {
    const name = names.find((each) => rest.startsWith(`${each} `));
    const [, text, after] = /^(\S+)\s*(.*)$/.exec(name ? rest.slice(name.length).trim() : rest) ?? [];
    const cents = readDollars(text ?? "");
    if (cents === null) return null;
    found[name ?? names.find((each) => each === Object.keys(limits)[0])] = cents;
    rest = after;
  }
  return found;
}

/** Do what was typed; returns what to answer. */
export async function obey(table, text) {
  const [verb = "", ...more] = text.trim().replace(/^\//, "").toLowerCase().split(/\s+/);
  const rest = more.join(" ");
  const choice = table.choices.options ?? [];
  const said = choice.find((option) => spoken(option) === `${verb} ${rest}`.trim()) ?? choice.find((option) => option.verb === verb && !rest && verb !== "pick");
  if (said) return table.choose(said);
  switch (verb) {
    case "":
      return "";
    case "help":
    case "?":
      return HELP.join(". ");
    case "bet": {
      if (!table.bets.option) return "Bets are closed to you now.";
      const laid = wagers(rest, table.bets.option.wagers);
      if (!laid || !rest) return "Say how much, such as bet 10, or bet 10 trips 5.";
      for (const [name, cents] of Object.entries(laid)) table.bets.set(name, cents);
      return `${Object.entries(table.bets.draft).map(([name, cents]) => `${name} ${dollars(cents)}`).join(", ")}. Say deal.`;
    }
    case "again":
      table.bets.again();
      return table.bets.total ? `${dollars(table.bets.total)} again. Say deal.` : "There is nothing to repeat.";
    case "clear":
      table.bets.clear();
      return "No chips laid.";
    case "deal":
    case "ready":
      return table.place(true);
    case "out":
      return table.sitOut();
    case "back":
      return table.takeBack();
    case "pick":
      return table.choices.pick(more.map(Number));
    case "sit":
      return table.sit(Number(more[0]) || table.freeSeats()[0], more[1] ? readDollars(more[1]) : null);
    case "buy":
      return table.buy(readDollars(rest));
    case "leave":
      return table.leave();
    case "hand":
    case "cards": {
      const cards = table.mySeat()?.cards ?? [];
      return cards.length ? `You hold ${cardNames(cards)}.` : "You hold no cards.";
    }
    case "table":
    case "board": {
      const { community, dealer } = table.picture;
      const parts = [community.length && `Community cards: ${cardNames(community)}.`, dealer.length && `The dealer has ${cardNames(dealer)}.`];
      return parts.filter(Boolean).join(" ") || "No cards on the table.";
    }
    case "chips":
      return `You have ${dollars(table.view.you.chips)} here and ${dollars(table.view.you.bank)} in the bank.`;
    case "options":
      return table.possible();
    case "coach":
      return table.coach.words();
    case "entropy":
      return table.addEntropy(text.trim().slice(8));
    default:
      return `"${text}" means nothing here now. ${table.possible()}`;
  }
}
