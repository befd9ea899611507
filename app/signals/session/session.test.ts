import { describe, expect, test } from "vitest";
import { digestRecords } from "../../digest/digest-records.ts";
import { encodeJournalEntry } from "../../journal/journal-entry.ts";

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12, 0, 30);
const MINUTE = Date.UTC(2026, 5, 1, 12);
const SID = "7c7b6585f9014351bf8d02711b721929";
const attrs = { release: "shop@1", environment: "production" };

function digest(type: "session" | "sessions", payload: object) {
  const body = Buffer.from(`{}\n{"type":"${type}"}\n${JSON.stringify(payload)}\n`);
  const bytes = encodeJournalEntry({
    kind: "envelope",
    projectId: 3,
    keyId: 1,
    receivedAt: RECEIVED_AT,
    eventId: null,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body,
  });
  const { items, outcomes } = digestRecords([{ sequence: 5, bytes: Buffer.concat(bytes) }]);
  const rows = items.flatMap((item) =>
    item.rows.map(({ table, cells }) =>
      Object.fromEntries(table.columns.map(({ name }, at) => [name, cells[at]] as const)),
    ),
  );
  return { items, rows, outcomes };
}

describe("an update of a session", () => {
  const update = { sid: SID, init: true, started: "2026-06-01T12:00:10Z", status: "ok", did: "ada", attrs };

  test("is a row of its minute, and nothing else is kept of it", () => {
    const { items, rows, outcomes } = digest("session", update);
    expect(outcomes).toEqual([]);
    expect(items).toMatchObject([
      {
        payload: null,
        outcome: { category: "session", outcome: "accepted", quantity: 1 },
        session: { release: "shop@1", startedAt: MINUTE },
      },
    ]);
    expect(rows).toMatchObject([
      {
        sequence: 5,
        project_id: 3,
        started_at: MINUTE,
        release: "shop@1",
        environment: "production",
        status: "ok",
        quantity: 1,
        is_initial: 1,
        is_errored: 0,
        session_id: SID,
        identity: items[0]?.identity,
      },
    ]);
  });

  test.each([
    [{ status: "exited" }, { status: "exited", is_errored: 0 }],
    [{ status: undefined }, { status: "ok" }],
    [{ errors: 2 }, { status: "ok", is_errored: 1 }],
    [{ status: "crashed" }, { status: "crashed", is_errored: 1 }],
    [{ status: "abnormal" }, { status: "abnormal", is_errored: 1 }],
    [{ init: undefined }, { is_initial: 0 }],
    [{ sid: "no id" }, { session_id: null }],
    [{ did: "" }, { user_id: null }],
  ])("%j is %j", (change, expected) => {
    expect(digest("session", { ...update, ...change }).rows).toMatchObject([expected]);
  });

  test("tells users apart without their names", () => {
    const userOf = (did: unknown) => digest("session", { ...update, did }).rows[0]?.user_id;
    expect(userOf("ada")).toMatch(/^[0-9a-f]{32}$/);
    expect(userOf("ada")).toBe(userOf(" ada "));
    expect(userOf("ada")).not.toBe(userOf("bob"));
    expect(userOf(42)).toBe(userOf("42"));
  });
});

describe("sessions that were counted together", () => {
  test("are a row for each bucket and status", () => {
    const { rows, items } = digest("sessions", {
      aggregates: [
        { started: "2026-06-01T11:58:00Z", exited: 10, errored: 2, crashed: 1, abnormal: 0 },
        { started: "2026-06-01T11:59:00Z", did: "ada", unhandled: 3 },
      ],
      attrs,
    });
    expect(items).toHaveLength(1);
    expect(items[0]?.identity).toBeNull();
    const shown = rows.map((row) => [Number(row.started_at) - MINUTE, row.status, row.quantity, row.is_errored]);
    expect(shown).toEqual([
      [-120_000, "exited", 10, 0],
      [-120_000, "errored", 2, 1],
      [-120_000, "crashed", 1, 1],
      [-60_000, "unhandled", 3, 1],
    ]);
    expect(rows.map((row) => [row.is_initial, row.session_id, row.user_id !== null])).toEqual([
      [1, null, false],
      [1, null, false],
      [1, null, false],
      [1, null, true],
    ]);
  });

  test("are counted as far as they can be, and the rest is in the ledger", () => {
    const good = { started: "2026-06-01T11:58:00Z", exited: 1 };
    const { rows, outcomes } = digest("sessions", {
      aggregates: [...Array(98).fill(good), { exited: 4 }, { started: "2020-01-01T00:00:00Z", exited: 4 }, good, good],
      attrs,
    });
    expect(rows).toHaveLength(98);
    expect(outcomes).toMatchObject([
      { outcome: "malformed", reason: "invalid_aggregate", quantity: 2 },
      { outcome: "too_large", reason: "aggregate_count", quantity: 2 },
    ]);
  });

  test("are not counted by what is not a count", () => {
    const counts = { exited: -1, errored: 1.5, crashed: "3", abnormal: null, unhandled: 1e12 };
    const { rows } = digest("sessions", { aggregates: [{ started: "2026-06-01T11:58:00Z", ...counts }], attrs });
    expect(rows.map((row) => [row.status, row.quantity])).toEqual([["unhandled", 1e9]]);
  });
});
