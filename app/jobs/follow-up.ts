import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import type { ToActUrl } from "../domain/act-link.ts";
import { type ChannelWithSecrets, servesProject } from "../domain/channels/channel.ts";
import { followsChanges, hasActs } from "../domain/channels/channel-kinds.ts";
import { pickChanges } from "../domain/channels/issue-change.ts";
import { LONGEST_PAUSE_MS } from "../domain/notification.ts";
import type { Log } from "../log.server.ts";
import type { FollowUp } from "../notifications/channels/channel-follower.ts";
import { toChannelTarget } from "../notifications/list-targets.ts";
import { composeMessage, withChanges } from "../notifications/message.ts";
import type { FollowMessage } from "../notifications/send-message.server.ts";
import type { DueFollowUp } from "../stores/state/channel-message-store.ts";
import type { State } from "../stores/state/state.ts";
import { MAX_ATTEMPTS, pauseAfter } from "./deliver.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 1_000;
/** The most channels at a time. */
const AT_ONCE = 8;

interface FollowUpParts {
  state: Pick<
    State,
    "directory" | "reprocessing" | "alertPeriodWork" | "feedbackLinks" | "channels" | "channelMessages" | "deliveries"
  >;
  follow: FollowMessage;
  findBaseUrl: () => Promise<string | null>;
  /** As in `DeliverParts`. */
  openActLinks?: () => Promise<ToActUrl | null>;
  now: () => number;
  log: Log;
}

/** Tells channels what happened to the issues of messages that they already have. */
export function createFollowUpJob({
  state,
  follow,
  findBaseUrl,
  openActLinks = async () => null,
  now,
  log,
}: FollowUpParts): Job {
  /** Null: the channel does not get changes any more, or there is nothing to tell. */
  async function prepare(due: DueFollowUp): Promise<{ to: ChannelWithSecrets; followUp: FollowUp } | null> {
    const { channelId, place, projectId, key, ref, items, more } = due.message;
    const to = await state.channels.getChannel(scopeOfServer([projectId]), channelId);
    if (to === null || !servesProject(to, projectId) || !followsChanges(to)) return null;
    const target = toChannelTarget(projectId, channelId, place);
    const message = await composeMessage(
      state,
      { key: toKey(key, due), target, items, more },
      { baseUrl: await findBaseUrl(), toActUrl: hasActs(to) ? await openActLinks() : null, now: now() },
    );
    if (message === null) return null;
    const untold = pickChanges(due.untold);
    const issues = message.issues.filter(({ issueId }) => untold.has(issueId));
    if (issues.length === 0) return null;
    const news = withChanges({ ...message, issues, more: { new: 0, regressed: 0 } }, untold);
    return { to: { ...to, place }, followUp: { ref, news, whole: withChanges(message, pickChanges(due.changes)) } };
  }

  async function tell(due: DueFollowUp): Promise<void> {
    const { channelMessages, deliveries } = state;
    const prepared = await prepare(due);
    if (prepared === null) return await channelMessages.finish(due);
    const { to, followUp } = prepared;
    const result = await follow(to, followUp);
    const at = now();
    const { channelId, place, projectId } = due.message;
    await deliveries.noteTest(scopeOfServer([projectId]), toChannelTarget(projectId, channelId, place), {
      at,
      isOk: result.ok,
      answer: result.ok ? result.answer : result.reason,
    });
    if (result.ok) return await channelMessages.finish(due);
    const isOver = result.isPermanent || due.attempts >= MAX_ATTEMPTS;
    const pause = Math.max(pauseAfter(due.attempts), result.retryAfterMs ?? 0);
    // A time further ahead would look as if a clock that was ahead had written it.
    const retryAt = isOver ? null : at + Math.min(pause, LONGEST_PAUSE_MS);
    const facts = { channel: to.kind, attempts: due.attempts, reason: result.reason };
    log.warn(facts, isOver ? "a change was not told; it is given up" : "a change was not told; it is tried again");
    await channelMessages.fail(due, { retryAt });
  }

  return {
    name: "follow-up",
    everyMs: EVERY_MS,
    async run(signal) {
      let isIdle = true;
      const failures: unknown[] = [];
      /** Messages under way by channel. A channel that hangs delays only itself, and gets its changes in order. */
      const underWay = new Map<number, Promise<void>>();

      async function beginWhatIsDue(): Promise<void> {
        while (!signal.aborted && failures.length === 0 && underWay.size < AT_ONCE) {
          const claimedAt = now();
          const due = await state.channelMessages.claimFollowUp({
            now: claimedAt,
            retryAt: (attempts) => claimedAt + pauseAfter(attempts),
            butNotOf: [...underWay.keys()],
          });
          if (due === null) return;
          isIdle = false;
          const { channelId } = due.message;
          const ended = tell(due)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(channelId));
          underWay.set(channelId, ended);
        }
      }

      for (;;) {
        await beginWhatIsDue();
        if (underWay.size === 0) break;
        // Changes that become due while a channel hangs do not wait for it.
        await Promise.race([...underWay.values(), sleep(EVERY_MS, undefined, { ref: false })]);
      }
      if (failures.length > 0) throw failures[0];
      return isIdle ? "idle" : "worked";
    },
  };
}

/** The same key for all attempts to tell these changes. A receiver that knows keys takes them once. */
function toKey(key: string, { upTo }: DueFollowUp): string {
  return createHash("sha256").update(`${key} ${upTo.activity}`).digest("hex").slice(0, 32);
}
