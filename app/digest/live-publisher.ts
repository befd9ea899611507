import type { LiveFeed, LiveMessage } from "../domain/live-message.ts";

export type IssueChange = Extract<LiveMessage, { kind: "issues" }>["changes"][number];

/** Pages that watch need no more than this. */
const PUBLISH_INTERVAL_MS = 250;
/** The most changes in one message. It is far more than a list can show. */
const MAX_CHANGES = 1000;

/** Tells pages which issues have changed, a few times a second at most, however many batches there are. */
export interface LivePublisher {
  changed(changes: readonly IssueChange[]): void;
  firstEvent(event: { projectId: number; issueId: number; eventId: string }): void;
  /** Publishes the remaining changes. */
  close(): void;
}

export function createLivePublisher(feed: Pick<LiveFeed, "publish">, now: () => number = Date.now): LivePublisher {
  let changes = new Map<number, IssueChange>();
  let timer: NodeJS.Timeout | null = null;
  let publishedAt = Number.NEGATIVE_INFINITY;

  function publish(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (changes.size === 0) return;
    const at = now();
    publishedAt = at;
    const message = { kind: "issues" as const, at, changes: [...changes.values()] };
    changes = new Map();
    feed.publish(message);
  }

  return {
    changed(added) {
      for (const { issueId, projectId, transition, events } of added) {
        const known = changes.get(issueId);
        if (known) {
          known.events += events;
          // The issue was new, and then got more events: it is still reported as new.
          known.transition ??= transition;
        } else if (changes.size < MAX_CHANGES) {
          changes.set(issueId, { issueId, projectId, transition, events });
        }
      }
      if (changes.size === 0 || timer !== null) return;
      const waitMs = publishedAt + PUBLISH_INTERVAL_MS - now();
      if (waitMs <= 0) publish();
      else timer = setTimeout(publish, waitMs).unref();
    },
    firstEvent(event) {
      feed.publish({ kind: "first-event", at: now(), ...event });
    },
    close: publish,
  };
}
