import type { Engine } from "../../engine/engine.ts";
import type { EventFilter } from "../../stores/event-store.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { readCursor, readLimit } from "./answers.server.ts";
import { serializeEventRow } from "./serialize-event.ts";
import { readTimeRange } from "./time-range.server.ts";

const NINETY_DAYS_MS = 90 * 86_400_000;

/** Newest first. `environment` (repeatable), `statsPeriod` or `start` and `end` narrow it. */
export async function listEventsForApi(
  engine: Engine,
  { filter, url, now }: { filter: { projectIds: number[]; issueId?: number }; url: URL; now: number },
) {
  const hasRange = ["statsPeriod", "start", "end"].some((name) => url.searchParams.get(name));
  const range = hasRange ? readTimeRange(url, now, NINETY_DAYS_MS) : { from: null, to: null };
  const environments = url.searchParams.getAll("environment").filter((name) => name !== "");
  const wanted: EventFilter = { ...filter, ...range, ...(environments.length > 0 ? { environments } : {}) };
  const place = { cursor: readCursor(url), limit: readLimit(url) };
  const page = await readStoredEvents(
    engine,
    () => engine.events.listEvents(wanted, place),
    ({ events }) => events.length === 0,
  );
  const issues = await engine.state.issues.getIssues([...new Set(page.events.map((row) => row.issueId))]);
  const culprits = new Map(issues.map((issue) => [issue.id, issue.culprit]));
  return {
    events: page.events.map((row) => serializeEventRow(row, { culprit: culprits.get(row.issueId) ?? null })),
    nextCursor: page.nextCursor,
    previousCursor: page.previousCursor,
  };
}
