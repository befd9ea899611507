const UNITS = ["B", "KB", "MB", "GB"] as const;

/** Bytes in words, with units of a thousand: `950 B`, `12 KB`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${Number(value.toFixed(digits))} ${UNITS[unit]}`;
}
