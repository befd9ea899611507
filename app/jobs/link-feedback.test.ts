import { expect, test } from "vitest";
import type { EventStore } from "../stores/events/event-store.ts";
import type { FeedbackLink, FeedbackLinks } from "../stores/state/feedback-store.ts";
import { createLinkFeedbackJob } from "./link-feedback.ts";

const signal = new AbortController().signal;

test("feedback gets the issue of its event once the event is stored, within its project", async () => {
  const waiting = Array.from({ length: 130 }, (_, at) => ({ id: at + 1, projectId: 1, aboutEventId: `event ${at}` }));
  const linked: FeedbackLink[] = [];
  const asked: number[][] = [];
  const feedbackLinks: FeedbackLinks = {
    readNews: async () => null,
    listUnlinked: async ({ afterId, limit }) => waiting.filter(({ id }) => id > afterId).slice(0, limit),
    linkFeedback: async (links) => void linked.push(...links),
  };
  const stored = { issueId: 9, traceId: null, environment: "production", release: "shop@2" };
  const getEvent = async (eventId: string, projectIds: readonly number[]) => {
    asked.push([...projectIds]);
    return eventId === "event 120" ? stored : null;
  };
  const events = { getEvent } as unknown as Pick<EventStore, "getEvent">;
  const job = createLinkFeedbackJob({ state: { feedbackLinks }, events, now: () => 1e12 });
  expect(await job.run(signal)).toBe("worked");
  expect(linked).toEqual([{ id: 121, ...stored }]);
  expect(asked).toHaveLength(130);
  expect(new Set(asked.flat())).toEqual(new Set([1]));
  waiting.splice(0);
  expect(await job.run(signal)).toBe("idle");
});
