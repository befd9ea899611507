import { setImmediate } from "node:timers/promises";
import type { UserMatcher } from "../../signals/names-user.ts";
import type { EventDeletion, RowScan, ScannedEvent, ScannedItem } from "../../stores/events/event-deletion.ts";
import { DamagedPayloadError, type PayloadRef, type PayloadStore } from "../../stores/payload-store.ts";

/** Rows of one step. Their payloads are read one after another. */
const ROWS_AT_ONCE = 500;
/** Payloads that are read before other work gets a turn. */
const BEFORE_BREATH = 20;

export interface UserRowStores {
  events: { deletion: Pick<EventDeletion, "scanEvents" | "scanItems" | "listItemsOf"> };
  payloads: Pick<PayloadStore, "read">;
}

/** The part of the rows that is searched. */
export type UserRowScan = Omit<RowScan, "limit">;

/** The result of one step. */
export interface UserRows<Row> {
  rows: Row[];
  /** The number of rows that were searched. */
  readCount: number;
  /** Where the next step begins. Null: this was the last step. */
  upTo: number | null;
}

/** Finds the user's error events among the next rows. */
export async function findUserEvents(
  { events, payloads }: UserRowStores,
  matcher: UserMatcher,
  scan: UserRowScan,
): Promise<UserRows<ScannedEvent>> {
  const { rows, upTo } = await events.deletion.scanEvents({ ...scan, limit: ROWS_AT_ONCE });
  const found: ScannedEvent[] = [];
  const read = openReader(payloads);
  for (const row of rows) {
    const isOf = matcher.isKeyOf(row.userKey) ?? (await read(row.payload, (bytes) => matcher.isEventOf(bytes)));
    if (isOf) found.push(row);
  }
  return { rows: found, readCount: rows.length, upTo };
}

/** Finds the user's items among the next rows, with what belongs to them: items that came with a transaction, and the other parts of a replay. */
export async function findUserItems(
  { events, payloads }: UserRowStores,
  matcher: UserMatcher,
  scan: UserRowScan,
): Promise<UserRows<ScannedItem>> {
  const { rows, upTo } = await events.deletion.scanItems({ ...scan, limit: ROWS_AT_ONCE });
  const found = new Map<string, ScannedItem>();
  const read = openReader(payloads);
  for (const row of rows) {
    if (!matcher.isReadable(row.type)) continue;
    if (await read(row.payload, (bytes) => matcher.isItemOf(bytes))) found.set(toKey(row), row);
  }
  const owners = [...found.values()].flatMap(({ projectId, eventId, identity, type }) =>
    eventId !== null && (eventId === identity || type === "replay_event") ? [{ projectId, eventId }] : [],
  );
  for (const row of await events.deletion.listItemsOf(owners, scan.upTo)) found.set(toKey(row), row);
  return { rows: [...found.values()], readCount: rows.length, upTo };
}

function toKey({ projectId, key }: ScannedItem): string {
  return `${projectId} ${key}`;
}

/** A payload that cannot be read names no user. */
function openReader(payloads: Pick<PayloadStore, "read">) {
  let reads = 0;
  return async (ref: PayloadRef, isOf: (payload: Uint8Array) => boolean): Promise<boolean> => {
    if (++reads % BEFORE_BREATH === 0) await setImmediate();
    try {
      const payload = await payloads.read(ref);
      return payload !== null && payload.length > 0 && isOf(payload);
    } catch (error) {
      if (error instanceof DamagedPayloadError || isMalformed(error)) return false;
      throw error;
    }
  };
}

function isMalformed(error: unknown): boolean {
  return error instanceof Error && error.name === "MalformedEnvelopeError";
}
