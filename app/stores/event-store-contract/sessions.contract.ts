import { describe, expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SESSION_VOCABULARY } from "../../domain/search/session-vocabulary.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../events/event-store.ts";
import { toNewRow, toRowsByTable } from "../events/rows.ts";
import { SESSION_ROWS } from "../events/session-table.ts";
import { MAX_SESSION_GROUPS, type SessionFilter, type SessionRow } from "../events/sessions.ts";
import { type CreateEventDatabase, eventId, JOURNAL, NOON, openStore, projects } from "./fixture.ts";

const ALL: SessionFilter = { projectIds: projects(1), from: NOON - HOUR_MS, to: NOON + HOUR_MS };
const WHOLE = { groupBy: [], bucketMs: null } as const;

/** The first update of a session of its own at noon, unless told otherwise. */
function session(sequence: number, change: Partial<SessionRow> = {}): SessionRow {
  return {
    sequence,
    projectId: 1,
    receivedAt: NOON,
    startedAt: NOON,
    release: "shop@1",
    environment: "production",
    status: "ok",
    quantity: 1,
    isInitial: true,
    isErrored: false,
    sessionId: eventId(1_000 + sequence),
    userId: null,
    identity: eventId(2_000 + sequence),
    ...change,
  };
}

/** Counted together by an SDK. */
function counted(sequence: number, quantity: number, change: Partial<SessionRow> = {}): SessionRow {
  return session(sequence, { status: "exited", quantity, sessionId: null, identity: null, ...change });
}

const CRASHED = { status: "crashed", isErrored: true } as const;

async function append(store: EventStore, rows: SessionRow[]) {
  const upTo = Math.max(0, ...rows.map(({ sequence }) => sequence + 1));
  const byTable = toRowsByTable(rows.map((row) => ({ rows: [toNewRow(SESSION_ROWS, row)] })));
  return await store.append({ journalId: JOURNAL, upTo, rows: byTable, leftOut: [], environments: [] });
}

