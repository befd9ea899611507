import type { ProfileCall } from "../../domain/profiles/merge-stacks.ts";

/** A call of the flame graph. Shares are of the width. */
export interface ShownCall {
  /** Index of the call. */
  index: number;
  left: number;
  width: number;
  /** It is around the call that is looked at, so that it leads back out. */
  isAround: boolean;
}

/** Narrower than this share, a call cannot be pressed or read. */
const MIN_SHARE = 1 / 1_000;

/**
 * The calls that are wide enough.
 *
 * @param zoomed index of the call that takes the whole width; null: all of the time does
 */
export function showCalls(calls: readonly ProfileCall[], totalUs: number, zoomed: number | null): ShownCall[] {
  const base = zoomed === null ? undefined : calls[zoomed];
  const { fromUs, totalUs: baseUs } = base ?? { fromUs: 0, totalUs };
  const around = new Set<number>();
  for (let at = base?.parent ?? null; at !== null; at = calls[at]?.parent ?? null) around.add(at);
  /** The call itself, and what it calls. */
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

/** The index of the call that an arrow leads to from another one; undefined: nowhere. */
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
      // Calls of a row stand in order: the first one that it calls is the longest.
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
