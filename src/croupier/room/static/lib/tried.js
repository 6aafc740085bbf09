// Whatever the room refuses is said in its own words, where the page keeps a place for it.

import { Refused } from "./api.js";
import { find, put } from "./dom.js";

function wrong(sentence) {
  put(find("#wrong"), sentence);
  if (sentence) find("#wrong").scrollIntoView({ block: "nearest" });
}

/** What the act gives, or null where it was refused. */
export async function tried(act) {
  wrong("");
  try {
    return await act();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    wrong(refused.sentence);
    return null;
  }
}
