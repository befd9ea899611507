/** A part of a trace, in microseconds since it began. */
export interface TimeWindow {
  fromUs: number;
  toUs: number;
}

/** Narrower ones are widened: times are whole microseconds. */
export const MIN_WINDOW_US = 10;

/** Cuts a window to the trace, and widens it to the least width. Null: the whole trace. */
export function fitWindow({ fromUs, toUs }: TimeWindow, durationUs: number): TimeWindow | null {
  const size = Math.max(toUs - fromUs, MIN_WINDOW_US);
  if (size >= durationUs) return null;
  const from = Math.round(Math.min(Math.max(0, (fromUs + toUs - size) / 2), durationUs - size));
  return { fromUs: from, toUs: Math.round(from + size) };
}

/** Below 1: closer. `aroundUs` stays where it is. */
export function zoomWindow({ fromUs, toUs }: TimeWindow, factor: number, aroundUs: number): TimeWindow {
  return { fromUs: aroundUs - (aroundUs - fromUs) * factor, toUs: aroundUs + (toUs - aroundUs) * factor };
}

/** Moves a window by a share of its width, but not beyond the trace. */
export function panWindow({ fromUs, toUs }: TimeWindow, share: number, durationUs: number): TimeWindow {
  const by = Math.max(-fromUs, Math.min((toUs - fromUs) * share, durationUs - toUs));
  return { fromUs: fromUs + by, toUs: toUs + by };
}
