import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LiveMessage } from "../domain/live-message.ts";
import { createActivityPublisher } from "./activity-publisher.ts";

test("what changes together is told together, each issue once, and many in several messages", async () => {
  const told: LiveMessage[] = [];
  const note = createActivityPublisher({ publish: (message) => told.push(message) }, () => 5);
  note({ issueId: 1, projectId: 7 });
  note({ issueId: 1, projectId: 7 });
  note({ issueId: 2, projectId: 8 });
  expect(told).toEqual([]);
  await turn();
  expect(told).toEqual([
    {
      kind: "activity",
      at: 5,
      changes: [
        { issueId: 1, projectId: 7 },
        { issueId: 2, projectId: 8 },
      ],
    },
  ]);
  for (let issueId = 0; issueId < 1_200; issueId++) note({ issueId, projectId: 7 });
  await turn();
  expect(told.slice(1).map((message) => message.kind === "activity" && message.changes.length)).toEqual([
    500, 500, 200,
  ]);
});
