// What a person has seen of the round, kept until the next one begins. Cards go to the discard
// rack and chips leave the felt while the dealer settles; one wants to look a little longer.

const seatOf = () => ({ player: "", cards: [], wagers: {}, paid: {}, said: "", words: "", folded: false, void: false });

export const empty = () => ({ number: 0, deck: "", dealer: [], covered: false, community: [], words: "", void: false, over: true, seats: {} });

/** What a view alone shows: for a first look, and for replays. */
export function pictureOf(view) {
  const round = view.round;
  if (!round) return empty();
  const seats = {};
  for (const p of round.positions) {
    const paid = Object.fromEntries(Object.entries(p.settled).map(([wager, result]) => [wager, { result, win: p.wins[wager] ?? 0, net: p.nets?.[wager] }]));
    seats[p.seat] = { ...seatOf(), player: p.player, cards: p.cards, wagers: p.wagers, paid, folded: p.folded, void: p.void };
  }
  return {
    number: round.number, deck: round.deck || view.decks[0]?.colour || "red", dealer: round.dealer, covered: round.covered,
    community: round.community, words: "", void: round.void, over: false, seats,
  };
}

const SAID = { check: "checks", fold: "folds", withdraw: "withdraws", ride: "lets it ride", pick: "picks" };

function take(picture, { event, sentence, clause }) {
  const seat = event.seat ? (picture.seats[event.seat] ??= seatOf()) : null;
  switch (event.event) {
    case "HandRevealed":
      seat.cards = event.cards.split(" ");
      seat.words = event.hand;
      break;
    case "HandAnnounced":
      seat.words = event.hand;
      break;
    case "DealerRevealed":
      picture.dealer = event.cards.split(" ");
      picture.covered = false;
      picture.words = event.hand + (event.qualified === false ? " – does not qualify" : "");
      break;
    case "ChoiceMade":
      seat.said = SAID[event.verb] ?? (event.times ? `${event.wager} ${event.times}×` : event.verb);
      seat.folded ||= event.verb === "fold";
      break;
    case "WagerSettled":
      seat.paid[event.wager] = { result: event.result, win: event.win, amount: event.amount, net: net(event), reason: event.reason, sentence, clause: clause ?? event.clause };
      break;
    case "FoldedWagerReturned":
      seat.paid[event.wager] = { result: "returned", win: 0, amount: event.amount, net: 0, reason: "", sentence, clause: clause ?? event.clause };
      break;
    case "HandVoided":
      seat.void = true;
      seat.said = "void";
      break;
    case "AllHandsVoided":
      picture.void = true;
      break;
    case "RoundEnded":
      picture.over = true;
      break;
  }
}

/** What this wager leaves the player up or down. */
export function net(event) {
  if (event.result === "lost") return -event.amount;
  return event.win - (event.swept && event.result === "won" ? event.amount : 0);
}

/** What settled wagers come to; null where a view does not tell what some of them left. */
export function netOf(paid) {
  return paid.some(({ net: left }) => left === undefined) ? null : paid.reduce((sum, each) => sum + each.net, 0);
}

/** The picture after a message: what the view shows, and what was seen before it went away. */
export function keep(old, { view, events }) {
  const now = view.round ? pictureOf(view) : { ...old, over: true };
  const same = view.round && !old.over;
  if (same) {
    now.words = old.words;
    if (!now.dealer.length) now.dealer = old.dealer;
    if (!now.community.length) now.community = old.community;
    for (const [seat, here] of Object.entries(now.seats)) {
      const before = old.seats[seat];
      if (!before) continue;
      here.said = before.said;
      here.words = before.words;
      here.paid = { ...here.paid, ...before.paid };
      if (!here.cards.length) here.cards = before.cards;
    }
  }
  now.seats = Object.fromEntries(Object.entries(now.seats).map(([seat, s]) => [seat, { ...s, paid: { ...s.paid } }]));
  for (const each of events) take(now, each);
  if (!view.round) for (const seat of Object.values(now.seats)) seat.wagers = {};
  return now;
}
