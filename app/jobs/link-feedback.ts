import { scopeOfServer } from "../access/server-scope.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../domain/time.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { FeedbackLink } from "../stores/state/feedback-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

/** If no feedback waits, a run costs one read of an index. */
const EVERY_MS = 5 * SECOND_MS;
const AT_ONCE = 100;
/** The event of feedback is stored within this time, or never comes. */
const WAIT_FOR_EVENT_MS = DAY_MS;
/** After this time, the event is still looked for, but only every `SELDOM_MS`. */
const SOON_MS = 10 * MINUTE_MS;
const SELDOM_MS = 10 * MINUTE_MS;

/** Links feedback about an event to the issue of the event, as soon as the event is stored. */
export function createLinkFeedbackJob({
  state,
  events,
  now,
}: {
  state: Pick<State, "feedbackLinks">;
  events: Pick<EventStore, "getEvent">;
  now: () => number;
}): Job {
  let lastWholeAt = 0;
  return {
    name: "link-feedback",
    everyMs: EVERY_MS,
    async run(signal) {
      const isWhole = now() - lastWholeAt >= SELDOM_MS;
      if (isWhole) lastWholeAt = now();
      const since = now() - (isWhole ? WAIT_FOR_EVENT_MS : SOON_MS);
      let hasLinked = false;
      // Feedback from before there was an inbox has ids below 0.
      for (let afterId = Number.MIN_SAFE_INTEGER; !signal.aborted; ) {
        const waiting = await state.feedbackLinks.listUnlinked({ since, afterId, limit: AT_ONCE });
        const links: FeedbackLink[] = [];
        for (const { id, projectId, aboutEventId } of waiting) {
          const event = await events.getEvent(aboutEventId, scopeOfServer([projectId]).projectIds);
          if (event === null) continue;
          const { issueId, traceId, environment, release } = event;
          links.push({ id, issueId, traceId, environment, release });
        }
        if (links.length > 0) await state.feedbackLinks.linkFeedback(links);
        hasLinked ||= links.length > 0;
        const last = waiting.at(-1);
        if (last === undefined || waiting.length < AT_ONCE) break;
        afterId = last.id;
      }
      return hasLinked ? "worked" : "idle";
    },
  };
}
