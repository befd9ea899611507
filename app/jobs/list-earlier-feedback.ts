import { setTimeout as sleep } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import type { SentFeedback } from "../domain/feedback/feedback.ts";
import { SECOND_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { readStoredFeedback } from "../signals/feedback/read-stored-feedback.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { ItemRow } from "../stores/events/items.ts";
import { toItemKey } from "../stores/events/row-keys.ts";
import { ignoreDamaged, type PayloadStore } from "../stores/payload-store.ts";
import type { EarlierFeedback } from "../stores/state/feedback-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 5 * SECOND_MS;
const AT_ONCE = 100;
/** The pause after each page, because events and pages come first. */
const PAUSE_MS = 10;
const TYPES = ["feedback", "user_report"];

interface Parts {
  state: Pick<State, "earlierFeedback" | "deletionWork">;
  events: Pick<EventStore, "oldItems" | "getEvent">;
  payloads: Pick<PayloadStore, "read">;
  /** While the event store is rebuilt, missing rows may still come. */
  isRebuilding: () => boolean;
  log: Log;
}

/**
 * Puts feedback from before there was an inbox into the inbox, newest first. This happens once, after an upgrade. If the process is killed,
 * the job starts again and skips what is listed already.
 */
export function createListEarlierFeedbackJob({ state, events, payloads, isRebuilding, log }: Parts): Job {
  let isDone = false;
  return {
    name: "list-earlier-feedback",
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    async run(signal) {
      if (isDone || isRebuilding()) return "idle";
      isDone = await state.earlierFeedback.isListed();
      if (isDone) return "idle";
      let listed = 0;
      let unread = 0;
      let before: ItemRow | null = null;
      while (true) {
        const items: ItemRow[] = await events.oldItems.listBack({ types: TYPES, before, limit: AT_ONCE });
        if (signal.aborted || isRebuilding()) return "worked";
        const said: EarlierFeedback[] = [];
        for (const item of await withoutDeleted(state, items)) {
          const feedback = await read(payloads, item);
          if (feedback === null) unread += 1;
          else said.push(await link(events, item, feedback));
        }
        listed += await state.earlierFeedback.listEarlier(said);
        before = items.at(-1) ?? null;
        if (before === null || items.length < AT_ONCE) break;
        await sleep(PAUSE_MS);
      }
      await state.earlierFeedback.noteListed();
      isDone = true;
      // In a folder of a version that has an inbox there is nothing to do.
      if (listed + unread === 0) return "idle";
      log.info({ listed, unread }, "feedback of an earlier version is in the inbox");
      return "worked";
    },
  };
}

/** Leaves out deleted items: they may still be in the event store for a while. */
async function withoutDeleted({ deletionWork }: Parts["state"], items: readonly ItemRow[]): Promise<ItemRow[]> {
  const keysOf = (item: ItemRow) => [toItemKey(item), ...(item.eventId === null ? [] : [item.eventId])];
  const keys = items.flatMap((item) => keysOf(item).map((identity) => ({ projectId: item.projectId, identity })));
  const deleted = await deletionWork.findDeleted(keys);
  const projectIds = new Set(await deletionWork.listDeletedProjects());
  return items.filter(
    (item) => !projectIds.has(item.projectId) && !keysOf(item).some((key) => deleted.has(`${item.projectId}:${key}`)),
  );
}

/** Null: the payload cannot be read, or has no words. */
async function read(payloads: Parts["payloads"], item: ItemRow): Promise<SentFeedback | null> {
  const bytes = await ignoreDamaged(payloads.read(item.payload));
  return bytes === null || bytes.length === 0 ? null : readStoredFeedback(bytes, item);
}

async function link(events: Parts["events"], item: ItemRow, feedback: SentFeedback): Promise<EarlierFeedback> {
  const { sequence, projectId, receivedAt } = item;
  const { aboutEventId } = feedback;
  const event =
    aboutEventId === null ? null : await events.getEvent(aboutEventId, scopeOfServer([projectId]).projectIds);
  const { issueId, traceId, environment, release } = event ?? {};
  return {
    ...feedback,
    ...{ sequence, projectId, receivedAt },
    link:
      issueId === undefined
        ? null
        : { issueId, traceId: traceId ?? null, environment: environment ?? null, release: release ?? null },
  };
}
