// Numbers as people write them, and as the page shows them in fields.

const GROUPED = /^\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*$/;

// The number that a text means, or null: 2000, 2 000, 2,000, 2e3, .5, 0,5, −1.
export function numberOf(text, whole = false) {
  let plain = text.trim().replaceAll("−", "-");
  if (GROUPED.test(plain) && (whole || !/^0/.test(plain))) plain = plain.replace(/\D/g, "");
  else if (!whole && /^-?\d*,\d+(e-?\d+)?$/i.test(plain)) plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return whole && !Number.isInteger(value) ? null : value;
}

// A number for a field: whole ones with their thousands apart, others with three digits.
export function numberText(value, whole = false) {
  if (whole && Math.abs(value) < 1e15) return Math.round(value).toLocaleString("en-US");
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
}
