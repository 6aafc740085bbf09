// Small helpers for making elements. No HTML strings anywhere: text is always text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [type, heard] of Object.entries(value)) node.addEventListener(type, heard);
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key === "vars") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** el("button", {class: "quiet", on: {click}}, "Fold") */
export const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** The same for drawings. */
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

export const find = (selector, under = document) => under.querySelector(selector);
export const all = (selector, under = document) => [...under.querySelectorAll(selector)];

/** Give an element new children. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

/** Set what changed and nothing else, so that nothing flickers and no focus is lost. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const later = (ms) => new Promise((done) => setTimeout(done, ms));

/** First letter large, as names of wagers stand on a felt. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

let unique = 0;
export const newId = (what) => `${what}-${++unique}`;
