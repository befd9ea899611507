import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import type { EventFilter, EventRow } from "../../stores/events/error-events.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { getIssuePreview } from "./get-issue-preview.server.ts";

let folder: string;
let state: State;
let asked: EventFilter | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-preview-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  await apply(state, [occurrence(1, "a", { projectId: 1 })]);
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

/** Returns the preview of an issue with this latest event. Null: retention has deleted its payload. */
async function preview(event: Partial<SentryEvent> | null, issueId = "1", environments: string[] = []) {
  const row = { occurredAt: NOON, environment: "production", release: "shop@1", payload: {} } as EventRow;
  const workspace = testWorkspace({
    state,
    events: {
      findEdge: async (filter: EventFilter) => {
        asked = filter;
        return row;
      },
    },
    payloads: {
      read: async () => null,
      readEvent: async () => event && { event: event as SentryEvent, grouping: null },
      isEventDamaged: async () => false,
    },
  });
  return getIssuePreview(workspace, { issueId, environments });
}

const frame = (name: string, isInApp: boolean, more = {}) => ({
  function: name,
  filename: `src/${name}.ts`,
  lineno: 7,
  in_app: isInApp,
  ...more,
});

describe("the preview of an issue", () => {
  test("shows the topmost calls of the application, newest first, with their line", async () => {
    const frames = [
      frame("main", true),
      frame("library", false),
      frame("charge", true, { context_line: "    throw new Error();" }),
      frame("native", false),
    ];
    const read = await preview({
      exception: { values: [{ type: "Error", value: "no card", stacktrace: { frames } }] },
    });
    expect(read?.message).toBe("no card");
    expect(read?.stack).toEqual({
      frames: [
        { function: "charge", place: "src/charge.ts", position: ":7", contextLine: "throw new Error();" },
        { function: "main", place: "src/main.ts", position: ":7", contextLine: null },
      ],
      isInApp: true,
      otherCount: 2,
    });
  });

  test("shows frames of libraries where the application has none, and says so", async () => {
    const frames = ["a", "b", "c", "d", "e"].map((name) => frame(name, false));
    const read = await preview({ stacktrace: { frames } });
    expect(read?.stack).toMatchObject({ isInApp: false, otherCount: 2 });
    expect(read?.stack?.frames.map((one) => one.function)).toEqual(["e", "d", "c"]);
  });

  test("of a chain, takes what was thrown last and has a stack", async () => {
    const read = await preview({
      exception: {
        values: [
          { type: "A", value: "cause", stacktrace: { frames: [frame("deep", true)] } },
          { type: "B", value: "thrown" },
        ],
      },
    });
    expect(read?.message).toBe("thrown");
    expect(read?.stack?.frames[0]?.function).toBe("deep");
  });

  test("a message has no stack", async () => {
    expect(await preview({ logentry: { formatted: "the disk is full" } })).toMatchObject({
      message: "the disk is full",
      stack: null,
    });
  });

  test("says what the issue knows when the event is not kept any more", async () => {
    expect(await preview(null)).toMatchObject({ message: expect.stringMatching(/./), stack: null });
  });

  test("cuts what somebody made long", async () => {
    const read = await preview({
      exception: {
        values: [
          {
            value: "x".repeat(100_000),
            stacktrace: {
              frames: [
                frame("y".repeat(5_000), true, { filename: "z".repeat(5_000), context_line: "w".repeat(90_000) }),
              ],
            },
          },
        ],
      },
      tags: [["k".repeat(500), "v".repeat(5_000)]],
    });
    expect(JSON.stringify(read).length).toBeLessThan(1_500);
  });

  test("looks at the environments of the list, and knows an issue by its short id", async () => {
    const issue = await state.issues.getIssue(EVERYTHING, 1);
    expect((await preview({}, issue?.shortId.toLowerCase(), ["staging"]))?.shortId).toBe(issue?.shortId);
    expect(asked).toMatchObject({ issueId: 1, environments: ["staging"] });
    expect(await preview({}, "99")).toBeNull();
    expect(await preview({}, "../../etc/passwd")).toBeNull();
  });
});
