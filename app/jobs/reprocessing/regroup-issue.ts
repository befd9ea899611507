import { scopeOfServer } from "../../access/server-scope.ts";
import type { Issue } from "../../domain/issue.ts";
import type { RegroupedEvent, RegroupedEvents, RegroupingByRules } from "../../domain/issues/regroup-events.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { WantedMap } from "../../domain/symbolication.ts";
import { withoutSecrets } from "../../signals/error/read-error.ts";
import type { EventPayloads } from "../../stores/event-payloads.ts";
import type { EventMoveRow, EventRow } from "../../stores/events/error-events.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { ignoreDamaged } from "../../stores/payload-store.ts";
import type { MergedIssue, RegroupingResult } from "../../stores/state/reprocessing-store.ts";
import type { State } from "../../stores/state/state.ts";
import { collectStacks, isSymbolicated } from "../../symbolicate/collect-frames.ts";
import type { SymbolicateOptions } from "../../symbolicate/symbolicator-client.ts";
import { listUnreadMaps } from "../../symbolicate/wanted-maps.ts";
import { type DecidedBy, DecidedKeys } from "./decided-keys.ts";
import { toKeyText } from "./find-affected-issues.ts";
import type { RegroupableEvent } from "./regroupable-event.ts";

export interface RegroupingStores {
  state: Pick<State, "issues" | "reprocessing" | "groupingRuleIndex" | "regroupingRequests">;
  events: Pick<EventStore, "listEvents" | "moveEvents">;
  payloads: Pick<EventPayloads, "readEvent">;
  regroup(stored: StoredEvent, options: SymbolicateOptions): Promise<RegroupableEvent>;
}

export interface RegroupingOptions {
  issueId: number;
  now: () => number;
  /** Resolves when the event store has what state has counted by the time of the call. */
  waitForEvents(): Promise<void>;
  /** Called between two events. It waits while others need the processor, and throws when the pass has to end. */
  breathe(): Promise<void>;
  onEvent(isMapped: boolean): void;
  maxEvents?: number;
  /** The decision of people that is followed. Absent: source maps were uploaded. */
  decidedBy?: DecidedBy;
  /** If the present rules decide: why, and whether the issue ends when it has no event left. */
  byRules?: RegroupingByRules;
  /** Only events from this instant on. Milliseconds since 1970. */
  since?: number;
}

export interface IssueRegrouping {
  projectId: number;
  /** Issues whose events or texts have changed, and how many events each of them gained. */
  changes: Array<{ issueId: number; transition: "new" | "regressed" | null; events: number }>;
  /** The issue into which this one was merged. Null: it still exists. */
  mergedInto: number | null;
  /** Source maps that its events still lack, by `toKeyText`, and whether only frames outside the project lack them. */
  wanted: Map<string, { isForeign: boolean }>;
}

/** The most events of an issue that are read, newest first. More of them would not tell better which issue it is, and a thousand take a second. */
const MAX_EVENTS = 5_000;
/** Events of one transaction: a few milliseconds of this thread, in which the digest waits for the state store. */
const EVENTS_PER_STEP = 100;
const PAGE_SIZE = 100;
/** The time for the maps of one event. Nobody waits for it, and the largest map is read in a fraction of it. */
const MAP_LIMIT_MS = 20_000;

/** The part of an event that is kept while the others are read. */
interface MappedRow extends RegroupedEvent, EventMoveRow {
  /** The title from the mapped frames. `title` is the stored one. */
  mappedTitle: string;
}

interface Group {
  regrouped: Omit<RegroupedEvents, "events">;
  rows: MappedRow[];
  isChanged: boolean;
}

/** Maps the events of an issue, and moves them to the issues to which their mapped frames belong. Null: the issue does not exist. */
export async function regroupIssue(
  stores: RegroupingStores,
  options: RegroupingOptions,
): Promise<IssueRegrouping | null> {
  const issue = await stores.state.reprocessing.getIssue(options.issueId);
  if (issue === null) return null;
  await options.waitForEvents();
  const { groups, isWhole, wanted } = await readGroups(stores, issue, options);
  const answer: IssueRegrouping = { projectId: issue.projectId, changes: [], mergedInto: null, wanted };
  if (!groups.some(({ isChanged }) => isChanged)) return answer;
  const staying: Group[] = [];
  const steps = cutIntoSteps(groups);
  for (const [index, step] of steps.entries()) {
    await options.breathe();
    const result = await stores.state.reprocessing.regroupEvents({
      fromIssueId: issue.id,
      at: options.now(),
      groups: step.map(toEvents),
      ...(options.byRules ? { byRules: options.byRules } : {}),
      isComplete: isWhole && index === steps.length - 1 && staying.length === 0,
    });
    staying.push(...takeStaying(step, result, issue.id));
    await applyMoves(stores, step, result);
    noteChanges(answer, result);
    answer.mergedInto ??= result.mergedInto;
  }
  if (answer.mergedInto !== null) await finishMerge(stores, { issueId: issue.id, projectId: issue.projectId }, options);
  // Events that left took their own counts along. The users and times of the rest are counted again from its events.
  else if (answer.changes.some(({ issueId }) => issueId !== issue.id))
    await stores.state.reprocessing.recountIssue({ issueId: issue.id, groups: staying.map(toEvents) });
  return answer;
}

