import { MIB } from "../../domain/bytes.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { toNewRow } from "../../stores/events/rows.ts";
import { SESSION_ROWS } from "../../stores/events/session-table.ts";
import { SESSION_STATUSES, type SessionRow, type SessionStatus } from "../../stores/events/sessions.ts";
import type { Digested, SequencedOutcome } from "../digested.ts";
import { toIdentity, toIdentityPart } from "../identity.ts";
import { type Json, releaseAndEnvironment, toRecord } from "../item-summary.ts";
import { type ArrivedItem, defineSignal, malformed, toOutcomeBase } from "../signal.ts";
import { parseItemObject, toDriftMs } from "../stored-item.ts";

/** Sessions older than five days, or more than a minute ahead, cannot be counted any more (protocol 9). */
const MAX_AGE_MS = 5 * DAY_MS;
const MAX_FUTURE_MS = 60_000;
/** The most aggregates of one `sessions` item (protocol 2.5). */
const MAX_AGGREGATES = 100;
/** No application has more sessions in a minute. */
const MAX_COUNT = 1e9;

const LIMITS = {
  category: "session",
  group: "session",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
} as const;

/** One update of one session. */
export const SESSION = defineSignal({
  itemTypes: ["session"],
  ...LIMITS,
  read: (item) => readSessions(item, readUpdate),
});

/** Sessions that an SDK counted together. It may say the same twice and mean it: no identity. */
export const SESSIONS = defineSignal({
  itemTypes: ["sessions"],
  ...LIMITS,
  read: (item) => readSessions(item, readAggregates),
});

/** Fields that all rows of an item share. */
type Common = Pick<SessionRow, "sequence" | "projectId" | "receivedAt" | "release" | "environment">;

interface Read {
  rows: SessionRow[];
  identity: string | null;
  /** Outcomes of the parts that cannot be counted. */
  outcomes: SequencedOutcome[];
}

/** A text is the reason why the item is worth nothing. */
type Reader = (value: Json, common: Common, item: ArrivedItem) => Read | string;

/** Sessions are counted, and nothing else is kept of them. */
function readSessions(item: ArrivedItem, read: Reader): Digested {
  const parsed = parseItemObject(item);
  if (!parsed.ok) return malformed(item, parsed.reason);
  const { sequence, entry } = item;
  const { projectId, receivedAt } = entry;
  const { release, environment } = releaseAndEnvironment(toRecord(parsed.value.attrs));
  if (release === null) return malformed(item, problemOfRelease(parsed.value));
  const common: Common = { sequence, projectId, receivedAt, release, environment };
  const sessions = read(parsed.value, common, item);
  if (typeof sessions === "string") return malformed(item, sessions);
  const { rows, identity, outcomes } = sessions;
  return {
    items: [
      {
        sequence,
        projectId,
        receivedAt,
        identity,
        dependsOnEvent: false,
        hasDependents: false,
        outcome: { ...toOutcomeBase(item), outcome: "accepted", reason: "", quantity: 1 },
        environment,
        rows: rows.map((row) => toNewRow(SESSION_ROWS, row)),
        payload: null,
        ...(rows.length > 0 && {
          session: {
            release,
            startedAt: rows.reduce((least, { startedAt }) => Math.min(least, startedAt), receivedAt),
          },
        }),
      },
    ],
    outcomes,
    setAside: [],
  };
}

function readUpdate(value: Json, common: Common, item: ArrivedItem): Read | string {
  const started = readStart(value.started, item);
  if (typeof started === "string") return started;
  const status = readStatus(value.status);
  if (status === null) return "unknown_session_status";
  const identity = identifyUpdate(value);
  const row: SessionRow = {
    ...common,
    startedAt: started.at,
    status,
    quantity: 1,
    isInitial: value.init === true,
    isErrored: isBad(status) || (typeof value.errors === "number" && value.errors > 0),
    sessionId: normalizeEventId(value.sid),
    userId: toSessionUserId(value.did),
    identity,
  };
  return { rows: [row], identity, outcomes: [] };
}

function readAggregates({ aggregates }: Json, common: Common, item: ArrivedItem): Read | string {
  if (!Array.isArray(aggregates)) return "missing_aggregates";
  const rows: SessionRow[] = [];
  let unreadCount = 0;
  for (const each of aggregates.slice(0, MAX_AGGREGATES)) {
    const aggregate = toRecord(each);
    const started = readStart(aggregate.started, item);
    if (typeof started === "string") {
      unreadCount++;
      continue;
    }
    for (const status of SESSION_STATUSES) {
      const quantity = readCount(aggregate[status]);
      // `ok` is the status of running sessions: aggregates have none.
      if (quantity === 0 || status === "ok") continue;
      rows.push({
        ...common,
        startedAt: started.at,
        status,
        quantity,
        isInitial: true,
        isErrored: isBad(status),
        sessionId: null,
        userId: toSessionUserId(aggregate.did),
        identity: null,
      });
    }
  }
  const outcomes: SequencedOutcome[] = [];
  const lost = toOutcomeBase(item);
  const beyondCount = Math.max(0, aggregates.length - MAX_AGGREGATES);
  if (unreadCount > 0)
    outcomes.push({ ...lost, outcome: "malformed", reason: "invalid_aggregate", quantity: unreadCount });
  if (beyondCount > 0)
    outcomes.push({ ...lost, outcome: "too_large", reason: "aggregate_count", quantity: beyondCount });
  return { rows, identity: null, outcomes };
}

/** The start by the server's clock. A text is the reason why it cannot be counted. */
function readStart(value: unknown, item: ArrivedItem): { at: number } | string {
  const startedAt = parseTimestampMs(value);
  if (startedAt === null) return "missing_started";
  const at = startedAt + toDriftMs(item);
  if (at < item.entry.receivedAt - MAX_AGE_MS) return "session_too_old";
  if (at > item.entry.receivedAt + MAX_FUTURE_MS) return "session_in_future";
  return { at: Math.floor(at / MINUTE_MS) * MINUTE_MS };
}

/** Null for an unknown word. */
function readStatus(value: unknown): SessionStatus | null {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? "ok" : (SESSION_STATUSES.find((status) => status === text) ?? null);
}

function isBad(status: SessionStatus): boolean {
  return status !== "ok" && status !== "exited";
}

function readCount(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.min(Math.max(Number(value), 0), MAX_COUNT) : 0;
}

/** A hash of the user's id: users are only counted, so their ids are not stored. */
export function toSessionUserId(did: unknown): string | null {
  const text = typeof did === "number" ? String(did) : did;
  return typeof text === "string" && text.trim() !== "" ? toIdentity("session user", [text.trim()]) : null;
}

/** Why a session without a usable release is worth nothing. */
function problemOfRelease(value: Json): string {
  const { release } = toRecord(value.attrs);
  return release === undefined || release === null || release === "" ? "missing_release" : "invalid_release";
}

/**
 * Updates of a session are told apart by `seq`, or else by their time (protocol 9). The sequence alone is not enough: if an SDK has to
 * discard an update, it moves its `init` to the next one. That one then has sequence 0, like the discarded one, which may have arrived, but
 * another final status. So the contents of an update are part of its identity. Two updates with equal contents count the same.
 */
function identifyUpdate(value: Json): string | null {
  const sid = normalizeEventId(value.sid);
  const { seq, timestamp, init, status, errors, did } = value;
  const place = toIdentityPart(seq) ?? toIdentityPart(timestamp) ?? (init === true ? 0 : null);
  if (sid === null || place === null) return null;
  return toIdentity("session", [sid, place, ...[init, status, errors, did].map(toIdentityPart)]);
}
