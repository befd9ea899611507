import type { ArrivedItem } from "../signal.ts";
import { findShifts, type ShiftOf } from "../span/span-times.ts";

/**
 * A collector sends what many machines measured in one request, so each resource has a clock of its own.
 *
 * @param groups `resource`: one object for all groups of it; `endsUs`: see `findShifts`
 */
export function findShiftsByResource(
  groups: ReadonlyArray<{ resource: unknown; endsUs: readonly number[] }>,
  item: ArrivedItem,
): (resource: unknown) => ShiftOf {
  const shifts = new Map<unknown, ShiftOf>();
  for (const [resource, ofResource] of Map.groupBy(groups, ({ resource }) => resource))
    shifts.set(
      resource,
      findShifts(
        ofResource.flatMap(({ endsUs }) => endsUs),
        item,
      ),
    );
  return (resource) => shifts.get(resource) ?? (() => 0);
}
