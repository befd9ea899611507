import type { Issue } from "../../domain/issue.ts";
import type { Engine } from "../../engine/engine.ts";
import { toIssueFilter } from "../issues/get-issue-page.server.ts";
import { toIssueRange } from "../issues/issue-range.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

const PAGE_SIZE = 25;
const MAX_TAGS = 10;

/** A page of the issue's events, newest first, and how all of them spread over their tags. `tag=key:value` repeats. */
export async function listIssueEvents(engine: Engine, { issue, url, now }: { issue: Issue; url: URL; now: number }) {
  const range = toIssueRange(url.searchParams.get("period"), { firstSeenAt: issue.firstSeenAt, now });
  const tags = url.searchParams.getAll("tag").slice(0, MAX_TAGS).flatMap(parseTag);
  const filter = { ...toIssueFilter(issue, { range, environment: url.searchParams.get("environment") ?? "" }), tags };
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
  return { tags, events: page.events, previousCursor: page.previousCursor, nextCursor: page.nextCursor, distributions };
}

function parseTag(text: string): Array<{ key: string; value: string }> {
  const at = text.indexOf(":");
  return at > 0 ? [{ key: text.slice(0, at), value: text.slice(at + 1) }] : [];
}