/** The part of each group whose events stay in the issue. */
function takeStaying(groups: readonly Group[], { events }: RegroupingResult, issueId: number): Group[] {
  const stayingIds = new Set(events.filter((event) => event.issueId === issueId).map(({ eventId }) => eventId));
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter(({ eventId }) => stayingIds.has(eventId)) }))
    .filter(({ rows }) => rows.length > 0);
}

/**
 * Moves events that were still being stored with an issue when it was merged to the issue that it was merged into. State remembers this
 * task until it is done. Once the earlier events are stored, no new one gets the old issue.
 */
export async function finishMerge(
  stores: RegroupingStores,
  { issueId, projectId }: MergedIssue,
  { waitForEvents, now }: Pick<RegroupingOptions, "waitForEvents" | "now">,
): Promise<void> {
  const filter = { projectIds: scopeOfServer([projectId]).projectIds, issueId, from: null, to: null };
  await waitForEvents();
  for (;;) {
    const { events: rows } = await stores.events.listEvents(filter, { cursor: null, limit: PAGE_SIZE });
    if (rows.length === 0) break;
    const groups = await Promise.all(
      rows.map(async (row) => {
        const mapped = await mapRow(stores, row);
        return { rows: [toMappedRow(row, mapped)], isChanged: true, regrouped: toRegrouped(row, mapped) };
      }),
    );
    const result = await stores.state.reprocessing.regroupEvents({
      fromIssueId: issueId,
      at: now(),
      groups: groups.map(toEvents),
    });
    const moved = await applyMoves(stores, groups, result);
    if (moved === 0) throw new Error(`events of issue ${issueId}, which ended, cannot be given another`);
  }
  await stores.state.reprocessing.confirmMerges([issueId]);
}

async function readGroups(
  stores: RegroupingStores,
  issue: Pick<Issue, "id" | "projectId" | "firstSeenAt">,
  { breathe, onEvent, maxEvents = MAX_EVENTS, decidedBy, since }: RegroupingOptions,
): Promise<Pick<IssueRegrouping, "wanted"> & { groups: Group[]; isWhole: boolean }> {
  const hashes = (await stores.state.reprocessing.listIssueHashes(issue.id)).map(({ hash }) => hash);
  const ownHashes = new Set(hashes);
  const decided = decidedBy
    ? new DecidedKeys(stores.state.groupingRuleIndex, issue, {
        ownHashes: hashes,
        keptHashes: await stores.state.regroupingRequests.listKeptHashes(issue.id),
        by: decidedBy,
      })
    : null;
  const groups = new Map<string, Group>();
  const wanted: IssueRegrouping["wanted"] = new Map();
  const filter = {
    projectIds: scopeOfServer([issue.projectId]).projectIds,
    issueId: issue.id,
    from: since ?? null,
    to: null,
  };
  let isWhole = since === undefined || issue.firstSeenAt >= since;
  let cursor: string | null = null;
  let count = 0;
  do {
    const limit = Math.min(PAGE_SIZE, maxEvents - count);
    const page = await stores.events.listEvents(filter, { cursor, limit });
    cursor = page.nextCursor;
    for (const row of page.events) {
      await breathe();
      count++;
      const mapped = await mapRow(stores, row, decided);
      onEvent(mapped?.isChanged ?? false);
      for (const each of mapped === null ? [] : listWanted(mapped)) {
        const key = toKeyText(each);
        wanted.set(key, { isForeign: each.isForeign && (wanted.get(key)?.isForeign ?? true) });
      }
      const [mainHash = ""] = mapped?.grouping.hashes ?? [];
      const [earlierHash = ""] = mapped?.grouping.earlier?.hashes ?? [];
      const isOwn = ownHashes.has(mainHash) || ownHashes.has(earlierHash);
      // If the payload or its maps do not exist any more, the event stays in its issue.
      const isKnown = decided !== null || (mapped?.report.failure === null && (isOwn || isMapped(mapped)));
      if (mapped === null || !isKnown) {
        isWhole = false;
        continue;
      }
      // After a crash a batch was read again: an event may be mapped already, and still be in the issue from before.
      const isChanged = (decided === null && mapped.isChanged) || !isOwn;
      const key = mapped.grouping.hashes.join();
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { regrouped: toRegrouped(row, mapped), rows: [toMappedRow(row, mapped)], isChanged });
        continue;
      }
      group.rows.push(toMappedRow(row, mapped));
      group.isChanged ||= isChanged;
    }
  } while (cursor !== null && count < maxEvents);
  if (cursor !== null) isWhole = false;
  return { groups: [...groups.values()].sort((a, b) => b.rows.length - a.rows.length), isWhole, wanted };
}

