// Entries of the ledger against their own hashes, and a checkpoint against its signature.

import { bytes, hex, sha256, text } from "./fair.js";

const LABEL_1 = "croupier checkpoint 1\n";
const LABEL_2 = "croupier checkpoint 2\n";

/** SHA-256 over every field but the hash, keys in order, as the ledger does it. */
async function digest({ actor, command, command_id, event, previous, sequence, table, time }) {
  return hex(await sha256(text(JSON.stringify({ actor, command, command_id, event, previous, sequence, table, time }))));
}

/** What is wrong with a row of entries, by the entry; nothing where each follows the one before. */
export async function broken(entries, table) {
  let last = null;
  for (const entry of entries) {
    const at = `entry ${entry.sequence}`;
    if (entry.table !== table) return `${at} is of another table`;
    if (last && entry.sequence !== last.sequence + 1) return `entry ${last.sequence + 1} is missing`;
    if (last && entry.previous !== last.hash) return `${at} does not follow the entry before`;
    if (entry.hash !== (await digest(entry))) return `the hash of ${at} is not that of its content`;
    last = entry;
  }
  return "";
}

/** What is signed. Format 1 knows nothing of refusals. */
function message({ table, sequence, hash, time, refusals, refusal }) {
  if (!refusal) return LABEL_1 + JSON.stringify({ hash, sequence, table, time });
  return LABEL_2 + JSON.stringify({ hash, refusal, refusals, sequence, table, time });
}

/** Whether a checkpoint is signed by this key; null where the browser does not know Ed25519. */
export async function signed(checkpoint, keys) {
  const { key: id, signature } = checkpoint;
  const raw = bytes(keys[id] ?? "");
  const sign = bytes(signature);
  if (!raw?.length || !sign || hex(await sha256(raw)).slice(0, 16) !== id) return false;
  try {
    const key = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, key, sign, text(message(checkpoint)));
  } catch (wrong) {
    if (wrong.name === "NotSupportedError") return null;
    return false;
  }
}

/** What happened, by an entry's own words; nothing where they cannot be read. */
export function happening({ event }) {
  try {
    return JSON.parse(event) ?? {};
  } catch {
    return {};
  }
}

/** Whether what was told of an event is what its entry says. What is sealed there is not told. */
export function tells(entry, event) {
  const { type, ...fields } = happening(entry);
  if (type !== event.event) return false;
  const same = (name) => JSON.stringify(fields[name]) === JSON.stringify(event[name]);
  const sealed = (name) => !(name in event) && String(fields[name]).startsWith("sealed:");
  const invented = Object.keys(event).some((name) => name !== "event" && !(name in fields));
  return !invented && Object.keys(fields).every((name) => sealed(name) || same(name));
}
