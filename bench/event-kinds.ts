import type { RequestOptions } from "./prepare-requests.ts";

/** Which events are sent: as most SDKs make them, those of an SDK that adds little, and those full of values. */
export const EVENT_KINDS = [
  { label: "10 KB", name: "10kB", sizeBytes: 10_000 },
  { label: "2.9 KiB", name: "2.9KiB", sizeBytes: 2_970 },
  { label: "50 KB", name: "50kB", sizeBytes: 50_000 },
] as const;

export const ENCODINGS = ["plain", "gzip"] as const satisfies ReadonlyArray<RequestOptions["encoding"]>;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Of all combinations, as `10kB.plain`. */
export const VARIANTS: readonly string[] = EVENT_KINDS.flatMap(({ name }) =>
  ENCODINGS.map((encoding) => `${name}.${encoding}`),
);

/** Issues that the events fall into, unless a measurement wants more. */
export const GROUP_COUNT = 200;

/** About forty megabytes of different plain requests, which are sent again and again as new events. */
export function plainRequestCount(sizeBytes: number): number {
  return Math.ceil(40_000_000 / sizeBytes);
}
