import { z } from "zod";
import type { TagDistribution } from "../stores/events/error-events.ts";
import { toIso } from "./answers.ts";
import { instant } from "./shapes.ts";

export const tagValueAnswer = z.object({
  key: z.string(),
  name: z.string(),
  value: z.string(),
  count: z.int(),
  lastSeen: instant,
  firstSeen: instant.describe("of the newest 10,000 events"),
});
export const tagAnswer = z.object({
  key: z.string(),
  name: z.string(),
  totalValues: z.int().describe("events that carry the tag, of the newest 10,000"),
  uniqueValues: z.int(),
  topValues: z.array(tagValueAnswer).describe("most frequent first"),
});

/** A tag of the counted events, with its most frequent values. */
export function serializeTag({ key, total, distinctCount, values }: TagDistribution): z.input<typeof tagAnswer> {
  return {
    key,
    name: key,
    totalValues: total,
    uniqueValues: distinctCount,
    topValues: values.map(({ value, count, firstSeenAt, lastSeenAt }) => ({
      key,
      name: value,
      value,
      count,
      lastSeen: toIso(lastSeenAt),
      firstSeen: toIso(firstSeenAt),
    })),
  };
}
