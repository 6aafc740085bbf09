// Playing cards, drawn by us: large index, one large pip, courts of simple shapes. Everything is
// defined once per page and used by reference, so a full table costs little.
//
//   card("Ah")                    the ace of hearts
//   card("??", {colour: "blue"})  a back of the blue deck

import { svg } from "./dom.js";

const SUITS = {
  s: ["spades", "M50 5C60 25 93 41 93 65C93 80 82 88 71 88C63 88 57 84 53 78C54 87 58 94 65 97L35 97C42 94 46 87 47 78C43 84 37 88 29 88C18 88 7 80 7 65C7 41 40 25 50 5Z"],
  h: ["hearts", "M50 95C41 78 7 60 7 34C7 17 19 7 31 7C40 7 47 13 50 22C53 13 60 7 69 7C81 7 93 17 93 34C93 60 59 78 50 95Z"],
  d: ["diamonds", "M50 3C58 22 71 38 87 50C71 62 58 78 50 97C42 78 29 62 13 50C29 38 42 22 50 3Z"],
  c: ["clubs", "M50 5A21 21 0 0 1 66 39.500A21 21 0 1 1 53.5 72C54 85 58 93 65 97L35 97C42 93 46 85 46.5 72A21 21 0 1 1 34 39.500A21 21 0 0 1 50 5Z"],
};

const RANKS = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "10", 9: "9", 8: "8", 7: "7", 6: "6", 5: "5", 4: "4", 3: "3", 2: "2",
};

/** "Ah" -> "ace of hearts" */
export const cardName = (code) => (code === "??" ? "a face-down card" : `${RANKS[code[0]]} of ${SUITS[code[1]][0]}`);

/** "Ah Kd" or a list -> "ace of hearts, king of diamonds" */
export const cardNames = (codes) => (typeof codes === "string" ? codes.split(" ") : codes).map(cardName).join(", ");

const use = (id, x, y, width, height = width) => svg("use", { href: `#${id}`, x, y, width, height });
const path = (d, paint) => svg("path", { d, class: paint && `cr-${paint}` });

// Courts stand in a box of 60 by 86: a crown, a face, a robe of chevrons.
const FACE = "M20 36C20 27 40 27 40 36L40 47C40 57 35 62 30 62C25 62 20 57 20 47Z";
const ROBE = "M3 86C4 70 12 63 22 60L30 69L38 60C48 63 56 70 57 86Z";

const COURTS = {
  K: () => [
    path(ROBE, "robe"), path("M22 60L30 69L38 60L41 61L30 76L19 61Z", "trim"), path("M26 86L30 76L34 86Z", "trim"),
    path("M17 36C15 48 18 62 30 70C42 62 45 48 43 36L40 36L40 46L20 46L20 36Z", "hair"),
    path(FACE, "face"), path("M22 50C25 48 28 49 30 51C32 49 35 48 38 50C38 58 34 62 30 62C26 62 22 58 22 50Z", "hair"),
    path("M14 33L11 10L21 19L30 4L39 19L49 10L46 33Z", "trim"), path("M14 33L46 33L46 37L14 37Z", "robe"),
    svg("circle", { cx: 30, cy: 22, r: 3.2, class: "cr-robe" }),
  ],
  Q: () => [
    path("M15 38C9 54 11 68 20 72L40 72C49 68 51 54 45 38Z", "hair"),
    path(ROBE, "robe"), path("M21 61C23 70 27 75 30 78C33 75 37 70 39 61L43 63C40 74 34 82 30 86C26 82 20 74 17 63Z", "trim"),
    path(FACE, "face"), path("M18 42C18 28 26 26 30 33C34 26 42 28 42 42C39 37 34 35 30 35C26 35 21 37 18 42Z", "hair"),
    path("M15 30C14 24 12 19 10 15C16 18 20 18 22 12C25 17 28 16 30 9C32 16 35 17 38 12C40 18 44 18 50 15C48 19 46 24 45 30C36 26 24 26 15 30Z", "trim"),
    ...[[10, 13], [22, 10], [30, 6], [38, 10], [50, 13]].map(([cx, cy]) => svg("circle", { cx, cy, r: 2.6, class: "cr-robe" })),
  ],
  J: () => [
    path("M16 34L16 54C16 58 20 60 22 60L38 60C40 60 44 58 44 54L44 34Z", "hair"),
    path(ROBE, "robe"), path("M8 70L14 65L50 86L40 86Z", "trim"),
    path(FACE, "face"), path("M20 38C24 41 36 41 40 38L40 33L20 33Z", "hair"),
    path("M11 32C11 20 20 14 32 14C43 14 50 22 49 32C40 28 20 28 11 32Z", "robe"), path("M11 32C20 27 40 27 49 32L49 36C40 31 20 31 11 36Z", "trim"),
    path("M40 18C42 9 50 3 57 3C58 12 52 20 44 23C46 17 49 12 53 8C48 11 44 15 42 21Z", "trim"),
  ],
};

