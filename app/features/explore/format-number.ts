/** Percentiles of numbers are within 3 %, so more digits would mean nothing. */
const DIGITS = { maximumSignificantDigits: 4 } as const;
const USUAL = new Intl.NumberFormat("en", DIGITS);
const EXTREME = new Intl.NumberFormat("en", { ...DIGITS, notation: "scientific" });

/** `1,234`. A number that would be a long row of zeros has an exponent: `1.2E99`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  return (size >= 1e15 || (size > 0 && size < 1e-9) ? EXTREME : USUAL).format(value);
}
