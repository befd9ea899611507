import { setTimeout as sleep } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import type { ToActUrl } from "../domain/act-link.ts";
import { servesProject } from "../domain/channels/channel.ts";
import { followsChanges, hasActs } from "../domain/channels/channel-kinds.ts";
import { readChannelAddress } from "../domain/channels/channel-place.ts";
import { LONGEST_PAUSE_MS, MESSAGE_PAUSE_MS } from "../domain/notification.ts";
import type { Log } from "../log.server.ts";
import { composeLetter } from "../notifications/letter.ts";
import { findBrowserId, findPerson } from "../notifications/list-person-targets.ts";
import { composeMessage, type Message } from "../notifications/message.ts";
import { composeNoiseLetter } from "../notifications/noise-letter.ts";
import type { Destination, SendMessage } from "../notifications/send-message.server.ts";
import type { SendMail } from "../notifications/send-note.server.ts";
import type { SendResult } from "../notifications/send-result.ts";
import type { SendPush } from "../notifications/web-push/send-push.server.ts";
import type { Delivery, DeliveryLane, DeliveryTarget } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";
import { FAILING_ATTEMPTS } from "../stores/state/undelivered-store.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 1_000;
/** Messages that are sent at the same time, in each lane. */
const AT_ONCE = 4;
/**
 * Kinds of receivers whose messages wait for each other. A mail server that hangs delays no channel. Repeated tries have lanes of their
 * own, so a channel that hangs delays others only with the first try of a message.
 */
const LANES: readonly DeliveryLane[] = [["email", "person"] as const, ["channel"] as const, ["push"] as const].flatMap(
  (kinds) => [
    { kinds, hasFailed: false },
    { kinds, hasFailed: true },
  ],
);
/**
 * The most attempts of a message. With the pauses below it is given up after some 21 hours, so a channel that was broken over night still
 * gets everything.
 */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 30_000;

/** The pause after an attempt, in milliseconds: 30 s after the first, then three times the one before, up to six hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 3 ** (attempts - 1), LONGEST_PAUSE_MS);
}

export interface DeliverParts {
  state: Pick<
    State,
    | "directory"
    | "reprocessing"
    | "notifications"
    | "channels"
    | "channelMessages"
    | "deliveries"
    | "people"
    | "comments"
    | "alertPeriodWork"
    | "alertNoiseWork"
    | "quietHours"
    | "push"
    | "feedbackLinks"
  >;
  send: SendMessage;
  sendMail: SendMail;
  /** Sends a push message to a browser of a person. */
  sendPush: SendPush;
  /** Returns 32 hex characters, different each time. */
  createKey: () => string;
  /** Makes links to acts, for mails to persons and for channels that want them. Absent, or a result of null: messages have no such links. */
  openActLinks?: () => Promise<ToActUrl | null>;
  /** The start of all links. Null: the address of this server is not known. */
  findBaseUrl: () => Promise<string | null>;
  now: () => number;
  log: Log;
  /** `channel`: the kind of the channel, or of the target. */
  onSent: (sent: { channel: string; result: "delivered" | "failed" | "dead" }) => void;
}

