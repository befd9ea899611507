import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { HOUR_MS, SECOND_MS } from "../../domain/time.ts";
import { openTestEventStore } from "../../stores/duckdb/fixtures/duckdb-event-database.ts";
import { JOURNAL, NOON } from "../../stores/event-store-contract/fixture.ts";
import { appendSpans, log } from "../../stores/event-store-contract/span-fixture.ts";
import { parseLogFilters } from "./log-filters.ts";
import { openLogTail } from "./open-log-tail.server.ts";
import { printTailPosition } from "./tail-position.ts";

test("a reader who comes back gets lines that had waited for the digest for long", async () => {
  using folder = makeTempFolder();
  const events = await openTestEventStore({ path: `${folder.path}/events.duckdb`, tempDir: `${folder.path}/temp` });
  await appendSpans(events, [], [log(3), log(4, { receivedAt: NOON + 1 })]);
  const workspace = testWorkspace({
    events,
    state: { projects: { listProjects: async () => [] } } as never,
    logTail: {
      journalId: JOURNAL,
      position: () => [5],
      open: () => ({ from: [5], next: async () => null, close: () => undefined }),
    },
  });
  const now = NOON + HOUR_MS;
  const stream = await openLogTail(workspace, {
    filters: parseLogFilters(new URLSearchParams()),
    from: printTailPosition({ journalId: JOURNAL, sequences: [4], at: now - 10 * SECOND_MS }),
    now,
    signal: new AbortController().signal,
    openFeed: () => null,
  });
  const [, data = ""] = /data: (.*)/.exec(await new Response(stream).text()) ?? [];
  expect(JSON.parse(data)).toMatchObject({ kind: "filled", isAll: true, lines: [{ body: "line 4" }] });
  await events.close();
});

test("is refused where no chosen project is there any more", async () => {
  const workspace = testWorkspace({ events: {}, state: { projects: { listProjects: async () => [] } } as never });
  const stream = await openLogTail(workspace, {
    filters: parseLogFilters(new URLSearchParams("project=gone")),
    from: null,
    now: NOON,
    signal: new AbortController().signal,
    openFeed: () => null,
  });
  expect(stream).toBeNull();
});