function back() {
  const weave = svg("pattern", { id: "cr-weave", width: 10, height: 10, patternUnits: "userSpaceOnUse" },
    path("M0 5L5 0L10 5L5 10Z", "weave"), svg("circle", { cx: 5, cy: 5, r: 1, class: "cr-knot" }));
  const face = svg("symbol", { id: "cr-back", viewBox: "0 0 100 140" },
    svg("rect", { x: 6, y: 6, width: 88, height: 128, rx: 5, class: "cr-cloth" }),
    svg("rect", { x: 10, y: 10, width: 80, height: 120, rx: 3, fill: "url(#cr-weave)" }),
    svg("rect", { x: 10, y: 10, width: 80, height: 120, rx: 3, class: "cr-rim" }),
    svg("circle", { cx: 50, cy: 70, r: 19, class: "cr-cloth" }), svg("circle", { cx: 50, cy: 70, r: 19, class: "cr-rim" }),
    path("M50 57L56 70L50 83L44 70Z", "knot"), path("M37 70L50 64L63 70L50 76Z", "knot"));
  return [weave, face];
}

/** The shapes all cards refer to; put into the page with the first card. */
function shapes() {
  if (document.getElementById("cr-shapes")) return;
  const suits = Object.entries(SUITS).map(([key, [, d]]) => svg("symbol", { id: `cr-${key}`, viewBox: "0 0 100 100" }, path(d)));
  const courts = Object.entries(COURTS).map(([key, draw]) => svg("symbol", { id: `cr-${key}`, viewBox: "0 0 60 86" }, draw()));
  document.body.append(svg("svg", { id: "cr-shapes", class: "shapes", "aria-hidden": "true" }, svg("defs", null, suits, courts, back())));
}

function index(rank) {
  const ten = rank === "T";
  const text = svg("text", { x: ten ? 5 : 8, y: 43, class: "index", textLength: ten ? 46 : null, lengthAdjust: ten ? "spacingAndGlyphs" : null });
  text.textContent = ten ? "10" : rank;
  return text;
}

function front(rank, suit) {
  const court = rank in COURTS;
  const large = court ? use(`cr-${rank}`, 32, 50, 62, 86) : rank === "A" ? use(`cr-${suit}`, 27, 62, 66) : use(`cr-${suit}`, 38, 76, 54);
  return [index(rank), use(`cr-${suit}`, 10, 52, court ? 22 : 20), large];
}

export function card(code, { colour = "red", hidden = false } = {}) {
  shapes();
  const down = code === "??";
  const face = down ? [use("cr-back", 0, 0, 100, 140)] : front(code[0], code[1]);
  return svg("svg", {
    viewBox: "0 0 100 140", class: down ? `card back ${colour}` : `card ${SUITS[code[1]][0]}`, "data-card": code,
    ...(hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(code) }),
  }, svg("rect", { x: 0.5, y: 0.5, width: 99, height: 139, rx: 8, class: "paper" }), face);
}

/** The yellow cover card that lies on a hand. */
export const coverCard = () =>
  svg("svg", { viewBox: "0 0 100 140", class: "card cover", role: "img", "aria-label": "cover card" },
    svg("rect", { x: 0.5, y: 0.5, width: 99, height: 139, rx: 8, class: "paper" }),
    svg("rect", { x: 9, y: 9, width: 82, height: 122, rx: 4, class: "cr-rim" }));

/** One suit alone, for headings and buttons. */
export function suit(key) {
  shapes();
  return svg("svg", { viewBox: "0 0 100 100", class: `suit ${SUITS[key][0]}`, "aria-hidden": "true" }, use(`cr-${key}`, 0, 0, 100));
}