function isMapped({ stored }: RegroupableEvent): boolean {
  return collectStacks(stored.event).some(({ current }) => current.frames.some(isSymbolicated));
}

/** Null: retention deleted the payload, or it is damaged. */
async function mapRow(
  stores: RegroupingStores,
  row: EventRow,
  decided: DecidedKeys | null = null,
): Promise<RegroupableEvent | null> {
  const stored = await ignoreDamaged(stores.payloads.readEvent(row.payload));
  if (stored === null) return null;
  const mapped = await stores.regroup(stored, { projectId: row.projectId, limitMs: MAP_LIMIT_MS });
  return decided === null ? mapped : await decided.decide(stored, mapped);
}

/** The title that the event has in lists, from its mapped frames. */
export async function findMappedTitle(stores: RegroupingStores, row: EventRow): Promise<string> {
  return (await mapRow(stores, row))?.grouping.title ?? row.title;
}

function toMappedRow(row: EventRow, mapped: RegroupableEvent | null): MappedRow {
  const { projectId, eventId, issueId, title, occurredAt, environment, userKey, release } = row;
  const mappedTitle = mapped?.grouping.title ?? title;
  const missingSourceMaps = mapped === null ? [] : listWanted(mapped).map(withoutSecrets);
  return {
    projectId,
    eventId,
    issueId,
    title,
    mappedTitle,
    occurredAt,
    environment,
    userKey,
    release,
    missingSourceMaps,
  };
}

/** The source maps that an event still lacks, including those that could not be read in time. */
function listWanted({ wanted, report }: RegroupableEvent): WantedMap[] {
  return [...wanted, ...listUnreadMaps(report)];
}

function toEvents({ regrouped, rows }: Group): RegroupedEvents {
  return { ...regrouped, events: rows };
}

/** The keys of the group of an event, and the texts of its latest event, which is the one that is read first. */
function toRegrouped(row: EventRow, mapped: RegroupableEvent | null): Group["regrouped"] {
  const { level, platform, isUnhandled } = row;
  if (mapped === null) {
    // The issue has ended, so it is known where its events go, whatever their keys are.
    const hash = "0".repeat(32);
    return {
      hashes: [hash],
      grouping: { version: "", basis: "fallback", variant: null, hash, contributions: [], omissions: [] },
      headline: { title: row.title, type: null, value: "", culprit: "", level, platform, logger: null, isUnhandled },
    };
  }
  const { hashes, earlier, kin, explanation, title, type, value, culprit } = mapped.grouping;
  const logger = mapped.stored.event.logger ?? null;
  return {
    hashes,
    earlier,
    kin,
    grouping: explanation,
    headline: { title, type, value, culprit, level, platform, logger, isUnhandled: mapped.grouping.isUnhandled },
  };
}

/** Splits the groups into steps of at most `EVENTS_PER_STEP` events of one group. The largest group comes first, because it may keep the issue. */
function cutIntoSteps(groups: readonly Group[]): Group[][] {
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  if (total <= EVENTS_PER_STEP) return [[...groups]];
  return groups.flatMap((group) => {
    const steps: Group[][] = [];
    for (let at = 0; at < group.rows.length; at += EVENTS_PER_STEP) {
      steps.push([{ ...group, rows: group.rows.slice(at, at + EVENTS_PER_STEP) }]);
    }
    return steps;
  });
}

/** Returns how many events got another issue or title. */
async function applyMoves(
  stores: RegroupingStores,
  groups: readonly Group[],
  result: RegroupingResult,
): Promise<number> {
  const issueIds = new Map(result.events.map(({ eventId, issueId }) => [eventId, issueId]));
  const moves: EventMoveRow[] = [];
  const moved: EventMoveRow[] = [];
  for (const { projectId, eventId, issueId: before, title, mappedTitle } of groups.flatMap(({ rows }) => rows)) {
    const issueId = issueIds.get(eventId) ?? before;
    if (issueId === before && mappedTitle === title) continue;
    const move = { projectId, eventId, issueId, title: mappedTitle };
    moves.push(move);
    if (issueId !== before) moved.push(move);
  }
  const movedCount = await stores.events.moveEvents(moves);
  await stores.state.reprocessing.confirmEventMoves(moved);
  return movedCount;
}

function noteChanges(answer: IssueRegrouping, { issues }: RegroupingResult): void {
  for (const { issueId, outcome, transition, eventCount } of issues) {
    const events = outcome === "kept" ? 0 : eventCount;
    const known = answer.changes.find((change) => change.issueId === issueId);
    if (known === undefined) answer.changes.push({ issueId, transition, events });
    else {
      known.events += events;
      known.transition ??= transition;
    }
  }
}
