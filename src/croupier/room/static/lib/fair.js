// The fair shuffle computed again, with nothing but what the browser brings: SHA-256 and HMAC.
// Step by step as docs/FAIR.md says; nothing here asks the server.

const encoder = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };
const LEAST_CUT = 10;
const CUTS = 33; // so many depths a cut may have

/** Browsers keep their cryptography for pages that came over a secure connection. */
export const able = () => globalThis.crypto?.subtle !== undefined;

export const text = (string) => encoder.encode(string);
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes from hexadecimal digits; null where they are none. */
export function bytes(digits) {
  if (digits.length % 2 || !/^[0-9a-f]*$/i.test(digits)) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16));
}

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const field = (b) => join([b.length >>> 24, b.length >>> 16, b.length >>> 8, b.length], b);
const name = (table, shuffle) => join(...["croupier shuffle 1", table, String(shuffle)].map((s) => field(text(s))));

export const sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

async function hmac(key, data) {
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}

/** What the house must have promised, given the seed. */
export const commitment = async (seed, table, shuffle) => hex(await sha256(join(seed, name(table, shuffle))));

/** Numbers below n without bias, from HMAC_DRBG. */
async function draws(material) {
  let key = new Uint8Array(32);
  let value = new Uint8Array(32).fill(1);
  let left = [];
  for (const mark of [0, 1]) {
    key = await hmac(key, join(value, [mark], material));
    value = await hmac(key, value);
  }
  const block = async () => {
    left = [...(value = await hmac(key, value))];
    key = await hmac(key, join(value, [0]));
    value = await hmac(key, value);
  };
  return async function below(n) {
    for (;;) {
      if (!left.length) await block();
      const byte = left.shift();
      if (byte < 256 - (256 % n)) return byte % n;
    }
  };
}

/** The order of the deck, top first, and how deep each of so many cuts goes. */
export async function deck(seed, table, shuffle, entropy, cuts = 1) {
  const below = await draws(join(seed, name(table, shuffle), ...entropy.map((words) => field(text(words)))));
  const order = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
  for (let n = order.length; n > 1; n--) {
    const place = await below(n);
    [order[place], order[n - 1]] = [order[n - 1], order[place]];
  }
  const depths = [];
  while (depths.length < cuts) depths.push(LEAST_CUT + (await below(CUTS)));
  return { order, cuts: depths };
}
