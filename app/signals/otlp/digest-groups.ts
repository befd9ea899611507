import type { NewRow } from "../../stores/events/rows.ts";
import { type Digested, emptyDigested } from "../digested.ts";
import type { ArrivedItem } from "../signal.ts";
import { toResource } from "../span/sent-together.ts";
import { Losses, toDigestedRows } from "../span/span-rows.ts";
import { findShifts, type ShiftOf } from "../span/span-times.ts";
import { asSentBy, type Origin } from "./resource.ts";

/** The spans, logs or metrics that were read from one scope of one resource. */
export interface ReadGroup<Read> {
  /** The same object for all groups of the resource. */
  resource: unknown;
  origin: Origin;
  items: Read[];
}

/**
 * Makes the rows of an export request. A collector combines measurements of many machines in one request, so each resource has a clock of
 * its own.
 *
 * @param endOf in microseconds since 1970, as sent: see `findShifts`
 */
export function digestGroups<Read>(
  item: ArrivedItem,
  groups: ReadonlyArray<ReadGroup<Read>>,
  {
    endOf,
    toRows,
    losses,
  }: {
    endOf: (read: Read) => number;
    toRows: (items: readonly Read[], common: { shiftOf: ShiftOf; resource: string }) => NewRow[];
    losses: Losses;
  },
): Digested {
  const digested = emptyDigested();
  digested.outcomes.push(...losses.outcomes(item));
  for (const ofResource of Map.groupBy(groups, ({ resource }) => resource).values()) {
    const ends = ofResource.flatMap(({ items }) => items.map(endOf));
    const shiftOf = findShifts(ends, item);
    for (const { origin, items } of ofResource) {
      const resource = toResource(asSentBy(item, origin), {}, items.length);
      const rows = toRows(items, { shiftOf, resource });
      const ofGroup = toDigestedRows(item, { rows, environment: origin.environment, losses: new Losses() });
      digested.items.push(...ofGroup.items);
    }
  }
  return digested;
}
