const DAY_MS = 86_400_000;
/** A graph has room for this many marks side by side. Marks at the same place are drawn as one. */
const MARKS_ACROSS = 100;
/** The most labels of one mark. Its first line counts the others. */
const MAX_LABELS = 6;

/** The markers within the graph, oldest first. Markers that share a place become one, at the time of the newest. */
export function joinMarkers(
  markers: ReadonlyArray<{ at: number; label: string }>,
  from: number,
  span: number,
): Array<{ at: number; labels: string[] }> {
  const places = new Map<number, Array<{ at: number; label: string }>>();
  for (const marker of markers.filter(({ at }) => at >= from && at < from + span).sort((a, b) => a.at - b.at)) {
    const place = Math.floor(((marker.at - from) / span) * MARKS_ACROSS);
    places.set(place, [...(places.get(place) ?? []), marker]);
  }
  return [...places.values()].map((near) => {
    const labels = near.slice(-MAX_LABELS).map(({ label }) => label);
    const left = near.length - labels.length;
    return { at: near.at(-1)?.at ?? 0, labels: left > 0 ? [`${left} more`, ...labels] : labels };
  });
}

const FORMATS = {
  day: { day: "numeric", month: "short" },
  time: { hour: "2-digit", minute: "2-digit" },
  zoned: { hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  /** Shorter than the others, so that neighbours do not touch. */
  tick: { hour: "numeric", minute: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const formatters = new Map<string, Intl.DateTimeFormat>();

// UTC before hydration, so that the first drawing equals the server's. Afterwards the reader's zone.
export function formatInstant(at: number, part: keyof typeof FORMATS, isHydrated: boolean): string {
  const key = `${part} ${isHydrated}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    // Formatters are kept, because making one takes longer than drawing a bar, and a graph formats hundreds of times.
    formatter = isHydrated
      ? new Intl.DateTimeFormat(undefined, FORMATS[part])
      : new Intl.DateTimeFormat("en-GB", { ...FORMATS[part], timeZone: "UTC" });
    formatters.set(key, formatter);
  }
  return formatter.format(at);
}

/**
 * The start and end of a bucket, or one instant if `bucketMs` is 0. A bucket of whole days shows only dates. Buckets follow days of UTC, so
 * to a reader in another zone a bucket of a day shows its hours, too.
 */
export function formatBucket(at: number, bucketMs: number, isHydrated: boolean): string {
  const end = at + bucketMs;
  // When clocks go back, 01:45 to 02:00 would be shown as 01:45 to 01:00.
  const hasClockChange = isHydrated && new Date(at).getTimezoneOffset() !== new Date(end).getTimezoneOffset();
  const day = (instant: number) => formatInstant(instant, "day", isHydrated);
  const time = (instant: number) => formatInstant(instant, hasClockChange ? "zoned" : "time", isHydrated);
  const isMidnight = (instant: number) => {
    const date = new Date(instant);
    return isHydrated ? date.getHours() + date.getMinutes() === 0 : instant % DAY_MS === 0;
  };
  const first = day(at);
  if (bucketMs === 0) return `${first}, ${time(at)}`;
  const last = day(end - 1);
  if (bucketMs >= DAY_MS && isMidnight(at) && isMidnight(end)) return first === last ? first : `${first} – ${last}`;
  return `${first}, ${time(at)} – ${first === last ? "" : `${day(end)}, `}${time(end)}`;
}
