import { scopeOfServer } from "../access/server-scope.ts";
import { listTargets } from "../notifications/list-targets.ts";
import type { DeliveryTarget, NewsItem } from "../stores/state/delivery-store.ts";
import type { OutboxEntry } from "../stores/state/outbox-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

/** The name of this reader in the outbox. */
export const NOTIFICATIONS_READER = "notifications";

/** A new issue is told within a second or two. An outbox without news costs one read. */
const EVERY_MS = 1_000;
const ENTRIES_AT_ONCE = 500;

interface NotifyParts {
  state: Pick<State, "outbox" | "comments" | "notifications" | "deliveries" | "people" | "projects">;
  isMailSetUp: boolean;
  now: () => number;
  /** 32 hex characters, never the same. */
  createKey: () => string;
}

/** Makes messages of what happened to issues: for everybody who hears of their project, and for the people whom an act is about. */
export function createNotifyJob({ state, isMailSetUp, now, createKey }: NotifyParts): Job {
  async function listNews(entries: readonly OutboxEntry[]) {
    const ownerEmail = (await state.people.getOwner())?.email ?? null;
    const news: Array<{ target: DeliveryTarget; items: NewsItem[] }> = [];
    for (const projectId of new Set(entries.map((entry) => entry.projectId))) {
      const settings = await state.notifications.getNotificationSettings(scopeOfServer([projectId]), projectId);
      const ofProject = entries.filter((entry) => entry.projectId === projectId);
      const snoozes = await listSnoozes(projectId, ofProject);
      if (isMailSetUp) news.push(...listPersonalNews(ofProject, snoozes));
      const items = ofProject
        .flatMap(toItem)
        .filter(({ transition }) => settings.transitions.some((each) => each === transition));
      if (items.length === 0) continue;
      for (const target of listTargets(projectId, settings, { ownerEmail, isMailSetUp })) {
        const left = target.channel === "email" ? items.filter((item) => !snoozes.isOfAddress(item, target)) : items;
        if (left.length > 0) news.push({ target, items: left });
      }
    }
    return news;
  }

  /** People who have put issues away get no mail about them, neither their own nor the project's. */
  async function listSnoozes(projectId: number, entries: readonly OutboxEntry[]): Promise<Snoozes> {
    const issueIds = [...new Set(entries.map(({ issueId }) => issueId))];
    const snoozers = await state.comments.listSnoozers(scopeOfServer([projectId]), issueIds, now());
    return {
      isOfUser: ({ issueId }, userId) => snoozers.some((each) => each.issueId === issueId && each.userId === userId),
      isOfAddress: ({ issueId }, { address }) =>
        snoozers.some((each) => each.issueId === issueId && each.email.toLowerCase() === address.toLowerCase()),
    };
  }

  return {
    name: "notify",
    everyMs: EVERY_MS,
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

interface Snoozes {
  isOfUser(entry: { issueId: number }, userId: number): boolean;
  isOfAddress(entry: { issueId: number }, target: { address: string }): boolean;
}

/** Nobody is told that a trouble is over. */
function toItem({ transition, issueId, eventId, at, release }: OutboxEntry): NewsItem[] {
  return transition === "resolved" ? [] : [{ transition, issueId, eventId, at, release }];
}

/** Acts of people, for each person who is told of them. */
function listPersonalNews(
  entries: readonly OutboxEntry[],
  snoozes: Snoozes,
): Array<{ target: DeliveryTarget; items: NewsItem[] }> {
  return entries.flatMap((entry) => {
    const { told, projectId } = entry;
    const awake = (told?.userIds ?? []).filter((userId) => !snoozes.isOfUser(entry, userId));
    return awake.map((userId) => ({
      target: { projectId, channel: "person" as const, address: String(userId) },
      items: toItem(entry).map((item) => ({ ...item, by: told?.by ?? null })),
    }));
  });
}
