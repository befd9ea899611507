import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveMessage } from "../domain/live-message.ts";
import { createLivePublisher } from "./live-publisher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const messages: LiveMessage[] = [];
  return { messages, publisher: createLivePublisher({ publish: (message) => void messages.push(message) }) };
}

test("the first change is told at once, those that follow are summed for a quarter of a second", () => {
  const { messages, publisher } = open();
  publisher.changed([{ issueId: 1, projectId: 1, transition: "new", events: 1 }]);
  expect(messages).toHaveLength(1);
  publisher.changed([{ issueId: 2, projectId: 1, transition: "regressed", events: 1 }]);
  publisher.changed([{ issueId: 2, projectId: 1, transition: null, events: 4 }]);
  publisher.changed([{ issueId: 3, projectId: 2, transition: null, events: 2 }]);
  expect(messages).toHaveLength(1);
  vi.advanceTimersByTime(250);
  expect(messages[1]).toMatchObject({
    kind: "issues",
    changes: [
      { issueId: 2, projectId: 1, transition: "regressed", events: 5 },
      { issueId: 3, projectId: 2, transition: null, events: 2 },
    ],
  });
});

test("a message names a bounded number of issues", () => {
  const { messages, publisher } = open();
  publisher.changed(
    Array.from({ length: 5000 }, (_, issueId) => ({ issueId, projectId: 1, transition: null, events: 1 })),
  );
  expect(messages[0]?.kind === "issues" && messages[0].changes.length).toBe(1000);
});

test("nothing is told when nothing changed, and what is left is told at the end", () => {
  const { messages, publisher } = open();
  publisher.changed([]);
  expect(messages).toEqual([]);
  publisher.changed([{ issueId: 1, projectId: 1, transition: null, events: 1 }]);
  publisher.changed([{ issueId: 1, projectId: 1, transition: null, events: 1 }]);
  publisher.close();
  expect(messages).toHaveLength(2);
});

test("a project's first event is told at once", () => {
  const { messages, publisher } = open();
  publisher.firstEvent({ projectId: 1, issueId: 2, eventId: "a".repeat(32) });
  expect(messages).toMatchObject([{ kind: "first-event", projectId: 1, issueId: 2 }]);
});
