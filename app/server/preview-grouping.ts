import { setImmediate } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import type { ServerServices } from "../access/workspace.ts";
import { createConcurrencyLimit } from "../domain/concurrency-limit.ts";
import {
  type GroupingPreview,
  MAX_PREVIEW_FLOWS,
  type PreviewFlow,
} from "../domain/grouping-rules/grouping-preview.ts";
import type { ProjectRuleTexts } from "../domain/grouping-rules/project-rules.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { groupEvent } from "../grouping/group-event.ts";
import { withoutStackRules } from "../grouping/rules/apply-stack-rules.ts";
import { compileRules, type ProjectRules } from "../grouping/rules/project-rules.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventRow } from "../stores/events/error-events.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { ignoreDamaged } from "../stores/payload-store.ts";
import type { GroupingRuleIndex } from "../stores/state/grouping-rule-store.ts";

interface Stores {
  events: Pick<EventStore, "listEvents">;
  payloads: Pick<EventPayloads, "readEvent">;
  rules: Pick<GroupingRuleIndex, "findIssues" | "listRules">;
}

export type PreviewGrouping = ServerServices["previewGrouping"];
type Narrowing = Parameters<PreviewGrouping>[1];

/** The newest of a project. A thousand take about half a second. */
const MAX_EVENTS = 5_000;
const PAGE_SIZE = 100;
/** How long a preview may take, in milliseconds, because a person waits. */
const LIMIT_MS = 3_000;
/** The longest time on the main thread in one go, so that other requests wait no longer. Milliseconds. */
const TURN_MS = 4;
/** The number of requests that may wait. Further ones are refused. */
const MAX_WAITING = 3;

/** Groups stored events again, one question at a time. The answer is null when too many ask. */
export function createGroupingPreviewer(
  stores: Stores,
  { limitMs = LIMIT_MS, maxEvents = MAX_EVENTS }: { limitMs?: number; maxEvents?: number } = {},
): PreviewGrouping {
  const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: MAX_WAITING });
  return async (texts, narrowing) => {
    const leave = await limit.enter();
    if (leave === null) return null;
    try {
      return await replay(stores, texts, { limitMs, maxEvents, narrowing });
    } finally {
      leave();
    }
  };
}

async function replay(
  stores: Stores,
  texts: Omit<ProjectRuleTexts, "splits">,
  { limitMs, maxEvents, narrowing }: { limitMs: number; maxEvents: number; narrowing: Narrowing },
): Promise<GroupingPreview> {
  const startedAt = performance.now();
  const known = (await stores.rules.listRules()).find(({ projectId }) => projectId === texts.projectId);
  const before = known === undefined ? null : compileRules(known);
  const splits = [...(known?.splits ?? []), ...(narrowing?.split ? [narrowing.split] : [])];
  const after = compileRules({ ...texts, splits });
  const flows = new Flows();
  const preview = { eventCount: 0, unreadableCount: 0, ruledCount: 0, oldestAt: null as number | null, isCut: false };
  const filter = {
    projectIds: scopeOfServer([texts.projectId]).projectIds,
    ...(narrowing?.split ? { issueId: narrowing.issueId } : {}),
    from: narrowing?.ofStored?.since ?? null,
    to: null,
  };
  let cursor: string | null = null;
  let turnEndsAt = performance.now() + TURN_MS;
  do {
    const page = await stores.events.listEvents(filter, { cursor, limit: PAGE_SIZE });
    cursor = page.nextCursor;
    const changed: ChangedEvent[] = [];
    for (const row of page.events) {
      if (performance.now() - startedAt > limitMs) preview.isCut = true;
      if (preview.isCut) break;
      const stored = await ignoreDamaged(stores.payloads.readEvent(row.payload));
      if (stored === null || stored.grouping === null) {
        preview.unreadableCount++;
        continue;
      }
      preview.eventCount++;
      preview.oldestAt = Math.min(preview.oldestAt ?? row.occurredAt, row.occurredAt);
      const moved = groupAgain(row, stored, { before, after, isOfStored: narrowing?.ofStored !== undefined });
      if (moved.isRuled) preview.ruledCount++;
      if (moved.changed !== null) changed.push(moved.changed);
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    const hashes = [...new Set(changed.flatMap((each) => each.hashes))];
    flows.add(changed, await stores.rules.findIssues(texts.projectId, hashes));
  } while (cursor !== null && !preview.isCut && preview.eventCount + preview.unreadableCount < maxEvents);
  return {
    ...preview,
    maxEvents,
    tookMs: Math.round(performance.now() - startedAt),
    ...flows.result(),
  };
}

interface ChangedEvent {
  row: EventRow;
  hashes: readonly string[];
  title: string;
}

/** Whether other rules give the event other keys. */
function groupAgain(
  row: EventRow,
  stored: StoredEvent,
  { before, after, isOfStored }: { before: ProjectRules | null; after: ProjectRules | null; isOfStored: boolean },
): { isRuled: boolean; changed: ChangedEvent | null } {
  const event = withoutStackRules(stored.event);
  const next = groupEvent(event, false, after);
  const isRuled = next.explanation.ruling !== undefined;
  // As in `DecidedKeys`: a key that is new even without rules moves nothing.
  if (isOfStored) {
    const isConcerned = isRuled || stored.grouping?.ruling !== undefined;
    return { isRuled, changed: isConcerned ? { row, hashes: next.hashes, title: next.title } : null };
  }
  const hashBefore = before === null && !isRuled ? next.hashes[0] : groupEvent(event, false, before).hashes[0];
  if (hashBefore === next.hashes[0]) return { isRuled, changed: null };
  return { isRuled, changed: { row, hashes: next.hashes, title: next.title } };
}

const MAX_EXAMPLES = 3;

class Flows {
  readonly #flows = new Map<string, PreviewFlow>();
  #movedCount = 0;

  add(events: readonly ChangedEvent[], issueIdByHash: ReadonlyMap<string, number>): void {
    for (const { row, hashes, title } of events) {
      const issueId = hashes.map((hash) => issueIdByHash.get(hash)).find((found) => found !== undefined);
      if (issueId === row.issueId) continue;
      this.#movedCount++;
      const [hash = ""] = hashes;
      const key = `${row.issueId} ${issueId ?? hash}`;
      let flow = this.#flows.get(key);
      if (flow === undefined) {
        const to = issueId === undefined ? { kind: "new" as const, hash, title } : { kind: "issue" as const, issueId };
        flow = { fromIssueId: row.issueId, to, eventCount: 0, examples: [] };
        this.#flows.set(key, flow);
      }
      flow.eventCount++;
      const { eventId, occurredAt } = row;
      if (flow.examples.length < MAX_EXAMPLES) flow.examples.push({ eventId, occurredAt, title: row.title });
    }
  }

  result(): Pick<GroupingPreview, "flows" | "flowCount" | "movedCount"> {
    const flows = [...this.#flows.values()].sort((a, b) => b.eventCount - a.eventCount);
    return { flows: flows.slice(0, MAX_PREVIEW_FLOWS), flowCount: flows.length, movedCount: this.#movedCount };
  }
}
