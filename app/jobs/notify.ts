import { scopeOfServer } from "../access/server-scope.ts";
import type { AlertAction } from "../domain/alerts/alert-rule.ts";
import type { Told } from "../domain/notification.ts";
import { listPersonTargets } from "../notifications/list-person-targets.ts";
import { listRuleTargets } from "../notifications/list-rule-targets.ts";
import { loadReceivers } from "../notifications/load-receivers.ts";
import type { DeliveryTarget, NewsItem } from "../stores/state/delivery-store.ts";
import type { OutboxEntry } from "../stores/state/outbox-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

/** The name of this reader in the outbox. */
export const NOTIFICATIONS_READER = "notifications";

/** An act is told within a second or two. If the outbox has no news, a run costs one read. */
const EVERY_MS = 1_000;
const ENTRIES_AT_ONCE = 500;

interface NotifyParts {
  state: Pick<
    State,
    "members" | "channels" | "notifications" | "people" | "push" | "outbox" | "comments" | "deliveries"
  >;
  isMailSetUp: boolean;
  now: () => number;
  /** Returns 32 hex characters, different each time. */
  createKey: () => string;
}

/**
 * Makes messages about what people did, for the people concerned, and about new feedback. Alert rules tell what happens to issues:
 * `route-alerts`.
 */
export function createNotifyJob({ state, isMailSetUp, now, createKey }: NotifyParts): Job {
  async function listNews(entries: readonly OutboxEntry[]): Promise<PersonalNews[]> {
    const news = await listFeedbackNews(entries);
    if (entries.every(({ told }) => told === null || told.userIds.length === 0)) return news;
    const reach = await state.push.listReach();
    for (const entry of entries) {
      const { told, projectId, issueId } = entry;
      if (told === null || told.userIds.length === 0) continue;
      // People who have snoozed the issue get no message.
      const snoozers = await state.comments.listSnoozers(scopeOfServer([projectId]), [issueId], now());
      const awake = told.userIds.filter((id) => !snoozers.some(({ userId }) => userId === id));
      for (const userId of awake)
        for (const target of listPersonTargets({ projectId, userId }, "acts", { reach, isMailSetUp }))
          news.push(toPersonalNews(entry, target, told));
    }
    return news;
  }

  async function listFeedbackNews(entries: readonly OutboxEntry[]): Promise<PersonalNews[]> {
    const news: PersonalNews[] = [];
    const known = new Map<number, Promise<DeliveryTarget[]>>();
    for (const { transition, projectId, feedbackId, at, release } of entries) {
      if (transition !== "feedback" || feedbackId === undefined) continue;
      const targets = known.get(projectId) ?? listFeedbackTargets(projectId);
      known.set(projectId, targets);
      const item: NewsItem = { transition, issueId: 0, feedbackId, eventId: "", at, release };
      for (const target of await targets) news.push({ target, items: [item] });
    }
    return news;
  }

  /** The members who work on the project. If its settings say so, also its addresses and channels. */
  async function listFeedbackTargets(projectId: number): Promise<DeliveryTarget[]> {
    const findOwnerEmail = async () => (await state.people.getOwner())?.email ?? null;
    const parts = { state, findOwnerEmail, isMailSetUp };
    const receivers = await loadReceivers(parts, scopeOfServer([projectId]), projectId);
    const actions: AlertAction[] = [
      { kind: "members" },
      ...(receivers.settings.tellsFeedback ? [{ kind: "recipients" } as const] : []),
    ];
    return listRuleTargets(actions, receivers, { assignee: null, owner: null, at: now() }, "feedback");
  }

  return {
    name: "notify",
    everyMs: EVERY_MS,
    wakes: ["deliver"],
    async run(signal) {
      for (let isIdle = true; ; isIdle = false) {
        const entries = await state.outbox.readOutbox(NOTIFICATIONS_READER, ENTRIES_AT_ONCE);
        const last = entries.at(-1);
        if (last === undefined || signal.aborted) return isIdle ? "idle" : "worked";
        const news = await listNews(entries);
        const { position } = last;
        await state.deliveries.enqueue({ reader: NOTIFICATIONS_READER, position, news, now: now(), createKey });
      }
    },
  };
}

interface PersonalNews {
  target: DeliveryTarget;
  items: NewsItem[];
}

function toPersonalNews(
  { transition, issueId, eventId, at, release }: OutboxEntry,
  target: DeliveryTarget,
  { by, ownershipRule, commentId }: Told,
): PersonalNews {
  return {
    target,
    items: [
      {
        ...{ transition, issueId, eventId, at, release, by },
        ...(ownershipRule !== undefined && { ownershipRule }),
        ...(commentId !== undefined && { commentId }),
      },
    ],
  };
}
