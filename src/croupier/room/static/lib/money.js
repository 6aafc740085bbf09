// Money is whole cents, always. Text in and out is dollars.

/** 500 -> "$5", 125050 -> "$1,250.50", -300 -> "-$3" */
export function dollars(cents) {
  const size = Math.abs(cents);
  const whole = Math.trunc(size / 100).toLocaleString("en-US");
  const part = size % 100;
  return `${cents < 0 ? "-" : ""}$${whole}${part ? "." + String(part).padStart(2, "0") : ""}`;
}

/** With its sign, as a result: "+$20", "-$5", "$0" */
export const signed = (cents) => (cents > 0 ? "+" : "") + dollars(cents);

/** "5", "$2,500", "12.50" -> cents; null where it is no sum. */
export function readDollars(text) {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!found) return null;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
