import type { Issue } from "../../domain/issue.ts";
import type { Engine } from "../../engine/engine.ts";
import { readIssuePageFilter } from "../issues/issue-page-filter.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const PAGE_SIZE = 25;

/** A page of the issue's events, newest first, and how all of them spread over their tags. */
export async function listIssueEvents(engine: Engine, { issue, url, now }: { issue: Issue; url: URL; now: number }) {
  const { events: filter } = readIssuePageFilter(issue, url.searchParams, now);
  const place = { cursor: url.searchParams.get("cursor") || null, limit: PAGE_SIZE };
  const [page, distributions] = await readStoredEvents(
    engine,
    () =>
      Promise.all([
        engine.events.listEvents(filter, place),
        engine.events.tagDistributions(filter, { valuesPerKey: 8 }),
      ]),
    ([{ events }]) => events.length === 0,
  );
  return { events: page.events, previousCursor: page.previousCursor, nextCursor: page.nextCursor, distributions };
}