export function describeSessions(createDatabase: CreateEventDatabase): void {
  async function sessionsOf(rows: SessionRow[], filter: SessionFilter = ALL) {
    await using store = await openStore(createDatabase);
    await append(store, rows);
    const [counts] = await store.countSessions(filter, WHOLE);
    return counts;
  }

  test("counts a session once, however many updates it has, and what was counted together as often as it says", async () => {
    const sessionId = eventId(7);
    const counts = await sessionsOf([
      session(0, { sessionId }),
      session(1, { sessionId, isInitial: false, isErrored: true }),
      session(2, { sessionId, isInitial: false, ...CRASHED }),
      session(3),
      counted(4, 40),
      counted(4, 2, CRASHED),
      counted(4, 3, { status: "errored", isErrored: true }),
    ]);
    expect(counts?.sessions).toEqual({ total: 47, errored: 6, crashed: 3, abnormal: 0, unhandled: 0 });
  });

  test("counts errors and crashes of sessions whose begin was never heard of", async () => {
    const counts = await sessionsOf([session(0, { isInitial: false, ...CRASHED })]);
    expect(counts?.sessions).toEqual({ total: 0, errored: 1, crashed: 1, abnormal: 0, unhandled: 0 });
  });

  test("counts users once, and those of each state", async () => {
    const [ada, bob] = [eventId(8), eventId(9)];
    const counts = await sessionsOf([
      session(0, { userId: ada }),
      session(1, { userId: ada, ...CRASHED }),
      counted(2, 5, { userId: bob, status: "abnormal", isErrored: true }),
      session(3),
    ]);
    expect(counts?.users).toEqual({ total: 2, errored: 2, crashed: 1, abnormal: 1, unhandled: 0 });
  });

  test("groups and buckets, the group of most sessions first", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      counted(0, 1),
      counted(1, 4, { startedAt: NOON + 10 * MINUTE_MS }),
      counted(2, 50, { release: "shop@2", environment: null }),
      counted(3, 7, { projectId: 2 }),
    ]);
    const projectIds = [1, 2];
    const groups = await store.countSessions(
      { ...ALL, projectIds: projects(...projectIds) },
      { groupBy: ["project", "release", "environment"], bucketMs: 10 * MINUTE_MS },
    );
    expect(
      groups.map(({ projectId, release, environment, at, sessions }) => [
        projectId,
        release,
        environment,
        at,
        sessions.total,
      ]),
    ).toEqual([
      [1, "shop@2", null, NOON, 50],
      [2, "shop@1", "production", NOON, 7],
      [1, "shop@1", "production", NOON, 1],
      [1, "shop@1", "production", NOON + 10 * MINUTE_MS, 4],
    ]);
    expect(
      (
        await store.countSessions(
          { ...ALL, projectIds: projects(...projectIds) },
          { groupBy: ["project"], bucketMs: null },
        )
      ).length,
    ).toBe(2);
  });

  test("counts those that fit a search for release and environment", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      counted(0, 1),
      counted(1, 20, { release: "shop@2" }),
      counted(2, 300, { release: "web@2", environment: null }),
    ]);
    const count = async (search: string) => {
      const where = bindSearch(parseSearch(search).tree, SESSION_VOCABULARY, NOON).condition;
      const [counts] = await store.countSessions({ ...ALL, where }, WHOLE);
      return counts?.sessions.total;
    };
    expect(await Promise.all(["", "release:shop@2", "release:[shop@1, web@2]", "release:*@2"].map(count))).toEqual([
      ...[321, 20, 301, 320],
    ]);
    expect(await Promise.all(["!release:shop@2", "environment:production", "!has:environment"].map(count))).toEqual([
      ...[301, 21, 300],
    ]);
    expect(await count("release:shop@2 OR environment:production release:shop@1")).toBe(21);
  });

  test("gives no more groups than one answer has, those of most sessions", async () => {
    await using store = await openStore(createDatabase);
    const count = MAX_SESSION_GROUPS + 5;
    await append(
      store,
      Array.from({ length: count }, (_, index) => counted(index, index + 1, { release: `shop@${index}` })),
    );
    const groups = await store.countSessions(ALL, { groupBy: ["release"], bucketMs: null });
    expect(groups).toHaveLength(MAX_SESSION_GROUPS);
    expect(groups[0]).toMatchObject({ release: `shop@${count - 1}` });
  });

  describe("filters", () => {
    const rows = [
      counted(0, 1),
      counted(1, 2, { release: "shop@2" }),
      counted(2, 4, { environment: null }),
      counted(3, 8, { projectId: 2 }),
      counted(4, 16, { startedAt: NOON + HOUR_MS }),
    ];
    test.each([
      [{}, 7],
      [{ releases: ["shop@2"] }, 2],
      [{ environments: ["production"] }, 3],
      [{ environments: ["", "production"] }, 7],
      [{ projectIds: projects(2) }, 8],
      [{ to: NOON + HOUR_MS + 1 }, 23],
    ])("%j", async (change, expected) => {
      expect((await sessionsOf(rows, { ...ALL, ...change }))?.sessions.total).toBe(expected);
    });

    test("no projects", async () => {
      expect(await sessionsOf(rows, { ...ALL, projectIds: projects() })).toBeUndefined();
    });
  });

  test("knows an update that comes again, also after it was opened again, and forgets it with its retention", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [session(0)]);
    const repeat = (sequence: number) => session(sequence, { identity: eventId(2_000) });
    expect(await append(store, [repeat(1), session(1), counted(1, 5)])).toEqual({ stored: 2, duplicates: 1 });
    await store.close();
    const again = await database.open();
    expect(await again.findExisting([{ projectId: 1, identity: eventId(2_000) }])).toEqual(
      new Set([`1:${eventId(2_000)}`]),
    );
    expect(await append(again, [repeat(2)])).toEqual({ stored: 0, duplicates: 1 });
    expect(
      await again.dropBefore(
        toCutoffs(() => NOON + 1),
        NOON,
      ),
    ).toBe(3);
    expect(await again.countSessions(ALL, WHOLE)).toEqual([]);
    expect(await append(again, [repeat(3)])).toEqual({ stored: 1, duplicates: 0 });
  });
}
