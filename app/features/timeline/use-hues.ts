import { useMemo } from "react";
import { assignHues } from "../traces/service-hues.ts";
import type { Timeline } from "./timeline.ts";

/** The hue of each service on the timeline. */
export function useHues({ lanes }: Pick<Timeline, "lanes">): ReadonlyMap<string, number> {
  return useMemo(() => {
    const names = [...new Set(lanes.flatMap(({ items }) => items.flatMap(({ service }) => service ?? [])))];
    const hues = assignHues(names);
    return new Map(names.map((name, index) => [name, hues[index] ?? 0]));
  }, [lanes]);
}
