import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { ScopedState } from "../../stores/state/state.ts";
import { getComparison } from "./get-comparison.server.ts";

const [A, B, ELSEWHERE] = ["a", "b", "c"].map((letter) => letter.repeat(32)) as [string, string, string];
const issue = { id: 7, projectId: 1 } as Issue;

function row(eventId: string, issueId: number): EventRow {
  return {
    eventId,
    issueId,
    projectId: 1,
    title: "Error",
    occurredAt: 1_000,
    receivedAt: 1_000,
    level: "error",
    platform: "node",
    release: "shop@1",
    dist: null,
    environment: null,
    transaction: null,
    userKey: "id:42",
    userName: "lena@example.com",
    tags: [["plan", "pro"]],
    payload: { fileId: 1, offset: 0, index: eventId === A ? 0 : 1 },
  } as EventRow;
}

function compare(left: string, right: string, isDamaged = true) {
  const rows = [row(A, 7), row(B, 7), row(ELSEWHERE, 8)];
  const event = { event_id: A, type: "error", timestamp: 1, received: 1, platform: "node", level: "error" } as const;
  const stored: StoredEvent = { event: { ...event, release: "shop@1", tags: [["plan", "trial"]] }, grouping: null };
  const workspace = testWorkspace({
    state: { issues: { getIssue: async () => ({ ...issue, id: 8 }) } } as unknown as ScopedState,
    events: { getEvent: async (eventId) => rows.find((each) => each.eventId === eventId) ?? null },
    payloads: {
      read: async () => null,
      readEvent: async ({ index }) => (index === 0 ? stored : null),
      isEventDamaged: async () => isDamaged,
    },
    symbolicate: async (given) => ({
      stored: given,
      isChanged: false,
      report: { kind: "nothing" } as never,
      wanted: [],
    }),
  });
  return getComparison(workspace, { issue, left, right });
}

test("of an event whose details are damaged or gone, what its row says is compared", async () => {
  const compared = await compare(A, B);
  expect(compared?.left).toMatchObject({ eventId: A, details: "whole" });
  expect(compared?.right).toMatchObject({ eventId: B, details: "damaged", user: "lena@example.com" });
  const values = Object.fromEntries(compared?.sections.map(({ id, groups }) => [id, groups[0]?.values]) ?? []);
  expect(values.event).toContainEqual({ name: "release", left: "shop@1", right: "shop@1", isSame: true });
  expect(values.tags).toEqual([{ name: "plan", left: "trial", right: "pro", isSame: false }]);
  expect((await compare(A, B, false))?.right.details).toBe("dropped");
});

test("both events are of the issue, or there is no comparison", async () => {
  expect(await compare(A, ELSEWHERE)).toBeNull();
  expect(await compare(ELSEWHERE, A)).toBeNull();
  expect(await compare(A, "f".repeat(32))).toBeNull();
  expect(await compare("nonsense", A)).toBeNull();
});
