import type { FlameFrame } from "./flame-view.ts";

/** The frame that a key leads to from the frame at an index, as an index. Undefined: there is none. */
export interface FlameSteps {
  below(at: number): number | undefined;
  above(at: number): number | undefined;
  beside(at: number, step: 1 | -1): number | undefined;
  /** The next frame that has a match of the search. After the last one comes the first. */
  found(at: number, step: 1 | -1): number | undefined;
}

/** @param frames sorted by row, then by time */
export function createFlameSteps(frames: readonly FlameFrame[]): FlameSteps {
  const overlapping = (at: number, rows: (row: number) => boolean) => {
    const from = frames[at];
    if (!from) return [];
    return [...frames.keys()].filter((each) => {
      const other = frames[each] as FlameFrame;
      return rows(other.row - from.row) && other.fromUs <= from.toUs && other.toUs >= from.fromUs;
    });
  };
  const byTime = [...frames.keys()]
    .filter((each) => (frames[each] as FlameFrame).found > 0)
    .sort((a, b) => (frames[a] as FlameFrame).fromUs - (frames[b] as FlameFrame).fromUs || a - b);
  return {
    below: (at) => overlapping(at, (by) => by === 1)[0],
    above: (at) => overlapping(at, (by) => by === -1)[0],
    beside: (at, step) => (frames[at + step]?.row === frames[at]?.row ? at + step : undefined),
    found(at, step) {
      const place = byTime.indexOf(at);
      const { fromUs } = frames[at] ?? { fromUs: 0 };
      if (place >= 0) return byTime[(place + step + byTime.length) % byTime.length];
      const isBeyond = (each: number) => ((frames[each] as FlameFrame).fromUs - fromUs) * step >= 0;
      return (step === 1 ? byTime.find(isBeyond) : byTime.findLast(isBeyond)) ?? byTime.at(step === 1 ? 0 : -1);
    },
  };
}
