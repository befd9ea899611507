import type { ProfileCall } from "../../domain/profiles/merge-stacks.ts";

/** A call in the flame graph. `left` and `width` are shares of the graph's width. */
export interface ShownCall {
  /** Index of the call. */
  index: number;
  left: number;
  width: number;
  /** True for the callers of the zoomed call: they lead back out. */
  isAround: boolean;
}

/** A call that is narrower than this share cannot be pressed or read. */
const MIN_SHARE = 1 / 1_000;

/**
 * The calls that are wide enough to be drawn.
 *
 * @param zoomed index of the call that takes the whole width; null: all of the time does
 */
export function showCalls(calls: readonly ProfileCall[], totalUs: number, zoomed: number | null): ShownCall[] {
  const base = zoomed === null ? undefined : calls[zoomed];
  const { fromUs, totalUs: baseUs } = base ?? { fromUs: 0, totalUs };
  const around = new Set<number>();
  for (let at = base?.parent ?? null; at !== null; at = calls[at]?.parent ?? null) around.add(at);
  /** The zoomed call and everything below it. */
  const within = new Set<number>();
  const shown: ShownCall[] = [];
  for (const [index, call] of calls.entries()) {
    if (around.has(index)) shown.push({ index, left: 0, width: 1, isAround: true });
    const isWithin = zoomed === null || index === zoomed || (call.parent !== null && within.has(call.parent));
    if (!isWithin) continue;
    within.add(index);
    const width = baseUs > 0 ? call.totalUs / baseUs : 0;
    if (width >= MIN_SHARE) shown.push({ index, left: (call.fromUs - fromUs) / baseUs, width, isAround: false });
  }
  return shown;
}

/** The index of the call to which a key leads from another one; undefined: nowhere. */
export function stepTo(
  calls: readonly ProfileCall[],
  shown: readonly ShownCall[],
  { from, key }: { from: number; key: string },
): number | undefined {
  const place = shown.findIndex(({ index }) => index === from);
  const beside = (step: 1 | -1) => {
    const other = shown[place + step]?.index;
    return other !== undefined && calls[other]?.row === calls[from]?.row ? other : undefined;
  };
  switch (key) {
    case "ArrowUp":
      return calls[from]?.parent ?? undefined;
    case "ArrowDown":
      // Calls of a row are sorted, so the first one below is the longest.
      return shown.find(({ index }) => calls[index]?.parent === from)?.index;
    case "ArrowLeft":
      return beside(-1);
    case "ArrowRight":
      return beside(1);
    case "Home":
      return shown[0]?.index;
    default:
      return undefined;
  }
}
