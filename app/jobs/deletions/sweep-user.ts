import { type NumberedJournal, toRangesFrom } from "../../domain/journal-positions.ts";
import { UserMatcher } from "../../signals/names-user.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { PayloadStore } from "../../stores/payload-store.ts";
import type { DeletionTarget, OpenDeletion, UserScan } from "../../stores/state/deletion-store.ts";
import type { State } from "../../stores/state/state.ts";
import { findUserEvents, findUserItems } from "./user-rows.ts";

const ROWS_AT_ONCE = 1_000;

export interface UserSweepStores {
  journals: readonly NumberedJournal[];
  state: Pick<State, "deletionWork">;
  events: Pick<EventStore, "deletion">;
  payloads: Pick<PayloadStore, "read">;
}

interface UserDeletion extends OpenDeletion {
  target: Extract<DeletionTarget, { kind: "user" }>;
}

/**
 * Deletes the rows that name the user themselves, which takes a moment, and begins the search through the others. It can be cut off and
 * done again, like the steps below: what is to be deleted is noted first.
 */
export async function beginUserSweep(
  { state, events }: UserSweepStores,
  { id, target, askedAt, scan }: UserDeletion,
  { round, lateFrom }: Pick<UserScan, "round" | "lateFrom">,
): Promise<UserScan> {
  const matcher = new UserMatcher(target.user);
  const { projectIds } = target;
  const { userKeys, ignoresCase, sessionUserIds } = matcher;
  let begun = scan;
  if (begun === null || begun.round !== round) {
    const counted = await events.deletion.countRows({ projectIds, upTo: askedAt });
    const isKeyAll = target.user.field === "id";
    begun = {
      round,
      // If the user is named by id, the key of each event has that id, so its payload tells nothing more.
      table: isKeyAll ? "items" : "events",
      after: -1,
      lateFrom: begun?.lateFrom ?? lateFrom,
      doneRows: 0,
      totalRows: (isKeyAll ? 0 : counted.events) + counted.items,
    };
    await state.deletionWork.saveScan(id, begun, { projectIds, userKeys });
  }
  const selection = { kind: "users" as const, projectIds, userKeys, ignoresCase, upTo: askedAt };
  for (;;) {
    const found = await events.deletion.listSelected(selection, ROWS_AT_ONCE);
    if (found.length === 0) break;
    await state.deletionWork.noteEvents(id, found);
    await events.deletion.deleteEvents(found);
  }
  for (const userId of sessionUserIds) {
    for (;;) {
      const rows = await events.deletion.listSessions({ projectIds, userId, upTo: askedAt }, ROWS_AT_ONCE);
      if (rows.length === 0) break;
      await state.deletionWork.noteItems(id, rows);
      await events.deletion.deleteSessions({ userId, rows });
    }
  }
  const ofUser = { projectIds, user: matcher.named, upTo: askedAt };
  for (const table of ["spans", "logs"] as const) {
    for (;;) {
      const parts = await events.deletion.listParts(table, ofUser, ROWS_AT_ONCE);
      if (parts.length === 0) break;
      await state.deletionWork.noteItems(id, parts);
      await events.deletion.deleteParts(parts);
    }
  }
  return begun;
}

/** Searches the next rows and deletes those of the user. Returns where the search is now. */
export async function continueUserSweep(
  stores: UserSweepStores,
  { id, target, askedAt }: UserDeletion,
  scan: UserScan,
): Promise<UserScan> {
  const { state, events, journals } = stores;
  const { table, round, after, lateFrom, doneRows } = scan;
  if (table === "done") return scan;
  const matcher = new UserMatcher(target.user);
  const range = {
    projectIds: target.projectIds,
    after,
    upTo: askedAt,
    sequences: round === "late" ? toRangesFrom(journals, typeof lateFrom === "number" ? [lateFrom] : lateFrom) : null,
  };
  let step: { readCount: number; upTo: number | null };
  if (table === "events") {
    const { rows, ...rest } = await findUserEvents(stores, matcher, range);
    if (rows.length > 0) {
      await state.deletionWork.noteEvents(id, await withItems(events, rows, askedAt));
      await events.deletion.deleteEvents(rows);
    }
    step = rest;
  } else {
    const { rows, ...rest } = await findUserItems(stores, matcher, range);
    if (rows.length > 0) {
      const spans = await events.deletion.listSpansOf(rows.filter(({ type }) => type === "transaction"));
      await state.deletionWork.noteItems(id, [...rows, ...spans]);
      // Spans are deleted first, because they are found through their transaction.
      await events.deletion.deleteParts(spans);
      await events.deletion.deleteItems(rows);
    }
    step = rest;
  }
  const isOver = step.upTo === null;
  const next: UserScan = {
    ...scan,
    table: isOver ? (table === "events" ? "items" : "done") : table,
    after: step.upTo ?? -1,
    doneRows: doneRows + step.readCount,
  };
  await state.deletionWork.saveScan(id, next);
  return next;
}

/** Adds to each event the items that belong to it, so that they are counted with it. */
async function withItems<Row extends { projectId: number; eventId: string; items: readonly object[] }>(
  events: UserSweepStores["events"],
  rows: readonly Row[],
  upTo: number,
): Promise<Row[]> {
  const items = Map.groupBy(
    await events.deletion.listItemsOf(rows, upTo),
    ({ projectId, eventId }) => `${projectId}:${eventId}`,
  );
  return rows.map((row) => ({
    ...row,
    items: [...row.items, ...(items.get(`${row.projectId}:${row.eventId}`) ?? [])],
  }));
}
