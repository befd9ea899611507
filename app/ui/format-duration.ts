/** A duration short enough for a bar: `320 µs`, `22 ms`, `5.62 s`, `3 min 20 s`, `2 h 5 min`. `us`: microseconds. */
export function formatDuration(us: number): string {
  if (us < 0) return `−${formatDuration(-us)}`;
  if (us < 1_000) return `${Math.round(us)} µs`;
  if (us < 10_000) return `${round(us / 1_000, 1)} ms`;
  if (us < 999_500) return `${Math.round(us / 1_000)} ms`;
  if (us < 59_995_000) return `${round(us / 1_000_000, 2)} s`;
  const seconds = Math.round(us / 1_000_000);
  if (seconds < 3_600) return join(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return join(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(minutes / 60);
  return join(Math.floor(hours / 24), "d", hours % 24, "h");
}

function round(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
