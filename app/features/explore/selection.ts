/** A part of the heatmap: start times of spans (milliseconds since 1970) and durations (microseconds). Upper bounds are exclusive. */
export interface Selection {
  from: number;
  to: number;
  minUs: number;
  maxUs: number;
}

/** Null: the text is not a selection. */
export function readSelection(text: string | null): Selection | null {
  const numbers =
    /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/
      .exec(text ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  const [from = 0, to = 0, minUs = 0, maxUs = 0] = numbers;
  return from < to && minUs < maxUs ? { from, to, minUs, maxUs } : null;
}

export function printSelection({ from, to, minUs, maxUs }: Selection): string {
  return [from, to, minUs, maxUs].join("-");
}

/** A search that finds only the selected spans. */
export function toSelectionSearch(search: string, { from, to, minUs, maxUs }: Selection): string {
  const ms = (us: number) => `${Number((us / 1000).toFixed(3))}ms`;
  const at = (instant: number) => new Date(instant).toISOString().replace(".000Z", "Z");
  const filters = [
    ...(minUs > 0 ? [`span.duration:>=${ms(minUs)}`] : []),
    `span.duration:<${ms(maxUs)}`,
    `timestamp:>=${at(from)}`,
    `timestamp:<${at(to)}`,
  ];
  return [...(search ? [search] : []), ...filters].join(" ");
}