/** Sends the messages that are due. */
export function createDeliverJob({
  state,
  send,
  sendMail,
  sendPush,
  createKey,
  openActLinks = async () => null,
  findBaseUrl,
  now,
  log,
  onSent,
}: DeliverParts): Job {
  /** Null: the target does not exist any more, or does not get messages of this project any more. */
  async function findDestination({ projectId, channel, address }: DeliveryTarget): Promise<Destination | null> {
    const scope = scopeOfServer([projectId]);
    if (channel === "channel") {
      const { channelId, place } = readChannelAddress(address);
      const to = await state.channels.getChannel(scope, channelId);
      return to && servesProject(to, projectId) ? { kind: "channel", to: { ...to, place } } : null;
    }
    const { emails } = await state.notifications.getNotificationSettings(scope, projectId);
    return emails === null || emails.includes(address) ? { kind: "email", address } : null;
  }

  /**
   * Sends a message. The messages of a channel that gets later changes are remembered. If one was sent and remembered just before a crash,
   * it is not sent again.
   */
  async function sendOnce(delivery: Delivery, destination: Destination, message: Message): Promise<SendResult> {
    if (destination.kind === "email" || !followsChanges(destination.to)) return await send(destination, message);
    const { id: channelId, place = "" } = destination.to;
    const { key, items, more, target } = delivery;
    if (await state.channelMessages.isRemembered(channelId, key)) return { ok: true, answer: "it has the message" };
    const result = await send(destination, message);
    if (!result.ok) return result;
    const { projectId } = target;
    const ref = result.ref ?? "";
    await state.channelMessages.remember({ channelId, place, projectId, ref, key, items, more, sentAt: message.at });
    return result;
  }

  /** Null: the browser no longer gets messages of this person, or there is nothing to tell. */
  async function attemptPush(delivery: Delivery, baseUrl: string | null) {
    const { target, key } = delivery;
    const subscription = await state.push.getSubscription(findBrowserId(target));
    if (subscription === null || subscription.userId !== findPerson(target)) return null;
    const letter = await composeLetter(state, delivery, { baseUrl, scope: scopeOfServer([target.projectId]) });
    if (letter === null) return null;
    const { isGone, ...result } = await sendPush(subscription, letter.notice, key);
    if (isGone) {
      await state.push.unsubscribe(null, subscription.id);
      return null;
    }
    const answer = result.ok ? result.answer : result.reason;
    await state.push.noteResult(subscription.id, { at: now(), isOk: result.ok, answer });
    return { result, project: letter.project, kind: "push" };
  }

  /** Null: there is no receiver any more, or nothing to tell. */
  async function attempt(delivery: Delivery): Promise<{ result: SendResult; project: string; kind: string } | null> {
    const { target, key } = delivery;
    const baseUrl = await findBaseUrl();
    if (target.channel === "push") return await attemptPush(delivery, baseUrl);
    if (target.channel === "person") {
      const letter =
        target.projectId === 0
          ? await composeNoiseLetter(state, delivery, { baseUrl, now: now() })
          : await composeLetter(state, delivery, {
              baseUrl,
              scope: scopeOfServer([target.projectId]),
              toActUrl: await openActLinks(),
            });
      if (letter === null) return null;
      return { result: await sendMail(letter.address, letter.mail, key), project: letter.project, kind: "person" };
    }
    const destination = await findDestination(target);
    if (destination === null) return null;
    const toActUrl = destination.kind === "channel" && hasActs(destination.to) ? await openActLinks() : null;
    const message = await composeMessage(state, delivery, { baseUrl, toActUrl, now: now() });
    if (message === null) return null;
    const kind = destination.kind === "channel" ? destination.to.kind : "email";
    return { result: await sendOnce(delivery, destination, message), project: message.project.slug, kind };
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { attempts } = delivery;
    const attempted = await attempt(delivery);
    if (attempted === null) return await state.deliveries.discard(delivery);
    const { result, project, kind } = attempted;
    const at = now();
    const nextMessageAt = at + MESSAGE_PAUSE_MS;
    if (result.ok) {
      onSent({ channel: kind, result: "delivered" });
      return await state.deliveries.confirm(delivery, { at, answer: result.answer, nextMessageAt });
    }
    const isDead = result.isPermanent || attempts >= MAX_ATTEMPTS;
    const pause = Math.max(pauseAfter(attempts), result.retryAfterMs ?? 0);
    // A time further ahead would look as if a clock that was ahead had written it.
    const retryAt = isDead ? null : at + Math.min(pause, LONGEST_PAUSE_MS);
    // The log has neither address nor URL: they are on the page of the project.
    const facts = { project, channel: kind, attempts, reason: result.reason };
    log.warn(facts, isDead ? "a message was given up" : "a message did not arrive; it is tried again");
    onSent({ channel: kind, result: isDead ? "dead" : "failed" });
    const forwardKey = isDead || attempts >= FAILING_ATTEMPTS ? createKey : undefined;
    await state.deliveries.fail(delivery, { at, failure: result.reason, retryAt, nextMessageAt, forwardKey });
  }

  return {
    name: "deliver",
    everyMs: EVERY_MS,
    async run(signal) {
      let isIdle = true;
      const failures: unknown[] = [];
      /** Messages under way by address. A channel that several projects use gets one message at a time. */
      const underWay = new Map<string, { lane: DeliveryLane; ended: Promise<void> }>();

      async function beginWhatIsDue(lane: DeliveryLane): Promise<void> {
        const countOfLane = () => [...underWay.values()].filter((each) => each.lane === lane).length;
        while (!signal.aborted && failures.length === 0 && countOfLane() < AT_ONCE) {
          const claimedAt = now();
          const delivery = await state.deliveries.claim({
            now: claimedAt,
            retryAt: (attempts) => claimedAt + pauseAfter(attempts),
            lane,
            butNotTo: [...underWay.keys()],
          });
          if (delivery === null) return;
          isIdle = false;
          const { address } = delivery.target;
          const ended = deliver(delivery)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(address));
          underWay.set(address, { lane, ended });
        }
      }

      for (;;) {
        for (const lane of LANES) await beginWhatIsDue(lane);
        if (underWay.size === 0) break;
        const ends = [...underWay.values()].map(({ ended }) => ended);
        // Messages that become due while a receiver hangs do not wait for it.
        await Promise.race([...ends, sleep(EVERY_MS, undefined, { ref: false })]);
      }
      if (failures.length > 0) throw failures[0];
      return isIdle ? "idle" : "worked";
    },
  };
}
