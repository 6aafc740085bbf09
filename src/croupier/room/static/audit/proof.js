// Every check of a finished round, one after the other, whatever the one before said.

import { cardName } from "../lib/cards.js";
import { broken, happening, signed, tells } from "../lib/chain.js";
import { dealt } from "../lib/deal.js";
import { bytes, commitment, deck } from "../lib/fair.js";

const SEED_BYTES = 32;
const MOST_ENTROPY = 64; // bytes of one player's words

const check = (title, agrees, says) => ({ title, agrees, says });
// The rules are not in the browser; only the engine can judge what a hand is paid.
const PAYMENTS = check("Payments", null, "A browser holds no rules. Download the round: croupier verify judges every command and payment again.");
const cardsOf = (n) => (n === 1 ? "1 card" : `${n} cards`);

/** The checks, and the deck they lead to. ``seed`` and ``entropy`` stand in for what was revealed
 *  and recorded, so that anybody can see what an altered one does. */
export async function prove(round, { seed, entropy } = {}) {
  const { proof } = round;
  const checks = [];
  let places = [];
  let seen = new Set();
  if (proof.shuffle) {
    const words = entropy ?? proof.shuffle.entropy.map(([, said]) => said);
    const used = bytes((seed ?? proof.shuffle.seed).trim());
    checks.push(promised(round), recorded(proof, words));
    if (used?.length !== SEED_BYTES) checks.push(check("Seed", false, `A seed is ${SEED_BYTES} bytes, ${2 * SEED_BYTES} hexadecimal digits.`));
    else if (words.some((said) => new TextEncoder().encode(said).length > MOST_ENTROPY)) checks.push(check("Words", false, `A player adds at most ${MOST_ENTROPY} bytes.`));
    else ({ places, seen } = await follow(round, used, words, checks));
  } else checks.push(unpromised(round));
  checks.push(told(round), await chained(round), await signature(proof), PAYMENTS);
  return { checks, places, seen, agrees: checks.every(({ agrees }) => agrees !== false) };
}

/** No shuffle is told: devices shuffled, or somebody left it out. */
function unpromised({ number, proof: { entries } }) {
  const hidden = entries.map(happening).some(({ type, round }) => type === "ShuffleRevealed" && round === number);
  return hidden ? check("Promise", false, "The entries reveal a shuffle that was left out here.") : check("Promise", null, "The cards were shuffled by hands and devices; nothing was promised.");
}

/** The promise stood in the ledger before anybody wagered on it. */
function promised({ number, table, steps, proof: { entries, shuffle } }) {
  const entry = entries.find(({ sequence }) => sequence === shuffle.promised);
  const wager = steps.find(({ event }) => event.event === "WagersPlaced");
  const made = entry ? happening(entry) : {};
  const same = made.type === "ShuffleCommitted" && made.shuffle === shuffle.number && made.commitment === shuffle.commitment;
  if (!entry) return check("Promise", null, `Shuffle ${shuffle.number} was promised at entry ${shuffle.promised}, too long ago to be shown here.`);
  const says = `Shuffle ${shuffle.number} of table ${table} was promised at entry ${shuffle.promised}, before the first wager of round ${number} at entry ${wager?.version ?? "none"}: ${shuffle.commitment}`;
  return check("Promise", same && shuffle.promised < (wager?.version ?? 0), says);
}

/** The words are those the ledger recorded for this shuffle, in order. */
function recorded({ entries, shuffle }, words) {
  if (!entries.some(({ sequence }) => sequence === shuffle.promised)) return check("Words", null, "What players added stands before the entries shown here.");
  const kept = entries.map(happening).filter(({ type, shuffle: n }) => type === "EntropyAdded" && n === shuffle.number);
  const same = JSON.stringify(kept.map(({ entropy }) => entropy)) === JSON.stringify(words);
  const who = kept.map(({ player, entropy }) => `${player} “${entropy}”`).join(", ");
  const added = kept.length ? `Players added words, in this order: ${who}.` : "No player added words.";
  return check("Words", same, same ? added : `${added} These are not the words used here.`);
}

async function follow(round, seed, words, checks) {
  const { table, steps, proof: { shuffle } } = round;
  const made = await commitment(seed, table, shuffle.number);
  const kept = made === shuffle.commitment;
  checks.push(check("Seed", kept, kept ? "SHA-256 of the seed and the shuffle’s name is the promise, digit by digit." : `SHA-256 of this seed and the shuffle’s name is ${made}, not what was promised.`));
  let { order, cuts } = await deck(seed, table, shuffle.number, words, shuffle.cuts.length);
  for (const [at, lifted] of shuffle.cuts.entries()) {
    checks.push(check("Cut", cuts[at] === lifted, `The seed and the words lift ${cuts[at]} cards from the top; ${lifted} were lifted.`));
    order = [...order.slice(lifted), ...order.slice(0, lifted)];
  }
  const { possible, seen, wrong, places } = dealt(order, steps);
  checks.push(cards(possible, seen, wrong));
  return { places, seen };
}

function cards(possible, seen, wrong) {
  if (!possible) return check("Cards", false, "What is told of the round cannot have happened.");
  if (!wrong.length) return check("Cards", true, `${cardsOf(seen.size)} were seen in this round, and each lies where that order has it.`);
  const { version, place, face, lying } = wrong[0];
  return check("Cards", false, `${cardsOf(wrong.length)} do not lie where they were seen. The first: at entry ${version} ${place} shows the ${cardName(face)}; the order has ${lying ? `the ${cardName(lying)}` : "none"} there.`);
}

/** The steps shown here are the entries of the ledger. */
function told({ steps, proof: { entries } }) {
  const by = new Map(entries.map((entry) => [entry.sequence, entry]));
  const other = steps.find(({ version, event, time }) => !by.has(version) || by.get(version).time !== time || !tells(by.get(version), event));
  return check("Steps", !other, other ? `Step ${other.version} is not what its entry says.` : `The ${steps.length} steps shown are what the entries say.`);
}

async function chained({ table, proof: { entries } }) {
  const wrong = await broken(entries, table);
  const [first, last] = [entries[0]?.sequence, entries.at(-1)?.sequence];
  return check("Chain", !wrong && entries.length > 0, wrong ? `The chain is broken: ${wrong}.` : `Entries ${first} to ${last}: each hash is that of its content, and each names the one before.`);
}

async function signature({ entries, checkpoint, keys }) {
  if (!checkpoint) return check("Signature", null, "No checkpoint has been signed behind this round yet.");
  const genuine = await signed(checkpoint, keys);
  const by = `entry ${checkpoint.sequence} with key ${checkpoint.key}`;
  if (genuine === null) return check("Signature", null, `The house signed ${by}; this browser cannot check Ed25519.`);
  const last = entries.at(-1);
  const same = last?.sequence === checkpoint.sequence && last.hash === checkpoint.hash;
  return check("Signature", genuine && same, genuine && same ? `The house signed ${by}. The signature is genuine.` : `The signature of ${by} is not genuine, or of another entry.`);
}
