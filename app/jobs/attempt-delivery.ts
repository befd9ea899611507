import { scopeOfServer } from "../access/server-scope.ts";
import type { ToActUrl } from "../domain/act-link.ts";
import { servesProject } from "../domain/channels/channel.ts";
import { followsChanges, hasActs } from "../domain/channels/channel-kinds.ts";
import { readChannelAddress } from "../domain/channels/channel-place.ts";
import { composeLetter } from "../notifications/letter.ts";
import { findBrowserId, findPerson } from "../notifications/list-person-targets.ts";
import { composeMessage, type Message } from "../notifications/message.ts";
import { composeNoiseLetter } from "../notifications/noise-letter.ts";
import type { Destination, SendMessage } from "../notifications/send-message.server.ts";
import type { SendMail } from "../notifications/send-note.server.ts";
import type { SendResult } from "../notifications/send-result.ts";
import type { SendPush } from "../notifications/web-push/send-push.server.ts";
import type { Delivery, DeliveryTarget } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";

export interface AttemptParts {
  state: Pick<
    State,
    | "directory"
    | "reprocessing"
    | "notifications"
    | "channels"
    | "channelMessages"
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
  /** Makes links to acts, for mails to persons and for channels that want them. Absent, or a result of null: messages have no such links. */
  openActLinks?: () => Promise<ToActUrl | null>;
  /** The start of all links. Null: the address of this server is not known. */
  findBaseUrl: () => Promise<string | null>;
  now: () => number;
}

/** Composes a message with what is known now, and sends it. Null: there is no receiver any more, or nothing to tell. */
export async function attemptDelivery(
  parts: AttemptParts,
  delivery: Delivery,
): Promise<{ result: SendResult; project: string; kind: string } | null> {
  const { state, sendMail, openActLinks = async () => null, findBaseUrl, now } = parts;
  const { target, key } = delivery;
  const baseUrl = await findBaseUrl();
  if (target.channel === "push") return await attemptPush(parts, delivery, baseUrl);
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
  const destination = await findDestination(state, target);
  if (destination === null) return null;
  const toActUrl = destination.kind === "channel" && hasActs(destination.to) ? await openActLinks() : null;
  const message = await composeMessage(state, delivery, { baseUrl, toActUrl, now: now() });
  if (message === null) return null;
  const kind = destination.kind === "channel" ? destination.to.kind : "email";
  return { result: await sendOnce(parts, delivery, destination, message), project: message.project.slug, kind };
}

/** Null: the target does not exist any more, or does not get messages of this project any more. */
async function findDestination(
  state: AttemptParts["state"],
  { projectId, channel, address }: DeliveryTarget,
): Promise<Destination | null> {
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
async function sendOnce(
  { state, send }: AttemptParts,
  delivery: Delivery,
  destination: Destination,
  message: Message,
): Promise<SendResult> {
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
async function attemptPush({ state, sendPush, now }: AttemptParts, delivery: Delivery, baseUrl: string | null) {
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
