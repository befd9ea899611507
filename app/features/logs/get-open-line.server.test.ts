import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import { makeScope } from "../../domain/scope.ts";
import { log } from "../../stores/event-store-contract/span-fixture.ts";
import { getOpenLine } from "./get-open-line.server.ts";

test("of a trace with many errors, a line names those that came nearest, and each issue once", async () => {
  const row = log(1, { traceId: "a".repeat(32), occurredUs: 5_000_000 });
  const error = (issueId: number, occurredAt: number) => ({
    issueId,
    occurredAt,
    eventId: `e${occurredAt}`,
    title: "",
  });
  const workspace = {
    events: {
      getLog: async () => row,
      findLogs: async () => ({ lines: [] }),
      listEvents: async () => ({
        events: [error(9, 9_000), error(8, 8_000), error(7, 7_000), error(2, 5_010), error(2, 5_001), error(1, 4_990)],
      }),
    },
    state: { projects: { getProject: async () => null } },
    scope: makeScope({ organizationId: 1, projectIds: [1], rights: [] }),
  } as unknown as Workspace;
  const line = await getOpenLine(workspace, { id: "1", around: "all" });
  expect(line?.issues.map(({ eventId }) => eventId)).toEqual(["e5001", "e4990", "e7000"]);
});
