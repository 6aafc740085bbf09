// What the pages about accounts say in the same way.

import { el, put } from "../lib/dom.js";

export const ROLES = ["player", "supervisor", "auditor", "owner"];

/** A moment as this person's calendar and clock have it; nothing for none. */
export const when = (time) => (time ? new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "");

/** A one-time link, which is shown this once, and a way to copy it. */
export function linkShown(name, path) {
  const link = location.origin + path;
  const text = el("input", { readonly: true, value: link, "aria-label": `One-time link for ${name}` });
  const copy = el("button", { type: "button" }, "Copy");
  text.addEventListener("focus", () => text.select());
  copy.addEventListener("click", async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(link); // only over HTTPS and on this machine
      put(copy, "Copied");
    } catch {
      text.focus();
    }
  });
  return el("div", { class: "link" }, el("p", null, `Give this link to ${name}. It sets a password once, within 24 hours, and is not shown again.`), el("div", { class: "copied" }, text, copy));
}
